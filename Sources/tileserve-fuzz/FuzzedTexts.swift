import HTTPCore
import Recording
import Replay
import RequestHandling
import Styling
import Text
import TileDrawing
import TileLog
import TrackImport
import TrackQuery
import Tracks

/// Texts from outside.
enum FuzzedTexts {
    /// 2026-01-01; any instant would do.
    private static let now: Int64 = 1_767_225_600_000

    /// The first byte selects the app, and whether the data is in the URL or in the body.
    static func readRecording(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let format = RecordingFormat.allCases[Int(first / 2) % RecordingFormat.allCases.count]
        let rest = Array(bytes.dropFirst())
        var request = RecordingRequest(body: rest, now: now)
        if first % 2 == 1, let parameters = try? RequestTarget(bytes: Array("/?".utf8) + rest).parameters() {
            request = RecordingRequest(parameters: parameters.map { ($0.name, $0.value) }, now: now)
        }
        guard let batch = try? format.read(request) else { return }
        for device in batch.devices.prefix(FuzzedTrack.most) {
            let header = RecordingHeader(device: device.name ?? "", source: format.source)
            FuzzedTrack(chunks: device.chunks, header: header).use()
        }
        for chunk in batch.devices.flatMap(\.chunks) {
            for index in 0..<chunk.count {
                let longitude = chunk.unit.nanodegrees(chunk.longitudes[index])
                let latitude = chunk.unit.nanodegrees(chunk.latitudes[index])
                precondition(
                    abs(longitude) <= 180_000_000_000 && abs(latitude) <= 90_000_000_000, "coordinates out of range")
            }
            precondition(
                (try? PointColumns(decoding: chunk.encoded())) == chunk, "a chunk that does not survive its encoding")
        }
    }

    /// Parses the text with every parser; values with a canonical text must survive a second parse.
    static func readTexts(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? Style(file: "style.json", text: bytes)
        if let rule = OutlierRule(text: text) {
            precondition(OutlierRule(text: rule.text) == rule, "a cleaning rule that does not survive its text")
        }
        _ = try? TrackCondition(parsing: text)
        let target = RequestTarget(bytes: bytes)
        _ = target.segments
        _ = try? target.parameters()
        _ = target.redacted
        if let cursor = ReplayCursor(text) { precondition(cursor.text == text, "a cursor with two texts") }
        _ = FrameRate.speedThousandths(text)
        _ = ElementName.encoded(text)
        _ = ElementName.decoded(text)
        _ = DurationText.milliseconds(text)
        readDate(text)
        if let parameters = try? TileParameters(target), !parameters.selection.window.isAllTime {
            for calendar in calendars { _ = WindowDays(parameters.selection.window, in: calendar).touched }
        }
        _ = try? TileTarget(target)
        readChunk(bytes)
        _ = Authority(text)
        _ = WebOrigin(text)
        _ = IPAddress(text)
    }

    private static let calendars = ["Europe/Berlin", "Pacific/Apia"].compactMap { DayCalendar(zone: $0) }

    private static func readDate(_ text: String) {
        guard let date = DateText(text) else { return }
        for calendar in calendars {
            let (begin, end) = (date.begin(in: calendar), date.end(in: calendar))
            precondition(begin <= end, "a time range that ends before it begins")
            _ = InstantFormatter.utc(begin)
        }
    }

    /// Any bytes are a chunk or an error; a decoded chunk must be usable.
    private static func readChunk(_ bytes: [UInt8]) {
        guard let chunk = try? PointColumns(decoding: bytes) else { return }
        precondition(
            (try? PointColumns(decoding: chunk.encoded())) == chunk, "a chunk that does not survive its encoding")
        FuzzedTrack(chunks: [chunk.withPlausibleTimes()], header: RecordingHeader(source: "1.gpx")).use()
    }
}
