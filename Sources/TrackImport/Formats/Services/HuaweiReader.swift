import Text
import Tracks

/// Reads the activities of an export of Huawei Health (`motion path detail data….json`).
///
/// The samples of an activity are lines of one text: `tp=lbs;k=0;lat=…;lon=…;alt=…;t=…;` for positions, `tp=h-r;k=TIME;v=…;`
/// for sensors. Lines of one kind follow each other, so they are put in the order of their times, and values of sensors
/// go to the next position. One activity at a time is in memory.
///
/// activity with positions → recording · pause → segment.
struct HuaweiReader {
    private let reading: FileReading
    private var line = 1

    init(_ reading: FileReading) { self.reading = reading }

    /// Reads all of `source`.
    func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        while try scanner.peekText() != nil {
            // Until 2020, each day had a list of its activities.
            try scanner.eachObject(listedIn: ["data", "motionPathData"]) { object, line in
                guard let text = object["attribute"]?.text else { return }
                try take(HuaweiTrack(text), object, line: line)
            }
        }
    }

    private func take(_ track: HuaweiTrack, _ object: JSONValue, line: Int) throws {
        guard track.hasPositions else { return reading.skip(.emptyTrack) }
        var table = InterleavedTracks(reading)
        let sport = object["sportType"]?.text
        let key = TrackKey(activity: sport.map { Self.sports[$0] ?? "huawei \($0)" })
        let number = try table.number(of: key)
        var pending: [(name: String, value: JSONValue)] = []
        for sample in track.samples {
            switch sample.kind {
            case .pause: table[builder: number].beginSegment()
            case .sensor(let field, let value):
                pending.removeAll { $0.name == field }
                pending.append((field, .number(value)))
            case .position(let longitude, let latitude):
                guard let place = reading.place(longitude, latitude, line: line) else { continue }
                try table.add(place, sample.time, pending, to: key)
                pending = []
            }
        }
        table.tracks[number].attributes = object["recordId"]?.text.map { ["id": $0] } ?? [:]
        try table.end()
    }

    /// The numbers of sports that are known from exports.
    private static let sports = [
        "2": "mountain hiking", "3": "cycling", "4": "running", "5": "walking", "101": "indoor running",
        "102": "pool swimming", "103": "indoor cycling", "104": "open water swimming", "111": "elliptical",
        "117": "other", "118": "trail running", "145": "crossfit", "282": "hiking",
    ]
}

/// The samples of an activity, in the order of their times.
private struct HuaweiTrack {
    struct Sample {
        enum Kind {
            case position(longitude: FixedDecimal, latitude: FixedDecimal)
            case sensor(field: String, value: FixedDecimal)
            case pause
        }

        /// nil if it has none.
        var time: Instant?
        var kind: Kind
    }

    private(set) var samples: [Sample] = []
    private(set) var hasPositions = false

    init(_ text: String) {
        let detail = text.utf8.dropFirst(TextLimit.activityPrefix.utf8.count)
        for line in detail.split(separator: UInt8(ascii: "\n")) {
            // The summary follows as JSON.
            if line.starts(with: "&&".utf8) { break }
            guard let sample = Self.sample(line) else { continue }
            if case .position = sample.kind { hasPositions = true }
            samples.append(sample)
        }
        // Samples without a time stay behind the one before them. The sort is stable.
        var last = Int64.min
        let keyed = samples.map { sample in
            last = sample.time?.milliseconds ?? last
            return (time: last, sample: sample)
        }
        samples = keyed.sorted { $0.time < $1.time }.map(\.sample)
    }

    private static func sample(_ line: Substring.UTF8View) -> Sample? {
        var values: [String: FixedDecimal] = [:]
        var kind = ""
        for part in line.split(separator: UInt8(ascii: ";")) {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let (name, value) = (String(part[..<equals]) ?? "", String(part[equals...].dropFirst()) ?? "")
            if name == "tp" { kind = value } else { values[name] = FixedDecimal(value) }
        }
        if kind == "lbs" { return position(values) }
        guard let field = sensors[kind], let value = values["v"], value.mantissa >= 0 || field == FieldName.elevation,
            let time = values["k"].flatMap(time)
        else { return nil }
        return Sample(time: time, kind: .sensor(field: field, value: value))
    }

    private static func position(_ values: [String: FixedDecimal]) -> Sample? {
        guard let longitude = values["lon"], let latitude = values["lat"] else { return nil }
        let time = values["t"].flatMap(time)
        // A pause has the position 90° N, 80° W. The first record may be 0, 0 until there is a fix.
        if latitude.double == 90, longitude.double == -80 { return Sample(time: time, kind: .pause) }
        if latitude.mantissa == 0, longitude.mantissa == 0 { return nil }
        return Sample(time: time, kind: .position(longitude: longitude, latitude: latitude))
    }

    /// The instant of a number of seconds or milliseconds; nil for numbers that count from another start.
    private static func time(_ number: FixedDecimal) -> Instant? {
        number.double >= GeoJSONReader.minEpoch ? InstantReader.instant(number) : nil
    }

    /// The altitude of positions is not read: phones write it in feet.
    private static let sensors = [
        "h-r": FieldName.heartRate, "cad": FieldName.cadence, "s-r": FieldName.cadence, "alti": FieldName.elevation,
        "alt": FieldName.elevation,
    ]
}
