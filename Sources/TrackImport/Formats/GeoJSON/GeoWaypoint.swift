import Pins
import Text

/// Features with a point that become pins.
enum GeoWaypoint {
    /// The member of the properties in which our own exports give the attributes.
    private static let attributePrefix = PinNames.prefix + "notes."
    /// The member of the properties in which our own exports give the time.
    private static let time = "time"
    private static let named: [String: String] = [
        "name": PinAttribute.name, "title": PinAttribute.name, "desc": PinAttribute.description,
        "description": PinAttribute.description,
        "cmt": PinAttribute.comment, "comment": PinAttribute.comment, "sym": PinAttribute.symbol,
        "marker-symbol": PinAttribute.symbol,
        "type": PinAttribute.type, "category": PinAttribute.type, "ele": PinAttribute.elevation,
        "elevation": PinAttribute.elevation,
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
                waypoint.addAttribute(named[name.lowercased()] ?? name, text)
                continue
            }
            // The other properties repeat these for other programs.
            if name.hasPrefix(attributePrefix) {
                waypoint.addAttribute(String(name.dropFirst(attributePrefix.count)), text)
            } else if name.hasPrefix(PinNames.prefix) {
                waypoint.addExportedAttribute(String(name.dropFirst(PinNames.prefix.count)), text)
            }
        }
        return waypoint
    }
}
