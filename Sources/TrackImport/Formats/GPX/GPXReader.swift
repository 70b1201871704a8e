import Expat
import FoundationEssentials
import Pins
import Text
import Tracks

/// Reads GPX: each `trk` is a recording, each `trkseg` one of its segments, each `wpt` a pin.
///
/// Routes are counted and skipped. If the file is truncated or malformed, the points before that are
/// kept.
///
/// trk → recording · trkseg → segment · trkpt → point · ele, time, speed … → fields · wpt → pin.
struct GPXReader {
    /// Maximum number of attributes kept per track.
    static let attributeLimit = 256

    private enum Context: UInt8 {
        case document, file, track, segment, point, pointLeaf, pointExtension, trackLeaf, trackExtension, other
        case waypoint, waypointLeaf, waypointExtension

        /// Whether the text of the element is a value.
        var isLeaf: Bool {
            switch self {
            case .pointLeaf, .pointExtension, .trackLeaf, .trackExtension, .waypointLeaf, .waypointExtension: true
            default: false
            }
        }
    }

    private let reading: FileReading
    private let feed: XMLFeed
    private var contexts: [Context] = [.document]
    private var builder = ChunkBuilder()
    private var slots: [FieldSlot?] = []
    private var recording: OpenRecording?
    private var header: RecordingHeader
    private var creator: String?
    private var trackPoints = 0
    private var point = PendingPoint()
    private var waypoint = WaypointBuilder()
    private var times: InstantReader

    init(_ reading: FileReading) throws {
        self.reading = reading
        feed = try XMLFeed(reading, known: GPXName.names)
        // The schema of GPX 1.1 says that times are in UTC.
        times = reading.times(.utc)
        header = RecordingHeader(source: reading.source)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        try read(source, feed)
    }

    private mutating func context(
        of word: GPXName?, in context: Context, _ element: XMLElement
    ) throws -> Context {
        switch (context, word) {
        // GPX requires a segment around the points, but they are read without one, too.
        case (.segment, .trkpt?), (.track, .trkpt?):
            beginPoint(element)
            return .point
        case (.point, .extensions?): return .pointExtension
        case (.point, .link?): break
        case (.point, let word?) where word.isPointChild: return .pointLeaf
        case (.point, _), (.pointExtension, _): return .pointExtension
        case (.document, .gpx?):
            creator = element.text(.creator)
            return .file
        case (.file, .trk?):
            try beginTrack()
            return .track
        case (.file, .wpt?):
            beginPoint(element)
            waypoint = WaypointBuilder()
            waypoint.place = point.place
            return .waypoint
        case (.waypoint, .link?): if let link = element.text(.href) { waypoint.addAttribute("link", link) }
        case (.waypoint, let word?) where word.isPointChild: return .waypointLeaf
        case (.waypoint, _), (.waypointExtension, _): return .waypointExtension
        case (.file, .rte?): reading.skip(.route)
        case (.track, .trkseg?):
            builder.beginSegment()
            times.beginSegment()
            return .segment
        case (.track, .extensions?): return .trackExtension
        case (.track, .link?): header.attributes["link"] = element.text(.href)
        case (.track, let word?) where word.isTrackChild: return .trackLeaf
        case (.trackExtension, _): return .trackExtension
        default: break
        }
        return .other
    }

    // MARK: Tracks

    private mutating func beginTrack() throws {
        recording = try reading.begin()
        header = RecordingHeader(source: reading.source)
        // In our own exports, a track that has a creator states it itself.
        if creator != ExportedNames.creator { header.attributes["creator"] = creator }
        trackPoints = 0
        builder.beginSegment()
        times.beginTrack()
    }

