internal import GEOS

extension VenueGraph {
    /// Builds the graph of a venue. Cost: about 0.3 s for a level with 1,300 turns, and it grows with their square.
    ///
    /// `isCancelled` is asked often; when it says true, `VenueError.cancelled` is thrown.
    public init(_ venue: Venue, isCancelled: () -> Bool = { false }) throws(VenueError) {
        self = try GraphBuilder.build(venue, isCancelled)
    }
}

/// Builds the graph of a venue: the places of its nodes, the lines between them level by level, then the other ways.
struct GraphBuilder {
    let venue: Venue
    let shapes: PlaneShapes
    private let plans: [LevelPlan]
    let sights: [LevelSight]
    var parts = VenueGraph.Parts()
    /// The numbers of sets of areas: the level, then its areas.
    private var setNumbers: [[Int32]: Int32] = [:]
    /// The sites of each level that are no turns, and the connector of each; -1 for doors.
    private(set) var sites: [[(site: LevelSight.Site, connector: Int)]]
    private(set) var connectors: [Int: Place] = [:]
    var doors: [Door] = []

    /// A site of a level.
    struct Place: Hashable {
        let level: Int
        let site: Int
    }

    /// An opening that leads out of its level, the site before it, and those beyond it on levels of the same height.
    struct Door {
        /// −1 for an entrance that is not mapped.
        let opening: Int
        /// Whether the source has the way through it to the outside.
        var isMapped = true
        let inner: Place
        let middle: PlanePoint
        let outside: GridPoint
        var beyond: [Place] = []
    }

    /// From a door to the free space before it, at most so many metres.
    private static let doorReach = 1.0
    /// From the middle of stairs or of a lift to the free space in or before it.
    private static let connectorReach = 1.5

    static func build(_ venue: Venue, _ isCancelled: () -> Bool) throws(VenueError) -> VenueGraph {
        let shapes = try PlaneShapes(venue.frame)
        var plans: [LevelPlan] = []
        for level in venue.levels.indices {
            guard !isCancelled() else { throw .cancelled }
            plans.append(try venue.plan(ofLevel: level))
        }
        var builder = GraphBuilder(venue: venue, shapes: shapes, plans: plans, sights: plans.map(LevelSight.init))
        let ways = try PlaneShapes.geometry { () throws(GEOSError) in try Connectors.find(venue, shapes) }
        try builder.placeConnectors(ways)
        builder.placeDoors()
        try builder.placeUnmappedEntrances(ways)
        for level in venue.levels.indices { try builder.addLevel(level, isCancelled) }
        builder.addWays(ways)
        try builder.addOutdoors()
        return VenueGraph(venue: venue.contentDigest, plans: plans, sights: builder.sights, builder.parts)
    }

    private init(venue: Venue, shapes: PlaneShapes, plans: [LevelPlan], sights: [LevelSight]) {
        self.venue = venue
        self.shapes = shapes
        self.plans = plans
        self.sights = sights
        sites = plans.map { _ in [] }
    }

    // MARK: Places

    mutating func place(_ site: LevelSight.Site, level: Int, connector: Int = -1) -> Place {
        if connector < 0, let known = sites[level].firstIndex(where: { $0.connector < 0 && $0.site == site }) {
            return Place(level: level, site: known)
        }
        sites[level].append((site, connector))
        return Place(level: level, site: sites[level].count - 1)
    }

    private func node(_ place: Place) -> Int {
        Int(parts.levelStarts[place.level]) + sights[place.level].turns.count + place.site
    }

    private mutating func placeConnectors(_ ways: [Connectors.Way]) throws(VenueError) {
        for unit in Set(ways.flatMap { [$0.from, $0.to] }).sorted() {
            guard let site = try connectorSite(unit) else { continue }
            connectors[unit] = place(site, level: venue.units[unit].level, connector: unit)
        }
    }

    private mutating func placeDoors() {
        for (level, plan) in plans.enumerated() {
            for opening in plan.openings {
                guard let outside = opening.outside else { continue }
                let middle = Self.middle(opening.line)
                guard let site = sights[level].site(near: middle, within: nil, reach: Self.doorReach) else { continue }
                var door = Door(
                    opening: opening.opening, inner: place(site, level: level), middle: middle, outside: outside)
                for other in venue.levels.indices where other != level {
                    guard venue.levels[other].number == venue.levels[level].number,
                        let beyond = sights[other].site(near: middle, within: nil, reach: Self.doorReach)
                    else { continue }
                    door.beyond.append(place(beyond, level: other))
                }
                doors.append(door)
            }
        }
    }

