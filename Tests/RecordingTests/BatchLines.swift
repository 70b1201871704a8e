import Recording
import Text
import Tracks

/// A batch as text, one line a point: device, time in ms, longitude, latitude, fields by name.
func lines(_ batch: RecordingBatch) -> [String] {
    batch.devices.flatMap { device in
        device.chunks.flatMap { chunk in
            (0..<chunk.count).map { index in
                let fields = chunk.fields.compactMap { field -> String? in
                    switch field.values {
                    case .numbers(let places, let numbers):
                        guard numbers[index] != FieldColumn.absent else { return nil }
                        return "\(field.name)=\(FixedDecimal(mantissa: numbers[index], places: places))"
                    case .texts(let texts): return texts[index].map { "\(field.name)='\($0)'" }
                    }
                }
                let place = [chunk.longitudes[index], chunk.latitudes[index]].map {
                    "\(Double(chunk.unit.nanodegrees($0)) / 1e9)"
                }
                return ([device.name ?? "-", "\(chunk.times[index])"] + place + fields).joined(separator: " ")
            }
        }
    }
}

/// A request with a body, a query that is not encoded, or both; received at 1700000000.123.
func request(_ body: String = "", _ query: String = "") -> RecordingRequest {
    let parameters = query.split(separator: "&").map { part in
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (name: String(halves[0]), value: halves.count > 1 ? String(halves[1]) : "")
    }
    return RecordingRequest(body: Array(body.utf8), parameters: parameters, now: 1_700_000_000_123)
}
