internal import GEOS

/// Computes the plan of a level from its units.
struct PlanBuilder {
    private let venue: Venue
    private let units: LevelUnits
    private let shapes: PlaneShapes
    /// Whether only the walls are wanted, which takes a third of the time.
    private let hasWallsOnly: Bool

    /// Distances in metres, see design: routes keep off walls without thickness, and off walls that have one.
    private static let roomClearance = 0.2
    private static let wallClearance = 0.05
    /// An opening cuts walls so far to its sides.
    private static let openingDepth = 0.1
    /// Walls between two units that the source leaves out may be so thick.
    private static let gap = 0.6
    /// Half of a gap between two open areas that is none.
    private static let seam = 0.02
    /// Half the passage in the middle of an opening that the clearance of its sides would close.
    private static let narrowHalf = 0.03
    /// Corners are taken away within this distance, inwards only.
    private static let tolerance = 0.03
    /// A room that touches a hall along less than this, in metres, touches it at a corner: there is no place for a door.
    private static let leastSide = 0.9
    /// Parts of the free space below this, in square metres, are no place to stand.
    private static let smallest = 0.05
    /// Room style, if units cover so much of the level.
    private static let roomCoverage = 0.95

    static func plan(_ venue: Venue, level: Int, hasWallsOnly: Bool = false) throws(VenueError) -> LevelPlan {
        let shapes = try PlaneShapes(venue.frame)
        return try PlaneShapes.geometry { () throws(GEOSError) in
            let units = try LevelUnits(venue, level: level, shapes)
            return try PlanBuilder(venue: venue, units: units, shapes: shapes, hasWallsOnly: hasWallsOnly).plan()
        }
    }

    private func plan() throws(GEOSError) -> LevelPlan {
        // A room of OpenStreetMap has walls by definition, however much of the level is mapped.
        let mayHaveWalls = venue.format != .openStreetMap && units.hasWalls
        if mayHaveWalls, try units.coverage() < Self.roomCoverage { return try wallPlan() }
        return try roomPlan()
    }

    // MARK: Wall style

    private func wallPlan() throws(GEOSError) -> LevelPlan {
        let solid = try units.union { $0.isSolid }
        if hasWallsOnly {
            return LevelPlan(
                level: units.level, style: .walls, spaces: LevelPlan.Spaces(), wallLines: units.wallLines,
                wallAreas: try solid.polygons())
        }
        let lines = try shapes.lines(units.wallLines)
        let kept = try solid.union(lines.buffer(Self.openingDepth, cap: .flat, join: .mitre(limit: 2)))
            .buffer(Self.wallClearance, join: .mitre(limit: 2))
        var spaces = LevelPlan.Spaces()
        spaces.free = try grid(units.outline.difference(kept))
        for entry in units.entries where !entry.isSolid {
            guard let condition = condition(entry, isDoorless: false) else { continue }
            spaces.areas.append(try conditional(entry, condition, clearance: 0))
        }
        spaces.openings = try openings(inside: units.outline)
        return LevelPlan(
            level: units.level, style: .walls, spaces: spaces, wallLines: units.wallLines,
            wallAreas: try solid.polygons())
    }

    // MARK: Room style

