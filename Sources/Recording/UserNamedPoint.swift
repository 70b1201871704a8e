import Text
import Tracks

/// Points whose parameters or JSON members are named by the user of an app, such as GPSLogger or Colota. Speed is in
/// m/s. A point with a text from its user is a waypoint.
enum UserNamedPoint {
    private static let wanted = "expected {\"lat\":…,\"lon\":…,\"time\":…}"

    /// Names of OwnTracks in templates of these apps; the values have our units.
    private static let names = ["vel": FieldName.speed, "cog": FieldName.course, "comment": FieldName.pointName]

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        guard request.bodyKind == .json else { return readParameters(try request.allParameters(), request) }
        return try read(FieldAliases.singleJSON(request.jsonBody, wanted: wanted), request)
    }

    /// Reads one point from parameters.
    static func readParameters(
        _ parameters: [(name: String, value: String)], _ request: RecordingRequest
    ) -> RecordingBatch {
        var collector = PointCollector()
        add(parameters, request, &collector)
        return collector.finish()
    }

    /// Reads one object, or a list of them.
    static func read(_ value: JSONValue, _ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        var collector = PointCollector()
        let points = if case .list(let list) = value { list } else { [value] }
        for point in points {
            guard case .object(let members) = point else {
                guard points.count > 1 else {
                    throw RecordingError(.shape, "the body is \(point.kindName); \(wanted)")
                }
                collector.refuse(.shape, "the point is \(point.kindName); \(wanted)", .json(point))
                continue
            }
            add(request.parameters + texts(of: members), request, &collector)
        }
        return collector.finish()
    }

    /// JSON members as parameters; members of nested objects are named by their path.
    private static func texts(of members: [(name: String, value: JSONValue)]) -> [(name: String, value: String)] {
        var decoded = DecodedPoint()
        for member in members { FieldAliases.add(member.name, member.value, to: &decoded) }
        return decoded.fields.map { field in
            switch field.value {
            case .number(let number): (field.name, number.description)
            case .text(let text): (field.name, text)
            }
        }
    }

    private static func add(
        _ parameters: [(name: String, value: String)], _ request: RecordingRequest, _ collector: inout PointCollector
    ) {
        var parameters = parameters.filter { $0.name != "_type" }
        let isNamed = parameters.contains { FieldAliases.device.contains($0.name) && !$0.value.isEmpty }
        let tracker = parameters.first { $0.name == "tid" && !$0.value.isEmpty }?.value
        var point = ParameterPoint.point(of: parameters) { name, value in
            (names[name.lowercased()] ?? FieldAliases.name(name), FieldAliases.value(value))
        }
        if point.fields.contains(where: { $0.name == FieldName.pointName }),
            !point.fields.contains(where: { $0.name == FieldName.waypoint })
        {
            point.fields.append((FieldName.waypoint, .number(FixedDecimal(mantissa: 1, places: 0))))
        }
        if !isNamed, let tracker { parameters.append(("id", tracker)) }
        ParameterPoint.add(point, parameters, request, &collector)
    }
}
