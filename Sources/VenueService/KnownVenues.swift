import Caching
import Locking
import PrimaryStore
import TrackStore
import Venues

/// A venue as it was imported, with what is derived from it.
struct KnownVenue: Sendable {
    let summary: VenueSummary
    let venue: Venue
    let places: VenuePlaces
    /// The ways through it; made when the first route is asked for, in up to some seconds for a large venue.
    let graph: MadeOnce<Result<VenueGraph, VenueError>>

    let scenes = KnownScenes()

    /// The bytes that the library stores of it.
    let storedBytes: Int

    init(_ summary: VenueSummary, _ venue: Venue, storedBytes: Int) {
        self.storedBytes = storedBytes
        self.summary = summary
        self.venue = venue
        places = VenuePlaces(venue)
        graph = MadeOnce {
            do throws(VenueError) {
                return .success(try VenueGraph(venue))
            } catch {
                return .failure(error)
            }
        }
    }
}

/// The venues of a library, decoded when they are needed, and kept as long as there is room.
final class KnownVenues: Sendable {
    /// A venue that was imported again has another time.
    struct Key: Hashable {
        let id: String
        let time: Int64

        init(_ summary: VenueSummary) {
            (id, time) = (summary.id, summary.time)
        }
    }

    private struct Removed: Error {}

    private let library: Library
    private let known = SharedCache<Key, KnownVenue>(costLimit: byteLimit)

    /// A decoded venue with its places takes some ten times the bytes that are stored; the largest known have some MiB.
    private static let byteLimit = 256 << 20
    private static let bytesPerStored = 10

    init(of library: Library) {
        self.library = library
    }

    /// All venues, by name.
    func summaries() throws -> [VenueSummary] {
        try library.database.read { try $0.venues() }
    }

    /// The venue of a summary; nil if it was removed meanwhile.
    func venue(_ summary: VenueSummary) throws -> KnownVenue? {
        do {
            return try known.value(for: Key(summary), cost: { Self.bytesPerStored * $0.storedBytes }) {
                guard let bytes = try library.database.read({ try $0.venueBytes(id: summary.id) }) else {
                    throw Removed()
                }
                do {
                    return KnownVenue(summary, try Venue(decoding: bytes), storedBytes: bytes.count)
                } catch let error as VenueError {
                    throw LibraryError.damaged(
                        path: library.folder, what: "the venue \(summary.id) cannot be read (\(error))")
                }
            }
        } catch is Removed {
            return nil
        }
    }

    /// The venue with this id; nil if there is none.
    func venue(id: String) throws -> KnownVenue? {
        guard let summary = try summaries().first(where: { $0.id == id }) else { return nil }
        return try venue(summary)
    }
}
