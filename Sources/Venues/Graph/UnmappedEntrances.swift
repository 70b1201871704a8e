internal import GEOS

// Entrances that the source does not have.
extension GraphBuilder {
    /// A connected part of the free space of a level.
    private struct Region: Hashable {
        let level: Int
        let part: Int
    }

    /// From the free space to the outside, at most so many metres: the walls, and a room before them that is not mapped.
    private static let entranceReach = 10.0
    /// From a door to the outside, through what is not mapped.
    private static let doorToOutside = 40.0
    /// Square metres: what is smaller is a gap between walls.
    private static let smallestRegion = 2.0

    /// Gives what lies on the ground and leads nowhere outside an entrance, where it is nearest to the outside. Most doors of
    /// OpenStreetMap's buildings are not mapped, and without one nobody would ever get in.
    mutating func placeUnmappedEntrances(_ ways: [Connectors.Way]) throws(VenueError) {
        let grounds = footprints()
        let outlines = try PlaneShapes.geometry { () throws(GEOSError) in
            try shapes.grid(try shapes.area(grounds), smallest: 1)
        }
        parts.footprints = outlines
        var numbers: [Region: Int] = [:]
        for (level, sight) in sights.enumerated() {
            for part in sight.free.indices { numbers[Region(level: level, part: part)] = numbers.count }
        }
        var sets = DisjointSets(count: numbers.count)
        func number(_ place: Place) -> Int? {
            numbers[Region(level: place.level, part: sites[place.level][place.site].site.part)]
        }
        for way in ways {
            if let one = connectors[way.from].flatMap(number), let other = connectors[way.to].flatMap(number) {
                sets.join(one, other)
            }
        }
        for door in doors {
            for beyond in door.beyond {
                if let one = number(door.inner), let other = number(beyond) { sets.join(one, other) }
            }
        }
        // A door within the outline leads to a part of the building that is not mapped.
        let exits = doors.filter { $0.beyond.isEmpty }
        let isInner = exits.map { door in outlines.contains { $0.position(of: door.outside) == .inside } }
        var served: Set<Int> = []
        for (door, isInner) in zip(exits, isInner) where !isInner {
            if let number = number(door.inner) { served.insert(sets.least(number)) }
        }
        var inner: [Int: (distance: Double, door: Door, middle: PlanePoint)] = [:]
        for (door, isInner) in zip(exits, isInner) where isInner {
            guard let group = number(door.inner).map({ sets.least($0) }), !served.contains(group),
                let near = Self.nearest(door.outside.plane, outlines), near.distance <= Self.doorToOutside,
                near.distance < inner[group]?.distance ?? .infinity
            else { continue }
            inner[group] = (near.distance, door, near.point)
        }
        for (group, found) in inner.sorted(by: { $0.key < $1.key }) {
            served.insert(group)
            addUnmapped(found.door.opening, found.door.inner, found.door.middle, outside: found.middle)
        }
        var best: [Int: (distance: Double, level: Int, site: LevelSight.Site, middle: PlanePoint)] = [:]
        for level in venue.levels.indices where venue.levels[level].ordinal == 0 && !venue.levels[level].isOutdoor {
            for part in sights[level].free.indices {
                guard let number = numbers[Region(level: level, part: part)] else { continue }
                let group = sets.least(number)
                guard !served.contains(group), let found = entrance(level, part, outlines) else { continue }
                if best[group].map({ found.distance < $0.distance - 1e-6 }) ?? true {
                    best[group] = (found.distance, level, found.site, found.middle)
                }
            }
        }
        for (_, found) in best.sorted(by: { $0.key < $1.key }) {
            addUnmapped(-1, place(found.site, level: found.level), found.middle, outside: found.middle)
        }
    }

    /// Adds an entrance that is not mapped, which ends half a metre beyond a point of the outline.
    private mutating func addUnmapped(_ opening: Int, _ inner: Place, _ middle: PlanePoint, outside: PlanePoint) {
        let start = sites[inner.level][inner.site].site.point.plane
        let length = max(start.distance(to: outside), 0.01)
        let beyond = PlanePoint(
            x: outside.x + (outside.x - start.x) / length * 0.5, y: outside.y + (outside.y - start.y) / length * 0.5)
        doors.append(
            Door(opening: opening, isMapped: false, inner: inner, middle: middle, outside: GridPoint(beyond)))
    }

    /// The point of outlines that is nearest to another.
    private static func nearest(
        _ point: PlanePoint, _ outlines: [GridPolygon]
    ) -> (distance: Double, point: PlanePoint)? {
        var near: (distance: Double, point: PlanePoint)?
        for ring in outlines.flatMap(\.rings) {
            guard var previous = ring.last?.plane else { continue }
            for corner in ring {
                let found = PlaneMath.nearest(point, previous, corner.plane).point
                previous = corner.plane
                let distance = found.distance(to: point)
                if distance < near?.distance ?? .infinity { near = (distance, found) }
            }
        }
        return near
    }

    /// Where a part of the free space is nearest to the outside; first where everybody may walk.
    private func entrance(
        _ level: Int, _ part: Int, _ outlines: [GridPolygon]
    ) -> (distance: Double, site: LevelSight.Site, middle: PlanePoint)? {
        guard let shell = sights[level].free[part].rings.first?.map(\.plane),
            abs(PlaneMath.signedArea(shell)) >= Self.smallestRegion
        else { return nil }
        var candidates: [(distance: Double, point: PlanePoint, middle: PlanePoint)] = []
        for (one, other) in zip(shell, shell.dropFirst() + shell.prefix(1)) {
            // In the middle of a wall rather than in a corner.
            let point = PlanePoint(x: (one.x + other.x) / 2, y: (one.y + other.y) / 2)
            let near = Self.nearest(point, outlines)
            if let near, near.distance <= Self.entranceReach { candidates.append((near.distance, point, near.point)) }
        }
        candidates.sort { ($0.distance, $0.point.x, $0.point.y) < ($1.distance, $1.point.x, $1.point.y) }
        var fallback: (distance: Double, site: LevelSight.Site, middle: PlanePoint)?
        for candidate in candidates {
            guard let site = sights[level].site(near: candidate.point, within: nil, reach: 0.1), site.part == part
            else {
                continue
            }
            let found = (candidate.distance, site, candidate.middle)
            if site.inside.isEmpty { return found }
            fallback = fallback ?? found
        }
        return fallback
    }
}
