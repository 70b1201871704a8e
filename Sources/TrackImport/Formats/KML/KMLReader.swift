import FoundationEssentials
import Pins
import Text
import Tracks

/// Reads KML 2.0–2.3 with Google's extensions: `gx:Track`, `gx:MultiTrack`, lines, and placemarks with a time.
///
/// Placemarks with a time in the same folder form a recording; points without a time are pins. Links to other files are
/// reported, not followed. If the file is truncated or malformed, the points before that are kept.
///
/// Placemark → recording, each Track and LineString in it → segment · Placemark with Point and time → point ·
/// Placemark with Point → pin.
struct KMLReader {
    private let reading: FileReading
    private let feed: XMLFeed
    private var open: [KMLName?] = []
    private var table: InterleavedTracks
    private var folders: [KMLFolder] = []
    private var foldersSeen = 0
    private var placemark = KMLPlacemark()
    private var track = KMLTrack()
    private var builder = ChunkBuilder()
    private var recording: OpenRecording?
    private var points = 0
    private var coordinates = KMLCoordinates()
    private var times: InstantReader
    /// The places of the points with times, by folder.
    private var timedPlaces: [Int: PlaceSequence] = [:]
    /// The places of the current recording's lines.
    private var linePlaces = PlaceSequence()
    /// Whether the current recording has only lines.
    private var isLineOnly = true

    init(_ reading: FileReading) throws {
        self.reading = reading
        feed = try XMLFeed(reading, known: KMLName.all.map(\.rawValue))
        times = reading.times(.utc)
        table = InterleavedTracks(reading)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        try read(source, feed)
    }

    mutating func endDocument() throws {
        try endTrack()
        try endRecording()
        for folder in folders { name(folder) }
        try table.end()
    }

    // MARK: Lines and tracks

    private mutating func beginSegment() throws -> OpenRecording {
        builder.beginSegment()
        if let recording { return recording }
        let begun = try reading.begin()
        recording = begun
        points = 0
        linePlaces = PlaceSequence()
        isLineOnly = true
        return begun
    }

    private mutating func endRecording() throws {
        guard let recording else { return }
        self.recording = nil
        guard points > 0 else {
            reading.skip(.emptyTrack)
            return reading.abandon(recording)
        }
        let chunk = builder.takeChunk()
        if isLineOnly, timedPlaces.values.contains(linePlaces) {
            // GPSBabel writes a track as points with times, and as a line for drawing.
            reading.receipt.remarks.insert(.lineOfPoints)
            return reading.abandon(recording)
        }
        if let chunk { try reading.append(chunk, to: recording) }
        var header = RecordingHeader(source: reading.source)
        header.name = placemark.name ?? folders.last { $0.name != nil }?.name
        header.attributes = placemark.attributes
        header.activity = header.attributes.removeValue(forKey: "type")?.lowercased()
        header.person = header.attributes.removeValue(forKey: ExportedNames.person)
        header.device = header.attributes.removeValue(forKey: ExportedNames.device)
        try reading.end(recording, header: header)
    }

    private mutating func added(to recording: OpenRecording) throws {
        points += 1
        if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    private mutating func addLinePoints(_ tuples: [KMLCoordinates.Tuple], _ line: @autoclosure () -> Int) throws {
        guard let recording else { return }
        for tuple in tuples {
            guard let place = tuple.place else {
                reading.refuse(tuple.refusal, line: line())
                continue
            }
            builder.addPoint(longitude: place.longitude, latitude: place.latitude, time: nil)
            if !timedPlaces.isEmpty { linePlaces.add(place) }
            if let altitude = tuple.altitude { builder.set(FieldName.elevation, to: altitude) }
            try added(to: recording)
        }
    }

    private mutating func endTrack() throws {
        let ended = track
        track = KMLTrack()
        if ended.missing > 0 { reading.skip(.recordWithoutPosition, count: ended.missing) }
        if ended.timeCount > 0, ended.timeCount != ended.count {
            reading.receipt.unreadTimes.add("\(ended.timeCount) times for \(ended.count) places", line: ended.line)
        }
        guard ended.count > 0 else { return }
        let recording = try beginSegment()
        isLineOnly = false
        var added = 0
        try ended.add(to: &builder) { [reading] builder in
            added += 1
            if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        }
        points += added
    }

    // MARK: Placemarks

    private mutating func endPlacemark(_ element: XMLElement) throws {
        try endRecording()
        defer { placemark = KMLPlacemark() }
        guard !placemark.points.isEmpty else { return }
        if placemark.time == nil || placemark.attributes[PinNames.prefix + PinNames.id] != nil {
            return try addPins(element)
        }
        var time: Instant?
        if let text = placemark.time {
            let bytes = Array(text.utf8)
            time = instant(bytes.span, bytes.indices, element)
            if time == nil { placemark.addAttribute("time", text) }
        }
        for point in placemark.points {
            let folder = folders.last ?? KMLFolder(number: 0)
            let number = try table.number(of: TrackKey(group: folder.number))
            if time != nil { timedPlaces[folder.number, default: PlaceSequence()].add(point.place) }
            table[builder: number].addPoint(
                longitude: point.place.longitude, latitude: point.place.latitude, time: time)
            if let altitude = point.altitude { table[builder: number].set(FieldName.elevation, to: altitude) }
            for (name, value) in placemark.fields {
                let slot = table[builder: number].slot(for: name)
                table[builder: number].set(slot, toSpelled: value)
            }
            try table.added(1, to: number)
        }
    }

    /// Adds the points of a placemark as pins: those without a time, and pins of our own exports.
    private mutating func addPins(_ element: XMLElement) throws {
        var waypoint = placemark.waypoint
        if let text = placemark.time {
            let bytes = Array(text.utf8)
            waypoint.time = instant(bytes.span, bytes.indices, element)
        }
        for point in placemark.points {
            var pin = waypoint
            pin.place = point.place
            if let altitude = point.altitude { pin.addAttribute(PinAttribute.elevation, altitude.description) }
            try reading.add(pin)
        }
    }

    private mutating func name(_ folder: KMLFolder) {
        guard let number = table.knownNumber(of: TrackKey(group: folder.number)) else { return }
        table.tracks[number].name = folder.name
    }
}

extension KMLReader: XMLElementHandler {
    mutating func begin(_ element: XMLElement) throws -> Bool {
        let word = KMLName(element)
        switch word {
        case .document?, .folder?:
            foldersSeen += 1
            folders.append(KMLFolder(number: foldersSeen))
        case .placemark?: placemark = KMLPlacemark()
        case .track?:
            track = KMLTrack(line: element.line)
            times.beginTrack()
        case .lineString?:
            _ = try beginSegment()
            coordinates = KMLCoordinates()
        case .networkLink?: reading.skip(.link)
        case .polygon?: reading.skip(.area)
        case .linearRing? where !open.contains(.polygon): reading.skip(.area)
        case .simpleArray?: track.beginArray(element.attribute(KMLName.name.index))
        case .data?, .simpleData?: placemark.dataName = element.attribute(KMLName.name.index)
        default: break
        }
        open.append(word)
        return true
    }