    private func roomPlan() throws(GEOSError) -> LevelPlan {
        let solid = try units.union { $0.isSolid }
        // Areas that the source has drawn with a gap of a few centimetres are one.
        let openUnits = try units.union { $0.isOpen }
            .buffer(Self.seam, join: .mitre(limit: 2)).buffer(-Self.seam, join: .mitre(limit: 2))
        let open = try openUnits.difference(nested(in: openUnits))
        let walkable = try units.union { !$0.isSolid }.union(open).difference(solid)
        var walls = try outlines().difference(open.buffer(-0.01, join: .mitre(limit: 2)))
        // Many small cuts at once: each by itself would go over all walls.
        let passages = try passages(walkable, walls)
        walls = try walls.difference(LevelUnits.union(passages.map(\.cut), shapes))
        var floor = hasWallsOnly ? walkable : try LevelUnits.union([walkable] + passages.compactMap(\.gap), shapes)
        let narrow = passages.compactMap(\.narrow)
        var spaces = LevelPlan.Spaces()
        let doorless = try openDoorless(open, &walls, &floor)
        if hasWallsOnly {
            return LevelPlan(
                level: units.level, style: .rooms, spaces: spaces, wallLines: try walls.lines(),
                wallAreas: try solid.polygons())
        }
        var free = try floor.difference(walls.buffer(Self.roomClearance, join: .round(quarterSegments: 2)))
        if !solid.isEmpty {
            free = try free.difference(solid.buffer(Self.roomClearance, join: .round(quarterSegments: 2)))
        }
        if !narrow.isEmpty {
            let middles = try LevelUnits.union(narrow, shapes)
            free = try free.union(middles.difference(walls.buffer(0.02, join: .round(quarterSegments: 2))))
        }
        spaces.free = try grid(free)
        for entry in units.entries where !entry.isSolid {
            let isDoorless = doorless[entry.index] != nil
            guard let condition = condition(entry, isDoorless: isDoorless) else { continue }
            var area = try conditional(entry, condition, clearance: isDoorless ? Self.roomClearance : 0)
            area.hosts = doorless[entry.index] ?? []
            spaces.areas.append(area)
        }
        spaces.openings = try openings(inside: walkable)
        return LevelPlan(
            level: units.level, style: .rooms, spaces: spaces, wallLines: try walls.lines(),
            wallAreas: try solid.polygons())
    }

    /// Rooms that lie in an open area which the source has not cut out for them, and solid units: their walls stay.
    private func nested(in open: Geometry) throws(GEOSError) -> Geometry {
        var found: [Geometry] = []
        let prepared = try PreparedGeometry(open)
        for entry in units.entries where !entry.isOpen {
            let area = try entry.area.area()
            // Rooms that only touch the area, which are most, have nothing within it.
            let inner = try entry.area.buffer(-0.05, join: .mitre(limit: 2))
            if !entry.isSolid, try !prepared.intersects(inner) { continue }
            guard area > 0 else { continue }
            if entry.isSolid {
                found.append(entry.area)
            } else if try entry.area.intersection(open).area() > area / 2 {
                found.append(entry.area)
            }
        }
        return try LevelUnits.union(found, shapes)
    }

    private func outlines() throws(GEOSError) -> Geometry {
        var lines: [Geometry] = []
        for entry in units.entries { lines.append(try entry.area.boundary()) }
        lines.append(try shapes.lines(units.wallLines))
        return try Geometry.collection(lines, shapes.context).unaryUnion()
    }

    // MARK: Openings

    private struct Passage {
        /// What it cuts from the walls.
        let cut: Geometry
        /// The floor between two units that do not touch.
        let gap: Geometry?
        /// The middle of a narrow opening.
        let narrow: Geometry?
    }

    private func passages(_ walkable: Geometry, _ walls: Geometry) throws(GEOSError) -> [Passage] {
        let (floor, barriers) = (try PreparedGeometry(walkable), try PreparedGeometry(walls))
        var passages: [Passage] = []
        for door in units.doors {
            let beside = try door.geometry.buffer(LevelUnits.reach, cap: .flat, join: .mitre(limit: 2))
                .difference(door.geometry.buffer(Self.openingDepth, cap: .flat, join: .mitre(limit: 2)))
            var isOff = false
            if try barriers.intersects(beside) {
                isOff = try walls.intersection(beside).length() >= PlaneMath.length(door.line) / 2
            }
            passages.append(try passage(door, floor, isOff: isOff))
        }
        return passages
    }

