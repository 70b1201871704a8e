/// The graph as one search sees it: with the corners of closed areas, and without what is closed or not for the profile.
struct RouteGraph: Sendable {
    let graph: VenueGraph
    let barriers: RouteBarriers
    /// Corners of closed areas: paths go round them. They are numbered after the nodes of the graph.
    let extraNodes: [VenueGraph.Node]
    let extraTurns: [LevelSight.Turn]
    /// Edges from and to extra nodes; with the areas that they cross.
    let extraEdges: [Int32: [(target: Int32, areas: [Int32])]]

    init(_ venue: Venue, _ graph: VenueGraph, _ barriers: RouteBarriers) {
        self.graph = graph
        self.barriers = barriers
        var nodes: [VenueGraph.Node] = []
        var turns: [LevelSight.Turn] = []
        var edges: [Int32: [(target: Int32, areas: [Int32])]] = [:]
        for level in barriers.areas.keys.sorted() {
            guard let closed = barriers.areas[level] else { continue }
            let sight = graph.sights[level]
            let first = turns.count
            for corner in closed.grid.corners where corner.isTurn {
                guard let site = sight.site(corner.point) else { continue }
                turns.append(LevelSight.Turn(corner: corner, part: site.part, inside: site.inside))
                nodes.append(VenueGraph.Node(level: Int16(level), point: corner.point, connector: -1))
            }
            func join(_ one: Int, _ other: Int, _ areas: [Int32]) {
                edges[Int32(one), default: []].append((Int32(other), areas))
                edges[Int32(other), default: []].append((Int32(one), areas))
            }
            for index in first..<turns.count {
                let node = graph.nodes.count + index
                for (offset, turn) in sight.turns.enumerated() {
                    if let areas = sight.areas(from: turns[index], to: turn) {
                        join(node, graph.turnNodes(level).lowerBound + offset, areas)
                    }
                }
                for (offset, site) in graph.sites[level].enumerated() {
                    guard let site, let areas = sight.areas(from: site, to: turns[index]) else { continue }
                    join(node, graph.siteNodes(level).lowerBound + offset, areas)
                }
                for other in (index + 1)..<max(turns.count, index + 1) {
                    if let areas = sight.areas(from: turns[index], to: turns[other]) {
                        join(node, graph.nodes.count + other, areas)
                    }
                }
            }
        }
        extraNodes = nodes
        extraTurns = turns
        extraEdges = edges
    }

    var nodeCount: Int { graph.nodes.count + extraNodes.count }

    @inline(__always)
    func node(_ index: Int) -> VenueGraph.Node {
        index < graph.nodes.count ? graph.nodes[index] : extraNodes[index - graph.nodes.count]
    }

    /// The turn of a node; nil for other nodes.
    func turn(_ index: Int) -> LevelSight.Turn? {
        if index >= graph.nodes.count { return extraTurns[index - graph.nodes.count] }
        let level = Int(graph.nodes[index].level)
        guard level >= 0 else { return nil }
        let range = graph.turnNodes(level)
        return range.contains(index) ? graph.sights[level].turns[index - range.lowerBound] : nil
    }

    /// The site of a node that is no turn; nil for turns and outdoors.
    func site(_ index: Int) -> LevelSight.Site? {
        guard index < graph.nodes.count else { return nil }
        let level = Int(graph.nodes[index].level)
        guard level >= 0 else { return nil }
        let range = graph.siteNodes(level)
        return range.contains(index) ? graph.sites[level][index - range.lowerBound] : nil
    }
}
