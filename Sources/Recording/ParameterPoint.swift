import TrackImport
import Tracks

/// A point in the parameters of a URL or form.
///
/// Traccar's protocol "OsmAnd" (traccar.org/osmand) has its speed in knots, or in its newer JSON body in m/s; OsmAnd itself
/// fills in m/s, for which there is `speed_mps`. GPSLogger's parameters are called as its user likes; its speed is in m/s.
enum ParameterPoint {
    /// The parameters that say who asks, and are no fields.
    static let token = "key"
    private static let notFields: Set<String> = [token, "api_key", "token"]

    static func readOsmAnd(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        if request.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") { return try readTraccar(request) }
        var heard = point(of: request.parameters) { name, value in
            switch name {
            case "speed":
                FieldWords.number(value).flatMap { FieldWords.metresASecond(knots: $0) }.map { (name, .number($0)) }
            case "speed_mps": FieldWords.number(value).map { (FieldName.speed, .number($0)) }
            case "heading": (FieldName.course, FieldWords.value(value))
            default: (FieldWords.name(name), FieldWords.value(value))
            }
        }
        if let location = request.parameters.first(where: { $0.name == "location" })?.value.split(separator: ","),
            location.count == 2
        {
            heard.latitude = FieldWords.number(String(location[0]))
            heard.longitude = FieldWords.number(String(location[1]))
            heard.fields.removeAll { $0.name == "location" }
        }
        return batch(heard, request)
    }

    static func readGPSLogger(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        if request.body.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") {
            let values = try FieldWords.json(request.body)
            guard values.count == 1, case .object(let members) = values[0] else {
                throw RecordingFault("one point is wanted in the body")
            }
            var request = request
            request.parameters += members.compactMap { member in member.value.text.map { (member.name, $0) } }
            return batch(annotated(point(of: request.parameters)), request)
        }
        return batch(annotated(point(of: request.parameters)), request)
    }

    /// The point of parameters that are called as anybody likes; `field` gives a field's name and value.
    static func point(
        of parameters: [(name: String, value: String)],
        field: (String, String) -> (String, HeardPoint.Value)? = { (FieldWords.name($0), FieldWords.value($1)) }
    ) -> HeardPoint {
        var point = HeardPoint()
        for (name, value) in parameters where !value.isEmpty && !notFields.contains(name) {
            if FieldWords.longitude.contains(name) {
                point.longitude = FieldWords.number(value)
            } else if FieldWords.latitude.contains(name) {
                point.latitude = FieldWords.number(value)
            } else if FieldWords.time.contains(name) {
                point.time = point.time ?? FieldWords.instant(value)
            } else if !FieldWords.device.contains(name), let field = field(name, value) {
                point.fields.append(field)
            }
        }
        return point
    }

    /// What somebody wrote to a place is a mark.
    private static func annotated(_ point: HeardPoint) -> HeardPoint {
        var point = point
        if point.fields.contains(where: { $0.name == FieldName.pointName }),
            !point.fields.contains(where: { $0.name == FieldName.mark })
        {
            point.fields.append((FieldName.mark, .number(FixedDecimal(mantissa: 1, places: 0))))
        }
        return point
    }

    private static func batch(_ heard: HeardPoint, _ request: RecordingRequest) -> RecordingBatch {
        var heard = heard
        let said = request.parameters.contains { FieldWords.time.contains($0.name) && !$0.value.isEmpty }
        if !said { heard.time = request.now }
        var gathering = PointGathering()
        gathering.add(
            heard, device: request.parameters.first { FieldWords.device.contains($0.name) && !$0.value.isEmpty }?.value)
        return gathering.finish()
    }

    // MARK: Traccar's JSON

    /// `{"device_id":…,"location":{"timestamp":…,"coords":{…},"battery":{"level":0.9},…}}`, one location or a list.
    private static func readTraccar(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        let values = try FieldWords.json(request.body)
        guard values.count == 1, let said = values[0]["location"] else {
            throw RecordingFault("the body has no \"location\"")
        }
        let device =
            values[0]["device_id"]?.text ?? request.parameters.first { FieldWords.device.contains($0.name) }?.value
        var gathering = PointGathering()
        for location in said.elements.isEmpty ? [said] : said.elements {
            gathering.add(traccarPoint(location), device: device)
        }
        return gathering.finish()
    }

    private static func traccarPoint(_ location: JSONValue) -> HeardPoint {
        var point = HeardPoint()
        guard case .object(let members) = location else { return point }
        for (name, value) in members {
            switch (name, value) {
            case ("timestamp", _): point.time = FieldWords.instant(value)
            case ("coords", .object(let coords)):
                for (name, value) in coords {
                    switch name {
                    case "latitude": point.latitude = FieldWords.number(value)
                    case "longitude": point.longitude = FieldWords.number(value)
                    case "heading": FieldWords.add(FieldName.course, value, to: &point)
                    default: FieldWords.add(FieldWords.name(name), value, to: &point)
                    }
                }
            case ("battery", .object(let battery)):
                for (name, value) in battery {
                    if name == "level", let share = FieldWords.number(value),
                        let percent = FieldWords.percent(share: share)
                    {
                        point.fields.append((FieldName.battery, .number(percent)))
                    } else if name != "level" {
                        FieldWords.add("battery." + name, value, to: &point)
                    }
                }
            default: FieldWords.add(name, value, to: &point)
            }
        }
        return point
    }
}
