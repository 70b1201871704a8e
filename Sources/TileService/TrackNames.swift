import HTTPCore
import Locking
import TileLog
import TrackStore
import Tracks

/// Which tracks the ids of requests stand for, remembered until a change of the library speaks of the track.
final class TrackNames: Sendable {
    private struct Name: Hashable {
        var id: String
        var viewer: Viewer
    }

    private struct Memory {
        var numbers: [Name: Int64] = [:]
        /// Rises when something is forgotten: what was read before is then not remembered any more.
        var age = 0
    }

    /// Ids remembered, some hundred bytes each.
    private static let most = 16_384

    private let memory = Locked(Memory())

    /// The tracks of a selection's ids (those of merged ones are aliases); nil where it names none. Throws a problem where
    /// an id is unknown, or its track is not for the viewer to see: the two are answered alike.
    func tracks(of selection: TileSelection, in library: Library) throws -> TrackSet? {
        guard !selection.tracks.isEmpty else { return nil }
        let names = selection.tracks.map { Name(id: $0, viewer: selection.viewer) }
        let (known, age) = memory.withLock { memory in (names.map { memory.numbers[$0] }, memory.age) }
        let numbers = known.compactMap { $0 }
        if numbers.count == names.count { return TrackSet(numbers) }
        let found = try library.truth.read { snapshot in
            try names.map { name in
                guard let track = try snapshot.track(id: name.id, for: name.viewer) else { throw Self.noSuchTrack }
                return track.number
            }
        }
        memory.withLock { memory in
            guard memory.age == age else { return }
            if memory.numbers.count + names.count > Self.most { memory.numbers.removeAll() }
            for (name, number) in zip(names, found) { memory.numbers[name] = number }
        }
        return TrackSet(found)
    }

    /// Forgets the ids of tracks that changes speak of; all of them where nil.
    func forget(_ changed: Set<Int64>?) {
        memory.withLock { memory in
            memory.age += 1
            guard let changed else { return memory.numbers.removeAll() }
            memory.numbers = memory.numbers.filter { !changed.contains($0.value) }
        }
    }

    /// Whether every id of a selection stands for the track that it has stood for.
    func remembers(_ selection: TileSelection) -> Bool {
        guard !selection.tracks.isEmpty else { return true }
        return memory.withLock { memory in
            selection.tracks.allSatisfy { memory.numbers[Name(id: $0, viewer: selection.viewer)] != nil }
        }
    }

    private static let noSuchTrack = Problem.notFound("no track has this id; tileserve tracks list tells them")
}
