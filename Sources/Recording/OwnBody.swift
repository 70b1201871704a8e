import TrackImport
import Tracks

/// Our own words: `{"points":[{"t":…,"lon":…,"lat":…,"ele":…,"speed":…,"mark":true,…}]}`, a list of such points, one point, or
/// a point a line (NDJSON). Metres, metres a second, degrees, per cent; other members are kept by their names.
enum OwnBody {
    static func read(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        var gathering = PointGathering()
        var values: [JSONValue] = []
        do {
            values = try FieldWords.json(request.body)
        } catch {
            return try readLines(request.body, else: error)
        }
        guard !values.isEmpty else {
            throw RecordingFault("a body is wanted: {\"points\":[{\"t\":…,\"lon\":…,\"lat\":…}]}")
        }
        for value in values {
            let points = value["points"].map(\.elements) ?? (value.elements.isEmpty ? [value] : value.elements)
            for point in points { gathering.add(Self.point(point), device: nil) }
        }
        return gathering.finish()
    }

    /// Where a line is broken, the others are read.
    private static func readLines(_ body: [UInt8], else fault: RecordingFault) throws(RecordingFault) -> RecordingBatch
    {
        var gathering = PointGathering()
        let lines = body.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D })
        guard lines.count > 1 else { throw fault }
        for line in lines {
            guard let values = try? FieldWords.json(Array(line)), values.count <= 1 else {
                gathering.refuse("the line is no JSON that can be read")
                continue
            }
            for value in values { gathering.add(point(value), device: nil) }
        }
        let batch = gathering.finish()
        guard batch.points > 0 else { throw fault }
        return batch
    }

    /// One point, its time now where it has none; in the body or in the query.
    static func readMark(_ request: RecordingRequest) throws(RecordingFault) -> RecordingBatch {
        var heard: HeardPoint
        if request.body.isEmpty {
            heard = ParameterPoint.point(of: request.parameters.filter { $0.name != ParameterPoint.token })
        } else {
            let values = try FieldWords.json(request.body)
            guard values.count == 1 else {
                throw RecordingFault("one point is wanted: {\"lon\":…,\"lat\":…,\"name\":…}")
            }
            heard = point(values[0])
        }
        heard.time = heard.time ?? request.now
        heard.fields.removeAll { $0.name == FieldName.mark }
        heard.fields.append((FieldName.mark, .number(FixedDecimal(mantissa: 1, places: 0))))
        var gathering = PointGathering()
        gathering.add(heard, device: nil)
        return gathering.finish()
    }

    private static func point(_ value: JSONValue) -> HeardPoint {
        var point = HeardPoint()
        guard case .object(let members) = value else { return point }
        for (name, value) in members {
            if FieldWords.longitude.contains(name) {
                point.longitude = FieldWords.number(value)
            } else if FieldWords.latitude.contains(name) {
                point.latitude = FieldWords.number(value)
            } else if FieldWords.time.contains(name) {
                point.time = FieldWords.instant(value)
            } else {
                FieldWords.add(FieldWords.name(name), value, to: &point)
            }
        }
        return point
    }
}
