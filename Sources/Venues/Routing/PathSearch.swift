internal import GEOS

/// Finds the fastest path between two stops: A* with the straight way as the lower bound.
///
/// The stops are no nodes. The first sees its level when the search begins, the second is looked for from each node that the
/// search reaches: so few lines are tested.
struct PathSearch {
    private let venue: Venue
    private let routes: RouteGraph
    private var access: RouteAccess
    private let start: RouteSite
    private let end: RouteSite
    private let startPoint: GridPoint
    private let endPoint: GridPoint
    private let outdoorEnds: OutdoorEnds
    /// Two states a node: reached on its level, or by a link. One who has walked to stairs takes them, so that stairs with two
    /// unmapped doors are no short cut.
    private var costs: [Double]
    private var parents: [Int32]
    private var parentLinks: [Int32]
    private var isSettled: [Bool]
    private var heap = PathHeap()
    private var best: (cost: Double, state: Int32)?
    private let isLeavingClosed: Bool
    /// Whether everything was searched.
    private var isExhausted = false

    /// The parent of states that follow the start.
    private static let fromStart: Int32 = -2
    private static let unreached: Int32 = -1

    init(
        _ venue: Venue, _ routes: RouteGraph, from start: RouteSite, to end: RouteSite, _ profile: RouteProfile,
        _ outdoorEnds: OutdoorEnds
    ) {
        self.venue = venue
        self.routes = routes
        self.start = start
        self.end = end
        self.outdoorEnds = outdoorEnds
        access = RouteAccess(venue, routes, profile, start, end)
        startPoint = start.site?.point ?? GridPoint(start.point)
        endPoint = end.site?.point ?? GridPoint(end.point)
        isLeavingClosed = !start.units.isDisjoint(with: routes.barriers.units)
        let states = routes.nodeCount * 2
        costs = [Double](repeating: .infinity, count: states)
        parents = [Int32](repeating: Self.unreached, count: states)
        parentLinks = [Int32](repeating: -1, count: states)
        isSettled = [Bool](repeating: false, count: states)
    }

    /// The path; nil if there is none.
    mutating func run() -> FoundPath? {
        if let direct = direct() { return direct }
        seed()
        while let entry = heap.pop() {
            if let best, entry.estimate >= best.cost { break }
            let state = Int(entry.state)
            guard !isSettled[state] else { continue }
            isSettled[state] = true
            lookForEnd(state)
            relax(state)
        }
        isExhausted = best == nil
        return best.map { path(from: $0.state, seconds: $0.cost) }
    }

    /// The cheapest cost from the start to each node that it reaches. After a `run` that found nothing they are known already.
    mutating func costsOfNodes() -> [Int: Double] {
        if !isExhausted { seed() }
        while let entry = heap.pop() {
            let state = Int(entry.state)
            guard !isSettled[state] else { continue }
            isSettled[state] = true
            relax(state)
        }
        var found: [Int: Double] = [:]
        for node in 0..<routes.graph.nodes.count {
            let cost = min(costs[2 * node], costs[2 * node + 1])
            if cost < .infinity { found[node] = cost }
        }
        return found
    }

    /// The path to a node that `costsOfNodes` has reached.
    func path(toNode node: Int) -> FoundPath? {
        let state = costs[2 * node] <= costs[2 * node + 1] ? 2 * node : 2 * node + 1
        guard costs[state] < .infinity else { return nil }
        return path(to: Int32(state), seconds: costs[state])
    }

    // MARK: The start

    private func direct() -> FoundPath? {
        guard let level = start.level, level == end.level, let one = start.site, let other = end.site,
            let areas = one.point == other.point ? [] : routes.graph.sights[level].areas(from: one, to: other),
            access.allows(areas: areas, level: level),
            access.allowsLine(one.point, other.point, level: level, leavingClosed: isLeavingClosed)
        else { return nil }
        let steps = [
            FoundPath.Step(level: level, point: one.point, way: .line),
            FoundPath.Step(level: level, point: other.point, way: .line),
        ]
        return FoundPath(steps: steps, seconds: one.point.metres(to: other.point) / WalkingCosts.speed)
    }

    private mutating func seed() {
        guard let level = start.level, let site = start.site else {
            for door in outdoorEnds.start {
                reach(2 * door.node, cost: door.metres / WalkingCosts.speed, Self.fromStart, -1)
            }
            return
        }
        let graph = routes.graph
        let sight = graph.sights[level]
        let first = graph.turnNodes(level).lowerBound
        for (offset, turn) in sight.turns.enumerated() { seed(first + offset, turn, site, sight, level) }
        for (offset, turn) in routes.extraTurns.enumerated() where Int(routes.extraNodes[offset].level) == level {
            seed(graph.nodes.count + offset, turn, site, sight, level)
        }
        for (offset, other) in graph.sites[level].enumerated() {
            let node = graph.siteNodes(level).lowerBound + offset
            guard let other, let areas = other.point == site.point ? [] : sight.areas(from: site, to: other),
                access.allows(areas: areas, level: level, connectors: [graph.nodes[node].connector])
            else { continue }
            seed(node, other.point, site, level)
        }
    }

    private mutating func seed(
        _ node: Int, _ turn: LevelSight.Turn, _ site: LevelSight.Site, _ sight: LevelSight, _ level: Int
    ) {
        if turn.point == site.point {
            guard turn.part == site.part else { return }
        } else {
            guard let areas = sight.areas(from: site, to: turn), access.allows(areas: areas, level: level) else {
                return
            }
        }
        seed(node, turn.point, site, level)
    }

