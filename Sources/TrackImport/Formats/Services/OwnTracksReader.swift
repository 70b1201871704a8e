import FoundationEssentials
import Recording
import Text
import Tracks

/// Reads files of OwnTracks' recorder: `.rec` files (time, topic and JSON per line), and JSON as its API returns it.
///
/// Locations go to the streams of their devices, which are named by the end of the topic or by the tracker id.
///
/// `_type` location → point of its device's stream · other types are counted.
struct OwnTracksReader {
    /// Maximum number of different fields kept; further fields are dropped.
    private static let fieldLimit = 256

    private let reading: FileReading
    private var table: InterleavedTracks
    private var fieldNames: Set<String> = []
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        table = InterleavedTracks(reading)
    }

    /// Whether the text begins with a line of a `.rec` file.
    static func recognises(_ text: [UInt8]) -> Bool {
        guard let line = text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first,
            let entry = RecorderEntry(line)
        else { return false }
        return String(decoding: line[entry.json].prefix(1000), as: UTF8.self).contains("\"_type\"")
    }

    /// Reads all of `source`.
    mutating func read(_ source: PeekedSource) throws {
        let isJSON = source.head.first { $0 > 0x20 }.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        try ImportFailure.keepingEarlierPoints {
            if isJSON ?? false {
                var scanner = JSONReader(source, reading)
                while try scanner.peekText() != nil {
                    try scanner.eachObject(listedIn: ["data", "locations"]) { object, line in
                        self.line = line
                        if object["_type"] != nil { try take(object, topic: nil) }
                    }
                }
            } else {
                try lines(source)
            }
        } end: {
            try table.end()
        }
    }

    private mutating func lines(_ source: any ByteSource) throws {
        var lines = LineSource(source, reading)
        while let bytes = try lines.next() {
            line = lines.line
            guard let entry = RecorderEntry(bytes) else {
                if bytes.contains(where: { $0 > 0x20 }) { reading.refuse(.brokenEntry, line: line) }
                continue
            }
            var scanner = JSONReader(MemorySource(Array(bytes[entry.json])), reading)
            guard let value = try? scanner.value() else {
                reading.refuse(.brokenEntry, line: line)
                continue
            }
            try take(value, topic: entry.topic)
        }
    }

    private mutating func take(_ value: JSONValue, topic: String?) throws {
        guard value["_type"]?.text == "location" else { return reading.skip(.recordWithoutPosition) }
        guard let longitude = value["lon"]?.spelledNumber, let latitude = value["lat"]?.spelledNumber else {
            return reading.refuse(.noPlace, line: line)
        }
        guard let place = reading.place(longitude, latitude, line: line) else { return }
        var time: Instant?
        if let seconds = value["tst"]?.spelledNumber { time = InstantReader.instant(seconds, unit: .seconds) }
        let number = try table.number(of: TrackKey(device: OwnTracksFormat.device(value, topic) ?? "owntracks"))
        table[builder: number].addPoint(longitude: place.longitude, latitude: place.latitude, time: time)
        guard case .object(let members) = value else { return }
        for member in members where !OwnTracksFormat.notFields.contains(member.name) {
            for leaf in member.value.leaves(OwnTracksFormat.fieldName(member.name)) {
                guard fieldNames.contains(leaf.name) || fieldNames.count < Self.fieldLimit else { continue }
                fieldNames.insert(leaf.name)
                set(leaf.name, leaf.value, number)
            }
        }
        try table.added(1, to: number)
    }

    private mutating func set(_ name: String, _ value: JSONValue, _ number: Int) {
        let slot = table[builder: number].slot(for: name)
        switch value {
        case .number(let decimal) where name == FieldName.speed:
            guard let speed = OwnTracksFormat.speed.unit.metresPerSecond(decimal) else {
                return set(OwnTracksFormat.speed.name, value, number)
            }
            table[builder: number].set(slot, to: speed)
        case .number(let decimal): table[builder: number].set(slot, to: decimal)
        default: if let text = value.text { table[builder: number].set(slot, toText: text) }
        }
    }
}

/// A line of a `.rec` file: time, topic as the recorder writes it, and JSON, separated by tabs or blanks.
private struct RecorderEntry {
    let topic: String?
    /// The range of the JSON in the line.
    let json: Range<Int>

    /// nil if the line does not begin with a digit, or contains no object.
    init?(_ line: ArraySlice<UInt8>) {
        let blanks: Set<UInt8> = [0x09, 0x20]
        guard let first = line.first, first &- UInt8(ascii: "0") < 10,
            let brace = line.firstIndex(of: UInt8(ascii: "{")), brace > line.startIndex,
            blanks.contains(line[brace - 1]),
            let timeEnd = line[..<brace].firstIndex(where: { blanks.contains($0) })
        else { return nil }
        // Some recorders write a blank instead of the `T` of the time.
        let rest = line[timeEnd..<brace].drop { blanks.contains($0) }
        let isTime =
            !line[..<timeEnd].contains(where: { $0 == UInt8(ascii: ":") }) && rest.prefix(3).contains(UInt8(ascii: ":"))
        let words = isTime ? rest.drop { !blanks.contains($0) } : rest
        let bytes = Array(words)
        let text = ByteText.string(bytes.span, ByteText.trimmed(bytes.span, bytes.indices))
        topic = text.isEmpty ? nil : text
        json = brace..<line.endIndex
    }
}
