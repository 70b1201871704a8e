import Text
import Tracks

/// The values of an entry of GPS Log, in the order of its export.
enum GPSLogValue: Int, CaseIterable {
    case session, latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, time, speed, course, address
    case waypoint, id, instances, heading, headingChanged, headingTime, mapX, mapY

    /// The names in the database and in exports, in lower case.
    private static let names: [[String]] = [
        ["session", "sessionid"], ["latitude"], ["longitude"], ["altitude"], ["horizontalaccuracy"],
        ["verticalaccuracy"], ["timestamp"], ["speed"], ["course"], ["address"], ["marked"], ["entryid"],
        ["instancecount"], ["heading"], ["isheadingchanged", "headingchanged"], ["headingtimestamp"], ["mapx"],
        ["mapy"],
    ]

    private static let byName = Dictionary(
        uniqueKeysWithValues: zip(allCases, names).flatMap { value, names in names.map { ($0, value) } })

    /// nil for an unknown name.
    init?(named name: String) {
        guard let value = Self.byName[name.lowercased()] else { return nil }
        self = value
    }

    /// The name of the value's field; nil if the value is not a field of its own.
    var field: String? {
        switch self {
        case .altitude: FieldName.elevation
        case .horizontalAccuracy: FieldName.horizontalAccuracy
        case .verticalAccuracy: FieldName.verticalAccuracy
        case .speed: FieldName.speed
        case .course: FieldName.course
        case .address: FieldName.address
        case .id: FieldName.pointID
        case .instances: FieldName.repeats
        case .mapX: "MapX"
        case .mapY: "MapY"
        case .session, .latitude, .longitude, .time, .waypoint, .heading, .headingChanged, .headingTime: nil
        }
    }
}

/// An entry of GPS Log: a location, or a heading change.
struct GPSLogEntry {
    private var values = [String](repeating: "", count: GPSLogValue.allCases.count)
    /// Values with unknown names.
    var others: [(name: String, value: String)] = []

    /// The text of a value; empty if there is none.
    subscript(value: GPSLogValue) -> String {
        get { values[value.rawValue] }
        set { values[value.rawValue] = newValue }
    }

    /// Removes a value with an unknown name; nil if there is none.
    mutating func takeOther(_ name: String) -> String? {
        guard let index = others.firstIndex(where: { $0.name == name }) else { return nil }
        return others.remove(at: index).value
    }

    /// Whether the entry records a heading change.
    var hasHeadingChange: Bool { Self.isTrue(self[.headingChanged]) }
    /// Whether the location is a waypoint.
    var isWaypoint: Bool { Self.isTrue(self[.waypoint]) }

    /// Whether the entry has no location: GPS Log then writes 0,0 and a time in 1901.
    var hasNoLocation: Bool {
        self[.time].hasPrefix("1901-") && Self.isZero(self[.latitude]) && Self.isZero(self[.longitude])
    }

    private static func isTrue(_ text: String) -> Bool { ["true", "1", "yes"].contains(text.lowercased()) }
    private static func isZero(_ text: String) -> Bool { number(text)?.mantissa == 0 }

    static func number(_ text: String) -> FixedDecimal? {
        let bytes = Array(text.utf8)
        return FixedDecimal(bytes.span, bytes.indices)
    }
}

/// Builds the sessions of GPS Log entry by entry.
///
/// Heading changes are stored in one field of the location before them (or of the first location, if they precede it).
/// GPS Log writes a missing value as a speed or course below 0, an address of `n/a`, or a heading that was not
/// measured.
struct GPSLogSessions {
    /// What is known of a session besides its entries.
    struct Session {
        var name: String?
        var attributes: [String: String] = [:]
    }

    /// A location that further heading changes may belong to.
    private struct Waiting {
        var point: PendingPoint?
        var headingChanges: [String] = []
    }

    /// Maximum number of heading changes kept per location; the others are reported as skipped.
    private static let headingChangeLimit = 100_000

    private let reading: FileReading
    private let described: [String: Session]
    private var table: InterleavedTracks
    private var numbers: [String: Int] = [:]
    private var waiting: [Waiting] = []
    private var times: InstantReader
    private let slots: [(value: GPSLogValue, slot: FieldSlot)]
    private let waypoint: FieldSlot
    private let heading: FieldSlot
    private let headingChanges: FieldSlot
    private let unreadTime: FieldSlot

    init(_ reading: FileReading, described: [String: Session] = [:]) {
        self.reading = reading
        self.described = described
        var builder = ChunkBuilder()
        slots = GPSLogValue.allCases.compactMap { value in value.field.map { (value, builder.slot(for: $0)) } }
        waypoint = builder.slot(for: FieldName.waypoint)
        heading = builder.slot(for: FieldName.heading)
        headingChanges = builder.slot(for: FieldName.headingChanges)
        unreadTime = builder.slot(for: "time")
        table = InterleavedTracks(reading, builder: builder)
        times = reading.times(.library)
    }