    /// The way through a door: as deep as the wall between the units on its sides, if these do not touch, and deep enough for
    /// a wall along the door that it does not lie on exactly.
    private func passage(
        _ door: LevelUnits.Door, _ walkable: PreparedGeometry, isOff: Bool
    ) throws(GEOSError) -> Passage {
        let cut = try door.geometry.buffer(Self.openingDepth, cap: .flat, join: .mitre(limit: 2))
        let length = PlaneMath.length(door.line)
        let (middle, normal) = Self.middle(door.line)
        func isFloor(_ distance: Double) throws(GEOSError) -> Bool {
            let point = PlanePoint(x: middle.x + normal.x * distance, y: middle.y + normal.y * distance)
            return try walkable.intersects(try Geometry.point(point, shapes.context))
        }
        func depth(_ sign: Double) throws(GEOSError) -> Double? {
            for step in 1...6 where try isFloor(sign * Double(step) * Self.gap / 6) {
                return Double(step) * Self.gap / 6
            }
            return nil
        }
        var narrow: Geometry?
        if length < 2 * Self.roomClearance + 2 * Self.narrowHalf {
            let half = max(min(length / 2 - 0.02, Self.narrowHalf), 0.005)
            let along = [-half, half].map { PlanePoint(x: middle.x + normal.y * $0, y: middle.y - normal.x * $0) }
            narrow = try Geometry.line(along, shapes.context)
                .buffer(Self.roomClearance + 0.1, cap: .flat, join: .mitre(limit: 2))
        }
        guard let left = try depth(1), let right = try depth(-1) else {
            return Passage(cut: cut, gap: nil, narrow: narrow)
        }
        guard isOff || max(left, right) > Self.openingDepth + 1e-9 else {
            return Passage(cut: cut, gap: nil, narrow: narrow)
        }
        // Both walls of the gap are cut, with the clearance behind them.
        let deep = max(left, right, isOff ? LevelUnits.reach : 0) + Self.openingDepth
        let through = try door.geometry.buffer(deep, cap: .flat, join: .mitre(limit: 2))
        return Passage(cut: through, gap: through, narrow: narrow)
    }

    /// The point in the middle of a line, and the direction to its left there.
    private static func middle(_ line: [PlanePoint]) -> (point: PlanePoint, normal: PlanePoint) {
        var rest = PlaneMath.length(line) / 2
        for (start, end) in zip(line, line.dropFirst()) {
            let length = start.distance(to: end)
            guard length > 0 else { continue }
            let unit = PlanePoint(x: (end.x - start.x) / length, y: (end.y - start.y) / length)
            if rest <= length {
                return (
                    PlanePoint(x: start.x + unit.x * rest, y: start.y + unit.y * rest),
                    PlanePoint(x: -unit.y, y: unit.x)
                )
            }
            rest -= length
        }
        return (line[0], PlanePoint(x: 0, y: 1))
    }

    private func openings(inside: Geometry) throws(GEOSError) -> [OpeningPlan] {
        let prepared = try PreparedGeometry(inside)
        var plans: [OpeningPlan] = []
        for door in units.doors { plans.append(try opening(door, inside: prepared)) }
        return plans
    }

    private func opening(_ door: LevelUnits.Door, inside: PreparedGeometry) throws(GEOSError) -> OpeningPlan {
        let (middle, normal) = Self.middle(door.line)
        var outside: [PlanePoint] = []
        for sign in [Self.gap, -Self.gap] {
            let point = PlanePoint(x: middle.x + normal.x * sign, y: middle.y + normal.y * sign)
            if try !inside.intersects(try Geometry.point(point, shapes.context)) { outside.append(point) }
        }
        // A door with floor on neither side leads nowhere, and one with floor on both leads out if the source says so.
        var exit = outside.count == 1 ? outside[0] : nil
        if outside.isEmpty, venue.openings[door.index].isEntrance { exit = middle }
        return OpeningPlan(
            opening: door.index, line: door.line.map(GridPoint.init), outside: exit.map(GridPoint.init))
    }

    // MARK: Rooms without doors

