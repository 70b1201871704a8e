import Text
import Tracks

/// Reads an activity of Suunto in JSON: the export of the app (`DeviceLog`), and samples of the service (`suunto/sml`).
///
/// Coordinates are in radians, heart rates and cadences in hertz, temperatures in kelvin. Positions and sensors have
/// samples of their own: values go to the next position. One sample at a time is in memory.
///
/// file → recording · sample with a position → point.
struct SuuntoReader {
    private let reading: FileReading
    private var times: InstantReader
    private var table: InterleavedTracks
    private var creator: String?
    /// Values of the samples since the last position.
    private var pending: [(name: String, value: JSONValue)] = []
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
        table = InterleavedTracks(reading)
    }

    /// Whether the first names in an object are those of an activity.
    static func recognises(_ names: [String]) -> Bool {
        names.first == "DeviceLog" || names.contains("TimeISO8601")
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        do {
            try members(&scanner)
        } catch {
            if ImportFailure(error).keepsEarlierPoints { try end() }
            throw error
        }
        try end()
    }

    private mutating func end() throws {
        for number in table.tracks.indices {
            if let creator { table.tracks[number].attributes = ["creator": creator] }
        }
        try table.end()
    }

    private mutating func members(_ scanner: inout JSONReader) throws {
        try scanner.eachMember { scanner, name in
            switch name {
            case "DeviceLog" where try scanner.isAtObject(), "Data" where try scanner.isAtObject():
                try members(&scanner)
            case "Samples" where try scanner.isAtArray():
                try scanner.eachElement { scanner in
                    scanner.releaseValues()
                    let sample = try scanner.value()
                    line = scanner.line
                    try take(sample)
                }
            case "Device": creator = try scanner.value()["Name"]?.text
            default: try scanner.skipValue()
            }
        }
    }

    private mutating func take(_ sample: JSONValue) throws {
        let values = sample["Attributes"]?["suunto/sml"]?["Sample"] ?? sample
        for (member, field, conversion) in Self.sensors {
            guard let number = values[member]?.decimal, let value = conversion.converted(number) else { continue }
            // The barometer's altitude is more exact than that of the GPS receiver, which comes after it here.
            if member == "GPSAltitude", pending.contains(where: { $0.name == field }) { continue }
            pending.removeAll { $0.name == field }
            pending.append((field, .number(value)))
        }
        guard let east = values["Longitude"]?.decimal, let north = values["Latitude"]?.decimal else { return }
        guard let longitude = FieldUnit.radian.converted(east), let latitude = FieldUnit.radian.converted(north) else {
            return reading.refuse(.noPlace, line: line)
        }
        guard let place = reading.place(longitude, latitude, line: line) else { return }
        let given = values["UTC"] ?? sample["TimeISO8601"] ?? values["TimeISO8601"]
        let time = given.flatMap { times.instant($0) }
        if time == nil, let text = given?.text { reading.receipt.unreadTimes.add(text, line: line) }
        try table.add(place, time, pending, to: TrackKey())
        pending = []
    }

    private enum Conversion {
        case perSecond
        case unit(FieldUnit)

        func converted(_ number: FixedDecimal) -> FixedDecimal? {
            switch self {
            // Devices count whole beats and steps; in hertz they are rounded.
            case .perSecond:
                let (product, overflow) = number.mantissa.multipliedReportingOverflow(by: 60)
                guard !overflow else { return nil }
                return FixedDecimal(mantissa: product, places: number.places).rescaled(to: 0)
                    .map { FixedDecimal(mantissa: $0, places: 0) }
            case .unit(let unit): return unit.converted(number)
            }
        }
    }

    private static let sensors: [(member: String, field: String, conversion: Conversion)] = [
        ("HR", FieldName.heartRate, .perSecond), ("Cadence", FieldName.cadence, .perSecond),
        ("Speed", FieldName.speed, .unit(.metrePerSecond)), ("Distance", FieldName.distance, .unit(.metre)),
        ("Power", FieldName.power, .unit(.plain)), ("Temperature", FieldName.temperature, .unit(.kelvin)),
        ("Altitude", FieldName.elevation, .unit(.metre)), ("GPSAltitude", FieldName.elevation, .unit(.metre)),
        ("EHPE", FieldName.horizontalAccuracy, .unit(.metre)), ("EVPE", FieldName.verticalAccuracy, .unit(.metre)),
        ("NumberOfSatellites", FieldName.satellites, .unit(.plain)),
    ]
}
