import Text
import Tracks

/// Reads an activity of Suunto in JSON: the export of the app (`DeviceLog`), and samples of the service (`suunto/sml`).
/// One sample at a time is in memory.
///
/// file → recording · sample with a position → point.
struct SuuntoReader {
    private let reading: FileReading
    private var times: InstantReader
    private var samples: SuuntoSamples

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
        samples = SuuntoSamples(reading)
    }

    /// Whether the first names in an object are those of an activity.
    static func recognises(_ names: [String]) -> Bool {
        names.first == "DeviceLog" || names.contains("TimeISO8601")
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try ImportFailure.keepingEarlierPoints {
            try members(&scanner)
        } end: {
            try samples.end()
        }
    }

    private mutating func members(_ scanner: inout JSONReader) throws {
        try scanner.eachMember { scanner, name in
            switch name {
            case "DeviceLog" where try scanner.isAtObject(), "Data" where try scanner.isAtObject():
                try members(&scanner)
            case "Samples" where try scanner.isAtArray():
                try scanner.eachElement { scanner in
                    scanner.releaseValues()
                    try take(try scanner.value(), line: scanner.line)
                }
            case "Device": samples.creator = try scanner.value()["Name"]?.text
            default: try scanner.skipValue()
            }
        }
    }

    private mutating func take(_ sample: JSONValue, line: Int) throws {
        let values = sample["Attributes"]?["suunto/sml"]?["Sample"] ?? sample
        var time: Instant?
        if values[SuuntoSamples.latitude] != nil {
            let given = values["UTC"] ?? sample["TimeISO8601"] ?? values["TimeISO8601"]
            time = reading.instant(given, by: &times, line: line)
        }
        try samples.add({ values[$0]?.decimal }, time, line: line)
    }
}
