internal import Text
internal import TileMath

/// GeoJSON geometries (RFC 7946) as shapes.
enum GeoJSONShape {
    /// The shape of a geometry object; `.none` for null and for geometries without a valid point.
    ///
    /// Of a collection, the polygons count, else the lines, else the points. Positions that are not on Earth are left out, and
    /// rings with fewer than three points. Throws if there are more points than the limit.
    static func shape(_ geometry: JSONValue?) throws(VenueError) -> GeoShape {
        guard let geometry, let type = geometry["type"]?.text else { return .none }
        let coordinates = geometry["coordinates"] ?? .none("null")
        switch type {
        case "Point":
            return position(coordinates).map { .points([$0]) } ?? .none
        case "MultiPoint": return points(coordinates.elements.compactMap(position))
        case "LineString": return lines([coordinates])
        case "MultiLineString": return lines(coordinates.elements)
        case "Polygon": return polygons([coordinates])
        case "MultiPolygon": return polygons(coordinates.elements)
        case "GeometryCollection": return try collection(geometry["geometries"]?.elements ?? [])
        default: return .none
        }
    }

    private static func collection(_ parts: [JSONValue]) throws(VenueError) -> GeoShape {
        var shapes: [GeoShape] = []
        for part in parts { shapes.append(try shape(part)) }
        let polygons = shapes.flatMap(\.polygons)
        if !polygons.isEmpty { return .polygons(polygons) }
        let lines = shapes.flatMap(\.lines)
        if !lines.isEmpty { return .lines(lines) }
        return points(shapes.flatMap(\.points))
    }

    private static func points(_ points: [GeoPoint]) -> GeoShape {
        points.isEmpty ? .none : .points(points)
    }

    private static func lines(_ lists: [JSONValue]) -> GeoShape {
        let lines = lists.map { distinct($0.elements.compactMap(position)) }.filter { $0.count >= 2 }
        return lines.isEmpty ? .none : .lines(lines)
    }

    private static func polygons(_ lists: [JSONValue]) -> GeoShape {
        let polygons = lists.compactMap { list in
            let rings = list.elements.map { ring(of: $0.elements.compactMap(position)) }
            // Holes of a shell that is none are nothing.
            guard let shell = rings.first, shell.count >= 3 else { return nil as [[GeoPoint]]? }
            return [shell] + rings.dropFirst().filter { $0.count >= 3 }
        }
        return polygons.isEmpty ? .none : .polygons(polygons)
    }

    /// A ring without repeated points, and without the one at its end.
    static func ring(of points: [GeoPoint]) -> [GeoPoint] {
        var ring = distinct(points)
        while ring.count > 1, ring.last == ring.first { ring.removeLast() }
        return ring
    }

    private static func distinct(_ points: [GeoPoint]) -> [GeoPoint] {
        var result: [GeoPoint] = []
        for point in points where result.last != point { result.append(point) }
        return result
    }

    static func position(_ value: JSONValue) -> GeoPoint? {
        let numbers = value.elements
        guard numbers.count >= 2, let longitude = numbers[0].decimal, let latitude = numbers[1].decimal else {
            return nil
        }
        return GeoPoint(longitude: longitude.double, latitude: latitude.double)
    }

    /// The geometry object of a shape, with the shells and holes that RFC 7946 wants closed.
    static func write(_ shape: GeoShape, to json: inout JSONWriter) {
        func add(_ json: inout JSONWriter, _ point: GeoPoint) {
            json.raw("[")
            json.add(point.longitude)
            json.raw(",")
            json.add(point.latitude)
            json.raw("]")
        }
        func addLine(_ json: inout JSONWriter, _ line: [GeoPoint]) { json.array(line, add) }
        func addPolygon(_ json: inout JSONWriter, _ rings: [[GeoPoint]]) {
            json.array(rings) { addLine(&$0, $1 + $1.prefix(1)) }
        }
        func object(_ type: String, _ coordinates: (inout JSONWriter) -> Void) {
            json.object { json in
                json.add("type", type)
                json.key("coordinates")
                coordinates(&json)
            }
        }
        switch shape {
        case .none: json.add(nil as String?)
        case .points(let points) where points.count == 1: object("Point") { add(&$0, points[0]) }
        case .points(let points): object("MultiPoint") { $0.array(points, add) }
        case .lines(let lines) where lines.count == 1: object("LineString") { addLine(&$0, lines[0]) }
        case .lines(let lines): object("MultiLineString") { $0.array(lines, addLine) }
        case .polygons(let polygons) where polygons.count == 1: object("Polygon") { addPolygon(&$0, polygons[0]) }
        case .polygons(let polygons): object("MultiPolygon") { $0.array(polygons, addPolygon) }
        }
    }
}