    /// Opens the walls between rooms without a mapped door and the open areas beside them; the positions of these rooms.
    ///
    /// A room beside no open area is opened to the rooms beside it instead: its hosts.
    private func openDoorless(
        _ open: Geometry, _ walls: inout Geometry, _ floor: inout Geometry
    ) throws(GEOSError) -> [Int: [Int]] {
        var found: [Int: [Int]] = [:]
        let rooms = units.entries.filter { $0.isRoom && !$0.hasOpening }
        guard !rooms.isEmpty else { return [:] }
        var cuts: [Geometry] = []
        var gaps: [Geometry] = []
        for room in rooms {
            found[room.index] = []
            let outline = try room.area.boundary()
            // The part of the area that is near: the whole of it is large.
            let near = try box(around: room)
            var beside = try open.intersection(near)
            var shared = try outline.intersection(beside.buffer(LevelUnits.reach, join: .mitre(limit: 2)))
            if try shared.length() < Self.leastSide {
                beside = try units.union { $0.index != room.index && !$0.isSolid }.intersection(near)
                shared = try outline.intersection(beside.buffer(LevelUnits.reach, join: .mitre(limit: 2)))
                found[room.index] = try hosts(of: room, outline)
            }
            let isTouching = try room.area.distance(to: beside) < 0.02
            let depth = isTouching ? Self.openingDepth : LevelUnits.reach + Self.openingDepth
            for line in try shared.lines() where PlaneMath.length(line) > 0.05 {
                var cut = try Geometry.line(line, shapes.context).buffer(depth, cap: .flat, join: .mitre(limit: 2))
                if !isTouching {
                    // A deep cut keeps off the walls that meet this one at its ends: they part other rooms.
                    for end in [line[0], line[line.count - 1]] {
                        let corner = try Geometry.point(end, shapes.context)
                        cut = try cut.difference(corner.buffer(depth, join: .round(quarterSegments: 4)))
                    }
                    gaps.append(cut)
                }
                cuts.append(cut)
            }
        }
        if !cuts.isEmpty { walls = try walls.difference(LevelUnits.union(cuts, shapes)) }
        if !gaps.isEmpty { floor = try floor.union(LevelUnits.union(gaps, shapes)) }
        return found
    }

    /// The box of a unit with a metre around it.
    private func box(around entry: LevelUnits.Entry) throws(GEOSError) -> Geometry {
        let points = shapes.points(entry.unit.shape.points)
        let (xs, ys) = (points.map(\.x), points.map(\.y))
        guard let west = xs.min(), let east = xs.max(), let south = ys.min(), let north = ys.max() else {
            return entry.area
        }
        let corners = [(west - 1, south - 1), (east + 1, south - 1), (east + 1, north + 1), (west - 1, north + 1)]
        return try Geometry.polygon(corners.map { PlanePoint(x: $0.0, y: $0.1) }, shapes.context)
    }

    /// The units along a side of a room.
    private func hosts(of room: LevelUnits.Entry, _ outline: Geometry) throws(GEOSError) -> [Int] {
        var hosts: [Int] = []
        for other in units.entries where other.index != room.index && !other.isSolid {
            guard try room.area.distance(to: other.area) <= LevelUnits.reach else { continue }
            let near = try other.area.buffer(LevelUnits.reach, join: .mitre(limit: 2))
            if try outline.intersection(near).length() >= Self.leastSide { hosts.append(other.index) }
        }
        return hosts
    }

    /// Why a unit is not always walked through; nil if it is.
    private func condition(_ entry: LevelUnits.Entry, isDoorless: Bool) -> ConditionalArea.Condition? {
        if entry.unit.access.isRestricted || venue.levels[units.level].access.isRestricted { return .restricted }
        if isDoorless { return entry.unit.category.connector == nil ? .doorless : .connector }
        return entry.unit.category.hasSteps || entry.unit.isStepFree == false ? .steps : nil
    }

    private func conditional(
        _ entry: LevelUnits.Entry, _ condition: ConditionalArea.Condition, clearance: Double
    ) throws(GEOSError) -> ConditionalArea {
        let area = try shapes.grid(entry.area, smallest: 0)
        guard clearance > 0 else {
            return ConditionalArea(unit: entry.index, condition: condition, area: area, kept: area)
        }
        let kept = try shapes.grid(entry.area.buffer(clearance, join: .mitre(limit: 1.5)), smallest: 0)
        return ConditionalArea(unit: entry.index, condition: condition, area: area, kept: kept)
    }

    // MARK: The free space

    /// The free space with fewer corners, on the grid.
    private func grid(_ free: Geometry) throws(GEOSError) -> [GridPolygon] {
        var parts: [Geometry] = []
        for rings in try free.polygons() {
            let simple = InwardSimplifier.simplified(rings, tolerance: Self.tolerance)
            var part = try Geometry.polygon(simple[0], holes: Array(simple.dropFirst()), shapes.context)
            // Where a chord met another ring, the corners stay as they were.
            if try !part.isValid() {
                part = try Geometry.polygon(rings[0], holes: Array(rings.dropFirst()), shapes.context)
            }
            parts.append(part)
        }
        return try shapes.grid(try LevelUnits.union(parts, shapes), smallest: Self.smallest)
    }
}
