import Text

/// A point in tileserve's own format.
enum NativePoint {
    /// The point in a JSON object; a value that is not an object gives a point without a place.
    static func read(_ value: JSONValue) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = .json(value)
        for (name, value) in value.members { add(name, value, to: &point) }
        return point
    }

    /// Adds a member of a point.
    static func add(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        if FieldAliases.longitude.contains(name) {
            point.longitude = FieldAliases.number(value)
        } else if FieldAliases.latitude.contains(name) {
            point.latitude = FieldAliases.number(value)
        } else if FieldAliases.time.contains(name) {
            point.time = FieldAliases.instant(value)
            if case .none = value {} else { point.hasTime = true }
        } else {
            FieldAliases.add(FieldAliases.name(name), value, to: &point)
        }
    }
}
