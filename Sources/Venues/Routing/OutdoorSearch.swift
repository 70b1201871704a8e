internal import GEOS

/// Ways between buildings, and to and from places outdoors.
struct OutdoorSearch {
    private let venue: Venue
    private let routes: RouteGraph
    private let cells: HeatCells?
    private let profile: RouteProfile
    private let sight: SightGrid

    init(_ venue: Venue, _ routes: RouteGraph, _ cells: HeatCells?, _ profile: RouteProfile) {
        self.venue = venue
        self.routes = routes
        self.cells = cells
        self.profile = profile
        sight = SightGrid(free: [], areas: routes.graph.footprints.map { [$0] })
    }

    private func isClear(_ one: GridPoint, _ other: GridPoint) -> Bool {
        let footprints = routes.graph.footprints
        let inside = footprints.indices.filter { index in
            footprints[index].position(of: one) == .inside
        }.map { Int32($0) }
        return sight.sight(one, other, inside: inside, most: inside.count) == .open(inside)
    }

    // MARK: Along paths

    /// How stops outdoors are joined to the paths that the venue has.
    func ends(from start: RouteSite, to end: RouteSite) -> OutdoorEnds {
        var ends = OutdoorEnds()
        if start.level == nil { ends.start = joins(GridPoint(start.point), isStart: true) }
        if end.level == nil { ends.end = joins(GridPoint(end.point), isStart: false) }
        return ends
    }

    /// The two nodes of the nearest path that can be reached straight on.
    private func joins(_ point: GridPoint, isStart: Bool) -> [OutdoorEnds.Join] {
        let graph = routes.graph
        var found: [(distance: Double, link: VenueGraph.Link, point: PlanePoint)] = []
        for node in graph.outdoorNodes {
            for link in graph.links(of: node) where link.kind == .footway && link.from < link.to {
                let (one, other) = (graph.nodes[node].point.plane, graph.nodes[Int(link.to)].point.plane)
                let near = PlaneMath.nearest(point.plane, one, other).point
                let distance = near.distance(to: point.plane)
                if distance <= FootwayNetwork.reach { found.append((distance, link, near)) }
            }
        }
        found.sort { ($0.distance, $0.link.from, $0.link.to) < ($1.distance, $1.link.from, $1.link.to) }
        guard let nearest = found.prefix(20).first(where: { isClear(point, GridPoint($0.point)) }) else { return [] }
        let corner = GridPoint(nearest.point)
        return [nearest.link.from, nearest.link.to].map { node in
            let metres = nearest.distance + corner.metres(to: graph.nodes[Int(node)].point)
            return OutdoorEnds.Join(node: Int(node), metres: metres, via: [corner])
        }
    }

    // MARK: Where no path is mapped

    /// A path of which a part leads over the cells of the heat grid, or over open ground if there is none; nil if the stops are
    /// on the same level, too far apart or enclosed.
    ///
    /// `forward` is the search that found no path.
    func path(from start: RouteSite, to end: RouteSite, after forward: PathSearch) -> FoundPath? {
        guard (start.level == nil && end.level == nil) || hasExits else { return nil }
        var forward = forward
        let starts = terminals(start, forward.costsOfNodes())
        guard !starts.isEmpty else { return nil }
        var backward = PathSearch(venue, routes, from: end, to: start, profile, OutdoorEnds())
        let ends = terminals(end, backward.costsOfNodes())
        let cells = cells
        var search = CellSearch(venue.frame, obstacles: routes.graph.footprints) { column, row in
            cells?.days(column, row) ?? 0
        }
        guard let way = search.way(from: starts.map(\.terminal), to: ends.map(\.terminal)) else { return nil }
        let points = search.straightened(cells == nil || way.walked == 0 ? pulled(way.points) : way.points)
        return join(
            points, isApproximate: way.walked < 0.5, first: starts[way.start].node.flatMap { forward.path(toNode: $0) },
            last: ends[way.end].node.flatMap { backward.path(toNode: $0) })
    }

    private var hasExits: Bool { !routes.graph.outdoorNodes.isEmpty }

    /// Where a way outdoors may begin: at the stop, or at the doors that it reaches.
    private func terminals(
        _ site: RouteSite, _ costs: [Int: Double]
    ) -> [(terminal: CellSearch.Terminal, node: Int?)] {
        guard site.level != nil else {
            return [(CellSearch.Terminal(point: GridPoint(site.point), metres: 0), nil)]
        }
        return routes.graph.outdoorNodes.compactMap { node in
            guard let cost = costs[node] else { return nil }
            let point = routes.graph.nodes[node].point
            return (CellSearch.Terminal(point: point, metres: cost * WalkingCosts.speed), node)
        }
    }

    /// The way with the corners left out that can be seen past.
    private func pulled(_ points: [GridPoint]) -> [GridPoint] {
        guard let first = points.first else { return [] }
        var result = [first]
        var index = 0
        while index < points.count - 1 {
            // The farthest of the next points; each step doubles or halves, so that a long way is no square of its length.
            var (near, far) = (index + 1, points.count - 1)
            if !isClear(points[index], points[far]) {
                while far - near > 1 {
                    let middle = (near + far) / 2
                    if isClear(points[index], points[middle]) { near = middle } else { far = middle }
                }
                far = near
            }
            result.append(points[far])
            index = far
        }
        return result
    }

    private func join(_ points: [GridPoint], isApproximate: Bool, first: FoundPath?, last: FoundPath?) -> FoundPath {
        var steps = first?.steps ?? []
        let open = points.map { FoundPath.Step(level: nil, point: $0, way: .open) }
        steps += first == nil ? open[...] : open.dropFirst()
        var seconds = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) } / WalkingCosts.speed
        seconds += (first?.seconds ?? 0) + (last?.seconds ?? 0)
        // The last part was found backwards.
        let back = last?.steps ?? []
        for index in back.indices.reversed().dropFirst() {
            steps.append(FoundPath.Step(level: back[index].level, point: back[index].point, way: back[index + 1].way))
        }
        return FoundPath(steps: steps, seconds: seconds, isApproximate: isApproximate)
    }
}
