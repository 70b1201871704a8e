import HTTPCore
import Recording
import Replay
import Styling
import TrackQuery
import Tracks

/// Texts that come from outside.
enum FuzzedWords {
    /// 2026-01-01, as good as any.
    private static let now: Int64 = 1_767_225_600_000

    /// The first byte says which app it is, and whether its words are in the URL or in the body.
    static func readRecording(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let format = RecordingFormat.allCases[Int(first / 2) % RecordingFormat.allCases.count]
        let rest = Array(bytes.dropFirst())
        var request = RecordingRequest(body: rest, now: now)
        if first % 2 == 1, let parameters = try? RequestTarget(bytes: Array("/?".utf8) + rest).parameters() {
            request = RecordingRequest(parameters: parameters.map { ($0.name, $0.value) }, now: now)
        }
        guard let batch = try? format.read(request) else { return }
        for chunk in batch.devices.flatMap(\.chunks) {
            for index in 0..<chunk.count {
                let longitude = chunk.unit.nanodegrees(chunk.longitudes[index])
                let latitude = chunk.unit.nanodegrees(chunk.latitudes[index])
                precondition(abs(longitude) <= 180_000_000_000 && abs(latitude) <= 90_000_000_000, "no place on Earth")
            }
            precondition((try? PointChunk(decoding: chunk.encoded())) == chunk, "a chunk that its encoding loses")
        }
    }

    /// Whatever can be read is read; what has one text gives the same when that is read again.
    static func readWords(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? Style(file: "style.json", text: bytes)
        if let rule = CleaningRule(text: text) { precondition(CleaningRule(text: rule.text) == rule, "another rule") }
        _ = try? TrackCondition(parsing: text)
        let target = RequestTarget(bytes: bytes)
        _ = target.segments
        _ = try? target.parameters()
        _ = target.redacted
        _ = ReplayCursor(text)
        _ = Authority(text)
        _ = WebOrigin(text)
        _ = IPAddress(text)
    }
}
