import TrackImport
import Tracks

/// Traccar's JSON (traccar.org/osmand): `{"device_id":…,"location":{"timestamp":…,"coords":{…},"battery":{"level":0.9},…}}`,
/// one location or a list. Speed is in m/s, the battery's level a share of 1.
enum TraccarBody {
    private static let wanted = "{\"device_id\":…,\"location\":{\"timestamp\":…,\"coords\":{…}}} is wanted"

    static func read(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        let value = try FieldWords.oneJSON(request.jsonBody, wanted: wanted)
        guard case .object = value else {
            throw RecordingFault(.shape, "the body is \(value.kindInWords); \(wanted)")
        }
        guard let said = value["location"] else {
            throw RecordingFault(.shape, "the body has no \"location\"; \(wanted)")
        }
        let locations: [JSONValue]
        switch said {
        case .list(let list): locations = list
        case .object: locations = [said]
        default:
            throw RecordingFault(
                .shape, "\"location\" is \(said.kindInWords) and has to be an object or a list of them; \(wanted)")
        }
        let device =
            value["device_id"]?.text ?? request.parameters.first { FieldWords.device.contains($0.name) }?.value
        var gathering = PointGathering()
        for location in locations { gathering.add(point(location), device: device) }
        return gathering.finish()
    }

    private static func point(_ location: JSONValue) -> HeardPoint {
        var point = HeardPoint()
        point.source = .json(location)
        guard case .object(let members) = location else { return point }
        for (name, value) in members {
            switch (name, value) {
            case ("timestamp", _): point.time = FieldWords.instant(value)
            case ("coords", .object(let coords)):
                for (name, value) in coords {
                    switch name {
                    case "latitude": point.latitude = FieldWords.number(value)
                    case "longitude": point.longitude = FieldWords.number(value)
                    case "heading": FieldWords.add(FieldName.course, value, to: &point)
                    default: FieldWords.add(FieldWords.name(name), value, to: &point)
                    }
                }
            case ("battery", .object(let battery)):
                for (name, value) in battery {
                    if name == "level" {
                        FieldWords.add(batteryLevel: value, to: &point)
                    } else {
                        FieldWords.add("battery." + name, value, to: &point)
                    }
                }
            default: FieldWords.add(name, value, to: &point)
            }
        }
        return point
    }
}
