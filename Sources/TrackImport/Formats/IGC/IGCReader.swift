import Text
import Tracks

/// Reads IGC, the flight recorder format of the FAI's gliding commission: one recording per file.
///
/// Times are UTC. The day comes from the header, and increases when the time of day falls by more than half a day.
/// Extensions declared in the I record become fields. Without a date, points have no time. The recorder's signature is
/// not checked.
///
/// B → point · I → extensions of B · H → attributes · E with PEV → waypoint flag of the point of that second.
struct IGCReader: LineHandler {
    /// Maximum number of attributes kept.
    private static let attributeLimit = 128

    let reading: FileReading
    private var builder = ChunkBuilder()
    private var recording: OpenRecording?
    private var header: RecordingHeader
    private var extensions: [IGCExtension] = []
    private var slots: [FieldSlot] = []
    private var day: Int64?
    private var lastTime: Int64?
    private var waypointTime: Int64?

    init(_ reading: FileReading) {
        self.reading = reading
        header = RecordingHeader(source: reading.source)
        header.activity = "gliding"
    }

    /// Whether a line is a B record.
    static func recognises(_ head: [UInt8]) -> Bool {
        head.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).contains { IGCFix($0) != nil }
    }

    mutating func end() throws {
        guard let recording else { return }
        self.recording = nil
        if day == nil { reading.receipt.remarks.insert(.dateless) }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: header)
    }

    mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws {
        switch line.first {
        case UInt8(ascii: "B")?:
            guard let fix = IGCFix(line) else { return reading.refuse(.brokenEntry, line: number) }
            try take(fix, line, number)
        case UInt8(ascii: "H")?: takeHeader(line)
        case UInt8(ascii: "I")?: takeExtensions(line)
        case UInt8(ascii: "E")? where line.dropFirst(7).starts(with: "PEV".utf8):
            waypointTime = IGCFix.timeOfDay(line)
        case UInt8(ascii: "A")? where header.attributes["recorder"] == nil:
            header.attributes["recorder"] = ByteText.string(Array(line.dropFirst()))
        default: break
        }
    }

    // MARK: Fixes

    private mutating func take(_ fix: IGCFix, _ line: ArraySlice<UInt8>, _ number: Int) throws {
        guard fix.isValid || !fix.isZeroPosition else { return reading.skip(.recordWithoutFix) }
        let (longitude, latitude) = fix.coordinates(extended: extensions, line)
        guard let place = reading.place(longitude, latitude, line: number) else { return }
        let recording = try recording ?? reading.begin()
        self.recording = recording
        if let lastTime, let known = day, lastTime - fix.timeOfDay > CivilDay.milliseconds / 2 { day = known + 1 }
        lastTime = fix.timeOfDay
        let parts = extensions.first { $0.code == "TDS" }?.milliseconds(line) ?? 0
        builder.addPoint(
            longitude: place.longitude, latitude: place.latitude,
            time: day.flatMap {
                Instant(milliseconds: $0 * CivilDay.milliseconds + fix.timeOfDay)?.advanced(milliseconds: parts)
            })
        if let height = fix.height, fix.isValid || height != 0 { set(FieldName.elevation, height) }
        if let height = fix.pressureHeight { set("pressure_altitude", height) }
        builder.set(FieldName.fix, toText: fix.isValid ? "3d" : "2d")
        if day == nil { builder.set("time", toText: ByteText.string(Array(line.dropFirst().prefix(6)))) }
        if waypointTime == fix.timeOfDay { builder.set(FieldName.waypoint, to: FixedDecimal(mantissa: 1, places: 0)) }
        for (index, found) in extensions.enumerated() where !found.isOfPlaceOrTime {
            switch found.value(line) {
            case .number(let number)?: builder.set(slots[index], to: number)
            case .text(let text)?: builder.set(slots[index], toText: text)
            case nil: break
            }
        }
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    private mutating func set(_ name: String, _ metres: Int64) {
        builder.set(name, to: FixedDecimal(mantissa: metres, places: 0))
    }

    // MARK: Headers

    /// Parses `INNSSFFCCC…`: the number of extensions, then first byte, last byte (from 1) and code of each.
    private mutating func takeExtensions(_ line: ArraySlice<UInt8>) {
        extensions = []
        slots = []
        var rest = line.dropFirst(3)
        while rest.count >= 7, extensions.count < 99, let found = IGCExtension(rest.prefix(7)) {
            extensions.append(found)
            slots.append(builder.slot(for: found.field))
            rest = rest.dropFirst(7)
        }
    }

    /// Parses `HFDTE160701`, `HFDTEDATE:160701,01` or `HFPLTPILOTINCHARGE: …`.
    private mutating func takeHeader(_ line: ArraySlice<UInt8>) {
        guard line.count > 5 else { return }
        let code = ByteText.string(Array(line.dropFirst(2).prefix(3))).uppercased()
        let rest = Array(line.dropFirst(5))
        if code == "DTE" {
            guard let date = Self.date(rest) else { return }
            // A file may have several flight days, each with its own date.
            day = date
            lastTime = nil
            return
        }
        let text = ByteText.string(rest)
        let value = text.firstIndex(of: ":").map { text[text.index(after: $0)...] } ?? text[...]
        let trimmed = Array(value.utf8)
        let attribute = ByteText.string(trimmed.span, ByteText.trimmed(trimmed.span, trimmed.indices))
        guard !attribute.isEmpty, header.attributes.count < Self.attributeLimit else { return }
        header.attributes[Self.attributeNames[code] ?? "igc_" + code.lowercased()] = attribute
    }

    private static let attributeNames = [
        "PLT": "pilot", "CM2": "crew", "GTY": "glider_type", "GID": "glider_id", "CID": "competition_id",
        "CCL": "competition_class", "FTY": "recorder_type", "SIT": "site", "TZN": "time_zone", "DTM": "datum",
    ]

    /// Days since 1970 of the first `ddmmyy`; years from 80 on are in the 20th century.
    private static func date(_ bytes: [UInt8]) -> Int64? {
        guard let start = bytes.firstIndex(where: { $0 &- UInt8(ascii: "0") < 10 }) else { return nil }
        let digits = bytes[start...].prefix { $0 &- UInt8(ascii: "0") < 10 }
        guard digits.count == 6, let number = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        let year = number % 100
        let day = CivilDay(
            year: year + (year < 80 ? 2000 : 1900), month: number / 100 % 100, day: number / 10_000)
        return day.map { Int64($0.daysSince1970) }
    }
}
