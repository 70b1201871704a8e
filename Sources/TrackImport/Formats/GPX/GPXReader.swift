import Expat
import FoundationEssentials
import Tracks

/// Reads GPX: each `trk` is a recording, each `trkseg` one of its segments.
///
/// Routes and waypoints are counted and skipped. If the file is truncated or malformed, the points before that are
/// kept.
///
/// trk → recording · trkseg → segment · trkpt → point · ele, time, speed … → fields.
struct GPXReader {
    /// Maximum number of notes kept per track.
    static let noteLimit = 256

    private enum Context: UInt8 {
        case document, file, track, segment, point, pointLeaf, pointExtension, trackLeaf, trackExtension, other

        var collectsText: Bool {
            switch self {
            case .pointLeaf, .pointExtension, .trackLeaf, .trackExtension: true
            default: false
            }
        }
    }

    private let reading: FileReading
    private let feed: XMLFeed
    private var contexts: [Context] = [.document]
    private var text: [UInt8] = []
    private var isCollecting = false
    // An element without children ends while it is still the last one begun.
    private var lastBegun = 0

    private var builder = ChunkBuilder()
    private var slots: [FieldSlot?] = []
    private var recording: OpenRecording?
    private var header: RecordingHeader
    private var creator: String?
    private var trackPoints = 0
    private var point = PendingPoint()
    private var times: InstantReader

    init(_ reading: FileReading) throws {
        self.reading = reading
        feed = try XMLFeed(reading, known: GPXName.names)
        times = reading.times(.utc)
        header = RecordingHeader(source: reading.source)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        let feed = feed
        do {
            try feed.each(of: source) { try take($0) }
        } catch {
            if ImportFailure(error).keepsEarlierPoints, recording != nil { try endTrack() }
            throw error
        }
    }

    // MARK: Events

    private mutating func take(_ found: XMLEvents) throws {
        let events = found.events
        var index = 0
        while index < events.count {
            let event = events[index]
            index += 1
            switch event.kind {
            case .start:
                let first = index
                while index < events.count, events[index].kind == .attribute { index += 1 }
                try start(event, GPXAttributes(found: found, range: first..<index))
            case .text:
                if isCollecting { try collect(found, event) }
            case .end: try end(event, found)
            case .attribute: break
            }
        }
        if let failure = found.failure { throw failure }
    }

    private mutating func start(_ event: XMLEvent, _ attributes: GPXAttributes) throws {
        let word = GPXName(event)
        let next = try context(of: word, in: contexts[contexts.count - 1], event, attributes)
        contexts.append(next)
        text.removeAll(keepingCapacity: true)
        lastBegun = contexts.count
        isCollecting = next.collectsText
    }

    private mutating func collect(_ found: XMLEvents, _ event: XMLEvent) throws {
        text.append(contentsOf: found.bytes[event.range])
        guard text.count > TextLimit.bytes else { return }
        let limit = TextLimit.bytes(of: text)
        guard text.count <= limit else { throw ImportFailure.longText(limit: limit, line: found.line(of: event)) }
    }

    private mutating func end(_ event: XMLEvent, _ found: XMLEvents) throws {
        let isLeaf = lastBegun == contexts.count
        isCollecting = false
        switch contexts.removeLast() {
        case .pointLeaf: if isLeaf { takePointLeaf(event, found) }
        case .pointExtension: if isLeaf { takePointExtension(event) }
        case .trackLeaf: if isLeaf { takeTrackLeaf(event) }
        case .trackExtension: if isLeaf { takeNote(feed.localName(event)) }
        case .point: try endPoint()
        case .track: try endTrack()
        case .document, .file, .segment, .other: break
        }
    }

    private mutating func context(
        of word: GPXName?, in context: Context, _ event: XMLEvent, _ attributes: GPXAttributes
    ) throws -> Context {
        switch (context, word) {
        case (.segment, .trkpt?), (.track, .trkpt?):
            beginPoint(event, attributes)
            return .point
        case (.point, .extensions?): return .pointExtension
        case (.point, .link?): break
        case (.point, let word?) where word.isPointChild: return .pointLeaf
        case (.point, _), (.pointExtension, _): return .pointExtension
        case (.document, .gpx?):
            creator = attributes.text(.creator)
            return .file
        case (.file, .trk?):
            try beginTrack()
            return .track
        case (.file, .wpt?): reading.skip(.waypoint)
        case (.file, .rte?): reading.skip(.route)
        case (.track, .trkseg?):
            builder.beginSegment()
            return .segment
        case (.track, .extensions?): return .trackExtension
        case (.track, .link?): header.notes["link"] = attributes.text(.href)
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
        header.notes["creator"] = creator
        trackPoints = 0
        builder.beginSegment()
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

    private mutating func takeTrackLeaf(_ event: XMLEvent) {
        guard let word = GPXName(event) else { return }
        let value = collected()
        guard !value.isEmpty else { return }
        switch word {
        case .name: header.name = value
        case .type: header.activity = value.lowercased()
        default: header.notes[word.name] = value
        }
    }

    private mutating func takeNote(_ local: String) {
        let value = collected()
        let name = ElementName.decoded(local)
        // The creator stated in a track replaces that of the file, which may have been written by other software.
        let isKnown = header.notes[name] != nil && name != "creator"
        guard !value.isEmpty, header.notes.count < Self.noteLimit, !isKnown else { return }
        header.notes[name] = value
    }

    private func collected() -> String {
        let text = text
        let bytes = text.span
        return Text.string(bytes, Text.trimmed(bytes, bytes.indices))
    }

    // MARK: Points

    private mutating func beginPoint(_ event: XMLEvent, _ attributes: GPXAttributes) {
        point.reset()
        if let longitude = attributes.decimal(.lon), let latitude = attributes.decimal(.lat) {
            point.place = Place(longitude: longitude, latitude: latitude)
        }
        if point.place == nil { reading.refuse(Self.refusal(attributes), line: attributes.found.line(of: event)) }
    }

    private static func refusal(_ attributes: GPXAttributes) -> Refusal {
        guard let latitude = attributes.text(.lat), let longitude = attributes.text(.lon) else { return .noPlace }
        guard let number = attributes.decimal(.lon), Place.isWithin(number, degrees: 180) else {
            return .longitude(longitude)
        }
        return .latitude(latitude)
    }

    private mutating func takePointLeaf(_ event: XMLEvent, _ found: XMLEvents) {
        guard let word = GPXName(event) else { return }
        let text = text
        let bytes = text.span
        let range = Text.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        if word == .time {
            if let instant = times.instant(bytes, range) {
                point.time = instant
                return
            }
            reading.receipt.unreadTimes.add(Text.string(bytes, range), line: found.line(of: event))
        }
        let slot = slot(event.number) { _ in word.name }
        if !word.isText, let number = FixedDecimal(plain: bytes, range) {
            point.set(slot, to: number)
        } else {
            point.set(slot, toText: Text.string(bytes, range))
        }
    }

    private mutating func takePointExtension(_ event: XMLEvent) {
        let text = text
        let bytes = text.span
        let range = Text.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
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

/// The attributes of a start tag.
private struct GPXAttributes {
    let found: XMLEvents
    let range: Range<Int>

    func decimal(_ word: GPXName) -> FixedDecimal? {
        value(word).flatMap { FixedDecimal(found.bytes.span, $0) }
    }

    func text(_ word: GPXName) -> String? {
        value(word).map { Text.string(found.bytes.span, $0) }
    }

    private func value(_ word: GPXName) -> Range<Int>? {
        for index in range {
            let event = found.events[index]
            if event.known == word.rawValue { return event.range }
        }
        return nil
    }
}
