import Text
import Tracks

/// A point in the parameters of a URL or form.
///
/// Traccar's protocol "OsmAnd" (traccar.org/osmand) gives speed in knots, or in its newer JSON body in m/s; OsmAnd
/// itself sends m/s, for which there is `speed_mps`.
enum ParameterPoint {
    static func readOsmAnd(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        if request.bodyKind == .json { return try TraccarBody.read(request) }
        let parameters = try request.allParameters()
        var collector = PointCollector()
        add(osmAndPoint(parameters), parameters, request, &collector)
        return collector.finish()
    }

    /// The point in OsmAnd's parameters.
    static func osmAndPoint(_ parameters: [(name: String, value: String)]) -> DecodedPoint {
        var decoded = point(of: parameters) { name, value in
            switch name {
            case "speed":
                guard let knots = FieldAliases.number(value) else { return (name, .text(value)) }
                // An impossible speed is kept, so that the range check refuses it and reports the value.
                return (name, .number(SpeedUnit.knot.metresPerSecond(knots) ?? knots))
            case "speed_mps": return (FieldName.speed, FieldAliases.value(value))
            case "heading": return (FieldName.course, FieldAliases.value(value))
            default: return (FieldAliases.name(name), FieldAliases.value(value))
            }
        }
        let location = parameters.first { $0.name == "location" }?.value.split(separator: ",") ?? []
        if location.count == 2, decoded.latitude == nil, decoded.longitude == nil {
            decoded.latitude = FieldAliases.number(String(location[0]))
            decoded.longitude = FieldAliases.number(String(location[1]))
            decoded.fields.removeAll { $0.name == "location" }
        }
        return decoded
    }

    /// The point in parameters with user-chosen names; `field` converts a parameter to a field's name and value.
    static func point(
        of parameters: [(name: String, value: String)],
        field: (String, String) -> (String, DecodedPoint.Value) = { (FieldAliases.name($0), FieldAliases.value($1)) }
    ) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = .parameters(parameters)
        for (name, value) in parameters where !value.isEmpty && !FormParameters.isSecret(name) {
            if FieldAliases.longitude.contains(name) {
                point.longitude = FieldAliases.number(value) ?? point.longitude
            } else if FieldAliases.latitude.contains(name) {
                point.latitude = FieldAliases.number(value) ?? point.latitude
            } else if FieldAliases.time.contains(name) {
                point.time = point.time ?? time(value)
                point.hasTime = true
            } else if !FieldAliases.device.contains(name) {
                point.fields.append(field(name, value))
            }
        }
        return point
    }

    /// Parses a time. An unencoded plus sign has become a blank, as form encoding defines: `2025-06-01T10:00:00 02:00`.
    static func time(_ value: String) -> Instant? {
        if let instant = FieldAliases.instant(value) { return instant }
        guard let blank = value.lastIndex(of: " ") else { return nil }
        return FieldAliases.instant(value.replacingCharacter(at: blank, with: "+"))
    }

    /// Adds a point; without a time it gets the current one.
    static func add(
        _ decoded: DecodedPoint, _ parameters: [(name: String, value: String)], _ request: RecordingRequest,
        _ collector: inout PointCollector
    ) {
        var decoded = decoded
        if !decoded.hasTime { decoded.time = Instant(milliseconds: request.now) }
        collector.add(
            decoded, device: parameters.first { FieldAliases.device.contains($0.name) && !$0.value.isEmpty }?.value)
    }
}

extension String {
    fileprivate func replacingCharacter(at index: String.Index, with character: Character) -> String {
        String(self[..<index]) + String(character) + self[self.index(after: index)...]
    }
}
