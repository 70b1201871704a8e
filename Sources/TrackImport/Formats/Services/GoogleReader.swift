import FoundationEssentials
import Text
import Tracks

/// Reads Google's location history: `Records.json`, monthly semantic history, and phone exports.
///
/// Phone exports are Android's `Timeline.json` and the list written by iOS. One entry at a time is in memory. Records
/// go to the streams of their devices, and phone exports to a stream, so that a later export adds only new points. Each
/// activity segment of the semantic history is a recording.
///
/// location → point of its device's stream · activitySegment → recording · placeVisit → segment of a recording ·
/// timelinePath, visit, activity → points of a stream. A visit has two points: its arrival and its departure.
struct GoogleReader {
    private let reading: FileReading
    private var times: InstantReader
    private var table: InterleavedTracks
    private var outings = 0
    private var line = 1
    private var found = GoogleRecord()
    private var words: [GoogleRecord.Word?] = []
    private var lastDevice = (name: "", number: -1)
    /// The visits of a phone export whose departures have not been added yet.
    private var departures: [GoogleVisit] = []
    private var pathTimes = GooglePathTimes()

    /// Number of departures that wait for the paths, to bound memory: nine a day for 40 years.
    private static let waitingDepartures = 1 << 17
    private static let timeline = TrackKey(device: "timeline")

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.utc)
        table = InterleavedTracks(reading)
    }

    /// Names that occur only in these files.
    static let names: Set<String> = [
        "latitudeE7", "timelineObjects", "semanticSegments", "rawSignals", "timelinePath",
        "durationMinutesOffsetFromStartTime", "topCandidate", "placeLocation",
    ]

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONReader(source, reading)
        try ImportFailure.keepingEarlierPoints {
            if try scanner.isAtArray() {
                try scanner.eachElement { try phoneEntry(&$0) }
            } else {
                try scanner.eachMember { try list(named: $1, &$0) }
            }
        } end: {
            try end()
        }
    }

    private mutating func end() throws {
        try addDepartures()
        try table.end()
    }

    private mutating func list(named name: String, _ scanner: inout JSONReader) throws {
        guard try scanner.isAtArray() else { return try scanner.skipValue() }
        switch name {
        case "locations": try scanner.eachElement { try record(&$0) }
        case "timelineObjects": try scanner.eachElement { try outing(&$0) }
        case "semanticSegments": try scanner.eachElement { try phoneEntry(&$0) }
        case "rawSignals": try scanner.eachElement { try signal(&$0) }
        default: try scanner.skipValue()
        }
    }

    private mutating func entry(_ scanner: inout JSONReader) throws -> JSONValue {
        scanner.releaseValues()
        let value = try scanner.value()
        line = scanner.line
        return value
    }

    // MARK: Kinds of entries

    private mutating func record(_ scanner: inout JSONReader) throws {
        scanner.releaseValues()
        found.reset()
        try scanner.eachInternedMember { scanner, name in
            try scanner.countMemory(bytes: 64)
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
        found.point.add(to: &table[builder: lastDevice.number])
        try table.added(1, to: lastDevice.number)
    }

    /// Reads a member of a record into `found`.
    private mutating func take(_ word: GoogleRecord.Word, _ scanner: inout JSONReader) throws {
        switch word {
        case .latitude: Self.keepFirst(try scanner.value().decimal, in: &found.latitude)
        case .longitude: Self.keepFirst(try scanner.value().decimal, in: &found.longitude)
        case .time: Self.keepFirst(try time(&scanner, unit: nil), in: &found.time)
        case .timeMs: Self.keepFirst(try time(&scanner, unit: .milliseconds), in: &found.timeMs)
        case .device: Self.keepFirst(try scanner.value().text, in: &found.device)
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

    /// If a member is repeated, its first value counts; the others are read and skipped.
    private static func keepFirst<Value>(_ value: Value?, in member: inout Value?) {
        member = member ?? value
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

    private mutating func time(_ scanner: inout JSONReader, unit: EpochUnit?) throws -> Instant? {
        guard try scanner.isAtString() else { return instant(try scanner.value(), unit: unit) }
        let (instant, unread) = try scanner.withString { bytes, range -> (Instant?, String?) in
            if let instant = times.instant(bytes, range, unit: unit) { return (instant, nil) }
            return (nil, ByteText.string(bytes, range))
        }
        if let unread { reading.receipt.unreadTimes.add(unread, line: scanner.line) }
        return instant
    }

    /// The meaning of a record's member; determined once for each name.
    private mutating func word(of name: InternedName) -> GoogleRecord.Word {
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
        // Its members have names of their own.
        case "activity": .field(name, nil)
        default: .field(name, table.slot(for: Self.fieldName(name)))
        }
    }

    private mutating func outing(_ scanner: inout JSONReader) throws {
        let entry = try entry(&scanner)
        if let visit = entry["placeVisit"] {
            let fields = ["name", "address", "placeId"].compactMap { name in
                visit["location"]?[name].map { (name, $0) }
            }
            return try add(
                GoogleVisit(
                    place: place(e7: visit["location"]), start: time(of: visit, "start"), end: time(of: visit, "end")),
                fields, to: TrackKey(track: "visits"))
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
        for (place, time) in places(of: segment) { try add(place, time, [], to: key) }
    }

    /// The places of an activity segment: its start, its waypoints and its end. If there is no start, the first waypoint
    /// has its time, and if there is no end, the last one has the time of the end.
    private mutating func places(of segment: JSONValue) -> [(place: Place, time: Instant?)] {
        let (start, end) = (time(of: segment, "start"), time(of: segment, "end"))
        var places: [(place: Place, time: Instant?)] = []
        let first = location(segment["startLocation"])
        if let first { places.append((first, start)) }
        for point in segment["waypointPath"]?["waypoints"]?.elements ?? [] {
            if let place = place(e7: point) { places.append((place, nil)) }
        }
        if first == nil, !places.isEmpty { places[0].time = start }
        if let last = location(segment["endLocation"]) {
            places.append((last, end))
        } else if let last = places.indices.last, places[last].time == nil {
            places[last].time = end
        }
        return places
    }

    /// The place of an end of an activity segment; some are empty objects.
    private func location(_ value: JSONValue?) -> Place? {
        if case .object(let members)? = value, members.isEmpty { return nil }
        return place(e7: value)
    }

    /// The `start` or `end` of an entry's duration.
    private mutating func time(of entry: JSONValue, _ which: String) -> Instant? {
        let duration = entry["duration"]
        return instant(duration?[which + "Timestamp"])
            ?? instant(duration?[which + "TimestampMs"], unit: .milliseconds)
    }

    private mutating func phoneEntry(_ scanner: inout JSONReader) throws {
        let entry = try entry(&scanner)
        let key = Self.timeline
        let start = instant(entry["startTime"])
        for point in entry["timelinePath"]?.elements ?? [] {
            var time = instant(point["time"])
            if time == nil, let start, let minutes = point["durationMinutesOffsetFromStartTime"]?.text {
                time = Int64(minutes).flatMap { start.advanced(minutes: $0) }
            }
            if let time { pathTimes.add(time) }
            try add(place(spelled: point["point"]), time, [], to: key)
        }
        if let visit = entry["visit"], let candidate = visit["topCandidate"], Self.isWhole(visit) {
            let placeID = candidate["placeId"] ?? candidate["placeID"] ?? .none("")
            try add(
                GoogleVisit(
                    place: place(spelled: candidate["placeLocation"]), start: start, end: instant(entry["endTime"])),
                [("placeId", placeID)], to: key)
        }
        if let activity = entry["activity"] {
            let kind: [(String, JSONValue)] = [("activity", activity["topCandidate"]?["type"] ?? .none(""))]
            try add(place(spelled: activity["start"]), start, kind, to: key)
            try add(place(spelled: activity["end"]), instant(entry["endTime"]), kind, to: key)
        }
    }

    /// Whether a visit is not a part of another one, such as a shop in a mall.
    private static func isWhole(_ visit: JSONValue) -> Bool {
        visit["hierarchyLevel"]?.text.map { $0 == "0" } ?? true
    }

    /// Adds the arrival and the departure of a visit: a segment of a recording, or two points of a stream. In a stream,
    /// the departure waits for the paths.
    private mutating func add(
        _ visit: GoogleVisit, _ fields: [(name: String, value: JSONValue)], to key: TrackKey
    ) throws {
        guard let place = visit.place else { return }
        let number = try table.number(of: key)
        if key.device == nil { table[builder: number].beginSegment() }
        try add(place, visit.start ?? visit.end, fields, to: key)
        guard visit.departure != nil else { return }
        if key.device == nil { return try addDeparture(of: visit, to: key) }
        departures.append(visit)
        if departures.count >= Self.waitingDepartures { try addDepartures() }
    }

    /// The departure has no fields: a second name would be a second pin.
    private mutating func addDeparture(of visit: GoogleVisit, to key: TrackKey) throws {
        try add(visit.place, visit.departure, [], to: key)
    }

    /// Adds the departures that no path shows.
    private mutating func addDepartures() throws {
        pathTimes.sort()
        for visit in departures where !pathTimes.showsEnd(of: visit) {
            try addDeparture(of: visit, to: Self.timeline)
        }
        departures.removeAll(keepingCapacity: true)
    }

    private mutating func signal(_ scanner: inout JSONReader) throws {
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

    /// Coordinates in units of 1e-7 degrees; nil without a value, refused if they are missing or invalid.
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
        // Exports of some years have western longitudes as unsigned 32-bit numbers: from 2,494,967,296 (−180°), so that
        // they cannot be confused with eastern ones, at most 1,800,000,000.
        if longitude > 1_800_000_000, longitude <= 0xFFFF_FFFF { longitude -= 0x1_0000_0000 }
        return reading.place(
            FixedDecimal(mantissa: longitude, places: 7), FixedDecimal(mantissa: latitude, places: 7), line: line)
    }

    /// Parses `51.3°, 3.4°`, `geo:51.3,3.4`, or an object with such a text.
    private func place(spelled value: JSONValue?) -> Place? {
        guard let value else { return nil }
        guard let text = value.text ?? value["latLng"]?.text ?? value["LatLng"]?.text else { return nil }
        let parts = text.split(separator: ",").map { part in
            Array(part.utf8.filter { $0 < 0x80 && ($0 < UInt8(ascii: ":") || $0 | 0x20 == UInt8(ascii: "e")) })
        }
        // The `e` of `geo:` is not removed above, because numbers may contain it.
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
            if let instant = times.instant(text, unit: unit) { return instant }
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
