import FoundationEssentials
import Tracks

/// Reads GeoJSON (RFC 7946), whole, one text a line or separated by U+001E (RFC 8142), and OGC's moving features.
///
/// Lines are recordings of their own; points with a time make a recording together, told apart by what their properties say
/// of person, device, track and activity. One feature is held in memory at a time. Features that were whole before the file
/// breaks off are kept.
///
/// LineString, MultiPoint with times, MovingPoint → recording · MultiLineString → segments · Point with a time → point.
struct GeoJSONReader {
    /// As many notes of a line are kept; others are left.
    static let noteLimit = 256
    /// Numbers from here on can be times: seconds of 1973.
    static let leastEpoch = 1e8

    private let reading: FileReading
    private var times: InstantReader
    private var table: TrackTable
    // Where the feature ends that is being taken.
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        times = reading.times(.library)
        table = TrackTable(reading)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var scanner = JSONScanner(source, reading)
        do {
            while let first = try scanner.peekText() {
                if first == UInt8(ascii: "[") {
                    try scanner.eachElement { try text(&$0) }
                } else {
                    try text(&scanner)
                }
            }
        } catch {
            if ImportFailure(error).keepsWholePoints { try table.end() }
            throw error
        }
        try table.end()
    }

    /// Reads a text of its own or a feature of a collection, and takes what is in it.
    private mutating func text(_ scanner: inout JSONScanner) throws {
        scanner.releaseValues()
        let object = try object(&scanner, isText: true)
        if object.wasCollection { return }
        line = scanner.line
        try take(object)
    }

    // MARK: Reading

    private mutating func object(_ scanner: inout JSONScanner, isText: Bool = false) throws -> GeoObject {
        var object = GeoObject()
        try scanner.eachMember { scanner, name in
            switch name {
            case "type" where try scanner.isAtString(): object.type = try scanner.string()
            case "features" where try isText && scanner.isAtArray():
                object.wasCollection = true
                try scanner.eachElement { try text(&$0) }
            case "coordinates": try object.positions.read(&scanner)
            case "geometry" where try scanner.isAtObject(): object.geometry.append(try self.object(&scanner))
            case "temporalGeometry" where try scanner.isAtObject():
                object.geometry.insert(try self.object(&scanner), at: 0)
            case "geometries" where try scanner.isAtArray(), "prisms" where try scanner.isAtArray():
                try scanner.eachElement { object.parts.append(try self.object(&$0)) }
            case "datetimes" where try scanner.isAtArray(): object.times = try timeList(&scanner)
            case "properties" where try scanner.isAtObject(), "coordinateProperties" where try scanner.isAtObject():
                try properties(&scanner, of: &object)
            case "temporalProperties" where try scanner.isAtArray():
                try scanner.eachElement { try temporalProperties(&$0, of: &object) }
            case "crs": try referenceSystem(&scanner)
            default: try scanner.skipValue()
            }
        }
        return object
    }

    private mutating func properties(_ scanner: inout JSONScanner, of object: inout GeoObject) throws {
        try scanner.eachMember { scanner, name in
            if Self.timeLists.contains(name.lowercased()), try scanner.isAtArray() {
                object.times = try timeList(&scanner)
            } else if name == "coordinateProperties", try scanner.isAtObject() {
                try properties(&scanner, of: &object)
            } else if name == "doubled", try scanner.isAtArray() {
                object.doubledLines += try scanner.value().flattened.compactMap { $0.text.flatMap { Int($0) } }
            } else {
                object.properties.append((name, try scanner.value()))
            }
        }
    }

    /// Takes the values that moving features have of what changes on their way.
    private mutating func temporalProperties(_ scanner: inout JSONScanner, of object: inout GeoObject) throws {
        try scanner.eachMember { scanner, name in
            guard try scanner.isAtObject() else { return try scanner.skipValue() }
            try scanner.eachMember { scanner, member in
                if member == "values" {
                    object.properties.append((name, try scanner.value()))
                } else {
                    try scanner.skipValue()
                }
            }
        }
    }

    private static let timeLists: Set<String> = [
        "coordtimes", "times", "time", "datetimes", "timestamps", "timestamp", "coordinatetimes", "coord_times",
    ]

    /// The times of the array that begins here, of nested arrays too; `Instant.none` for what is none.
    private mutating func timeList(_ scanner: inout JSONScanner) throws -> [Int64] {
        var list: [Int64] = []
        try scanner.eachElement { scanner in
            if try scanner.isAtArray() {
                list += try timeList(&scanner)
                return
            }
            try scanner.hold()
            if try scanner.isAtString() {
                let text = try scanner.string()
                let instant = instant(text)
                if instant == nil { reading.receipt.unreadTimes.add(text, line: scanner.line) }
                list.append(instant ?? Instant.none)
            } else {
                list.append(try scanner.number().0.flatMap { InstantReader.instant($0) } ?? Instant.none)
            }
        }
        return list
    }

    private mutating func instant(_ text: String, unit: EpochUnit? = nil) -> Int64? {
        let bytes = Array(text.utf8)
        return times.instant(bytes.span, bytes.indices, unit: unit)
    }

    /// Anything but WGS 84 in degrees is refused: its numbers would be other places.
    private func referenceSystem(_ scanner: inout JSONScanner) throws {
        let value = try scanner.value()
        let names = value.leaves("crs").compactMap { $0.name.hasSuffix(".name") ? $0.value.text : nil }
        for name in names {
            let known = ["CRS84", "CRS84h", "4326", "4979", "WGS84", "WGS 84"]
            guard known.contains(where: { name.hasSuffix($0) }) else { throw ImportFailure.referenceSystem(name) }
        }
    }

    // MARK: Taking

    private mutating func take(_ object: GeoObject) throws {
        guard !object.geometry.isEmpty else {
            // A bare geometry, or a feature whose geometry is null.
            guard object.type != "Feature" else { return reading.skip(.emptyFeature) }
            return try take(geometry: object, of: object)
        }
        try take(geometry: object.geometry[0], of: object)
    }

    private mutating func take(geometry: GeoObject, of feature: GeoObject) throws {
        let times = geometry.times ?? feature.times
        switch geometry.type {
        case "Point"?: try takePoint(geometry.positions, feature)
        case "LineString"?, "MultiLineString"?, "MovingPoint"?: try takeLine(geometry.positions, times, feature)
        case "MultiPoint"?:
            if times != nil { return try takeLine(geometry.positions, times, feature) }
            reading.skip(.place, count: geometry.positions.places.count)
        case "GeometryCollection"?, "MovingGeometryCollection"?:
            for part in geometry.parts { try take(geometry: part, of: feature) }
        case "Polygon"?, "MultiPolygon"?, "MovingPolygon"?: reading.skip(.area)
        default: reading.skip(.emptyFeature)
        }
    }

    // MARK: Lines

    private mutating func takeLine(_ positions: GeoPositions, _ given: [Int64]?, _ feature: GeoObject) throws {
        reading.receipt.refused.add(positions.refused, lines: 0)
        guard positions.places.contains(where: { $0 != nil }) else { return reading.skip(.emptyTrack) }
        let times = lineTimes(positions, given)
        var header = RecordingHeader(source: reading.source)
        var columns: [(name: String, values: [JSONValue])] = []
        for (name, value) in feature.properties {
            if case .list = value, case let values = value.flattened, values.count == positions.places.count {
                columns.append((Self.fieldName(name), values))
            } else if name == "notes", case .object(let notes) = value {
                for note in notes where header.notes.count < Self.noteLimit {
                    if let text = note.value.text { header.notes[note.name] = text }
                }
            } else {
                for leaf in value.leaves(name) { describe(&header, leaf.name, leaf.value) }
            }
        }
        if times == nil, positions.hasFourths {
            columns.append(("m", positions.fourths.map { $0 == GeoPositions.absent ? .none("") : .number($0) }))
        }
        if positions.hasAltitudes {
            columns.append(
                (FieldName.elevation, positions.altitudes.map { $0 == GeoPositions.absent ? .none("") : .number($0) }))
        }
        let recording = try reading.begin()
        try append(positions.withoutDoubles(ofLines: feature.doubledLines), times, columns, to: recording)
        try reading.end(recording, header: header)
    }

    /// The times that are given, if there is one for each position; else those of the fourth numbers.
    private func lineTimes(_ positions: GeoPositions, _ given: [Int64]?) -> [Int64]? {
        if let given {
            if given.count == positions.places.count { return given }
            reading.receipt.unreadTimes.add("\(given.count) times for \(positions.places.count) positions", line: line)
        }
        guard let first = positions.fourths.first(where: { $0 != GeoPositions.absent }),
            first.double >= Self.leastEpoch
        else { return nil }
        return positions.fourths.map {
            $0 == GeoPositions.absent ? Instant.none : InstantReader.instant($0) ?? Instant.none
        }
    }

    private func append(
        _ positions: GeoPositions, _ times: [Int64]?, _ columns: [(name: String, values: [JSONValue])],
        to recording: OpenRecording
    ) throws {
        var builder = ChunkBuilder()
        let slots = columns.map { builder.slot(for: $0.name) }
        var starts = positions.starts.makeIterator()
        var nextStart = starts.next()
        for (index, place) in positions.places.enumerated() {
            while let start = nextStart, start <= index {
                builder.beginSegment()
                nextStart = starts.next()
            }
            guard let place else { continue }
            let time = times.map { $0[index] } ?? Instant.none
            builder.addPoint(
                longitude: place.longitude, latitude: place.latitude, time: time == Instant.none ? nil : time)
            for (column, slot) in zip(columns, slots) { Self.set(column.values[index], slot, &builder) }
            if builder.isFull, let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
        }
        if let chunk = builder.takeChunk() { try reading.append(chunk, to: recording) }
    }

    private func describe(_ header: inout RecordingHeader, _ name: String, _ value: JSONValue) {
        guard let text = value.text, !text.isEmpty else { return }
        switch CSVColumns.role(of: name) {
        case .trackName? where header.name == nil: header.name = text
        case .activity? where header.activity == nil: header.activity = text.lowercased()
        case .person? where header.person == nil: header.person = text
        case .device? where header.device == nil: header.device = text
        default:
            if header.notes.count < Self.noteLimit { header.notes[name] = text }
        }
    }

    // MARK: Points

    private mutating func takePoint(_ positions: GeoPositions, _ feature: GeoObject) throws {
        var key = TrackKey()
        var time: Int64?
        var hasTime = false
        var fields: [(name: String, value: JSONValue)] = []
        for property in feature.properties.flatMap({ $0.value.leaves($0.name) + Self.nullTime($0) }) {
            switch CSVColumns.role(of: property.name) {
            case .person? where key.person == nil: key.person = property.value.text
            case .device? where key.device == nil: key.device = property.value.text
            case .track? where key.track == nil: key.track = property.value.text
            case .activity? where key.activity == nil: key.activity = property.value.text?.lowercased()
            case .instant(let unit)? where time == nil:
                hasTime = true
                time = instant(property.value, unit)
                if time == nil, let text = property.value.text { fields.append((property.name, .text(text))) }
            case .field(let name, _)?: fields.append((name, property.value))
            default: fields.append((ElementName.decoded(property.name), property.value))
            }
        }
        if !hasTime, let fourth = positions.fourths.first, fourth != GeoPositions.absent,
            fourth.double >= Self.leastEpoch
        {
            time = InstantReader.instant(fourth)
            hasTime = true
        }
        guard hasTime else { return reading.skip(.place) }
        reading.receipt.refused.add(positions.refused, lines: 0)
        guard let place = positions.places.first ?? nil else { return }
        if let altitude = positions.altitudes.first, altitude != GeoPositions.absent {
            fields.append((FieldName.elevation, .number(altitude)))
        }
        try table.add(place, time, fields, to: key)
    }

    /// A time that is null still shows that the point is one of a recording.
    private static func nullTime(_ property: (name: String, value: JSONValue)) -> [(name: String, value: JSONValue)] {
        guard case .none = property.value, case .instant? = CSVColumns.role(of: property.name) else { return [] }
        return [property]
    }

    private mutating func instant(_ value: JSONValue, _ unit: EpochUnit?) -> Int64? {
        switch value {
        case .number(let number): return InstantReader.instant(number, unit: unit)
        case .text(let text):
            if let instant = instant(text) { return instant }
            reading.receipt.unreadTimes.add(text, line: line)
            return nil
        default: return nil
        }
    }

    // MARK: Fields

    private static func set(_ value: JSONValue, _ slot: FieldSlot, _ builder: inout ChunkBuilder) {
        switch value {
        case .number(let number): builder.set(slot, to: number)
        case .text(let text): builder.set(slot, toText: text)
        case .bool(let value): builder.set(slot, toText: value ? "true" : "false")
        case .none, .list, .object: break
        }
    }

    /// What the lists beside coordinates are called.
    private static func fieldName(_ name: String) -> String {
        FieldVocabulary.name(name)
    }
}
