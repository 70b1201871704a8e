import Caching
import FloorRendering
import HTTPCore
import Locking
import PrimaryStore
import TileMath
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
    /// What vector tiles contain of it.
    let vectors: MadeOnce<VenueVectors>

    /// The bytes that the library stores of it.
    let storedBytes: Int

    init(_ summary: VenueSummary, _ venue: Venue, storedBytes: Int) {
        self.storedBytes = storedBytes
        self.summary = summary
        self.venue = venue
        let places = VenuePlaces(venue)
        self.places = places
        vectors = MadeOnce { VenueVectors(venue, places: places) }
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

/// The scenes of a venue that were drawn before.
final class KnownScenes: Sendable {
    private struct Key: Hashable {
        let levels: [Int]
        let language: String?
    }

    private let scenes = Locked<[Key: FloorScene]>([:])
    /// A scene of 100 rooms takes some 100 KiB.
    private static let limit = 64

    /// The scene of levels; made in some tens of milliseconds if it is the first request.
    func scene(of known: KnownVenue, levels: [Int], language: String?) throws -> FloorScene {
        let key = Key(levels: levels, language: language)
        if let scene = scenes.withLock({ $0[key] }) { return scene }
        let plans = try levels.map { try known.venue.wallPlan(ofLevel: $0) }
        let scene = try FloorScene(known.venue, plans: plans, places: known.places, language: language)
        scenes.withLock { scenes in
            if scenes.count >= Self.limit { scenes = [:] }
            scenes[key] = scene
        }
        return scene
    }
}

/// Problems that several routes have.
enum VenueProblem {
    static let noVenue = Problem.notFound("there is no venue with this id")
}

extension KnownVenue {
    /// The positions of the levels that a text names: one by its id, or by its ordinal or short name those of all buildings.
    func levels(named text: String) throws(Problem) -> [Int] {
        if let id = FeatureID(text), let index = venue.levelIndex(id) { return [index] }
        let levels = venue.levels.indices
        if let ordinal = Int(text) {
            let found = levels.filter { venue.levels[$0].ordinal == ordinal }
            if !found.isEmpty { return found }
        }
        let found = levels.filter { venue.levels[$0].shortName?.text().lowercased() == text.lowercased() }
        guard !found.isEmpty else {
            throw Problem.notFound("the venue has no level with this id, ordinal or short name")
        }
        return found
    }

    /// The level that a text names at a place: of several buildings the one that the place is in.
    func level(_ text: String, at place: GeoPoint) throws(Problem) -> Int {
        let found = try levels(named: text)
        guard found.count > 1 else { return found[0] }
        if let unit = venue.unit(at: place, levels: found) { return venue.units[unit].level }
        return found.first { venue.levels[$0].outline.bounds?.contains(place) ?? false } ?? found[0]
    }
}
