import Caching
import PrimaryStore
import TileLog
import TrackStore

/// Caches which tracks the ids of requests mean, until a change of the library affects the track.
final class TrackIDCache: Sendable {
    /// Limit of cached ids, some hundred bytes each.
    private static let most = 16_384

    private let numbers = SharedCache<String, Int64>(costLimit: most)

    /// The tracks of a selection's ids (ids of merged tracks are aliases); nil if it names none. Throws a
    /// problem if an id is unknown.
    func tracks(of selection: TileSelection, in library: Library) throws -> TrackSet? {
        guard !selection.tracks.isEmpty else { return nil }
        // Taken before the library is read: if a change invalidates ids meanwhile, what was read is not cached.
        let version = numbers.version
        let known = selection.tracks.compactMap { numbers.find($0) }
        if known.count == selection.tracks.count { return TrackSet(known) }
        let found = try library.database.read { snapshot in
            try selection.tracks.map { id in
                guard let track = try snapshot.track(id: id) else { throw Self.noSuchTrack }
                return track.number
            }
        }
        for (id, number) in zip(selection.tracks, found) { numbers.store(number, for: id, since: version) }
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
        selection.tracks.allSatisfy { numbers.find($0) != nil }
    }

    private static let noSuchTrack = TileError.notFound("no track has this id; tileserve tracks list shows the ids")
}
