import Text
import Tracks

/// Positions of Traccar, as its API returns them (`/api/positions`): streams of devices, with speeds in knots.
struct TraccarPositions: PositionListFormat {
    static let lists: Set<String> = ["positions"]

    static func recognises(_ names: [String]) -> Bool {
        let names = Set(names)
        return names.contains("deviceId") && names.contains("fixTime") && names.contains("latitude")
    }

    func entry(_ object: JSONValue) -> ListedEntry {
        guard object["deviceId"] != nil else { return .other }
        // A device without a fix gets its last position again.
        if case .bool(true)? = object["outdated"] { return .skipped(.recordWithoutFix) }
        var position = ListedPosition(
            longitude: object["longitude"], latitude: object["latitude"], time: object["fixTime"])
        position.key.device = object["deviceId"]?.text
        position.fields = object.speedField("speed", in: .knot) + object.fields(Self.fields)
        for attribute in object["attributes"]?.members ?? [] {
            // Traccar's `distance` is that from the position before, not that since the start.
            let name = Self.attributes[attribute.name] ?? "attributes." + attribute.name
            position.fields += attribute.value.leaves(name).filter { $0.value.text != "" }
        }
        return .position(position)
    }

    private static let fields = [
        (member: "altitude", field: FieldName.elevation), ("course", FieldName.course),
        ("accuracy", FieldName.horizontalAccuracy), ("address", FieldName.address),
    ]

    private static let attributes = [
        "batteryLevel": FieldName.battery, "sat": FieldName.satellites, "hdop": FieldName.hdop,
        "vdop": FieldName.vdop, "pdop": FieldName.pdop, "motion": "motion",
    ]
}
