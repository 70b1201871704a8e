internal import GEOS

/// What one route may pass: its profile, what is closed, and where it begins and ends.
struct RouteAccess {
    private let venue: Venue
    private let routes: RouteGraph
    private let profile: RouteProfile
    private let units: Set<Int>
    private let openLevels: Set<Int>
    private let exemptOpenings: Set<Int>
    /// Whether nothing is closed anywhere, so that lines need no test.
    private let isOpenEverywhere: Bool
    /// For each set of areas: 0 unknown, or one of the cases below.
    private var sets: [UInt8]

    private static let open: UInt8 = 1
    private static let blocked: UInt8 = 2
    /// Open from or to the stairs or lift whose area it crosses.
    private static let connectorOnly: UInt8 = 3

    /// An opening at this distance in metres belongs to a unit.
    private static let doorReach = 0.3

    init(_ venue: Venue, _ routes: RouteGraph, _ profile: RouteProfile, _ start: RouteSite, _ end: RouteSite) {
        self.venue = venue
        self.routes = routes
        self.profile = profile
        units = Self.withHosts(start.units.union(end.units), venue, routes.graph)
        openLevels = Set([start.level, end.level].compactMap(\.self).filter { venue.levels[$0].access.isRestricted })
        exemptOpenings = Self.openings(of: units, venue, routes)
        let barriers = routes.barriers
        isOpenEverywhere =
            barriers.areas.isEmpty && barriers.lines.isEmpty
            && (profile != .wheelchair || barriers.wheelchairLines.isEmpty)
        sets = [UInt8](repeating: 0, count: routes.graph.areaSets.count)
    }

    /// Units with those through which they are entered: a room within a room, both without a door.
    private static func withHosts(_ units: Set<Int>, _ venue: Venue, _ graph: VenueGraph) -> Set<Int> {
        var known = units
        var rest = Array(units)
        while let unit = rest.popLast() {
            let areas = graph.sights[venue.units[unit].level].areas
            for area in areas where area.unit == unit && area.condition != .connector {
                // Whoever may enter the inner room may not enter a restricted one for it.
                let hosts = area.hosts.filter {
                    !venue.units[$0].access.isRestricted && venue.units[$0].category.connector == nil
                }
                for host in hosts where known.insert(host).inserted { rest.append(host) }
            }
        }
        return known
    }

    /// Restricted openings on the outlines of units.
    private static func openings(of units: Set<Int>, _ venue: Venue, _ routes: RouteGraph) -> Set<Int> {
        let lines = routes.barriers.lines.values.flatMap(\.self).filter {
            !routes.barriers.openings.contains($0.opening)
        }
        guard !lines.isEmpty else { return [] }
        var found: Set<Int> = []
        for unit in units {
            for ring in venue.units[unit].shape.polygons.flatMap(\.self).map({ $0.map(venue.frame.local) }) {
                for (one, other) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                    for line in lines where venue.openings[line.opening].level == venue.units[unit].level {
                        let (a, b) = (line.start.plane, line.end.plane)
                        let middle = PlanePoint(x: (a.x + b.x) / 2, y: (a.y + b.y) / 2)
                        let near = PlaneMath.nearest(middle, one, other).point
                        if near.distance(to: middle) <= doorReach { found.insert(line.opening) }
                    }
                }
            }
        }
        return found
    }

    /// Whether an area may be crossed; nil if only from or to its own stairs or lift.
    private func isOpen(_ area: Int32, level: Int) -> Bool? {
        let found = routes.graph.sights[level].areas[Int(area)]
        if units.contains(found.unit) || openLevels.contains(level) { return true }
        switch found.condition {
        case .restricted, .doorless: return false
        case .steps: return profile != .wheelchair
        case .connector: return nil
        }
    }

    private func state(_ areas: [Int32], level: Int) -> UInt8 {
        var state = Self.open
        for area in areas {
            switch isOpen(area, level: level) {
            case true?: continue
            case false?: return Self.blocked
            case nil: state = Self.connectorOnly
            }
        }
        return state
    }

    /// Whether an edge of the graph may be taken.
    mutating func allows(set: Int32, from one: Int, to other: Int, level: Int) -> Bool {
        if set == 0 { return allowsLine(from: one, to: other, level: level) }
        if sets[Int(set)] == 0 { sets[Int(set)] = state(routes.graph.areaSets[Int(set)], level: level) }
        switch sets[Int(set)] {
        case Self.open: return allowsLine(from: one, to: other, level: level)
        case Self.connectorOnly:
            return allows(
                areas: routes.graph.areaSets[Int(set)], level: level,
                connectors: [routes.node(one).connector, routes.node(other).connector])
                && allowsLine(from: one, to: other, level: level)
        default: return false
        }
    }

    /// Whether areas may be crossed on the way from or to stairs and lifts.
    func allows(areas: [Int32], level: Int, connectors: [Int32] = []) -> Bool {
        areas.allSatisfy { area in
            isOpen(area, level: level)
                ?? connectors.contains(Int32(routes.graph.sights[level].areas[Int(area)].unit))
        }
    }

    private func allowsLine(from one: Int, to other: Int, level: Int) -> Bool {
        allowsLine(routes.node(one).point, routes.node(other).point, level: level)
    }

    /// Whether nothing closed is on a line.
    func allowsLine(_ p: GridPoint, _ q: GridPoint, level: Int, leavingClosed: Bool = false) -> Bool {
        if isOpenEverywhere { return true }
        let barriers = routes.barriers
        if !leavingClosed, let closed = barriers.areas[level], closed.blocks(p, q) { return false }
        if let lines = barriers.lines[level] {
            for line in lines where !exemptOpenings.contains(line.opening) && line.blocks(p, q) { return false }
        }
        if profile == .wheelchair, let lines = barriers.wheelchairLines[level] {
            for line in lines where line.blocks(p, q) { return false }
        }
        return true
    }

    /// Whether a link may be taken.
    func allows(_ link: VenueGraph.Link) -> Bool {
        let barriers = routes.barriers
        switch link.kind {
        case .stairs, .escalator, .steps: if profile == .wheelchair { return false }
        case .lift: if profile == .withoutLift { return false }
        case .ramp, .door, .footway, .unmappedEntrance: break
        }
        if link.opening >= 0 {
            let index = Int(link.opening)
            if barriers.openings.contains(index) { return false }
            let opening = venue.openings[index]
            if opening.access.isRestricted, !exemptOpenings.contains(index) { return false }
            if profile == .wheelchair, opening.isStepFree == false { return false }
        }
        for unit in [link.unit, link.otherUnit] where unit >= 0 {
            let index = Int(unit)
            if barriers.units.contains(index) { return false }
            let facts = venue.units[index]
            if facts.access.isRestricted, !units.contains(index) { return false }
            if profile == .wheelchair, facts.isStepFree == false { return false }
        }
        return true
    }
}
