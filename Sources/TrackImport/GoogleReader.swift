import FoundationEssentials
import Tracks

/// Reads Google's location histories: `Records.json`, the months of semantic history, and the exports of phones (Android's
/// `Timeline.json`, iOS' list).
///
/// One entry is held in memory at a time. Records go to the streams of their devices, phones' exports to a stream, so that an
/// export that has grown adds only what is new; a semantic month's outings are recordings of their own.
///
/// location → point of its device's stream · activitySegment → recording · timelinePath, visit, activity → points of a stream.
struct GoogleReader {
    private let reading: FileReading
    private var times: InstantReader
    private var table: TrackTable
    private var outings = 0
    private var line = 1
    private var found = GoogleRecord()
    private var words: [GoogleRecord.Word?] = []
    private var lastDevice = (name: "", number: -1)

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.utc)
        table = TrackTable(reading)
    }

    /// Names that only these files have.
    static let names: Set<String> = [
        "latitudeE7", "timelineObjects", "semanticSegments", "rawSignals", "timelinePath",
        "durationMinutesOffsetFromStartTime",
    ]

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONScanner(source, reading)
        do {
            if try scanner.isAtArray() {
                try scanner.eachElement { try phoneEntry(&$0) }
            } else {
                try scanner.eachMember { try list(named: $1, &$0) }
            }
        } catch {
            if ImportFailure(error).keepsWholePoints { try table.end() }
            throw error
        }
        try table.end()
    }

    private mutating func list(named name: String, _ scanner: inout JSONScanner) throws {
        guard try scanner.isAtArray() else { return try scanner.skipValue() }
        switch name {
        case "locations": try scanner.eachElement { try record(&$0) }
        case "timelineObjects": try scanner.eachElement { try outing(&$0) }
        case "semanticSegments": try scanner.eachElement { try phoneEntry(&$0) }
        case "rawSignals": try scanner.eachElement { try signal(&$0) }
        default: try scanner.skipValue()
        }
    }

    private mutating func entry(_ scanner: inout JSONScanner) throws -> JSONValue {
        scanner.releaseValues()
        let value = try scanner.value()
        line = scanner.line
        return value
    }

    // MARK: Kinds of entries

    private mutating func record(_ scanner: inout JSONScanner) throws {
        scanner.releaseValues()
        found.reset()
        try scanner.eachNamedMember { scanner, name in
            try scanner.hold(bytes: 64)
            try take(word(of: name), &scanner)
        }
        line = scanner.line
        guard let place = place(e7: found.latitude, found.longitude) else { return }
        found.point.place = place
        found.point.time = found.time ?? found.timeMs
        let device = found.device ?? "google"
        if device != lastDevice.name || lastDevice.number < 0 {
            lastDevice = (device, try table.number(of: TrackKey(device: device)))
        }
        found.point.add(to: &table.tracks[lastDevice.number].builder)
        try table.added(1, to: lastDevice.number)
    }

    /// Reads a record's member into `found`; of two of a name the first counts.
    private mutating func take(_ word: GoogleRecord.Word, _ scanner: inout JSONScanner) throws {
        switch word {
        case .latitude: found.latitude = try found.latitude ?? scanner.value().decimal
        case .longitude: found.longitude = try found.longitude ?? scanner.value().decimal
        case .time: found.time = try found.time ?? time(&scanner, unit: nil)
        case .timeMs: found.timeMs = try found.timeMs ?? time(&scanner, unit: .milliseconds)
        case .device: found.device = try found.device ?? scanner.value().text
        case .other: try scanner.skipValue()
        case .field(let name, let slot):
            if try scanner.isAtString() {
                let text = try scanner.name().text
                if !text.isEmpty, let slot { found.point.set(slot, toText: text) }
            } else {
                try takeValue(scanner.value(), name, slot)
            }
        }
    }

    private mutating func takeValue(_ value: JSONValue, _ name: String, _ slot: FieldSlot?) throws {
        if case .number(let number) = value {
            if let slot { found.point.set(slot, to: number) }
            return
        }
        for field in Self.fields(of: .object([(name, value)])) {
            guard let slot = table.slot(for: field.name) else { continue }
            if case .number(let number) = field.value {
                found.point.set(slot, to: number)
            } else if let text = field.value.text {
                found.point.set(slot, toText: text)
            }
        }
    }

    private mutating func time(_ scanner: inout JSONScanner, unit: EpochUnit?) throws -> Instant? {
        guard try scanner.isAtString() else { return instant(try scanner.value(), unit: unit) }
        let (instant, unread) = try scanner.withString { bytes, range -> (Instant?, String?) in
            if let instant = times.instant(bytes, range, unit: unit) { return (instant, nil) }
            return (nil, Text.string(bytes, range))
        }
        if let unread { reading.receipt.unreadTimes.add(unread, line: scanner.line) }
        return instant
    }

    /// What a record's member is, which is found out once for each name.
    private mutating func word(of name: NumberedName) -> GoogleRecord.Word {
        guard let number = name.number else { return newWord(name.text) }
        if number < words.count, let word = words[number] { return word }
        while words.count <= number { words.append(nil) }
        let word = newWord(name.text)
        words[number] = word
        return word
    }

    private mutating func newWord(_ name: String) -> GoogleRecord.Word {
        switch name {
        case "latitudeE7", "latE7": .latitude
        case "longitudeE7", "lngE7": .longitude
        case "timestamp": .time
        case "timestampMs": .timeMs
        case "deviceTag": .device
        case _ where Self.notFields.contains(name): .other
        // Its parts have names of their own.
        case "activity": .field(name, nil)
        default: .field(name, table.slot(for: Self.fieldName(name)))
        }
    }

    private mutating func outing(_ scanner: inout JSONScanner) throws {
        let entry = try entry(&scanner)
        if let visit = entry["placeVisit"] {
            let fields = ["name", "address", "placeId"].compactMap { name in
                visit["location"]?[name].map { (name, $0) }
            }
            let key = TrackKey(track: "visits")
            return try add(place(e7: visit["location"]), time(of: visit, "start"), fields, to: key)
        }
        guard let segment = entry["activitySegment"] else { return }
        outings += 1
        let key = TrackKey(activity: segment["activityType"]?.text?.lowercased(), group: outings)
        if let path = segment["simplifiedRawPath"]?["points"]?.elements, !path.isEmpty {
            for point in path {
                let time = instant(point["timestamp"]) ?? instant(point["timestampMs"], unit: .milliseconds)
                try add(place(e7: point), time, Self.fields(of: point), to: key)
            }
            return
        }
        try add(place(e7: segment["startLocation"]), time(of: segment, "start"), [], to: key)
        for point in segment["waypointPath"]?["waypoints"]?.elements ?? [] {
            try add(place(e7: point), nil, [], to: key)
        }
        try add(place(e7: segment["endLocation"]), time(of: segment, "end"), [], to: key)
    }

    /// `start` or `end` of an entry's duration.
    private mutating func time(of entry: JSONValue, _ which: String) -> Instant? {
        let duration = entry["duration"]
        return instant(duration?[which + "Timestamp"])
            ?? instant(duration?[which + "TimestampMs"], unit: .milliseconds)
    }

    private mutating func phoneEntry(_ scanner: inout JSONScanner) throws {
        let entry = try entry(&scanner)
        let key = TrackKey(device: "timeline")
        let start = instant(entry["startTime"])
        for point in entry["timelinePath"]?.elements ?? [] {
            var time = instant(point["time"])
            if time == nil, let start, let minutes = point["durationMinutesOffsetFromStartTime"]?.text {
                time = Int64(minutes).flatMap { start.advanced(minutes: $0) }
            }
            try add(place(spelled: point["point"]), time, [], to: key)
        }
        if let visit = entry["visit"]?["topCandidate"] {
            let place = place(spelled: visit["placeLocation"])
            try add(place, start, [("placeId", visit["placeId"] ?? visit["placeID"] ?? .none(""))], to: key)
        }
        if let activity = entry["activity"] {
            let kind: [(String, JSONValue)] = [("activity", activity["topCandidate"]?["type"] ?? .none(""))]
            try add(place(spelled: activity["start"]), start, kind, to: key)
            try add(place(spelled: activity["end"]), instant(entry["endTime"]), kind, to: key)
        }
    }

    private mutating func signal(_ scanner: inout JSONScanner) throws {
        guard let position = try entry(&scanner)["position"] else { return }
        let place = place(spelled: position["LatLng"] ?? position["latLng"])
        try add(place, instant(position["timestamp"]), Self.fields(of: position), to: TrackKey(device: "timeline-raw"))
    }

    // MARK: Points

    private mutating func add(
        _ place: Place?, _ time: Instant?, _ fields: [(name: String, value: JSONValue)], to key: TrackKey
    ) throws {
        guard let place else { return }
        try table.add(place, time, fields, to: key)
    }

    /// Ten-millionths of a degree under any of their names; nil where there are none, refused where they are no place.
    private func place(e7 value: JSONValue?) -> Place? {
        guard let value else { return nil }
        return place(
            e7: (value["latitudeE7"] ?? value["latE7"])?.decimal, (value["longitudeE7"] ?? value["lngE7"])?.decimal)
    }

    private func place(e7 north: FixedDecimal?, _ east: FixedDecimal?) -> Place? {
        guard let latitude = north?.rescaled(to: 0), var longitude = east?.rescaled(to: 0) else {
            reading.refuse(.noPlace, line: line)
            return nil
        }
        // Some years of exports wrote western longitudes as unsigned numbers of 32 bits.
        if longitude > 1_800_000_000, longitude <= 0xFFFF_FFFF { longitude -= 0x1_0000_0000 }
        return reading.place(
            FixedDecimal(mantissa: longitude, places: 7), FixedDecimal(mantissa: latitude, places: 7), line: line)
    }

    /// `51.3°, 3.4°`, `geo:51.3,3.4`, or an object with such a text.
    private func place(spelled value: JSONValue?) -> Place? {
        guard let value else { return nil }
        guard let text = value.text ?? value["latLng"]?.text ?? value["LatLng"]?.text else { return nil }
        let parts = text.split(separator: ",").map { part in
            Array(part.utf8.filter { $0 < 0x80 && ($0 < UInt8(ascii: ":") || $0 | 0x20 == UInt8(ascii: "e")) })
        }
        // `geo:` ends in a letter that numbers have, too.
        let numbers = parts.map { bytes in
            let digits = Array(bytes.drop { $0 | 0x20 == UInt8(ascii: "e") })
            return FixedDecimal(digits.span, digits.indices)
        }
        guard numbers.count >= 2, let latitude = numbers[0], let longitude = numbers[1] else {
            reading.refuse(.noPlace, line: line)
            return nil
        }
        return reading.place(longitude, latitude, line: line)
    }

    private mutating func instant(_ value: JSONValue?, unit: EpochUnit? = nil) -> Instant? {
        switch value {
        case .number(let number)?: return InstantReader.instant(number, unit: unit)
        case .text(let text)?:
            let bytes = Array(text.utf8)
            if let instant = times.instant(bytes.span, bytes.indices, unit: unit) { return instant }
            reading.receipt.unreadTimes.add(text, line: line)
            return nil
        default: return nil
        }
    }

    // MARK: Fields

    private static let notFields: Set<String> = [
        "latitudeE7", "longitudeE7", "latE7", "lngE7", "timestamp", "timestampMs", "deviceTag", "LatLng", "latLng",
    ]

    private static func fields(of entry: JSONValue) -> [(name: String, value: JSONValue)] {
        guard case .object(let members) = entry else { return [] }
        return members.flatMap { member -> [(name: String, value: JSONValue)] in
            if notFields.contains(member.name) { return [] }
            if member.name == "activity", let kind = member.value.elements.first?["activity"]?.elements.first?["type"] {
                return [("activity", kind)]
            }
            return member.value.leaves(fieldName(member.name)).filter { $0.value.text?.isEmpty == false }
        }
    }

    private static func fieldName(_ name: String) -> String {
        switch name {
        case "accuracy", "accuracyMeters": FieldName.horizontalAccuracy
        case "altitude", "altitudeMeters": FieldName.elevation
        case "verticalAccuracy": FieldName.verticalAccuracy
        case "velocity", "speedMetersPerSecond": FieldName.speed
        case "heading": FieldName.course
        default: name
        }
    }
}

/// A record of `Records.json` on the way.
private struct GoogleRecord {
    /// What a member of a record is.
    enum Word {
        case latitude, longitude, time, timeMs, device, other
        /// A field by the file's name and where it goes; nil where that is told by its value, or there is no more room.
        case field(String, FieldSlot?)
    }

    var latitude: FixedDecimal?
    var longitude: FixedDecimal?
    var time: Instant?
    var timeMs: Instant?
    var device: String?
    var point = PendingPoint()

    mutating func reset() {
        latitude = nil
        longitude = nil
        time = nil
        timeMs = nil
        device = nil
        point.reset()
    }
}

extension JSONValue {
    /// An object's members; of anything else none.
    var members: [(name: String, value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// An object's first member of that name.
    package subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// A number; nil for anything else.
    var decimal: FixedDecimal? {
        guard case .number(let number) = self else { return nil }
        return number
    }

    /// A list's elements; of anything else none.
    package var elements: [JSONValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }
}
