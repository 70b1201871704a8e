import Text
import Tracks

/// A position that a Traccar server forwards (traccar.org/forward): `{"position":{…},"device":{…}}`, or the same values
/// in parameters that its operator has named. Speed is in knots; the time is that of the fix.
enum TraccarForward {
    private static let wanted = "expected {\"position\":{\"latitude\":…,\"longitude\":…,\"fixTime\":…},\"device\":{…}}"

    /// Numbers of Traccar's database, and times that are not the fix's.
    private static let ignored: Set<String> = ["id", "deviceid", "servertime", "devicetime", "name", "gprmc", "type"]
    private static let names = [
        "batterylevel": FieldName.battery, "heartrate": FieldName.heartRate, "devicetemp": FieldName.temperature,
    ]

    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        let members: [(name: String, value: JSONValue)]
        let device: String?
        let source: OriginalPoint
        if request.bodyKind == .json {
            let value = try FieldAliases.singleJSON(request.jsonBody, wanted: wanted)
            guard case .object(let position)? = value["position"] else {
                throw RecordingError(.shape, "the body has no \"position\"; \(wanted)")
            }
            members = position
            device = value["device"]?["uniqueId"]?.text ?? value["device"]?["name"]?.text
            source = .json(value)
        } else {
            let parameters = try request.allParameters().filter { !FormParameters.isSecret($0.name) }
            // A placeholder without a value stays in the URL.
            members =
                parameters.filter { !$0.value.isEmpty && !($0.value.hasPrefix("{") && $0.value.hasSuffix("}")) }
                .map { ($0.name, .text($0.value)) } + attributes(of: parameters)
            device =
                ["uniqueId", "id", "deviceid", "deviceId", "name"].lazy.compactMap { name in
                    parameters.first { $0.name == name && !$0.value.isEmpty }?.value
                }.first
            source = .parameters(parameters)
        }
        var collector = PointCollector()
        collector.add(point(members, source), device: device)
        return collector.finish()
    }

    /// The members of the parameter `attributes`, which is JSON.
    private static func attributes(
        of parameters: [(name: String, value: String)]
    ) -> [(name: String, value: JSONValue)] {
        guard let text = parameters.first(where: { $0.name == "attributes" })?.value,
            let values = try? FieldAliases.json(Array(text.utf8)), let value = values.first
        else { return [] }
        return [("attributes", value)]
    }

    private static func point(_ members: [(name: String, value: JSONValue)], _ source: OriginalPoint) -> DecodedPoint {
        var point = DecodedPoint()
        point.source = source
        if let sentence = members.first(where: { $0.name == "gprmc" })?.value.text {
            _ = OpenGTSQuery.add(sentence, to: &point)
            // The parameters beside it have more decimal places.
            if members.contains(where: { $0.name == "speed" }) { point.fields.removeAll { $0.name == FieldName.speed } }
            if members.contains(where: { $0.name == "course" }) {
                point.fields.removeAll { $0.name == FieldName.course }
            }
        }
        for (name, value) in members { add(name, value, to: &point) }
        if let time = time(members) { point.time = time }
        return point
    }

    private static func time(_ members: [(name: String, value: JSONValue)]) -> Instant? {
        for name in ["fixTime", "timestamp", "time", "deviceTime"] {
            guard let value = members.first(where: { $0.name == name })?.value else { continue }
            if case .text(let text) = value { return ParameterPoint.time(text) }
            return FieldAliases.instant(value)
        }
        return nil
    }

    private static func add(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        let lowercased = name.lowercased()
        switch (lowercased, value) {
        case (_, _) where ignored.contains(lowercased) || lowercased == "uniqueid" || lowercased == "fixtime": return
        case ("attributes", .object(let members)):
            for (name, value) in members { addAttribute(name, value, to: &point) }
        case ("speed", _):
            FieldAliases.add(name, speed: value, in: .knot, to: &point)
        // Traccar's value for an unknown accuracy.
        case ("accuracy", _) where FieldAliases.number(value)?.mantissa == 0: return
        // The usual values are not stored.
        case ("valid", _) where value.text == "true": return
        case ("outdated", _) where value.text == "false": return
        default:
            if FieldAliases.longitude.contains(lowercased) {
                point.longitude = FieldAliases.number(value) ?? point.longitude
            } else if FieldAliases.latitude.contains(lowercased) {
                point.latitude = FieldAliases.number(value) ?? point.latitude
            } else if !FieldAliases.time.contains(lowercased) {
                addAttribute(name, value, to: &point)
            }
        }
    }

    private static func addAttribute(_ name: String, _ value: JSONValue, to point: inout DecodedPoint) {
        // Traccar's `battery` is in volts; the level in per cent is `batteryLevel`.
        let name = name == "battery" ? "battery_volts" : names[name.lowercased()] ?? FieldAliases.name(name)
        if case .text(let text) = value, let number = FixedDecimal(plain: text) {
            FieldAliases.add(name, .number(number), to: &point)
        } else {
            FieldAliases.add(name, value, to: &point)
        }
    }
}
