import Text
import Tracks

/// States of Home Assistant, as its API returns them for the past (`/api/history/period`).
///
/// The states of `device_tracker.NAME` are the stream of the device NAME. A person has the position of one of their
/// devices; if the file has this device, too, the person's states are skipped.
struct HomeAssistantStates: PositionListFormat {
    static let lists: Set<String> = []

    /// The trackers whose positions have been read.
    private var trackers: Set<String> = []

    static func recognises(_ names: [String]) -> Bool {
        names.prefix(4).contains("entity_id") && names.contains("state") && names.contains("last_changed")
    }

    mutating func entry(_ object: JSONValue) -> ListedEntry {
        // Home Assistant omits the attributes of states between the first and the last one, if it is asked for the
        // minimum.
        guard let entity = object["entity_id"]?.text, let attributes = object["attributes"],
            attributes["latitude"] != nil, attributes["longitude"] != nil
        else { return .skipped(.recordWithoutPosition) }
        var position = ListedPosition(
            longitude: attributes["longitude"], latitude: attributes["latitude"],
            // A state is updated when the position changes, and has changed when a zone is entered or left.
            time: object["last_updated"] ?? object["last_changed"])
        let name = entity.drop { $0 != "." }.dropFirst()
        switch entity.prefix(while: { $0 != "." }) {
        case "device_tracker":
            trackers.insert(entity)
            position.key.device = String(name)
        case "person":
            if let source = attributes["source"]?.text, trackers.contains(source) {
                return .skipped(.copiedPosition)
            }
            position.key.person = String(name)
        default:
            // Zones, earthquakes and cameras have places, too.
            return .skipped(.place)
        }
        position.fields = attributes.measuredFields(Self.fields)
        position.fields += object.fields([("state", "state")])
        return .position(position)
    }

    private static let fields = [
        (member: "altitude", field: FieldName.elevation), ("gps_accuracy", FieldName.horizontalAccuracy),
        ("vertical_accuracy", FieldName.verticalAccuracy), ("speed", FieldName.speed), ("course", FieldName.course),
        ("battery_level", FieldName.battery),
    ]
}
