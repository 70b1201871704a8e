import Text
import Tracks

/// Reads track files of OziExplorer (PLT), which GeoLife's data set uses, too: one recording per file.
///
/// Six lines precede the points; the second names the datum, the fifth has the name of the track. Times are UTC, in days
/// since 1899-12-30 as Delphi counts them, altitudes in feet, and −777 stands for none.
///
/// Break flag → segment · line → point.
struct PLTReader: LineHandler {
    let reading: FileReading
    private var builder = ChunkBuilder()
    private var recording: OpenRecording?
    private var header: RecordingHeader

    private static let prefaceLines = 6
    private static let noAltitude = -777.0
    /// 1970-01-01 as a day of Delphi's TDateTime.
    private static let dayOf1970 = 25_569.0

    init(_ reading: FileReading) {
        self.reading = reading
        header = RecordingHeader(source: reading.source)
    }

    /// Whether the third or the first line is as in such files.
    static func recognises(_ head: [UInt8]) -> Bool {
        let lines = head.split(maxSplits: 4, whereSeparator: { $0 == 0x0A }).prefix(3).map {
            ByteText.string(Array($0)).lowercased()
        }
        guard lines.count == 3 else { return false }
        return lines[0].hasPrefix("oziexplorer track point file") || lines[2].hasPrefix("altitude is in feet")
    }

    mutating func end() throws {
        guard let recording else { return }
        self.recording = nil
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: header)
    }

    mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws {
        let cells = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { cell in
            let bytes = Array(cell)
            return ByteText.string(bytes.span, ByteText.trimmed(bytes.span, bytes.indices))
        }
        guard number > Self.prefaceLines else { return try takePreface(cells, number) }
        guard cells != [""] else { return }
        guard cells.count >= 2 else { return reading.refuse(.shortRow(columns: cells.count), line: number) }
        guard let latitude = Self.number(cells[0]) else { return reading.refuse(.latitude(cells[0]), line: number) }
        guard let longitude = Self.number(cells[1]) else { return reading.refuse(.longitude(cells[1]), line: number) }
        guard let place = reading.place(longitude, latitude, line: number) else { return }
        let recording = try recording ?? reading.begin()
        self.recording = recording
        if cells.count > 2, cells[2] == "1" { builder.beginSegment() }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: time(cells, number))
        if cells.count > 3, let feet = Self.number(cells[3]), feet.double != Self.noAltitude,
            let metres = FieldUnit.foot.converted(feet)
        {
            builder.set(FieldName.elevation, to: metres)
        }
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    private mutating func takePreface(_ cells: [String], _ line: Int) throws {
        switch line {
        case 2:
            let datum = cells[0]
            guard datum.lowercased().filter({ $0 != " " && $0 != "-" }) == "wgs84" else {
                throw ImportFailure.referenceSystem(datum)
            }
        case 5 where cells.count > 3 && !cells[3].isEmpty: header.name = cells[3]
        default: break
        }
    }

    /// The time of a point; nil if it has none, or 0, which means none.
    private func time(_ cells: [String], _ line: Int) -> Instant? {
        guard cells.count > 4, !cells[4].isEmpty else { return nil }
        guard let days = Self.number(cells[4])?.double, (0..<200_000).contains(days) else {
            reading.receipt.unreadTimes.add(cells[4], line: line)
            return nil
        }
        guard days > 0 else { return nil }
        // A double has about 0.5 µs here, but files have seven decimals, 8.64 ms: whole seconds are restored.
        let seconds = (days - Self.dayOf1970) * 86_400
        let isWhole = (seconds - seconds.rounded()).magnitude < Self.writtenPrecisionSeconds
        return Instant(milliseconds: Int64((isWhole ? seconds.rounded() * 1000 : seconds * 1000).rounded()))
    }

    private static let writtenPrecisionSeconds = 0.005

    private static func number(_ text: String) -> FixedDecimal? {
        let bytes = Array(text.utf8)
        return FixedDecimal(bytes.span, bytes.indices)
    }
}
