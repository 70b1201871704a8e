import Text
import Tracks

/// tileserve's own format: `{"points":[{"t":…,"lon":…,"lat":…,"ele":…,"speed":…,"mark":true,…}]}`, a list of such
/// points, one point, or one point a line (NDJSON). Each may also be a Feature of GeoJSON. Units are metres, metres per
/// second, degrees and per cent; other members are kept under their names.
enum NativeBody {
    private static let wanted = "expected {\"points\":[{\"t\":…,\"lon\":…,\"lat\":…}]}"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        var collector = PointCollector()
        let body = request.jsonBody
        let values: [JSONValue]
        do {
            values = try FieldAliases.json(body)
        } catch {
            // One bad line must not cost the others, so the lines are parsed one by one.
            return try readLines(body, else: error)
        }
        guard let only = values.first else { throw RecordingError(.body, "the body is empty; \(wanted)") }
        if values.count == 1, case .invalid(let reason) = points(of: only) { throw RecordingError(.shape, reason) }
        for value in values { take(value, &collector) }
        return collector.finish()
    }

    /// Reads a body line by line: a line that cannot be parsed is refused, the others are read.
    private static func readLines(_ body: [UInt8], else fault: RecordingError) throws(RecordingError) -> RecordingBatch
    {
        var collector = PointCollector()
        var rest = body[...]
        while let start = rest.firstIndex(where: { !isLineEnd($0) }) {
            let line = rest[start...].prefix { !isLineEnd($0) }
            // A line that does not end with a bracket cannot be valid; this saves the scan.
            let end = line.last { $0 > 0x20 }
            let isWhole = end == UInt8(ascii: "}") || end == UInt8(ascii: "]")
            if isWhole, let values = try? FieldAliases.json(Array(line)), values.count <= 1 {
                for value in values { take(value, &collector) }
            } else if end != nil {
                collector.refuse(.line, "the line is not valid JSON", .bytes(line))
            }
            rest = rest[line.endIndex...]
        }
        let batch = collector.finish()
        guard batch.points > 0 else { throw fault }
        return batch
    }

    private static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func take(_ value: JSONValue, _ collector: inout PointCollector) {
        switch points(of: value) {
        case .points(let points):
            for point in points {
                guard point.isFeature else {
                    collector.add(NativePoint.read(point), device: nil)
                    continue
                }
                guard let decoded = GeoJSONFeature.point(point) else {
                    collector.refuse(.shape, GeoJSONFeature.notAPoint(point), .json(point))
                    continue
                }
                collector.add(decoded, device: nil)
            }
        case .invalid(let reason): collector.refuse(.shape, reason, .json(value))
        }
    }

    private enum Shape {
        case points([JSONValue])
        /// Not a list of points; the text says why.
        case invalid(String)
    }

    private static func points(of value: JSONValue) -> Shape {
        switch value {
        case .list(let points): return .points(points)
        case .object(let members):
            if value.isFeature { return .points([value]) }
            if value["type"]?.text == "FeatureCollection" {
                guard case .list(let features)? = value["features"] else {
                    return .invalid("the FeatureCollection has no list of \"features\"")
                }
                return .points(features)
            }
            if let points = value["points"] {
                guard case .list(let list) = points else {
                    return .invalid("\"points\" is \(points.kindName) but must be a list of points; \(wanted)")
                }
                return .points(list)
            }
            guard members.contains(where: { isPointMember($0.name) }) else {
                return .invalid("the body has neither \"points\" nor lon, lat and t; \(wanted)")
            }
            return .points([value])
        default: return .invalid("the body is \(value.kindName); \(wanted)")
        }
    }

    private static func isPointMember(_ name: String) -> Bool {
        FieldAliases.longitude.contains(name) || FieldAliases.latitude.contains(name)
            || FieldAliases.time.contains(name)
    }

    /// Reads one waypoint from the body or the query; without a time it gets the current one.
    static func readWaypoint(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        var decoded: DecodedPoint
        switch request.bodyKind {
        case .empty, .form: decoded = ParameterPoint.point(of: try request.allParameters())
        case .json, .other:
            let value = try FieldAliases.singleJSON(
                request.jsonBody, wanted: "expected {\"lon\":…,\"lat\":…,\"name\":…}")
            guard case .object = value else {
                throw RecordingError(
                    .shape, "the body is \(value.kindName); expected {\"lon\":…,\"lat\":…,\"name\":…}")
            }
            decoded = NativePoint.read(value)
        }
        if !decoded.hasTime { decoded.time = Instant(milliseconds: request.now) }
        decoded.fields.removeAll { $0.name == FieldName.waypoint }
        decoded.fields.append((FieldName.waypoint, .number(FixedDecimal(mantissa: 1, places: 0))))
        var collector = PointCollector()
        collector.add(decoded, device: nil)
        return collector.finish()
    }
}