    /// Adds an entry; `line` is its line or row number.
    mutating func take(_ given: GPSLogEntry, line: Int) throws {
        var entry = given
        let owner = TrackKey(
            person: entry.takeOther(ExportedNames.personElement), device: entry.takeOther(ExportedNames.deviceElement))
        if entry.hasNoLocation {
            guard entry.hasHeadingChange else { return reading.skip(.recordWithoutPosition) }
            let session = try session(of: entry, owner)
            guard waiting[session].headingChanges.count < Self.headingChangeLimit else {
                return reading.skip(.recordWithoutPosition)
            }
            waiting[session].headingChanges.append(headingChange(of: entry))
            return
        }
        guard let longitude = GPSLogEntry.number(entry[.longitude]),
            let latitude = GPSLogEntry.number(entry[.latitude])
        else { return reading.refuse(.noPlace, line: line) }
        guard let place = Place(longitude: longitude, latitude: latitude) else {
            let isLongitudeValid = Place.isWithin(longitude, degrees: 180)
            return reading.refuse(
                isLongitudeValid ? .latitude(entry[.latitude]) : .longitude(entry[.longitude]), line: line)
        }
        let session = try session(of: entry, owner)
        let point = point(of: entry, at: place, line: line)
        // Heading changes before the first location belong to it.
        if waiting[session].point != nil { try add(session) }
        waiting[session].point = point
    }

    /// Ends all sessions.
    mutating func end() throws {
        for session in waiting.indices {
            if waiting[session].point != nil {
                try add(session)
            } else if !waiting[session].headingChanges.isEmpty {
                reading.skip(.recordWithoutPosition, count: waiting[session].headingChanges.count)
            }
        }
        try table.end()
    }

    private mutating func add(_ session: Int) throws {
        guard var point = waiting[session].point else { return }
        if !waiting[session].headingChanges.isEmpty {
            point.set(headingChanges, toText: waiting[session].headingChanges.joined(separator: "; "))
        }
        waiting[session] = Waiting()
        point.add(to: &table[builder: session])
        try table.added(1, to: session)
    }

    /// The session of an entry; our own exports give its person and device with the first entry.
    private mutating func session(of entry: GPSLogEntry, _ owner: TrackKey) throws -> Int {
        let id = entry[.session]
        if let number = numbers[id] { return number }
        var key = owner
        key.group = numbers.count
        let number = try table.number(of: key)
        numbers[id] = number
        waiting.append(Waiting())
        let known = described[id]
        table.tracks[number].name = known?.name
        table.tracks[number].attributes = known?.attributes ?? [:]
        if !id.isEmpty { table.tracks[number].attributes["session"] = id }
        return number
    }

    // MARK: Points

    private mutating func point(of entry: GPSLogEntry, at place: Place, line: Int) -> PendingPoint {
        var point = PendingPoint()
        point.place = place
        point.time = instant(entry[.time])
        if point.time == nil, !entry[.time].isEmpty {
            reading.receipt.unreadTimes.add(entry[.time], line: line)
            point.set(unreadTime, toText: entry[.time])
        }
        for (value, slot) in slots {
            let text = entry[value]
            guard !text.isEmpty, text != "n/a" else { continue }
            if value == .speed || value == .course, text.hasPrefix("-") { continue }
            set(slot, text, isText: value == .address || value == .id, &point)
        }
        if entry.isWaypoint { point.set(waypoint, to: FixedDecimal(mantissa: 1, places: 0)) }
        let measured = GPSLogEntry.number(entry[.heading])
        if entry.hasHeadingChange || measured.map({ $0.mantissa != 0 }) ?? false {
            set(heading, entry[.heading], isText: false, &point)
        }
        for (name, value) in entry.others {
            guard let slot = table.slot(for: name) else { continue }
            set(slot, value, isText: false, &point)
        }
        return point
    }

    private func set(_ slot: FieldSlot, _ text: String, isText: Bool, _ point: inout PendingPoint) {
        guard !isText else { return point.set(slot, toText: text) }
        let bytes = Array(text.utf8)
        point.set(slot, to: bytes.span, bytes.indices)
    }

    /// Formats a heading change as `TIME DEGREES ID`.
    private mutating func headingChange(of entry: GPSLogEntry) -> String {
        let time = instant(entry[.headingTime]).map { InstantFormatter.utc($0.milliseconds) } ?? entry[.headingTime]
        let parts = [time, entry[.heading], entry[.id]].map { $0.filter { $0 != ";" } }
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    private mutating func instant(_ text: String) -> Instant? {
        return times.instant(text)
    }
}
