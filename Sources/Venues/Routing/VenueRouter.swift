internal import GEOS
public import Text

/// Answers routes through a venue, as it is with what is closed now.
///
/// Immutable and safe to share between threads. Making one costs up to 1 ms for each corner of a closed area; without closures
/// next to nothing. A route takes 1 to 5 ms.
public struct VenueRouter: Sendable {
    public let venue: Venue
    public let places: VenuePlaces
    private let routes: RouteGraph
    private let finder: RouteSiteFinder
    private let cells: HeatCells?

    /// Creates a router for a venue, its graph, and the ids of closed units and openings. `cells` tells where people walk
    /// outdoors (see `HeatCells`).
    public init(
        _ venue: Venue, places: VenuePlaces? = nil, graph: VenueGraph, closed: Set<FeatureID> = [],
        cells: HeatCells? = nil
    ) {
        let places = places ?? VenuePlaces(venue)
        self.venue = venue
        self.places = places
        self.cells = cells
        routes = RouteGraph(venue, graph, RouteBarriers(venue, graph, closed: closed))
        finder = RouteSiteFinder(venue: venue, places: places, graph: graph)
    }

    /// Creates a router for a venue with what is closed at an instant. It is right until the next closure ends.
    public init(
        _ venue: Venue, places: VenuePlaces? = nil, graph: VenueGraph, closures: [VenueClosure], now: Instant,
        cells: HeatCells? = nil
    ) {
        self.init(
            venue, places: places, graph: graph, closed: closures.features(closedAt: now), cells: cells)
    }

    /// The fastest route through the stops, in their order. The last may be the nearest place of a category.
    public func route(_ stops: [RouteStop], profile: RouteProfile = .walk) throws(RouteFailure) -> Route {
        guard (2...VenueLimits.stopsOfRoute).contains(stops.count) else { throw .stopCount }
        var parts: [Route] = []
        var start = try finder.site(of: stops[0])
        for (index, stop) in stops.enumerated().dropFirst() {
            if case .nearest(let category) = stop {
                guard index == stops.count - 1 else { throw .unknownCategory(category) }
                parts.append(try nearest(category, from: start, profile))
                continue
            }
            let end = try finder.site(of: stop)
            parts.append(try route(from: start, to: end, profile))
            start = end
        }
        return Route(joining: parts)
    }

    // MARK: One part

    private func route(
        from start: RouteSite, to end: RouteSite, _ profile: RouteProfile
    ) throws(RouteFailure) -> Route {
        if !end.units.isDisjoint(with: routes.barriers.units) {
            throw .closedStop(end.name ?? "The place at the end")
        }
        if let found = path(from: start, to: end, profile, routes) {
            return RouteLegs.route(
                found, venue, from: start, to: end, isApproximate: found.isApproximate || isThroughWall(found))
        }
        throw reason(from: start, to: end, profile)
    }

    private func path(
        from start: RouteSite, to end: RouteSite, _ profile: RouteProfile, _ routes: RouteGraph
    ) -> FoundPath? {
        let outdoors = OutdoorSearch(venue, routes, cells, profile)
        let ends = outdoors.ends(from: start, to: end)
        var search = PathSearch(venue, routes, from: start, to: end, profile, ends)
        return search.run() ?? outdoors.path(from: start, to: end, after: search)
    }

    /// Whether a path leaves or enters a room whose doors are not mapped.
    private func isThroughWall(_ path: FoundPath) -> Bool {
        zip(path.steps, path.steps.dropFirst()).contains { one, other in
            guard let level = other.level, one.level == level, other.way == .line else { return false }
            let sight = routes.graph.sights[level]
            let doorless = sight.areas.filter { $0.condition == .doorless }
            return doorless.contains { area in
                let isIn = [one.point, other.point].map { point in
                    area.area.contains { $0.position(of: point) != .outside }
                }
                return isIn[0] != isIn[1]
            }
        }
    }

    /// Why there is no path: the same search with fewer conditions tells.
    private func reason(from start: RouteSite, to end: RouteSite, _ profile: RouteProfile) -> RouteFailure {
        let barriers = routes.barriers
        if !barriers.units.isEmpty || !barriers.openings.isEmpty {
            let open = RouteGraph(venue, routes.graph, RouteBarriers(venue, routes.graph, closed: []))
            if path(from: start, to: end, profile, open) != nil { return .closedWay }
        }
        guard profile != .walk, path(from: start, to: end, .walk, routes) != nil else { return .noWay }
        return profile == .wheelchair ? .notStepFree : .onlyByLift
    }

    // MARK: The nearest of a category

    private func nearest(
        _ category: String, from start: RouteSite, _ profile: RouteProfile
    ) throws(RouteFailure) -> Route {
        let found = places.places(category: category)
        guard !found.isEmpty else { throw .unknownCategory(category) }
        let ranked = found.enumerated().map { index, place in (bound: bound(start, place), index: index) }
            .sorted { $0 < $1 }
        var best: Route?
        var failure = RouteFailure.noWay
        for candidate in ranked {
            // No farther place can be nearer on foot.
            if let best, best.seconds <= candidate.bound { break }
            do throws(RouteFailure) {
                let route = try route(from: start, to: try finder.site(of: found[candidate.index]), profile)
                if best.map({ route.seconds < $0.seconds }) ?? true { best = route }
            } catch {
                failure = error
            }
        }
        guard let best else { throw failure }
        return best
    }

    /// Seconds below which no route to a place is: straight on, and the quickest way between levels.
    private func bound(_ start: RouteSite, _ place: VenuePlace) -> Double {
        let metres = venue.frame.local(place.point).distance(to: start.point)
        // Stops may be moved by up to 3 m each to where one can stand.
        return max(0, metres - 6) / WalkingCosts.speed
    }
}
