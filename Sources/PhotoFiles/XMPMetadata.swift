import Expat
public import PhotoLocating

extension PhotoMetadata {
    /// Properties of XMP: those of EXIF (`exif`), `xmp:CreateDate` and `photoshop:DateCreated`.
    private static let timesOfXMP: [(String, ClockReading.Origin)] = [
        ("DateTimeOriginal", .original), ("DateTimeDigitized", .digitized), ("CreateDate", .created),
        ("DateCreated", .created),
    ]

    /// What an XMP packet or sidecar says; nil if it is not XML.
    public init?(xmp bytes: [UInt8]) {
        guard let properties = try? XMPProperties(bytes) else { return nil }
        self.init()
        make = properties["Make"]
        model = properties["Model"]
        serial = properties["SerialNumber"] ?? properties["BodySerialNumber"]
        for (name, origin) in Self.timesOfXMP {
            guard let text = properties[name], let time = ClockText.parse(text) else { continue }
            let meaning = time.offsetSeconds.map { ClockReading.Meaning.offset(seconds: $0) } ?? .local
            readings.append(
                ClockReading(shown: time.shown, meaning: meaning, field: "XMP \(name)", origin: origin))
        }
        if let turned = properties["Orientation"].flatMap({ Int($0) }), (1...8).contains(turned) {
            orientation = turned
        }
        if let latitude = properties["GPSLatitude"].flatMap({ XMPProperties.degrees($0, "N", "S") }),
            let longitude = properties["GPSLongitude"].flatMap({ XMPProperties.degrees($0, "E", "W") })
        {
            stamp.place = PositionStamp.place(longitude: longitude, latitude: latitude)
        }
        if let text = properties["GPSTimeStamp"], let time = ClockText.parse(text), let offset = time.offsetSeconds {
            stamp.instant = time.shown - Int64(offset) * 1000
        }
    }
}

/// The simple properties of an XMP packet, by their local names: attributes of a description, or elements with a text.
struct XMPProperties {
    private static let names = [
        "Make", "Model", "SerialNumber", "BodySerialNumber", "DateTimeOriginal", "DateTimeDigitized",
        "DateCreated", "CreateDate", "Orientation", "GPSLatitude", "GPSLongitude", "GPSTimeStamp", "xmptk",
    ]
    /// Longer values are not times, places or cameras.
    private static let valueLimit = 200

    /// The end of a packet (XMP specification, part 1); only padding is behind it.
    private static let trailer = Array("<?xpacket end".utf8)

    private var values: [String: String] = [:]

    private static func firstIndex(of text: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= text.count else { return nil }
        return (0...(bytes.count - text.count)).first {
            bytes[$0] == text[0] && bytes[$0..<($0 + text.count)].elementsEqual(text)
        }
    }

    init(_ bytes: [UInt8]) throws {
        let reader = try XMLReader(known: Self.names)
        // A packet in a photo is padded with spaces and may end with a zero byte, or with the rest of a longer one.
        var end = bytes.lastIndex { $0 > 0x20 } ?? 0
        if let trailer = Self.firstIndex(of: Self.trailer, in: bytes), trailer > 0 { end = trailer - 1 }
        for (events, bytes) in [reader.read(Array(bytes.prefix(end + 1))), reader.finish()].map({ ($0, $0.bytes) }) {
            if let failure = events.failure { throw failure }
            var open: Int?
            for event in events.events {
                let text = { String(decoding: bytes[event.range].prefix(Self.valueLimit), as: UTF8.self) }
                switch event.kind {
                case .start: open = event.known
                case .attribute: add(event.known, text())
                case .text: add(open, text())
                case .end: open = nil
                }
            }
        }
    }

    /// The value of a property; nil if it is missing.
    subscript(name: String) -> String? { values[name] }

    private mutating func add(_ known: Int?, _ text: String) {
        guard let known, text.contains(where: { !$0.isWhitespace }), values[Self.names[known]] == nil else { return }
        values[Self.names[known]] = text
    }

    /// Parses `48,51.462N` and `48,51,27.72N`.
    static func degrees(_ text: String, _ positive: String, _ negative: String) -> Double? {
        guard let letter = text.last.map({ String($0).uppercased() }), letter == positive || letter == negative else {
            return nil
        }
        let parts = text.dropLast().split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
        guard (1...3).contains(parts.count), let whole = parts[0], whole >= 0,
            parts.dropFirst().allSatisfy({ $0.map { (0..<60.0001).contains($0) } ?? false })
        else { return nil }
        let minutes = parts.count > 1 ? parts[1] ?? 0 : 0
        let seconds = parts.count > 2 ? parts[2] ?? 0 : 0
        let degrees = whole + minutes / 60 + seconds / 3600
        return letter == negative ? -degrees : degrees
    }
}
