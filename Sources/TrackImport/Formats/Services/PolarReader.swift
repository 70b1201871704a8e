import Text
import Tracks

/// Reads training sessions of a Polar Flow export (`training-session-….json`), in the form with samples by time
/// (`recordedRoute`) and in the one with channels (`routes`, `intervalMillis`).
///
/// One exercise at a time is in memory. Values of sensors go to the positions of the same second.
///
/// exercise with a route → recording.
struct PolarReader {
    private let reading: FileReading
    private var times: InstantReader
    private var session: [String: JSONValue] = [:]
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
    }

    /// Whether the first names in an object are those of a training session.
    static func recognises(_ names: [String]) -> Bool {
        names.contains("exercises") && !Set(names).isDisjoint(with: markers)
    }

    private static let markers: Set<String> = [
        "timezoneOffset", "timezoneOffsetMinutes", "intervalMillis", "recordedRoute",
    ]

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try scanner.eachMember { scanner, name in
            if name == "exercises", try scanner.isAtArray() {
                try scanner.eachElement { scanner in
                    scanner.releaseValues()
                    let exercise = try scanner.value()
                    line = scanner.line
                    try take(exercise)
                }
            } else if Self.sessionMembers.contains(name) {
                session[name] = try scanner.value()
            } else {
                try scanner.skipValue()
            }
        }
    }

    private static let sessionMembers: Set<String> = [
        "name", "note", "timezoneOffset", "timezoneOffsetMinutes", "product", "sport",
    ]

    private mutating func take(_ exercise: JSONValue) throws {
        let clock = PolarClock(
            Self.offsets.lazy.compactMap { [session] in exercise[$0] ?? session[$0] }.first)
        let route = exercise["routes"]?["route"]
        let wayPoints = route?["wayPoints"]?.elements ?? []
        let positions = wayPoints.isEmpty ? exercise["samples"]?["recordedRoute"]?.elements ?? [] : wayPoints
        guard !positions.isEmpty else { return reading.skip(.emptyTrack) }
        times.beginTrack()
        let start = instant((route?["startTime"] ?? exercise["startTime"])?.text, clock)
        let sensors = sensors(of: exercise, clock)
        var table = InterleavedTracks(reading)
        let key = TrackKey(activity: activity(of: exercise))
        for position in positions {
            let time = time(of: position, start, clock)
            guard let longitude = position["longitude"]?.decimal, let latitude = position["latitude"]?.decimal else {
                reading.refuse(.noPlace, line: line)
                continue
            }
            guard let place = reading.place(longitude, latitude, line: line) else { continue }
            var fields = time.map { time in sensors.compactMap { $0.field(at: time) } } ?? []
            // The altitude of the route is that of the GPS receiver; the sensor's is more exact.
            if !fields.contains(where: { $0.name == FieldName.elevation }) {
                fields += position.fields([("altitude", FieldName.elevation)])
            }
            try table.add(place, time.flatMap { Instant(milliseconds: $0) }, fields, to: key)
        }
        for number in table.tracks.indices {
            table.tracks[number].name = session["name"]?.text.flatMap { $0.isEmpty ? nil : $0 }
            var attributes = ["creator": session["product"]?["modelName"]?.text, "notes": session["note"]?.text]
            attributes["id"] = exercise["identifier"]?["id"]?.text
            table.tracks[number].attributes = attributes.compactMapValues { $0 }
        }
        try table.end()
    }

    /// The time of a position, in milliseconds since 1970: its own, or the time that has passed since the start.
    private mutating func time(of position: JSONValue, _ start: Instant?, _ clock: PolarClock) -> Int64? {
        if let text = position["dateTime"]?.text { return instant(text, clock)?.milliseconds }
        guard let start, let elapsed = position["elapsedMillis"]?.decimal?.rescaled(to: 0) else { return nil }
        let (time, overflow) = start.milliseconds.addingReportingOverflow(elapsed)
        return overflow ? nil : time
    }

    private static let offsets = ["timezoneOffset", "timezoneOffsetMinutes"]

    private func activity(of exercise: JSONValue) -> String? {
        guard let sport = exercise["sport"] ?? session["sport"] else { return nil }
        guard let id = sport["id"]?.text else { return sport.text?.lowercased() }
        // Newer sports have no name here, so their number is kept.
        return PolarSports.names[id] ?? "polar \(id)"
    }

    private mutating func instant(_ text: String?, _ clock: PolarClock) -> Instant? {
        guard let text else { return nil }
        let instant = times.instant(clock.complete(text))
        if instant == nil { reading.receipt.unreadTimes.add(text, line: line) }
        return instant
    }

    private mutating func sensors(of exercise: JSONValue, _ clock: PolarClock) -> [PolarSensor] {
        guard let samples = exercise["samples"] else { return [] }
        let start = instant(exercise["startTime"]?.text, clock)?.milliseconds
        var sensors: [PolarSensor] = []
        for channel in samples["samples"]?.elements ?? [] {
            guard let start, let type = channel["type"]?.text, let field = PolarSensor.fields[type.lowercased()],
                let interval = channel["intervalMillis"]?.decimal?.rescaled(to: 0), interval > 0
            else { continue }
            sensors.append(PolarSensor(field, start: start, interval: interval, channel["values"]?.elements ?? []))
        }
        for (member, field) in PolarSensor.fields {
            guard let values = samples[member]?.elements, !values.isEmpty else { continue }
            var sensor = PolarSensor(field)
            for value in values {
                guard let number = value["value"]?.decimal, let time = instant(value["dateTime"]?.text, clock) else {
                    continue
                }
                sensor.add(number, at: time.milliseconds)
            }
            sensors.append(sensor)
        }
        return sensors
    }
}

