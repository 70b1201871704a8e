import Expat
import FoundationEssentials
import Tracks

/// Reads GPX: each `trk` is a recording, each `trkseg` a segment of it.
///
/// Routes and waypoints are plans and places, not where somebody has been: they are counted and left. Where the file breaks
/// off or is broken, the points that were whole before are kept.
///
/// trk → recording · trkseg → segment · trkpt → point · ele, time, speed … → fields.
final class GPXReader: XMLHandler {
    /// The longest text of one element.
    static let textLimit = 1024 * 1024
    /// As many notes of a track are kept.
    static let noteLimit = 256

    private enum Context: UInt8 {
        case document, file, track, segment, point, pointLeaf, pointExtension, trackLeaf, trackExtension, other
    }

    private let reading: FileReading
    private var contexts: [Context] = [.document]
    private var text: [UInt8] = []
    private var isCollecting = false
    // An element without children is one that ends while it is the last to have begun.
    private var lastBegun = 0

    private var builder = ChunkBuilder()
    private var slots: [Int: FieldSlot] = [:]
    private var recording: OpenRecording?
    private var header: RecordingHeader
    private var creator: String?
    private var trackPoints = 0
    private var point = GPXPoint()
    private var times: InstantReader

    init(_ reading: FileReading) {
        self.reading = reading
        times = InstantReader(zone: reading.options.zone ?? .gmt)
        header = RecordingHeader(source: reading.source)
    }

    /// Reads all of `source`.
    func read(_ source: any ByteSource) throws {
        let reader = try XMLReader(known: GPXWord.names)
        var source = XMLStart(source)
        do {
            while case let block = try source.read({ try reading.next(from: &$0) }), !block.isEmpty {
                try reader.read(block, for: self)
            }
            try reader.finish(for: self)
        } catch {
            if ImportFailure(error).keepsWholePoints, recording != nil { try endTrack() }
            throw error
        }
    }

    // MARK: What Expat finds

    func start(_ name: XMLName, in reader: XMLReader) throws {
        let word = name.known.map { GPXWord.all[$0] }
        let next = try context(of: word, in: contexts[contexts.count - 1], reader)
        contexts.append(next)
        text.removeAll(keepingCapacity: true)
        lastBegun = contexts.count
        switch next {
        case .pointLeaf, .pointExtension, .trackLeaf, .trackExtension: isCollecting = true
        default: isCollecting = false
        }
    }

    func text(_ bytes: Span<UInt8>, in reader: XMLReader) throws {
        guard isCollecting else { return }
        guard text.count + bytes.count <= Self.textLimit else {
            throw ImportFailure.longText(limit: Self.textLimit, line: reader.line)
        }
        for index in bytes.indices { text.append(bytes[index]) }
    }

    func end(_ name: XMLName, in reader: XMLReader) throws {
        let isLeaf = lastBegun == contexts.count
        isCollecting = false
        switch contexts.removeLast() {
        case .pointLeaf: if isLeaf { takePointLeaf(name, reader) }
        case .pointExtension: if isLeaf { takePointExtension(name, reader) }
        case .trackLeaf: if isLeaf { takeTrackLeaf(GPXWord.all[name.known ?? 0]) }
        case .trackExtension: if isLeaf { takeNote(reader.localName(name)) }
        case .point: try endPoint()
        case .track: try endTrack()
        case .document, .file, .segment, .other: break
        }
    }

    private func context(of word: GPXWord?, in context: Context, _ reader: XMLReader) throws -> Context {
        switch (context, word) {
        case (.document, .gpx?):
            creator = attribute("creator", reader)
            return .file
        case (.file, .trk?):
            try beginTrack()
            return .track
        case (.file, .wpt?): reading.skip(.waypoint)
        case (.file, .rte?): reading.skip(.route)
        case (.track, .trkseg?):
            builder.beginSegment()
            return .segment
        case (.track, .trkpt?), (.segment, .trkpt?):
            beginPoint(reader)
            return .point
        case (.track, .extensions?): return .trackExtension
        case (.track, .link?): header.notes["link"] = attribute("href", reader)
        case (.track, .name?), (.track, .cmt?), (.track, .desc?), (.track, .src?), (.track, .number?), (.track, .type?),
            (.track, .url?), (.track, .urlname?):
            return .trackLeaf
        case (.point, .link?): break
        case (.point, .extensions?): return .pointExtension
        case (.point, let word?) where Self.isPointChild(word): return .pointLeaf
        case (.point, _), (.pointExtension, _): return .pointExtension
        case (.trackExtension, _): return .trackExtension
        default: break
        }
        return .other
    }

    private static func isPointChild(_ word: GPXWord) -> Bool {
        switch word {
        case .gpx, .trk, .trkseg, .trkpt, .wpt, .rte, .extensions, .link, .number: false
        default: true
        }
    }

    private func attribute(_ wanted: StaticString, _ reader: XMLReader) -> String? {
        var found: String?
        reader.forEachAttribute { name, value in
            if Text.string(name, name.indices) == wanted.description { found = Text.string(value, value.indices) }
        }
        return found
    }

    // MARK: Tracks

