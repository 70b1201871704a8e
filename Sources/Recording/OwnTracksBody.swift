import TrackImport
import Tracks

/// A message of OwnTracks (owntracks.org/booklet/tech/json): locations become points, other types are no points. Speed is in
/// km/h, times in seconds. An empty body is a friend's end, and says nothing.
enum OwnTracksBody {
    static func read(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        var gathering = PointGathering()
        for value in try FieldWords.json(request.body) {
            for message in value.elements.isEmpty ? [value] : value.elements { take(message, request, &gathering) }
        }
        return gathering.finish()
    }

    private static func take(_ message: JSONValue, _ request: RecordingRequest, _ gathering: inout PointGathering) {
        guard message["_type"]?.text == "location" else {
            if message["_type"]?.text == "encrypted" {
                gathering.refuse("the message is encrypted; leave the encryption key empty and use TLS")
            }
            return
        }
        guard case .object(let members) = message else { return }
        var point = HeardPoint()
        if case .number(let longitude)? = message["lon"] { point.longitude = longitude }
        if case .number(let latitude)? = message["lat"] { point.latitude = latitude }
        if case .number(let seconds)? = message["tst"] { point.time = InstantReader.instant(seconds, unit: .seconds) }
        for (name, value) in members where !OwnTracksWords.notFields.contains(name) {
            let field = OwnTracksWords.fieldName(name)
            if field == FieldName.speed, case .number(let speed) = value {
                guard let metres = OwnTracksWords.metresASecond(kilometresAnHour: speed) else { continue }
                point.fields.append((field, .number(metres)))
            } else {
                FieldWords.add(field, value, to: &point)
            }
        }
        let hinted = request.headerDevice ?? request.parameters.first { $0.name == "d" }?.value
        let topical = message["topic"] == nil ? hinted : nil
        gathering.add(point, device: topical ?? OwnTracksWords.device(message, nil))
    }
}