/// Adds the offset of the session to times that have none.
private struct PolarClock {
    private let offset: String

    /// `minutes` is the offset from UTC.
    init(_ minutes: JSONValue?) {
        guard let minutes = minutes?.decimal?.rescaled(to: 0), minutes.magnitude < 24 * 60 else {
            offset = ""
            return
        }
        let (hours, rest) = minutes.magnitude.quotientAndRemainder(dividingBy: 60)
        offset = (minutes < 0 ? "-" : "+") + Self.digits(hours) + ":" + Self.digits(rest)
    }

    private static func digits(_ number: UInt64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    func complete(_ text: String) -> String {
        let clock = text.drop { $0 != "T" }
        return clock.contains { "Z+-".contains($0) } ? text : text + offset
    }
}

/// The values of a sensor by second.
private struct PolarSensor {
    /// The fields of the channels that are known, and the unit of speeds.
    static let fields: [String: (name: String, speed: SpeedUnit?)] = [
        "heart_rate": (FieldName.heartRate, nil), "heartRate": (FieldName.heartRate, nil),
        "speed": (FieldName.speed, .kilometrePerHour), "cadence": (FieldName.cadence, nil),
        "distance": (FieldName.distance, nil), "altitude": (FieldName.elevation, nil),
        "temperature": (FieldName.temperature, nil),
    ]

    private let field: (name: String, speed: SpeedUnit?)
    private var values: [Int64: FixedDecimal] = [:]

    init(_ field: (name: String, speed: SpeedUnit?)) { self.field = field }

    /// Creates the sensor of a channel with a value every `interval` milliseconds.
    init(_ field: (name: String, speed: SpeedUnit?), start: Int64, interval: Int64, _ channel: [JSONValue]) {
        self.field = field
        for (index, value) in channel.enumerated() {
            let (elapsed, overflow) = interval.multipliedReportingOverflow(by: Int64(index))
            guard !overflow, let number = value.spelledNumber else { continue }
            add(number, at: start &+ elapsed)
        }
    }

    mutating func add(_ number: FixedDecimal, at milliseconds: Int64) {
        guard let speed = field.speed else {
            values[milliseconds.floorDivided(by: 1000)] = number
            return
        }
        if let converted = speed.metresPerSecond(number) { values[milliseconds.floorDivided(by: 1000)] = converted }
    }

    func field(at milliseconds: Int64) -> (name: String, value: JSONValue)? {
        values[milliseconds.floorDivided(by: 1000)].map { (field.name, .number($0)) }
    }
}
