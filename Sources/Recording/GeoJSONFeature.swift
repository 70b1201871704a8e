import Text
import Tracks

/// A GeoJSON Feature with a Point as geometry; the time and the fields are in its properties, with the names of our own
/// format.
enum GeoJSONFeature {
    /// The point; nil if the geometry is not a Point.
    static func point(_ feature: JSONValue) -> DecodedPoint? {
        guard feature["geometry"]?["type"]?.text == "Point" else { return nil }
        var point = DecodedPoint()
        point.source = .json(feature)
        for (name, value) in feature["properties"]?.members ?? [] { NativePoint.add(name, value, to: &point) }
        let position = feature["geometry"]?["coordinates"]?.elements ?? []
        guard position.count >= 2 else { return point }
        point.longitude = FieldAliases.number(position[0])
        point.latitude = FieldAliases.number(position[1])
        let hasElevation = point.fields.contains { $0.name == FieldName.elevation }
        if !hasElevation, position.count > 2, let elevation = FieldAliases.number(position[2]) {
            point.fields.append((FieldName.elevation, .number(elevation)))
        }
        return point
    }

    /// Why a Feature is not stored.
    static func notAPoint(_ feature: JSONValue) -> String {
        let type = feature["geometry"]?["type"]?.text ?? "null"
        return "the Feature's geometry is \(type.prefix(40)) but must be a Point; files with lines can be imported"
    }
}

extension JSONValue {
    /// Whether it is a GeoJSON Feature.
    var isFeature: Bool { self["type"]?.text == "Feature" && self["geometry"] != nil }
}