    private func beginTrack() throws {
        recording = try reading.begin()
        header = RecordingHeader(source: reading.source)
        header.notes["creator"] = creator
        trackPoints = 0
        builder.beginSegment()
    }

    private func endTrack() throws {
        guard let recording else { return }
        self.recording = nil
        guard trackPoints > 0 else {
            reading.skip(.emptyTrack)
            return reading.abandon(recording)
        }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        try reading.end(recording, header: header)
    }

    private func takeTrackLeaf(_ word: GPXWord) {
        let value = collected()
        guard !value.isEmpty else { return }
        switch word {
        case .name: header.name = value
        case .type: header.activity = value.lowercased()
        default: header.notes[word.rawValue] = value
        }
    }

    private func takeNote(_ name: String) {
        let value = collected()
        guard !value.isEmpty, header.notes.count < Self.noteLimit, header.notes[name] == nil else { return }
        header.notes[name] = value
    }

    private func collected() -> String {
        let text = text
        let bytes = text.span
        return Text.string(bytes, Text.trimmed(bytes, bytes.indices))
    }

    // MARK: Points

    private func beginPoint(_ reader: XMLReader) {
        point.reset()
        var longitude: FixedDecimal?
        var latitude: FixedDecimal?
        reader.forEachAttribute { name, value in
            guard name.count == 3, name[0] == UInt8(ascii: "l") else { return }
            if name[1] == UInt8(ascii: "a"), name[2] == UInt8(ascii: "t") {
                latitude = FixedDecimal(value, value.indices)
            } else if name[1] == UInt8(ascii: "o"), name[2] == UInt8(ascii: "n") {
                longitude = FixedDecimal(value, value.indices)
            }
        }
        if let longitude, let latitude { point.place = Place(longitude: longitude, latitude: latitude) }
        if point.place == nil { reading.refuse(refusal(reader), line: reader.line) }
    }

    private func refusal(_ reader: XMLReader) -> Refusal {
        guard let latitude = attribute("lat", reader), let longitude = attribute("lon", reader) else { return .noPlace }
        let bytes = Array(longitude.utf8)
        let number = FixedDecimal(bytes.span, bytes.indices)
        guard let number, Place.isWithin(number, degrees: 180) else { return .longitude(longitude) }
        return .latitude(latitude)
    }

    private func takePointLeaf(_ name: XMLName, _ reader: XMLReader) {
        let word = GPXWord.all[name.known ?? 0]
        let text = text
        let bytes = text.span
        let range = Text.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        if word == .time {
            if let instant = times.instant(bytes, range) {
                point.time = instant
                return
            }
            reading.receipt.unreadTimes.add(Text.string(bytes, range), line: reader.line)
        }
        let slot = slot(for: name) { word.rawValue }
        if !word.isText, let number = FixedDecimal(plain: bytes, range) {
            point.numbers.append((slot, number))
        } else {
            point.texts.append((slot, Text.string(bytes, range)))
        }
    }

    private func takePointExtension(_ name: XMLName, _ reader: XMLReader) {
        let text = text
        let bytes = text.span
        let range = Text.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        var slot = slot(for: name) { GPXExtension.field(reader.localName(name)) }
        // A name that the point has already used keeps its prefix.
        if point.has(slot) { slot = builder.slot(for: reader.qualifiedName(name)) }
        if point.has(slot) { return }
        if let number = FixedDecimal(plain: bytes, range) {
            point.numbers.append((slot, number))
        } else {
            point.texts.append((slot, Text.string(bytes, range)))
        }
    }

    /// The field of an element, whose name is looked up once.
    private func slot(for name: XMLName, _ field: () -> String) -> FieldSlot {
        if let slot = slots[name.number] { return slot }
        let slot = builder.slot(for: field())
        slots[name.number] = slot
        return slot
    }

    private func endPoint() throws {
        guard let recording, let place = point.place else { return }
        builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: point.time)
        for (slot, number) in point.numbers { builder.set(slot, to: number) }
        for (slot, text) in point.texts { builder.set(slot, toText: text) }
        trackPoints += 1
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }
}

/// A point on the way.
private struct GPXPoint {
    var place: Place?
    var time: Int64?
    var numbers: [(FieldSlot, FixedDecimal)] = []
    var texts: [(FieldSlot, String)] = []

    mutating func reset() {
        place = nil
        time = nil
        numbers.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
    }

    func has(_ slot: FieldSlot) -> Bool {
        numbers.contains { $0.0 == slot } || texts.contains { $0.0 == slot }
    }
}

/// XML from its first mark on: some software leaves blanks before the declaration, which Expat does not forgive.
private struct XMLStart {
    private var source: any ByteSource
    private var begun = false

    init(_ source: any ByteSource) {
        self.source = source
    }

    mutating func read(_ next: (inout any ByteSource) throws -> [UInt8]) throws -> [UInt8] {
        while true {
            let block = try next(&source)
            guard !begun, !block.isEmpty else { return block }
            var start = block.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while start < block.count, block[start] == 0x20 || (0x09...0x0D).contains(block[start]) { start += 1 }
            guard start < block.count else { continue }
            begun = true
            return start == 0 ? block : Array(block[start...])
        }
    }
}
