import Expat
import Text
import Tracks

/// Reads SML, the XML in which Suunto's programs for computers keep activities (`sml`, `DeviceLog`).
///
/// file → recording · Sample with a position → point.
struct SuuntoXMLReader {
    /// The root element.
    static let element = "sml"

    private let reading: FileReading
    private let feed: XMLFeed
    private var times: InstantReader
    private var samples: SuuntoSamples
    private var open: [String?] = []
    private var numbers: [String: FixedDecimal] = [:]
    /// The time of the sample, and that of the start.
    private var utc: String?
    private var start: Instant?

    private static let names =
        SuuntoSamples.members.sorted() + ["Sample", "Header", "Device", "DateTime", "Activity", "Name", "Time", "UTC"]

    init(_ reading: FileReading) throws {
        self.reading = reading
        feed = try XMLFeed(reading, known: Self.names)
        times = reading.times(.library)
        samples = SuuntoSamples(reading)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        try read(source, feed)
    }

    private mutating func endSample(_ element: XMLElement) throws {
        let numbers = numbers
        let time = numbers[SuuntoSamples.latitude] == nil ? nil : sampleTime(element)
        try samples.add({ numbers[$0] }, time, line: element.line)
    }

    private mutating func sampleTime(_ element: XMLElement) -> Instant? {
        if let utc {
            let time = times.instant(utc)
            if time == nil { reading.receipt.unreadTimes.add(utc, line: element.line) }
            return time
        }
        // Seconds since the start.
        guard let start, let elapsed = numbers["Time"]?.rescaled(to: 3) else { return nil }
        let (time, overflow) = start.milliseconds.addingReportingOverflow(elapsed)
        return overflow ? nil : Instant(milliseconds: time)
    }

    private mutating func take(_ name: String, in parent: String?, _ text: String) {
        switch (parent, name) {
        case ("Sample", "UTC"): utc = text
        // Laps have a distance and a time of their own.
        case ("Sample", _): numbers[name] = FixedDecimal(text)
        case ("Header", "DateTime"):
            start = times.instant(text)
            if start == nil { reading.receipt.unreadTimes.add(text, line: 1) }
        case ("Header", "Activity"): samples.activity = text.lowercased()
        case ("Device", "Name"): samples.creator = text
        default: break
        }
    }
}

extension SuuntoXMLReader: XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws -> Bool {
        let name = element.known.map { Self.names[$0] }
        if name == "Sample" {
            numbers = [:]
            utc = nil
        }
        open.append(name)
        return name != nil
    }

    mutating func end(_ element: XMLElement, text: [UInt8]) throws {
        guard let name = open.popLast() ?? nil else { return }
        if name == "Sample" { return try endSample(element) }
        let range = ByteText.trimmed(text.span, text.indices)
        if !range.isEmpty { take(name, in: open.last ?? nil, ByteText.string(text.span, range)) }
    }

    mutating func endDocument() throws {
        try samples.end()
    }
}
