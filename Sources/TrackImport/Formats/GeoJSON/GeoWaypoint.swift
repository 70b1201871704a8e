import Pins
import Text
import Tracks

/// Features with a point that become pins.
enum GeoWaypoint {
    /// The member of the properties in which our own exports give the notes.
    private static let notes = PinNames.prefix + "notes."
    /// The member of the properties in which our own exports give the time.
    private static let time = "time"
    private static let named: [String: String] = [
        "name": PinNote.name, "title": PinNote.name, "desc": PinNote.description, "description": PinNote.description,
        "cmt": PinNote.comment, "comment": PinNote.comment, "sym": PinNote.symbol, "marker-symbol": PinNote.symbol,
        "type": PinNote.type, "category": PinNote.type, "ele": PinNote.elevation, "elevation": PinNote.elevation,
    ]

    /// Whether an export of a library has written the feature as a pin.
    static func isExported(_ feature: GeoObject) -> Bool {
        feature.properties.contains { $0.name == PinNames.prefix + PinNames.id }
    }

    /// The time in the properties of an exported pin.
    static func time(_ feature: GeoObject) -> String? {
        feature.properties.first { $0.name == time }?.value.text
    }

    /// The properties of a feature as a waypoint, without place and time.
    static func builder(_ feature: GeoObject) -> WaypointBuilder {
        var waypoint = WaypointBuilder()
        let isExported = isExported(feature)
        for (name, value) in feature.properties.flatMap({ $0.value.leaves($0.name) }) {
            guard let text = value.text, !text.isEmpty else { continue }
            guard isExported else {
                waypoint.note(named[name.lowercased()] ?? name, text)
                continue
            }
            // The other properties repeat these for other programs.
            if name.hasPrefix(notes) {
                waypoint.note(String(name.dropFirst(notes.count)), text)
            } else if name.hasPrefix(PinNames.prefix) {
                waypoint.noteExported(String(name.dropFirst(PinNames.prefix.count)), text)
            }
        }
        return waypoint
    }
}
