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
    /// Seconds that the quickest way to another height takes, and metres that the longest leads on.
    private let quickestChange: Double
    private let longestChange: Double

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
        let changes = graph.links.filter { $0.unit >= 0 }
        quickestChange = changes.map { Double($0.seconds) }.min() ?? 0
        longestChange = changes.map { Double($0.metres) }.max() ?? 0
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

    /// What a path may use outdoors.
    private enum Outdoors {
        /// What the venue has as paths.
        case paths
        /// Also the cells where people walk, and open ground.
        case everywhere
    }

    private func route(
        from start: RouteSite, to end: RouteSite, _ profile: RouteProfile
    ) throws(RouteFailure) -> Route {
        if !end.units.isDisjoint(with: routes.barriers.units) {
            throw .closedStop(end.name ?? "The place at the end")
        }
        if let found = route(from: start, to: end, profile, .everywhere) { return found }
        throw reason(from: start, to: end, profile)
    }

    private func route(
        from start: RouteSite, to end: RouteSite, _ profile: RouteProfile, _ outdoors: Outdoors
    ) -> Route? {
        guard let found = path(from: start, to: end, profile, routes, outdoors) else { return nil }
        return RouteLegs.route(
            found, venue, from: start, to: end, isApproximate: found.isApproximate || isThroughWall(found))
    }

    private func path(
        from start: RouteSite, to end: RouteSite, _ profile: RouteProfile, _ routes: RouteGraph,
        _ outdoors: Outdoors = .everywhere
    ) -> FoundPath? {
        let ground = OutdoorSearch(venue, routes, cells, profile)
        let ends = ground.ends(from: start, to: end)
        var search = PathSearch(venue, routes, from: start, to: end, profile, ends)
        if let found = search.run() { return found }
        return outdoors == .everywhere ? ground.path(from: start, to: end, after: search) : nil
    }

    /// Whether a path leaves or enters a room or a building whose doors are not mapped.
    private func isThroughWall(_ path: FoundPath) -> Bool {
        let isUnmapped = path.steps.contains { step in
            if case .link(let link) = step.way { link.kind == .unmappedEntrance } else { false }
        }
        if isUnmapped { return true }
        return zip(path.steps, path.steps.dropFirst()).contains { one, other in
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
        // Over open ground only if there is no other way to any of them.
        for outdoors in [Outdoors.paths, .everywhere] {
            var best: Route?
            for candidate in ranked {
                // No farther place can be nearer on foot.
                if let best, best.seconds <= candidate.bound { break }
                guard let end = try? finder.site(of: found[candidate.index]),
                    end.units.isDisjoint(with: routes.barriers.units),
                    let route = route(from: start, to: end, profile, outdoors)
                else { continue }
                if best.map({ route.seconds < $0.seconds }) ?? true { best = route }
            }
            if let best { return best }
        }
        // The reason of the nearest of them.
        let ends = ranked.lazy.compactMap { try? finder.site(of: found[$0.index]) }
        guard let end = ends.first else { throw .unreachableStop }
        return try route(from: start, to: end, profile)
    }

    /// Seconds below which no route to a place is: straight on, and the quickest way between levels.
    private func bound(_ start: RouteSite, _ place: VenuePlace) -> Double {
        let metres = venue.frame.local(place.point).distance(to: start.point)
        let isHigherOrLower = start.level.map { venue.levels[$0].number != venue.levels[place.level].number } ?? false
        let change = isHigherOrLower ? quickestChange : 0
        // Stops may be moved by up to 3 m each to where one can stand.
        let isShort = longestChange / WalkingCosts.speed <= quickestChange
        guard isHigherOrLower, isShort else { return max(change, max(0, metres - 6) / WalkingCosts.speed) }
        return change + max(0, metres - 6 - longestChange) / WalkingCosts.speed
    }
}
