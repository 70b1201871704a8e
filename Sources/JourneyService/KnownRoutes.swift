import BuiltInRoutes
import Caching
import JourneyRendering
import Journeys
import Locking
import PrimaryStore
import TileMath
package import TrackStore

/// A route with what is derived from it.
struct KnownRoute: Sendable {
    let stored: StoredRoute
    let measure: RouteMeasure
    /// Made when the first tile is drawn; it fails if there is no memory to measure names.
    let prepared: MadeOnce<Result<PreparedRoute, any Error>>
    /// The box of its line.
    let bounds: BoundingBox?

    /// Corners whose box is that of the line, but for some pixels.
    private static let boundedCorners = 1000

    fileprivate init(_ stored: StoredRoute) {
        self.stored = stored
        measure = RouteMeasure(stored.route)
        let (route, measure) = (stored.route, measure)
        prepared = MadeOnce { Result { try PreparedRoute(route, measure: measure) } }
        let corners = measure.corners(atMost: Self.boundedCorners).map { route.line[$0] } + route.places.map(\.point)
        bounds = .enclosing(
            corners.compactMap {
                BoundingBox(west: $0.longitude, south: $0.latitude, east: $0.longitude, north: $0.latitude)
            })
    }

    var route: JourneyRoute { stored.route }
}

/// The routes of a library, measured when they are needed, and kept as long as there is room.
final class KnownRoutes: Sendable {
    private struct Removed: Error {}

    private let library: Library
    private let hasBuiltIn = Locked(false)
    private let known = SharedCache<RouteStamp, KnownRoute>(costLimit: byteLimit)

    private static let byteLimit = 64 << 20
    /// A corner is stored as a point, as its place on the map, as a length, and in a block to be drawn.
    private static let bytesPerCorner = 96

    init(of library: Library) {
        self.library = library
    }

    /// Adds the built-in routes to a library that never had them.
    func prepare() throws {
        try hasBuiltIn.withLock { isDone in
            guard !isDone else { return }
            try library.addBuiltInRoutes()
            isDone = true
        }
    }

    /// All routes, by name.
    func all() throws -> [KnownRoute] {
        try prepare()
        return try library.database.read { try $0.routeStamps() }.compactMap { try route($0) }
    }

    /// The route with this id; nil if there is none.
    func route(id: String) throws -> KnownRoute? {
        try prepare()
        guard let stamp = try library.database.read({ try $0.routeStamp(id: id) }) else { return nil }
        return try route(stamp)
    }

    /// The route of a stamp; nil if it was removed meanwhile.
    func route(_ stamp: RouteStamp) throws -> KnownRoute? {
        do {
            return try known.value(for: stamp, cost: { Self.bytesPerCorner * $0.route.line.count + 1000 }) {
                guard let stored = try library.database.read({ try $0.route(id: stamp.id) }) else { throw Removed() }
                return KnownRoute(stored)
            }
        } catch is Removed {
            return nil
        }
    }
}

extension Library {
    /// Adds the built-in routes once; those that were removed stay removed. A library that is only read has none to add to.
    package func addBuiltInRoutes() throws {
        guard !isReadOnly else { return }
        // They are decoded only if they are missing.
        try database.addBuiltInRoutes(BuiltInRoute.all)
    }
}
