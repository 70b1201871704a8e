import Locking
import PrimaryStore
import TileLog
import TrackStore

/// Caches what vector tiles say about tracks: the tiles of a view have the same ones.
final class TrackIdentityCache: Sendable {
    private struct Entry {
        /// Of the track in the grid: another one means that the track has changed.
        var digest: UInt64
        var identity: TrackIdentity
    }

    private let entries = Locked<[Int64: Entry]>([:])

    /// From so many missing tracks on, all tracks between them are read by one statement.
    private static let leastForRange = 16
    /// Limit of cached tracks, some 200 bytes each; beyond it, the cache starts anew.
    private static let limit = 1 << 20

    /// The identities of tracks by number; without those that the primary store does not have any more.
    func identities(
        of numbers: Set<Int64>, _ gridSnapshot: GridSnapshot, in library: Library
    ) throws -> [Int64: TrackIdentity] {
        var found: [Int64: TrackIdentity] = [:]
        var missing: [Int64] = []
        entries.withLock { entries in
            for number in numbers {
                if let entry = entries[number], entry.digest == gridSnapshot.tracks.digest(of: number) {
                    found[number] = entry.identity
                } else {
                    missing.append(number)
                }
            }
        }
        guard let first = missing.min(), let last = missing.max() else { return found }
        let read = try library.database.read { snapshot in
            var read: [Int64: TrackIdentity] = [:]
            let ranges = missing.count < Self.leastForRange ? missing.map { $0...$0 } : [first...last]
            for range in ranges { try snapshot.forEachIdentity(in: range) { read[$0.number] = $0 } }
            return read
        }
        for number in missing { found[number] = read[number] }
        entries.withLock { entries in
            if entries.count + read.count > Self.limit { entries = [:] }
            for (number, identity) in read {
                entries[number] = Entry(digest: gridSnapshot.tracks.digest(of: number), identity: identity)
            }
        }
        return found
    }

    /// Drops entries of tracks that are not in a snapshot or have changed, such as removed ones.
    func invalidate(exceptIn gridSnapshot: GridSnapshot) {
        entries.withLock { entries in
            entries = entries.filter { gridSnapshot.tracks.digest(of: $0.key) == $0.value.digest }
        }
    }
}