    private static func middle(_ line: [GridPoint]) -> PlanePoint {
        let points = line.map(\.plane)
        guard let first = points.first, let last = points.last else { return PlanePoint(x: 0, y: 0) }
        return PlanePoint(x: (first.x + last.x) / 2, y: (first.y + last.y) / 2)
    }

    /// Where one enters stairs or a lift: its display point if one can stand there, else a point in its free part, else the
    /// nearest point before it.
    private func connectorSite(_ index: Int) throws(VenueError) -> LevelSight.Site? {
        let unit = venue.units[index]
        let sight = sights[unit.level]
        if let display = unit.displayPoint.map(venue.frame.local), let site = sight.site(GridPoint(display)) {
            return site
        }
        let rings = unit.shape.polygons.map { $0.map(shapes.points) }
        let inner = try PlaneShapes.geometry { () throws(GEOSError) -> (free: PlanePoint?, middle: PlanePoint?) in
            let area = try shapes.area([unit.shape])
            var parts: [Geometry] = []
            for polygon in plans[unit.level].freePolygons {
                let part = try Geometry.polygon(polygon[0], holes: Array(polygon.dropFirst()), shapes.context)
                parts.append(try area.intersection(part))
            }
            let free = try shapes.areaOnly(try Geometry.collection(parts, shapes.context).unaryUnion())
            return (try free.interiorPoint(), try area.interiorPoint())
        }
        if let point = inner.free, let site = sight.site(near: point, within: rings, reach: 0.1) { return site }
        return inner.middle.flatMap { sight.site(near: $0, within: nil, reach: Self.connectorReach) }
    }

    // MARK: A level

    private mutating func addLevel(_ level: Int, _ isCancelled: () -> Bool) throws(VenueError) {
        let sight = sights[level]
        let start = parts.nodes.count
        parts.levelStarts.append(Int32(start))
        for turn in sight.turns {
            parts.nodes.append(VenueGraph.Node(level: Int16(level), point: turn.point, connector: -1))
        }
        for entry in sites[level] {
            parts.nodes.append(
                VenueGraph.Node(level: Int16(level), point: entry.site.point, connector: Int32(entry.connector)))
        }
        try addTurnEdges(level, start, isCancelled)
        let first = start + sight.turns.count
        for (position, entry) in sites[level].enumerated() {
            guard !isCancelled() else { throw .cancelled }
            for (index, turn) in sight.turns.enumerated() {
                if let areas = sight.areas(from: entry.site, to: turn) { add(start + index, first + position, areas) }
            }
            for other in (position + 1)..<sites[level].count {
                let target = sites[level][other].site
                if target.point == entry.site.point {
                    add(first + position, first + other, [])
                } else if let areas = sight.areas(from: entry.site, to: target) {
                    add(first + position, first + other, areas)
                }
            }
        }
    }

    private mutating func addTurnEdges(_ level: Int, _ start: Int, _ isCancelled: () -> Bool) throws(VenueError) {
        let sight = sights[level]
        let turns = sight.turns
        for one in turns.indices {
            guard !isCancelled() else { throw .cancelled }
            for other in turns.indices.dropFirst(one + 1) {
                if turns[one].point == turns[other].point {
                    add(start + one, start + other, [])
                } else if let areas = sight.areas(from: turns[one], to: turns[other]) {
                    add(start + one, start + other, areas)
                }
            }
        }
    }

    private mutating func add(_ one: Int, _ other: Int, _ areas: [Int32]) {
        var number: Int32 = 0
        if !areas.isEmpty {
            let key = [Int32(parts.nodes[one].level)] + areas
            number = setNumbers[key] ?? Int32(parts.areaSets.count)
            if setNumbers.updateValue(number, forKey: key) == nil { parts.areaSets.append(areas) }
        }
        parts.pairs.append(GraphEdges.Pair(one: Int32(one), other: Int32(other), areas: number))
    }

