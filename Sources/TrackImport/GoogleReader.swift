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
        let entry = try entry(&scanner)
        let time = instant(entry["timestamp"]) ?? instant(entry["timestampMs"], unit: .milliseconds)
        let key = TrackKey(device: entry["deviceTag"]?.text ?? "google")
        try add(place(e7: entry), time, Self.fields(of: entry), to: key)
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
    private mutating func time(of entry: JSONValue, _ which: String) -> Int64? {
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
                time = Int64(minutes).flatMap { abs($0) < 1_000_000_000 ? start + $0 * 60_000 : nil }
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
        _ place: Place?, _ time: Int64?, _ fields: [(name: String, value: JSONValue)], to key: TrackKey
    ) throws {
        guard let place else { return }
        try table.add(place, time, fields, to: key)
    }

    /// Ten-millionths of a degree under any of their names; nil where there are none, refused where they are no place.
    private func place(e7 value: JSONValue?) -> Place? {
        guard let value else { return nil }
        guard case .number(let north)? = value["latitudeE7"] ?? value["latE7"],
            case .number(let east)? = value["longitudeE7"] ?? value["lngE7"],
            let latitude = north.rescaled(to: 0), var longitude = east.rescaled(to: 0)
        else {
            reading.refuse(.noPlace, line: line)
            return nil
        }
        // Some years of exports wrote western longitudes as unsigned numbers of 32 bits.
        if longitude > 1_800_000_000, longitude <= 0xFFFF_FFFF { longitude -= 0x1_0000_0000 }
        return checked(
            FixedDecimal(mantissa: longitude, places: 7), FixedDecimal(mantissa: latitude, places: 7))
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
        return checked(longitude, latitude)
    }

    private func checked(_ longitude: FixedDecimal, _ latitude: FixedDecimal) -> Place? {
        if let place = Place(longitude: longitude, latitude: latitude) { return place }
        let isEast = Place.isWithin(longitude, degrees: 180)
        reading.refuse(isEast ? .latitude(latitude.description) : .longitude(longitude.description), line: line)
        return nil
    }

    private mutating func instant(_ value: JSONValue?, unit: EpochUnit? = nil) -> Int64? {
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

    /// A list's elements; of anything else none.
    package var elements: [JSONValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }
}
