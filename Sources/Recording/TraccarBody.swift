import Text
import Tracks

/// Traccar's JSON (traccar.org/osmand):
/// `{"device_id":…,"location":{"timestamp":…,"coords":{…},"battery":{"level":0.9},…}}`, one location or a list, with or
/// without `coords`. Speed is in m/s, the battery level is a fraction of 1.
enum TraccarBody {
    private static let wanted = "expected {\"device_id\":…,\"location\":{\"timestamp\":…,\"coords\":{…}}}"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        try read(FieldAliases.singleJSON(request.jsonBody, wanted: wanted), request)
    }

    static func read(_ value: JSONValue, _ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        guard case .object = value else {
            throw RecordingError(.shape, "the body is \(value.kindName); \(wanted)")
        }
        guard let locationValue = value["location"] else {
            throw RecordingError(.shape, "the body has no \"location\"; \(wanted)")
        }
        let locations: [JSONValue]
        switch locationValue {
        case .list(let list): locations = list
        case .object: locations = [locationValue]
        default:
            throw RecordingError(
                .shape,
                "\"location\" is \(locationValue.kindName) but must be an object or a list of objects; \(wanted)")
        }
        let device =
            value["device_id"]?.text ?? request.parameters.first { FieldAliases.device.contains($0.name) }?.value
        // Beside the location in what Dawarich's app sends.
        let common = value.members.filter { $0.name == "battery" || $0.name == "activity" }
        var collector = PointCollector()
        for location in locations { collector.add(point(location, common), device: device) }
        return collector.finish()
    }

    private static func point(_ location: JSONValue, _ common: [(name: String, value: JSONValue)]) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = .json(location)
        guard case .object(let members) = location else { return point }
        for (name, value) in members + common { add(name, value, to: &point) }
        return point
    }

    private static func add(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        switch (name, value) {
        case ("timestamp", _): point.time = FieldAliases.instant(value)
        case ("coords", .object(let coords)):
            for (name, value) in coords { add(name, value, to: &point) }
        case ("latitude", _): point.latitude = FieldAliases.number(value)
        case ("longitude", _): point.longitude = FieldAliases.number(value)
        case ("heading", _): FieldAliases.add(FieldName.course, value, to: &point)
        case ("battery", .object(let battery)):
            for (name, value) in battery {
                if name == "level" {
                    FieldAliases.add(batteryLevel: value, to: &point)
                } else {
                    FieldAliases.add("battery." + name, value, to: &point)
                }
            }
        default: FieldAliases.add(FieldAliases.name(name), value, to: &point)
        }
    }
}