    // MARK: Between levels

    private mutating func addWays(_ ways: [Connectors.Way]) {
        parts.levelStarts.append(Int32(parts.nodes.count))
        for way in ways {
            guard let from = connectors[way.from].map(node), let to = connectors[way.to].map(node) else { continue }
            let kind =
                switch way.kind {
                case .stairs: VenueGraph.Link.Kind.stairs
                case .lift: VenueGraph.Link.Kind.lift
                case .escalator: VenueGraph.Link.Kind.escalator
                case .ramp: VenueGraph.Link.Kind.ramp
                }
            let barriers = VenueGraph.Barriers(unit: way.from, otherUnit: way.to)
            let metres = parts.nodes[from].point.metres(to: parts.nodes[to].point)
            // Nothing is faster than walking straight, so that the straight way is a lower bound for all ways.
            let seconds = max(way.seconds, metres / WalkingCosts.speed * 1.001)
            parts.links.append(
                VenueGraph.Link(from: from, to: to, kind: kind, seconds: seconds, metres: metres, barriers: barriers))
        }
        for door in doors {
            for beyond in door.beyond {
                join(
                    node(door.inner), node(beyond), kind: .door,
                    metres: distance(door, parts.nodes[node(beyond)].point),
                    barriers: VenueGraph.Barriers(opening: door.opening))
            }
        }
    }

    private func distance(_ door: Door, _ point: GridPoint) -> Double {
        let start = parts.nodes[node(door.inner)].point.plane
        return start.distance(to: door.middle) + door.middle.distance(to: point.plane)
    }

    private mutating func join(
        _ one: Int, _ other: Int, kind: VenueGraph.Link.Kind, metres: Double, barriers: VenueGraph.Barriers
    ) {
        let factor = kind == .steps ? WalkingCosts.outdoorSteps : 1
        let seconds = metres / WalkingCosts.speed * factor
        for (from, to) in [(one, other), (other, one)] {
            parts.links.append(
                VenueGraph.Link(from: from, to: to, kind: kind, seconds: seconds, metres: metres, barriers: barriers))
        }
    }

    // MARK: Outdoors

    private mutating func addOutdoors() throws(VenueError) {
        // A door to another level of the same height does not lead outdoors.
        let exits = doors.filter { $0.beyond.isEmpty }
        let sight = SightGrid(free: [], areas: parts.footprints.map { [$0] })
        let footprints = parts.footprints
        let network = FootwayNetwork(venue, joining: exits.map(\.outside)) { door, path in
            let inside = footprints.indices.filter { footprints[$0].position(of: door) == .inside }.map { Int32($0) }
            return sight.sight(door, path, inside: inside, most: inside.count) == .open(inside)
        }
        let start = parts.nodes.count
        for point in network.points {
            parts.nodes.append(VenueGraph.Node(level: -1, point: point, connector: -1))
        }
        for piece in network.pieces {
            join(
                start + piece.one, start + piece.other, kind: piece.hasSteps ? .steps : .footway,
                metres: network.points[piece.one].metres(to: network.points[piece.other]),
                barriers: VenueGraph.Barriers())
        }
        for door in exits {
            guard let position = network.position(of: door.outside) else { continue }
            join(
                node(door.inner), start + position, kind: door.isMapped ? .door : .unmappedEntrance,
                metres: distance(door, door.outside), barriers: VenueGraph.Barriers(opening: door.opening))
        }
    }

    /// What buildings cover on the ground: their footprints, else their levels at ordinal 0.
    func footprints() -> [GeoShape] {
        // One walks below a roof.
        let covering = venue.buildings.filter { !["roof", "carport"].contains($0.category) }
        var shapes = covering.map(\.footprint).filter { $0 != .none }
        let known = Set(venue.buildings.filter { $0.footprint != .none }.map(\.id))
        for (index, level) in venue.levels.enumerated() where level.ordinal == 0 && !level.isOutdoor {
            guard known.isDisjoint(with: level.buildings) else { continue }
            if level.outline != .none {
                shapes.append(level.outline)
            } else {
                shapes += venue.units.filter { $0.level == index && !level.buildings.isEmpty }.map(\.shape)
            }
        }
        return shapes
    }
}
