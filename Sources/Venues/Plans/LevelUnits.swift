internal import GEOS

/// The units of a level as geometries, and which openings they have.
struct LevelUnits {
    /// A unit of the level.
    struct Entry {
        /// The position in the venue's list.
        let index: Int
        let unit: VenueUnit
        let area: Geometry
        /// Whether an opening is on its outline.
        var hasOpening = false

        /// Whether one walks from it into its open neighbours.
        var isOpen: Bool { unit.category.isOpen || unit.category.hasSteps && !hasOpening }
        var isSolid: Bool { unit.category.isSolid }
        var isRoom: Bool { !isOpen && !isSolid }
    }

    /// An opening of the level.
    struct Door {
        /// The position in the venue's list.
        let index: Int
        let line: [PlanePoint]
        let geometry: Geometry
    }

    let level: Int
    var entries: [Entry] = []
    var doors: [Door] = []
    let outline: Geometry
    let wallLines: [[PlanePoint]]
    let shapes: PlaneShapes

    /// An opening at this distance in metres belongs to a unit.
    static let reach = 0.3

    init(_ venue: Venue, level: Int, _ shapes: PlaneShapes) throws(GEOSError) {
        self.level = level
        self.shapes = shapes
        for (index, unit) in venue.units.enumerated() where unit.level == level {
            entries.append(Entry(index: index, unit: unit, area: try shapes.area([unit.shape])))
        }
        for (index, opening) in venue.openings.enumerated() where opening.level == level {
            var line: [PlanePoint] = []
            for point in shapes.points(opening.line) where line.last != point { line.append(point) }
            guard line.count >= 2 else { continue }
            doors.append(Door(index: index, line: line, geometry: try Geometry.line(line, shapes.context)))
        }
        wallLines = venue.walls.filter { $0.level == level }.map { shapes.points($0.line) }
        let hasWalls = entries.contains { $0.unit.category.isWall }
        let given = try shapes.area([Self.outline(of: venue, level: level, hasWalls: hasWalls)])
        outline = given.isEmpty ? try Self.union(entries.map(\.area), shapes) : given
        try findOpenings()
    }

    /// Whether there are units that are walls.
    var hasWalls: Bool { entries.contains { $0.unit.category.isWall } }

    /// The outline of a level. Between walls nothing else says where the floor is: without an outline of the level, the
    /// buildings or the venue have to do.
    private static func outline(of venue: Venue, level: Int, hasWalls: Bool) -> GeoShape {
        let own = venue.levels[level]
        guard own.outline == .none, hasWalls else { return own.outline }
        let owners = venue.buildings.filter { own.buildings.isEmpty || own.buildings.contains($0.id) }
        let footprints = owners.flatMap(\.footprint.polygons)
        return footprints.isEmpty ? venue.outline : .polygons(footprints)
    }

    private mutating func findOpenings() throws(GEOSError) {
        let index = try SpatialIndex(entries.map(\.area), shapes.context)
        for door in doors {
            let near = try door.geometry.buffer(Self.reach, cap: .flat, join: .mitre(limit: 2))
            for position in index.candidates(near) where !entries[position].hasOpening {
                let boundary = try entries[position].area.boundary()
                entries[position].hasOpening = try boundary.distance(to: door.geometry) <= Self.reach
            }
        }
    }

    static func union(_ areas: [Geometry], _ shapes: PlaneShapes) throws(GEOSError) -> Geometry {
        try shapes.areaOnly(try Geometry.collection(areas, shapes.context).unaryUnion())
    }

    func union(_ choose: (Entry) -> Bool) throws(GEOSError) -> Geometry {
        try Self.union(entries.filter(choose).map(\.area), shapes)
    }

    /// The part of the level that units cover, 0 to 1.
    func coverage() throws(GEOSError) -> Double {
        let area = try outline.area()
        guard area > 0 else { return 1 }
        return try union { _ in true }.intersection(outline).area() / area
    }
}
