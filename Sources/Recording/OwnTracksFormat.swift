package import Text
package import Tracks

/// OwnTracks' names and units, for all sources of its JSON.
package enum OwnTracksFormat {
    /// The member with the speed, and its unit.
    package static let speed = (name: "vel", unit: SpeedUnit.kilometrePerHour)

    /// The name of a location's device: the end of its topic, otherwise its tracker id; nil if it has neither.
    package static func device(_ value: JSONValue, _ topic: String?) -> String? {
        let given = value["topic"]?.text ?? topic
        if let end = given?.split(separator: "/").last.map({ $0.filter { $0 != " " } }), !end.isEmpty, end != "*" {
            return end
        }
        return value["tid"]?.text
    }

    /// Members of a location that are not fields of its point.
    package static let notFields: Set<String> = ["_type", "lat", "lon", "tst", "topic"]

    /// The field name of a member.
    package static func fieldName(_ name: String) -> String {
        switch name {
        case "acc": FieldName.horizontalAccuracy
        case "vac": FieldName.verticalAccuracy
        case "alt": FieldName.elevation
        case speed.name: FieldName.speed
        case "cog": FieldName.course
        case "batt": FieldName.battery
        default: name
        }
    }
}
