import Expat
import FoundationEssentials
import Pins
import Text
import Tracks

/// Reads TCX (Garmin's Training Center database): each activity is a recording. Courses are plans, which
/// are counted and skipped, except for their course points.
///
/// Trackpoints without a position are counted and skipped. If the file is truncated or malformed, the points before
/// that are kept.
///
/// Activity → recording · Lap, Track → segment · Trackpoint → point · Extensions → fields · CoursePoint → pin.
struct TCXReader {
    private let reading: FileReading
    private let feed: XMLFeed
    private var open: [TCXName?] = []
    private var builder = ChunkBuilder()
    private var slots: [Int: FieldSlot] = [:]
    private var recording: OpenRecording?
    private var header: RecordingHeader
    private var points = 0
    private var point = PendingPoint()
    private var position = TCXPosition()
    private var waypoint = WaypointBuilder()
    private var times: InstantReader

    init(_ reading: FileReading) throws {
        self.reading = reading
        feed = try XMLFeed(reading, known: TCXName.all.map(\.rawValue))
        times = reading.times(.utc)
        header = RecordingHeader(source: reading.source)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        try read(source, feed)
    }

    mutating func endDocument() throws {
        try endRecording()
    }

    private mutating func beginRecording() throws {
        try endRecording()
        recording = try reading.begin()
        header = RecordingHeader(source: reading.source)
        points = 0
        times.beginTrack()
    }

    private mutating func endRecording() throws {
        guard let recording else { return }
        self.recording = nil
        guard points > 0 else {
            reading.skip(.emptyTrack)
            return reading.abandon(recording)
        }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: header)
    }

    private mutating func endPoint(_ element: XMLElement) throws {
        guard let recording, let place = checkedPlace(element) else { return }
        point.place = place
        point.add(to: &builder)
        points += 1
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    /// The place of a point; without one, the point is refused or counted.
    private func checkedPlace(_ element: XMLElement) -> Place? {
        guard let latitude = position.latitude, let longitude = position.longitude else {
            if position.isEmpty {
                reading.skip(.recordWithoutPosition)
            } else {
                reading.refuse(.noPlace, line: element.line)
            }
            return nil
        }
        if let place = Place(longitude: longitude.number, latitude: latitude.number) { return place }
        let isLongitude = !Place.isWithin(longitude.number, degrees: 180)
        reading.refuse(
            isLongitude ? .longitude(longitude.spelling) : .latitude(latitude.spelling), line: element.line)
        return nil
    }

    // MARK: Course points

    private mutating func endCoursePoint(_ element: XMLElement) throws {
        guard let place = checkedPlace(element) else { return }
        waypoint.place = place
        // The time of a course point is that of the plan, as a course has no other.
        try reading.add(waypoint)
    }

    private mutating func takeCoursePointValue(_ word: TCXName?, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        let text = ByteText.string(bytes, range)
        switch word {
        case .latitude?: position.set(\.latitude, bytes, range)
        case .longitude?: position.set(\.longitude, bytes, range)
        case .time?: waypoint.time = times.instant(bytes, range)
        case .name?: waypoint.addAttribute(PinAttribute.name, text)
        case .notes?: waypoint.addAttribute(PinAttribute.description, text)
        case .pointType?: waypoint.addAttribute(PinAttribute.type, text)
        case .altitude?: waypoint.addAttribute(PinAttribute.elevation, text)
        default: break
        }
    }
}

