import Caching
import Journeys
import PrimaryStore
import TrackStore

/// A route with what is derived from it.
struct KnownRoute: Sendable {
    let stored: StoredRoute
    let measure: RouteMeasure

    var route: JourneyRoute { stored.route }
}

/// The routes of a library, measured when they are needed, and kept as long as there is room.
final class KnownRoutes: Sendable {
    private struct Removed: Error {}

    private let library: Library
    private let known = SharedCache<RouteStamp, KnownRoute>(costLimit: byteLimit)

    private static let byteLimit = 64 << 20
    /// A corner is stored as a point, as its place on the map, and as a length.
    private static let bytesPerCorner = 48

    init(of library: Library) {
        self.library = library
    }

    /// All routes, by name.
    func all() throws -> [KnownRoute] {
        try library.database.read { try $0.routeStamps() }.compactMap { try route($0) }
    }

    /// The route with this id; nil if there is none.
    func route(id: String) throws -> KnownRoute? {
        guard let stamp = try library.database.read({ try $0.routeStamp(id: id) }) else { return nil }
        return try route(stamp)
    }

    /// The route of a stamp; nil if it was removed meanwhile.
    func route(_ stamp: RouteStamp) throws -> KnownRoute? {
        do {
            return try known.value(for: stamp, cost: { Self.bytesPerCorner * $0.route.line.count + 1000 }) {
                guard let stored = try library.database.read({ try $0.route(id: stamp.id) }) else { throw Removed() }
                return KnownRoute(stored: stored, measure: RouteMeasure(stored.route))
            }
        } catch is Removed {
            return nil
        }
    }
}
