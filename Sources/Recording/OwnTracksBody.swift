import Text
import Tracks

/// A message of OwnTracks (owntracks.org/booklet/tech/json): locations become points, other types do not. Speed is in
/// km/h, times are in seconds. An empty body (sent when a friend is removed) gives no points.
enum OwnTracksBody {
    private static let wanted = "expected {\"_type\":\"location\",\"lat\":…,\"lon\":…,\"tst\":…}"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        try read(FieldAliases.json(request.jsonBody), request) { _ in true }
    }

    /// Reads messages; `hasSpeedInKilometresPerHour` returns whether a message has its speed in km/h, otherwise in m/s.
    static func read(
        _ values: [JSONValue], _ request: RecordingRequest, hasSpeedInKilometresPerHour: (JSONValue) -> Bool
    ) throws(RecordingError) -> RecordingBatch {
        var collector = PointCollector()
        for value in values {
            let messages = if case .list(let list) = value { list } else { [value] }
            for message in messages {
                guard let problem = problem(message) else {
                    take(message, request, hasSpeedInKilometresPerHour(message), &collector)
                    continue
                }
                // A body that is one invalid message is an error; among other messages only the invalid one is refused.
                if values.count == 1, messages.count == 1 { throw RecordingError(.shape, problem) }
                collector.refuse(.shape, problem, .json(message))
            }
        }
        return collector.finish()
    }

    /// Why a value is not a message; nil if it is one.
    private static func problem(_ message: JSONValue) -> String? {
        guard case .object = message else { return "the body is \(message.kindName); \(wanted)" }
        guard message["_type"]?.text == nil, !hasPlace(message) else { return nil }
        return "the message has neither a \"_type\" nor lat and lon; \(wanted)"
    }

    private static func hasPlace(_ message: JSONValue) -> Bool {
        message["lat"] != nil && message["lon"] != nil
    }

    private static func take(
        _ message: JSONValue, _ request: RecordingRequest, _ hasSpeedInKilometresPerHour: Bool,
        _ collector: inout PointCollector
    ) {
        let requestDevice = request.headerDevice ?? request.parameters.first { $0.name == "d" }?.value
        let fallbackDevice = message["topic"] == nil ? requestDevice : nil
        let device = fallbackDevice ?? OwnTracksFormat.device(message, nil)
        let type = message["_type"]?.text ?? "location"
        guard type == "location" else {
            if type == "encrypted" {
                let reason =
                    "the message is encrypted, which is not supported; remove the encryption key in OwnTracks and use TLS"
                collector.refuse(.encrypted, reason, .json(message), device: device)
            } else if hasPlace(message), !typesWithOtherPlaces.contains(type) {
                let reason =
                    "messages of type \(type) are not stored; OwnTracks sends the position in a separate location message"
                collector.countOtherMessage(reason, .json(message), device: device)
            }
            return
        }
        collector.add(point(message, hasSpeedInKilometresPerHour), device: device)
    }

    /// Message types whose coordinates are not the device's position.
    private static let typesWithOtherPlaces: Set<String> = ["waypoint", "waypoints", "cmd", "configuration"]

    private static func point(_ message: JSONValue, _ hasSpeedInKilometresPerHour: Bool) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = .json(message)
        guard case .object(let members) = message else { return point }
        point.longitude = FieldAliases.number(message["lon"])
        point.latitude = FieldAliases.number(message["lat"])
        point.time = time(message["tst"])
        for (name, value) in members where !OwnTracksFormat.notFields.contains(name) {
            let field = OwnTracksFormat.fieldName(name)
            if field == FieldName.speed, hasSpeedInKilometresPerHour {
                FieldAliases.add(name, speed: value, in: OwnTracksFormat.speed.unit, to: &point)
            } else {
                FieldAliases.add(field, value, to: &point)
            }
        }
        return point
    }

    /// A time in seconds, or RFC 3339 text.
    private static func time(_ value: JSONValue?) -> Instant? {
        if let seconds = FieldAliases.number(value) { return InstantReader.instant(seconds, unit: .seconds) }
        return FieldAliases.instant(value)
    }
}