    private mutating func endTrack() throws {
        guard let recording else { return }
        self.recording = nil
        guard trackPoints > 0 else {
            reading.skip(.emptyTrack)
            return reading.abandon(recording)
        }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: header)
    }

    private mutating func takeTrackLeaf(_ word: GPXName, _ value: String) {
        switch word {
        case .name: header.name = value
        case .type: header.activity = value.lowercased()
        default: header.attributes[word.name] = value
        }
    }

    /// Takes a value of the extensions of a track; person and device of our own exports are those of the recording.
    private mutating func takeExtension(_ element: XMLElement, _ value: String) {
        switch (feed.localName(element.event), creator) {
        case ("person", ExportedNames.creator?): header.person = value
        case ("device", ExportedNames.creator?): header.device = value
        case (let local, _): takeAttribute(local, value)
        }
    }

    private mutating func takeAttribute(_ local: String, _ value: String) {
        let name = ElementName.decoded(local)
        // The creator stated in a track replaces that of the file, which may have been written by other software.
        let isKnown = header.attributes[name] != nil && name != "creator"
        guard header.attributes.count < Self.attributeLimit, !isKnown else { return }
        header.attributes[name] = value
    }

    // MARK: Waypoints

    private mutating func takeWaypointLeaf(
        _ word: GPXName, _ element: XMLElement, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        if word == .time {
            if let instant = times.instant(bytes, range) {
                waypoint.time = instant
                return
            }
            reading.receipt.unreadTimes.add(ByteText.string(bytes, range), line: element.line)
        }
        waypoint.addAttribute(word.name, ByteText.string(bytes, range))
    }

    /// Takes a value of the extensions of a waypoint; our own exports give there what GPX has no element for.
    private mutating func takeWaypointExtension(_ element: XMLElement, _ value: String) {
        let local = feed.localName(element.event)
        if creator == ExportedNames.creator, PinNames.all.contains(local) {
            waypoint.addExportedAttribute(local, value)
        } else {
            waypoint.addAttribute(ElementName.decoded(local), value)
        }
    }

    // MARK: Points

    private mutating func beginPoint(_ element: XMLElement) {
        point.reset()
        if let longitude = element.decimal(.lon), let latitude = element.decimal(.lat) {
            point.place = Place(longitude: longitude, latitude: latitude)
        }
        if point.place == nil { reading.refuse(Self.refusal(element), line: element.line) }
    }

    private static func refusal(_ element: XMLElement) -> Refusal {
        guard let latitude = element.text(.lat), let longitude = element.text(.lon) else { return .noPlace }
        guard let number = element.decimal(.lon), Place.isWithin(number, degrees: 180) else {
            return .longitude(longitude)
        }
        return .latitude(latitude)
    }

    private mutating func takePointLeaf(
        _ word: GPXName, _ element: XMLElement, _ bytes: Span<UInt8>, _ range: Range<Int>
    ) {
        if word == .time {
            if let instant = times.instant(bytes, range) {
                point.time = instant
                return
            }
            reading.receipt.unreadTimes.add(ByteText.string(bytes, range), line: element.line)
        }
        let slot = slot(element.event.number) { _ in word.name }
        if !word.isText, let number = FixedDecimal(plain: bytes, range) {
            point.set(slot, to: number)
        } else {
            point.set(slot, toText: ByteText.string(bytes, range))
        }
    }

    private mutating func takePointExtension(_ event: XMLEvent, _ bytes: Span<UInt8>, _ range: Range<Int>) {
        var slot = slot(event.number) { $0.fieldName(event) }
        // A name that the point already uses keeps its prefix.
        if point.has(slot) { slot = builder.slot(for: feed.qualifiedName(event)) }
        if point.has(slot) { return }
        point.set(slot, to: bytes, range)
    }

    /// In Garmin's extension, `bearing` is the direction in which the device points, next to the course.
    private func fieldName(_ event: XMLEvent) -> String {
        let local = feed.localName(event)
        return local == "bearing" ? FieldName.heading : FieldVocabulary.name(local)
    }

    /// The field of an element; each name is resolved once.
    private mutating func slot(_ number: Int, _ field: (GPXReader) -> String) -> FieldSlot {
        if number < slots.count, let slot = slots[number] { return slot }
        while slots.count <= number { slots.append(nil) }
        let slot = builder.slot(for: field(self))
        slots[number] = slot
        return slot
    }

    private mutating func endPoint() throws {
        guard let recording, point.place != nil else { return }
        point.add(to: &builder)
        trackPoints += 1
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }
}

extension GPXReader: XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws -> Bool {
        let next = try context(of: GPXName(element.event), in: contexts[contexts.count - 1], element)
        contexts.append(next)
        return next.isLeaf
    }

    mutating func end(_ element: XMLElement, text: [UInt8]) throws {
        let context = contexts.removeLast()
        guard context.isLeaf else {
            switch context {
            case .point: try endPoint()
            case .track: try endTrack()
            case .waypoint: try reading.add(waypoint)
            default: break
            }
            return
        }
        let bytes = text.span
        let range = ByteText.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        switch (context, GPXName(element.event)) {
        case (.pointLeaf, let word?): takePointLeaf(word, element, bytes, range)
        case (.pointExtension, _): takePointExtension(element.event, bytes, range)
        case (.waypointLeaf, let word?): takeWaypointLeaf(word, element, bytes, range)
        case (.waypointExtension, _): takeWaypointExtension(element, ByteText.string(bytes, range))
        case (.trackLeaf, let word?): takeTrackLeaf(word, ByteText.string(bytes, range))
        case (.trackExtension, _): takeExtension(element, ByteText.string(bytes, range))
        default: break
        }
    }

    mutating func endDocument() throws {
        try endTrack()
    }
}

extension XMLElement {
    fileprivate func decimal(_ word: GPXName) -> FixedDecimal? { decimal(word.rawValue) }
    fileprivate func text(_ word: GPXName) -> String? { attribute(word.rawValue) }
}

/// The GPX elements and attributes that are used, by local name.
private enum GPXName: Int, CaseIterable {
    case gpx, trk, trkseg, trkpt, wpt, rte, extensions
    case name, cmt, desc, src, number, type, link, url, urlname, sym, fix
    case ele, time, speed, course, magvar, geoidheight, sat, hdop, vdop, pdop, ageofdgpsdata, dgpsid

    case lat, lon, creator, href

    /// The local names in the order of the cases.
    static let names = allCases.map { "\($0)" }

    /// The word for an event's known name; nil for other names.
    init?(_ event: XMLEvent) {
        guard let known = event.known else { return nil }
        self.init(rawValue: known)
    }

    /// The local name.
    var name: String { Self.names[rawValue] }

    /// Whether GPX defines this name for a child of a point.
    var isPointChild: Bool {
        switch self {
        case .gpx, .trk, .trkseg, .trkpt, .wpt, .rte, .extensions, .link, .number, .lat, .lon, .creator, .href: false
        default: true
        }
    }

    /// Whether a child of a track with this name describes the track.
    var isTrackChild: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .number, .type, .url, .urlname: true
        default: false
        }
    }

    /// Whether the value is a text that is never parsed as a number.
    var isText: Bool {
        switch self {
        case .name, .cmt, .desc, .src, .type, .link, .url, .urlname, .sym, .fix: true
        default: false
        }
    }
}
