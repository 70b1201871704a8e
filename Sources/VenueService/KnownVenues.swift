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

    init(_ summary: VenueSummary, _ venue: Venue) {
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

/// The venues of a library, decoded once each.
final class KnownVenues: Sendable {
    private let library: Library
    private let known = Locked<[String: KnownVenue]>([:])

    /// A decoded venue takes some MiB.
    private static let limit = 64

    init(of library: Library) {
        self.library = library
    }

    /// All venues, by name.
    func summaries() throws -> [VenueSummary] {
        try library.database.read { try $0.venues() }
    }

    /// The venue of a summary; nil if it was removed meanwhile.
    func venue(_ summary: VenueSummary) throws -> KnownVenue? {
        // A venue that was imported again has another time.
        if let found = known.withLock({ $0[summary.id] }), found.summary == summary { return found }
        guard let bytes = try library.database.read({ try $0.venueBytes(id: summary.id) }) else { return nil }
        let decoded: Venue
        do {
            decoded = try Venue(decoding: bytes)
        } catch {
            throw LibraryError.damaged(path: library.folder, what: "the venue \(summary.id) cannot be read (\(error))")
        }
        let made = KnownVenue(summary, decoded)
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[summary.id] = made
        }
        return made
    }

    /// The venue with this id; nil if there is none.
    func venue(id: String) throws -> KnownVenue? {
        guard let summary = try summaries().first(where: { $0.id == id }) else {
            _ = known.withLock { $0.removeValue(forKey: id) }
            return nil
        }
        return try venue(summary)
    }
}
