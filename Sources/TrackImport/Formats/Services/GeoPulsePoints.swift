import Text
import Tracks

/// The points in an export of GeoPulse (`raw-gps-data.json`): streams of devices, with speeds in km/h.
struct GeoPulsePoints: PositionListFormat {
    static let lists: Set<String> = ["points"]
    /// The name of speeds in tables and GeoJSON of GeoPulse.
    static let velocity = "velocity"

    static func recognises(_ names: [String]) -> Bool {
        names.first == "dataType" && names.contains("points") && names.contains("latitude")
    }

    func entry(_ object: JSONValue) -> ListedEntry {
        guard object["dataType"] == nil else { return .other }
        var position = ListedPosition(
            longitude: object["longitude"], latitude: object["latitude"], time: object["timestamp"])
        position.key.device = object["deviceId"]?.text
        position.fields = object.speedField("speed", in: .kilometrePerHour) + object.fields(Self.fields)
        return .position(position)
    }

    private static let fields = [
        (member: "altitude", field: FieldName.elevation), ("accuracy", FieldName.horizontalAccuracy),
        ("battery", FieldName.battery), ("source", "source"),
    ]
}