    mutating func end(_ element: XMLElement, text: [UInt8]) throws {
        let word = open.popLast() ?? nil
        switch word {
        case .document?, .folder?:
            if let folder = folders.popLast() { name(folder) }
            return
        case .placemark?: return try endPlacemark(element)
        case .track?: return try endTrack()
        case .coordinates?: return try endCoordinates(text, element)
        case .coord?: return try takeCoord(text, element)
        default: break
        }
        let bytes = text.span
        let range = ByteText.trimmed(bytes, bytes.indices)
        if open.contains(.track) { return try takeTrackValue(word, bytes, range, element) }
        guard !range.isEmpty else { return }
        take(word, ByteText.string(bytes, range), element)
    }

    mutating func drain(_ text: inout [UInt8]) throws {
        guard open.last == .coordinates, open.dropLast().last == .lineString else { return }
        coordinates.drain(&text)
        try addLinePoints(coordinates.takeTuples(), 0)
    }

    private mutating func endCoordinates(_ text: [UInt8], _ element: XMLElement) throws {
        var found = open.last == .lineString ? coordinates : KMLCoordinates()
        found.finish(text)
        switch open.last {
        case .lineString?: try addLinePoints(found.takeTuples(), element.line)
        case .point?:
            for tuple in found.takeTuples() {
                if let place = tuple.place {
                    try placemark.addPoint(place, altitude: tuple.altitude, line: element.line)
                } else {
                    reading.refuse(tuple.refusal, line: element.line)
                }
            }
        default: break
        }
    }

    private mutating func takeCoord(_ text: [UInt8], _ element: XMLElement) throws {
        var found = KMLCoordinates(separatesByBlanks: true)
        found.finish(text)
        let tuple = found.takeTuples().first
        if let tuple, tuple.place == nil { reading.refuse(tuple.refusal, line: element.line) }
        try track.add(tuple)
    }

    private mutating func takeTrackValue(
        _ word: KMLName?, _ bytes: Span<UInt8>, _ range: Range<Int>, _ element: XMLElement
    ) throws {
        switch word {
        case .when?: try track.add(time: instant(bytes, range, element))
        case .angles?: try track.add(angles: ByteText.string(bytes, range))
        case .value? where open.last == .simpleArray: try track.add(bytes, range)
        case .value?, .simpleData?: if !range.isEmpty { take(word, ByteText.string(bytes, range), element) }
        default: break
        }
    }

    private mutating func take(_ word: KMLName?, _ value: String, _ element: XMLElement) {
        switch (word, open.last ?? nil) {
        case (.name?, .placemark?): placemark.name = value
        case (.name?, .document?), (.name?, .folder?): if !folders.isEmpty { folders[folders.count - 1].name = value }
        case (.when?, .timeStamp?), (.begin?, .timeSpan?):
            guard open.contains(.placemark) else { return }
            placemark.time = value
        case (.end?, .timeSpan?): placemark.addAttribute("end", value)
        case (.description?, .placemark?), (.address?, .placemark?):
            placemark.addAttribute(word?.rawValue ?? "", value)
        case (.value?, .data?), (.simpleData?, _):
            if let name = placemark.dataName { placemark.addAttribute(name, value) }
        default: break
        }
    }

    /// A date without a day (`1997`, `1997-07`) is not an instant.
    private mutating func instant(_ bytes: Span<UInt8>, _ range: Range<Int>, _ element: XMLElement) -> Instant? {
        guard !range.isEmpty else { return nil }
        if range.count >= "1997-7-1".utf8.count, let instant = times.instant(bytes, range) { return instant }
        reading.receipt.unreadTimes.add(ByteText.string(bytes, range), line: element.line)
        return nil
    }
}
