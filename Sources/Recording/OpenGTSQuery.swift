import Text
import Tracks

/// A point in the URL of OpenGTS: `dev` or `id`, and `gprmc`, an NMEA sentence. Speed is in knots. As in OpenGTS, the
/// sentence's checksum is not used, because HTTP needs none.
enum OpenGTSQuery {
    static func read(_ request: RecordingRequest) throws(RecordingError) -> RecordingBatch {
        let parameters = try request.allParameters()
        var collector = PointCollector()
        let device = ["dev", "id", "deviceid", "device"].lazy.compactMap { name in
            parameters.first { $0.name == name && !$0.value.isEmpty }?.value
        }.first
        // The account carries the token.
        let others = parameters.filter { !["gprmc", "dev", "acct"].contains($0.name) }
        var point = ParameterPoint.point(of: others)
        point.source = .parameters(parameters.filter { $0.name != "acct" })
        if let sentence = parameters.first(where: { $0.name == "gprmc" })?.value {
            guard add(sentence, to: &point) else {
                collector.refuse(.place, "gprmc has no position: \(sentence.prefix(100))", point.source, device: device)
                return collector.finish()
            }
        }
        collector.add(point, device: device)
        return collector.finish()
    }

    /// Adds place, time, speed and course of an RMC sentence; false if it is not one, or has no fix.
    static func add(_ text: String, to point: inout DecodedPoint) -> Bool {
        guard let sentence = NMEASentence(Array(text.utf8)[...]), sentence.kind == .rmc,
            sentence.letter(1) != UInt8(ascii: "V"), let place = sentence.coordinates(2)
        else { return false }
        point.longitude = place.longitude
        point.latitude = place.latitude
        if let day = sentence.date(8), let time = sentence.timeOfDay(0) {
            point.time = Instant(milliseconds: day * CivilDay.milliseconds + time)
            point.hasTime = true
        }
        if let knots = sentence.number(6), let speed = SpeedUnit.knot.metresPerSecond(knots) {
            point.fields.append((FieldName.speed, .number(speed)))
        }
        if let course = sentence.number(7) { point.fields.append((FieldName.course, .number(course))) }
        return true
    }
}