extension TCXReader: XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws -> Bool {
        var word = TCXName(element)
        // An extension may have the name of an element that contains points: `Course` is also a direction.
        if open.contains(.trackpoint), word?.holdsPoints ?? false { word = nil }
        switch word {
        case .activity?:
            try beginRecording()
            header.activity = element.attribute(TCXName.sport.index)?.lowercased()
        case .course?:
            // A plan, not a recorded outing: its track points are not stored.
            try endRecording()
            reading.skip(.route)
        case .lap?, .track?:
            builder.beginSegment()
            times.beginSegment()
        case .trackpoint?:
            point.reset()
            position = TCXPosition()
        case .coursePoint?:
            waypoint = WaypointBuilder()
            position = TCXPosition()
        default: break
        }
        open.append(word)
        return true
    }

    mutating func end(_ element: XMLElement, text: [UInt8]) throws {
        let word = open.popLast() ?? nil
        switch word {
        case .activity?, .course?: return try endRecording()
        case .trackpoint?: return try endPoint(element)
        case .coursePoint?: return try endCoursePoint(element)
        default: break
        }
        let bytes = text.span
        let range = ByteText.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        if open.contains(.trackpoint) {
            takePointValue(element, word, bytes, range)
        } else if open.contains(.coursePoint) {
            takeCoursePointValue(word, bytes, range)
        } else if let parent = open.last {
            let value = ByteText.string(bytes, range)
            if word == nil, open.contains(.activity) { takeExtension(element, value) }
            takeAttribute(word, in: parent, value)
        }
    }

    /// Takes the person and the device that our own exports give.
    private mutating func takeExtension(_ element: XMLElement, _ value: String) {
        switch feed.localName(element.event) {
        case ExportedNames.personElement: header.person = value
        case ExportedNames.deviceElement: header.device = value
        default: break
        }
    }

    private mutating func takeAttribute(_ word: TCXName?, in parent: TCXName?, _ value: String) {
        switch (parent, word) {
        case (.course?, .name?): header.name = value
        case (.activity?, .id?): header.attributes["id"] = value
        case (.activity?, .notes?), (.course?, .notes?): header.attributes["notes"] = value
        case (.creator?, .name?): header.attributes["creator"] = value
        default: break
        }
    }

    private mutating func takePointValue(
        _ element: XMLElement, _ word: TCXName?, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        switch word {
        case .latitude?: position.set(\.latitude, bytes, range)
        case .longitude?: position.set(\.longitude, bytes, range)
        case .time? where open.last == .trackpoint:
            if let instant = times.instant(bytes, range) {
                point.time = instant
            } else {
                reading.receipt.unreadTimes.add(ByteText.string(bytes, range), line: element.line)
                point.set(builder.slot(for: "time"), to: bytes, range)
            }
        case .value? where open.last == .heartRate: point.set(slot(element, FieldName.heartRate), to: bytes, range)
        default:
            var slot = slot(element, word?.field)
            // A name that the point already uses keeps its prefix.
            if point.has(slot) { slot = builder.slot(for: feed.qualifiedName(element.event)) }
            if !point.has(slot) { point.set(slot, to: bytes, range) }
        }
    }

    /// The field of an element; each name is resolved once, without `name` as in GPX extensions.
    private mutating func slot(_ element: XMLElement, _ name: String?) -> FieldSlot {
        if let slot = slots[element.event.number] { return slot }
        let slot = builder.slot(for: name ?? FieldVocabulary.name(feed.localName(element.event)))
        slots[element.event.number] = slot
        return slot
    }
}

/// The coordinates of a trackpoint that have been read so far.
private struct TCXPosition {
    struct Coordinate {
        var number: FixedDecimal
        var spelling: String
    }

    var latitude: Coordinate?
    var longitude: Coordinate?
    /// Whether the file gives neither coordinate; trackpoints of indoor activities have none, which is not an error.
    private(set) var isEmpty = true

    mutating func set(_ path: WritableKeyPath<TCXPosition, Coordinate?>, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        isEmpty = false
        guard let number = FixedDecimal(bytes, range) else { return }
        self[keyPath: path] = Coordinate(number: number, spelling: ByteText.string(bytes, range))
    }
}

/// The TCX elements and attributes that are used.
private enum TCXName: String, KnownXMLName {
    case activity = "Activity"
    case course = "Course"
    case lap = "Lap"
    case track = "Track"
    case trackpoint = "Trackpoint"
    case time = "Time"
    case latitude = "LatitudeDegrees"
    case longitude = "LongitudeDegrees"
    case altitude = "AltitudeMeters"
    case distance = "DistanceMeters"
    case heartRate = "HeartRateBpm"
    case value = "Value"
    case cadence = "Cadence"
    case runCadence = "RunCadence"
    case speed = "Speed"
    case watts = "Watts"
    case id = "Id"
    case name = "Name"
    case notes = "Notes"
    case creator = "Creator"
    case sport = "Sport"
    case coursePoint = "CoursePoint"
    case pointType = "PointType"

    static let all = Array(allCases)

    /// Whether the element can contain points.
    var holdsPoints: Bool {
        switch self {
        case .activity, .course, .lap, .track, .trackpoint: true
        default: false
        }
    }

    /// The field name of a point's element.
    var field: String? {
        switch self {
        case .altitude: FieldName.elevation
        case .distance: FieldName.distance
        case .cadence, .runCadence: FieldName.cadence
        case .speed: FieldName.speed
        case .watts: FieldName.power
        default: nil
        }
    }
}
