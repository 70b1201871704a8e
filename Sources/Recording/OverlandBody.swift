import TrackImport
import Tracks

/// A batch of Overland (github.com/aaronpk/Overland-iOS): Features of GeoJSON in `locations`; apps for Dawarich send the same.
/// Speed is in m/s, the battery's level a share of 1. The point `current` comes again in a batch of its own.
enum OverlandBody {
    static func read(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        var gathering = PointGathering()
        let values = try FieldWords.json(request.body)
        guard values.count == 1, case .list(let features)? = values[0]["locations"] else {
            throw RecordingFault("the body has no list of \"locations\"")
        }
        for feature in features {
            let properties = feature["properties"]
            let device = properties?["device_id"]?.text ?? ""
            gathering.add(point(feature, properties), device: device.isEmpty ? nil : device)
        }
        return gathering.finish()
    }

    private static func point(_ feature: JSONValue, _ properties: JSONValue?) -> HeardPoint {
        var point = HeardPoint()
        let position = feature["geometry"]?["coordinates"]?.elements ?? []
        if position.count >= 2 {
            point.longitude = FieldWords.number(position[0])
            point.latitude = FieldWords.number(position[1])
        }
        guard case .object(let members)? = properties else { return point }
        for (name, value) in members {
            switch name {
            case "timestamp": point.time = FieldWords.instant(value)
            case "device_id": continue
            case "battery_level":
                if let share = FieldWords.number(value), let percent = FieldWords.percent(share: share) {
                    point.fields.append((FieldName.battery, .number(percent)))
                }
            default: FieldWords.add(FieldWords.name(name), value, to: &point)
            }
        }
        let hasElevation = point.fields.contains { $0.name == FieldName.elevation }
        if !hasElevation, position.count > 2, let elevation = FieldWords.number(position[2]) {
            point.fields.append((FieldName.elevation, .number(elevation)))
        }
        return point
    }
}
