import GridStorage
import HTTPCore
import Locking
import PrimaryStore
import RequestHandling
import TrackStore
import Venues

/// A way that was planned, or why there is none, with what it depends on.
struct PlannedDirections: Sendable {
    /// What a way depends on besides its request: it is planned again when this is different.
    struct Basis: Hashable, Sendable {
        /// When the venue was imported.
        let venueTime: Int64
        let closed: Set<FeatureID>
    }

    let known: KnownVenue
    let basis: Basis
    let result: Result<Route, RouteFailure>
    /// The revision of the heat map that it follows; nil for a way that is not outdoors.
    let heatRevision: Int64?
}

/// Plans ways through the venues of a library.
struct DirectionsPlanner: Sendable {
    let library: Library
    let venues: KnownVenues

    /// The venue that is named, or the one that has a stop. Throws a `404`.
    func venue(of request: DirectionsRequest, named id: String?) throws -> KnownVenue {
        if let id {
            guard let known = try venues.venue(id: id) else { throw VenueProblem.noVenue }
            return known
        }
        for summary in try venues.summaries() {
            if let known = try venues.venue(summary), request.stops.contains(where: { $0.isIn(known) }) { return known }
        }
        throw Problem.notFound("no venue has these places; name one with its id as venue")
    }

    /// What a way through a venue depends on now.
    func basis(in known: KnownVenue) throws -> PlannedDirections.Basis {
        let now = TrackDatabase.systemClock()
        let closed = try library.database.read { try $0.closures(ofVenue: known.summary.id) }
            .filter { $0.until > now }.compactMap { FeatureID($0.feature) }
        return PlannedDirections.Basis(venueTime: known.summary.time, closed: Set(closed))
    }

    /// The revision of the heat map; nil while there is none.
    func heatRevision() throws -> Int64? {
        try library.grid.read { try $0.state()?.revision }
    }

    /// Plans a way; the first one through a venue takes up to some seconds.
    func plan(_ request: DirectionsRequest, in known: KnownVenue) throws -> PlannedDirections {
        guard case .success(let graph) = known.graph.value else {
            throw Problem.unavailable("the ways through this venue cannot be computed", retryAfterSeconds: 60)
        }
        let basis = try basis(in: known)
        let revision = try heatRevision()
        let heat = HeatCellReader(library)
        let router = VenueRouter(
            known.venue, places: known.places, graph: graph, closed: basis.closed, cells: heat.cells)
        var stops: [RouteStop] = []
        for stop in request.stops { stops.append(try stop.routeStop(in: known)) }
        let result: Result<Route, RouteFailure>
        do throws(RouteFailure) {
            result = .success(try router.route(stops, profile: request.profile))
        } catch {
            result = .failure(error)
        }
        try heat.check()
        return PlannedDirections(
            known: known, basis: basis, result: result, heatRevision: heat.isUsed ? revision : nil)
    }

    /// Whether a way would be planned in the same way now.
    func isCurrent(_ planned: PlannedDirections) throws -> Bool {
        guard let known = try venues.venue(id: planned.known.summary.id), try planned.basis == basis(in: known) else {
            return false
        }
        guard let revision = planned.heatRevision else { return true }
        return try revision == heatRevision()
    }
}
