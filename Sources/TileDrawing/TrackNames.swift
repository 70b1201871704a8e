import Locking
import TileLog
import TrackStore
import Tracks

/// Caches which tracks the ids of requests mean, until a change of the library affects the track.
final class TrackNames: Sendable {
    private struct Name: Hashable {
        var id: String
        var viewer: Viewer
    }

    private struct Memory {
        var numbers: [Name: Int64] = [:]
        /// Incremented when entries are dropped; what was read before that is then not stored.
        var generation = 0
    }

    /// Limit of cached ids, some hundred bytes each.
    private static let most = 16_384

    private let memory = Locked(Memory())

    /// The tracks of a selection's ids (ids of merged tracks are aliases); nil if it names none. Throws the same
    /// problem if an id is unknown and if the viewer may not see its track.
    func tracks(of selection: TileSelection, in library: Library) throws -> TrackSet? {
        guard !selection.tracks.isEmpty else { return nil }
        let names = selection.tracks.map { Name(id: $0, viewer: selection.viewer) }
        let (known, generation) = memory.withLock { memory in (names.map { memory.numbers[$0] }, memory.generation) }
        let numbers = known.compactMap { $0 }
        if numbers.count == names.count { return TrackSet(numbers) }
        let found = try library.database.read { snapshot in
            try names.map { name in
                guard let track = try snapshot.track(id: name.id, for: name.viewer) else { throw Self.noSuchTrack }
                return track.number
            }
        }
        memory.withLock { memory in
            guard memory.generation == generation else { return }
            if memory.numbers.count + names.count > Self.most { memory.numbers.removeAll() }
            for (name, number) in zip(names, found) { memory.numbers[name] = number }
        }
        return TrackSet(found)
    }

    /// Drops the ids of changed tracks; all ids if nil.
    func forget(_ changed: Set<Int64>?) {
        memory.withLock { memory in
            memory.generation += 1
            guard let changed else { return memory.numbers.removeAll() }
            memory.numbers = memory.numbers.filter { !changed.contains($0.value) }
        }
    }

    /// Whether the track of every id of a selection is cached, so that it has not changed.
    func remembers(_ selection: TileSelection) -> Bool {
        guard !selection.tracks.isEmpty else { return true }
        return memory.withLock { memory in
            selection.tracks.allSatisfy { memory.numbers[Name(id: $0, viewer: selection.viewer)] != nil }
        }
    }

    private static let noSuchTrack = TileError.notFound("no track has this id; tileserve tracks list shows the ids")
}
