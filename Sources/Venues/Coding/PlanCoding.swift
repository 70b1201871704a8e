internal import GEOS

/// Plans in their stored form.
extension LevelPlan {
    func write(to writer: inout StoredWriter) {
        writer.add(Int(style.rawValue))
        Self.write(free, to: &writer)
        writer.add(count: areas.count)
        for area in areas {
            writer.add(area.unit)
            writer.add(Int(area.condition.rawValue))
            Self.write(area.area, to: &writer)
            Self.write(area.kept, to: &writer)
            writer.add(count: area.hosts.count)
            for host in area.hosts { writer.add(host) }
        }
        writer.add(count: openings.count)
        for opening in openings {
            writer.add(opening.opening)
            writer.add(opening.line)
            writer.add(opening.outside.map { [$0] } ?? [])
        }
        writer.add(count: wallLines.count)
        for line in wallLines { writer.add(line.map(GridPoint.init)) }
        writer.add(count: wallAreas.count)
        for rings in wallAreas {
            writer.add(count: rings.count)
            for ring in rings { writer.add(ring.map(GridPoint.init)) }
        }
    }

    private static func write(_ polygons: [GridPolygon], to writer: inout StoredWriter) {
        writer.add(count: polygons.count)
        for polygon in polygons {
            writer.add(count: polygon.rings.count)
            for ring in polygon.rings { writer.add(ring) }
        }
    }

    init(_ reader: inout StoredReader, level: Int, of venue: Venue) throws(VenueError) {
        guard let style = PlanStyle(rawValue: UInt8(try reader.number(in: 0..<256))) else { throw StoredReader.wrong }
        var spaces = Spaces()
        spaces.free = try Self.polygons(&reader)
        for _ in 0..<(try reader.count()) {
            let unit = try reader.number(in: venue.units.indices)
            guard let condition = ConditionalArea.Condition(rawValue: UInt8(try reader.number(in: 0..<256))) else {
                throw StoredReader.wrong
            }
            let area = try Self.polygons(&reader)
            let kept = try Self.polygons(&reader)
            var hosts: [Int] = []
            for _ in 0..<(try reader.count()) { hosts.append(try reader.number(in: venue.units.indices)) }
            spaces.areas.append(
                ConditionalArea(unit: unit, condition: condition, area: area, kept: kept, hosts: hosts))
        }
        for _ in 0..<(try reader.count()) {
            let opening = try reader.number(in: venue.openings.indices)
            let line = try reader.points()
            spaces.openings.append(OpeningPlan(opening: opening, line: line, outside: try reader.points().first))
        }
        var lines: [[PlanePoint]] = []
        for _ in 0..<(try reader.count()) { lines.append(try reader.points().map(\.plane)) }
        var walls: [[[PlanePoint]]] = []
        for _ in 0..<(try reader.count()) {
            var rings: [[PlanePoint]] = []
            for _ in 0..<(try reader.count()) { rings.append(try reader.points().map(\.plane)) }
            walls.append(rings)
        }
        self.init(level: level, style: style, spaces: spaces, wallLines: lines, wallAreas: walls)
    }

    private static func polygons(_ reader: inout StoredReader) throws(VenueError) -> [GridPolygon] {
        var polygons: [GridPolygon] = []
        for _ in 0..<(try reader.count()) {
            var rings: [[GridPoint]] = []
            for _ in 0..<(try reader.count()) { rings.append(try reader.points()) }
            polygons.append(GridPolygon(rings))
        }
        return polygons
    }
}
