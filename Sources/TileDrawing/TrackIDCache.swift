import Caching
import PrimaryStore
import TileLog
import TrackStore
import Tracks

/// Caches which tracks the ids of requests mean, until a change of the library affects the track.
final class TrackIDCache: Sendable {
    private struct Name: Hashable {
        var id: String
        var viewer: Viewer
    }

    /// Limit of cached ids, some hundred bytes each.
    private static let most = 16_384

    private let numbers = SharedCache<Name, Int64>(costLimit: most)

    /// The tracks of a selection's ids (ids of merged tracks are aliases); nil if it names none. Throws the same
    /// problem if an id is unknown and if the viewer may not see its track.
    func tracks(of selection: TileSelection, in library: Library) throws -> TrackSet? {
        guard !selection.tracks.isEmpty else { return nil }
        let names = selection.tracks.map { Name(id: $0, viewer: selection.viewer) }
        let version = numbers.version
        let known = names.compactMap { numbers.find($0) }
        if known.count == names.count { return TrackSet(known) }
        let found = try library.database.read { snapshot in
            try names.map { name in
                guard let track = try snapshot.track(id: name.id, for: name.viewer) else { throw Self.noSuchTrack }
                return track.number
            }
        }
        for (name, number) in zip(names, found) { numbers.store(number, for: name, since: version) }
        return TrackSet(found)
    }

    /// Drops the ids of changed tracks; all ids if nil.
    func invalidate(_ changed: Set<Int64>?) {
        numbers.invalidate { _, number in
            guard let changed, let number else { return true }
            return changed.contains(number)
        }
    }

    /// Whether the track of every id of a selection is cached, so that it has not changed.
    func isCached(_ selection: TileSelection) -> Bool {
        selection.tracks.allSatisfy { numbers.find(Name(id: $0, viewer: selection.viewer)) != nil }
    }

    private static let noSuchTrack = TileError.notFound("no track has this id; tileserve tracks list shows the ids")
}
