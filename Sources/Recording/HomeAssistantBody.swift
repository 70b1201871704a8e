import Text
import Tracks

/// What Home Assistant sends: the message `update_location` of its app (`{"type":…,"data":{"gps":[lat,lon],…}}`), or
/// the state or the attributes of a device tracker, as an automation forwards them. Speed is in m/s, the battery level
/// in per cent. The app sends no time: the point gets the present one.
enum HomeAssistantBody {
    private static let wanted = "expected {\"latitude\":…,\"longitude\":…}, a state, or the message update_location"

    private static let names = [
        "gps_accuracy": FieldName.horizontalAccuracy, "battery_level": FieldName.battery, "dir": FieldName.course,
    ]
    private static let times: Set<String> = ["last_reported", "last_updated"]
    /// Members that hold the others.
    private static let wrappers: Set<String> = ["data", "attributes", "location"]
    /// Members that are not values of the point.
    private static let ignored: Set<String> = [
        "type", "entity_id", "dev_id", "device", "context", "last_changed", "friendly_name", "icon", "source_type",
        "gps",
    ]

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        let value = try FieldAliases.singleJSON(request.jsonBody, wanted: wanted)
        guard case .object = value else {
            throw RecordingError(.shape, "the body is \(value.kindName); \(wanted)")
        }
        // The app also sends sensors and events, which have no place.
        if let type = value["type"]?.text, type != "update_location" { return RecordingBatch() }
        let members = flattened(value)
        var point = DecodedPoint()
        point.source = .json(value)
        for (name, value) in members { add(name, value, to: &point) }
        if !point.hasTime { point.time = Instant(milliseconds: request.now) }
        // In zones without a position the app sends only the name of the zone.
        guard point.longitude != nil || point.latitude != nil || value["type"] == nil else { return RecordingBatch() }
        var collector = PointCollector()
        collector.add(point, device: device(members, request))
        return collector.finish()
    }

    private static func flattened(_ value: JSONValue) -> [(name: String, value: JSONValue)] {
        value.members.flatMap { name, value -> [(name: String, value: JSONValue)] in
            switch value {
            case .object where wrappers.contains(name): flattened(value)
            case .list where name == "location": [("gps", value)]
            default: [(name, value)]
            }
        }
    }

    /// The device in the URL, or the entity's name without its domain (`device_tracker.phone`).
    private static func device(_ members: [(name: String, value: JSONValue)], _ request: RecordingRequest) -> String? {
        if let named = request.namedDevice { return named }
        for name in ["entity_id", "dev_id", "device", "device_id"] {
            guard let text = members.first(where: { $0.name == name })?.value.text, !text.isEmpty else { continue }
            return text.split(separator: ".").last.map(String.init) ?? text
        }
        return nil
    }

    private static func add(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        if name == "gps", value.elements.count >= 2 {
            point.latitude = FieldAliases.number(value.elements[0])
            point.longitude = FieldAliases.number(value.elements[1])
        } else if FieldAliases.longitude.contains(name) {
            point.longitude = FieldAliases.number(value)
        } else if FieldAliases.latitude.contains(name) {
            point.latitude = FieldAliases.number(value)
        } else if FieldAliases.time.contains(name) || times.contains(name) {
            // A time of the position is more exact than that of the state.
            if !times.contains(name) || point.time == nil { point.time = FieldAliases.instant(value) ?? point.time }
            point.hasTime = true
        } else if !ignored.contains(name) {
            FieldAliases.add(names[name] ?? FieldAliases.name(name), value, to: &point)
        }
    }
}