    private mutating func seed(_ node: Int, _ point: GridPoint, _ site: LevelSight.Site, _ level: Int) {
        guard access.allowsLine(site.point, point, level: level, leavingClosed: isLeavingClosed) else { return }
        reach(2 * node, cost: site.point.metres(to: point) / WalkingCosts.speed, Self.fromStart, -1)
    }

    private mutating func reach(_ state: Int, cost: Double, _ parent: Int32, _ link: Int32) {
        guard cost < costs[state] else { return }
        costs[state] = cost
        parents[state] = parent
        parentLinks[state] = link
        let rest = routes.node(state / 2).point.metres(to: endPoint) / WalkingCosts.speed
        heap.push(PathHeap.Entry(estimate: cost + rest, cost: cost, state: Int32(state)))
    }

    // MARK: From node to node

    private mutating func relax(_ state: Int) {
        let node = state / 2
        let place = routes.node(node)
        let cost = costs[state]
        let isByLink = state & 1 == 1
        if node < routes.graph.nodes.count {
            for index in Int(routes.graph.linkStarts[node])..<Int(routes.graph.linkStarts[node + 1]) {
                let link = routes.graph.links[index]
                guard access.allows(link) else { continue }
                reach(2 * Int(link.to) + 1, cost: cost + Double(link.seconds), Int32(state), Int32(index))
            }
        }
        guard place.level >= 0, isByLink || place.connector < 0 else { return }
        let level = Int(place.level)
        if node < routes.graph.nodes.count {
            for edge in routes.graph.edges.of(node) {
                let target = Int(edge.target)
                guard !isSettled[2 * target] else { continue }
                let next = cost + place.point.metres(to: routes.node(target).point) / WalkingCosts.speed
                guard next < costs[2 * target],
                    access.allows(set: edge.areas, from: node, to: target, level: level)
                else { continue }
                reach(2 * target, cost: next, Int32(state), -1)
            }
        }
        for edge in routes.extraEdges[Int32(node)] ?? [] {
            let target = Int(edge.target)
            let other = routes.node(target)
            let next = cost + place.point.metres(to: other.point) / WalkingCosts.speed
            guard next < costs[2 * target],
                access.allows(areas: edge.areas, level: level, connectors: [place.connector, other.connector]),
                access.allowsLine(place.point, other.point, level: level)
            else { continue }
            reach(2 * target, cost: next, Int32(state), -1)
        }
    }

    // MARK: The end

    private mutating func lookForEnd(_ state: Int) {
        let node = state / 2
        let place = routes.node(node)
        guard let level = end.level, let site = end.site else {
            for door in outdoorEnds.end where door.node == node {
                offer(costs[state] + door.metres / WalkingCosts.speed, state)
            }
            return
        }
        guard Int(place.level) == level, state & 1 == 1 || place.connector < 0 else { return }
        let cost = costs[state] + place.point.metres(to: site.point) / WalkingCosts.speed
        if let best, cost >= best.cost { return }
        let sight = routes.graph.sights[level]
        var areas: [Int32]?
        if place.point == site.point {
            areas = []
        } else if let turn = routes.turn(node) {
            areas = sight.areas(from: site, to: turn)
        } else if let other = routes.site(node) {
            areas = sight.areas(from: other, to: site)
        }
        guard let areas, access.allows(areas: areas, level: level, connectors: [place.connector]),
            access.allowsLine(place.point, site.point, level: level)
        else { return }
        offer(cost, state)
    }

    private mutating func offer(_ cost: Double, _ state: Int) {
        if let best, cost >= best.cost { return }
        best = (cost, Int32(state))
    }

    // MARK: The path

    private func path(to state: Int32, seconds: Double) -> FoundPath {
        var steps: [FoundPath.Step] = []
        var next = state
        while next >= 0 {
            let place = routes.node(Int(next) / 2)
            let link = parentLinks[Int(next)]
            steps.append(
                FoundPath.Step(
                    level: place.level >= 0 ? Int(place.level) : nil, point: place.point,
                    way: link >= 0
                        ? .link(routes.graph.links[Int(link)]) : start.level == nil && place.level < 0 ? .open : .line))
            next = parents[Int(next)]
        }
        // Outdoors one walks from the start to the nearest path.
        let first = steps.last.flatMap { step in
            outdoorEnds.start.first { routes.node($0.node).point == step.point && start.level == nil }
        }
        for point in (first?.via ?? []).reversed() {
            steps.append(FoundPath.Step(level: nil, point: point, way: .open))
        }
        steps.append(FoundPath.Step(level: start.level, point: startPoint, way: .line))
        return FoundPath(steps: steps.reversed(), seconds: seconds)
    }

    private func path(from state: Int32, seconds: Double) -> FoundPath {
        var found = path(to: state, seconds: seconds)
        let node = Int(state) / 2
        if end.level == nil, let last = outdoorEnds.end.first(where: { $0.node == node }) {
            for point in last.via { found.steps.append(FoundPath.Step(level: nil, point: point, way: .open)) }
        }
        found.steps.append(
            FoundPath.Step(level: end.level, point: endPoint, way: end.level == nil ? .open : .line))
        return found
    }
}

/// How stops outdoors are joined to the paths there.
struct OutdoorEnds {
    /// A node of the graph, and the way to it.
    struct Join {
        let node: Int
        let metres: Double
        /// Points between the stop and the node, in the order of the route.
        let via: [GridPoint]
    }

    var start: [Join] = []
    var end: [Join] = []
}
