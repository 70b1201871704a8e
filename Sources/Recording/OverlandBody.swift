import Text
import Tracks

/// A batch of Overland (github.com/aaronpk/Overland-iOS): GeoJSON Features in `locations`; apps for Dawarich send the
/// same. Speed is in m/s, the battery level is a fraction of 1. The device is named in the Features or, by other apps
/// that use this protocol, beside `locations`. The point `current` is ignored, because it is sent again in a later
/// batch.
enum OverlandBody {
    private static let wanted = "expected {\"locations\":[FEATURE,…]}"

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        try read(FieldAliases.singleJSON(request.jsonBody, wanted: wanted))
    }

    static func read(_ value: JSONValue) throws(RecordingError) -> RecordingBatch {
        var collector = PointCollector()
        guard case .object = value else {
            throw RecordingError(.shape, "the body is \(value.kindName); \(wanted)")
        }
        guard let locations = value["locations"] else {
            throw RecordingError(.shape, "the body has no \"locations\"; \(wanted)")
        }
        guard case .list(let features) = locations else {
            throw RecordingError(.shape, "\"locations\" is \(locations.kindName) but must be a list; \(wanted)")
        }
        let batchDevice = device(value)
        for feature in features {
            let properties = feature["properties"]
            collector.add(point(feature, properties), device: properties.flatMap(device) ?? batchDevice)
        }
        return collector.finish()
    }

    private static func device(_ value: JSONValue) -> String? {
        value["device_id"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func point(_ feature: JSONValue, _ properties: JSONValue?) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = .json(feature)
        let position = feature["geometry"]?["coordinates"]?.elements ?? []
        if position.count >= 2 {
            point.longitude = FieldAliases.number(position[0])
            point.latitude = FieldAliases.number(position[1])
        }
        guard case .object(let members)? = properties else { return point }
        for (name, value) in members {
            switch name {
            case "timestamp": point.time = FieldAliases.instant(value)
            case "device_id": continue
            case "battery_level": FieldAliases.add(batteryLevel: value, to: &point)
            default: FieldAliases.add(FieldAliases.name(name), value, to: &point)
            }
        }
        let hasElevation = point.fields.contains { $0.name == FieldName.elevation }
        if !hasElevation, position.count > 2, let elevation = FieldAliases.number(position[2]) {
            point.fields.append((FieldName.elevation, .number(elevation)))
        }
        return point
    }
}
