import Pins
import Text
import Tracks

/// Reads FIT (Garmin's Flexible and Interoperable Data Transfer): activities, also several in one file. Courses and other
/// plans are counted and skipped, except for their course points.
///
/// Coordinates are kept in semicircles as recorded, numbers as exact decimals in their units. Records without a
/// position are counted and skipped. A wrong checksum is only reported. If the file is truncated, the points before
/// that are kept.
///
/// file, session → recording · timer start → segment · record → point · developer fields → fields by their names.
struct FITReader {
    private let reading: FileReading
    private var builder = ChunkBuilder(semicircles: true)
    private var definitions = [FITLocal?](repeating: nil, count: 16)
    private var types: [FITDeveloperField: FITDescription] = [:]
    private var fileAttributes = FITAttributes()
    private var records = 0
    /// The newest timestamp, to which times in compressed headers are relative.
    private var timestamp: UInt32?
    private var compressedDistance: Int64?
    /// The number of the file's points, those of the file that wait for its sessions, and the recording of a file with too
    /// many to wait.
    private var points = 0
    private var waiting: [PointColumns] = []
    private var recording: OpenRecording?

    /// The maximum number of points that wait for sessions, to bound memory: three days, one a second.
    private static let waitingLimit = 1 << 18

    init(_ reading: FileReading) {
        self.reading = reading
    }

    /// Whether the bytes begin with a FIT header.
    static func recognises(_ head: [UInt8]) -> Bool {
        head.count >= 12 && head[0] >= 12 && head[8...11].elementsEqual(".FIT".utf8)
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var bytes = FITBytes(source, reading)
        do {
            repeat { try readFile(&bytes) } while try hasNextFile(&bytes)
        } catch {
            if ImportFailure(error).keepsEarlierPoints { try endFile() }
            throw error
        }
    }

    /// Whether another file follows in the chain; zero padding is skipped.
    private func hasNextFile(_ bytes: inout FITBytes) throws -> Bool {
        while try bytes.has(1), bytes.buffer[bytes.at] == 0 { bytes.at += 1 }
        return try bytes.has(1)
    }

    private mutating func readFile(_ bytes: inout FITBytes) throws {
        try bytes.need(12)
        let headerSize = Int(bytes.buffer[bytes.at])
        guard headerSize >= 12, bytes.buffer[(bytes.at + 8)..<(bytes.at + 12)].elementsEqual(".FIT".utf8) else {
            throw ImportFailure.damaged("no FIT header", byte: bytes.position)
        }
        try bytes.need(headerSize)
        let dataSize = bytes.little(4, 4)
        bytes.beginChecksum()
        bytes.at += headerSize
        definitions = [FITLocal?](repeating: nil, count: 16)
        types = [:]
        fileAttributes = FITAttributes()
        timestamp = nil
        compressedDistance = nil
        // Recorders write the size last; if it is 0, all bytes to the end are data.
        let end = dataSize == 0 ? Int.max : bytes.position + dataSize
        while bytes.position < end {
            if dataSize == 0, try !bytes.has(1) {
                reading.receipt.remarks.insert(.unfinished)
                return try endFile()
            }
            try readMessage(&bytes)
        }
        try endFile()
        if fileAttributes.isPlan { reading.skip(.route) }
        let sum = bytes.takeChecksum()
        guard try bytes.has(2) else { throw ImportFailure.truncated }
        if bytes.little(0, 2) != Int(sum) { reading.receipt.remarks.insert(.wrongChecksum) }
        bytes.at += 2
    }

    // MARK: Messages

    private mutating func readMessage(_ bytes: inout FITBytes) throws {
        try bytes.need(1)
        let head = bytes.buffer[bytes.at]
        if head & 0x80 != 0 {
            compressedTime(UInt32(head & 0x1F))
            try readData(&bytes, local: Int(head >> 5 & 3), hasTime: true)
        } else if head & 0x40 != 0 {
            try readDefinition(&bytes, local: Int(head & 0x0F), hasDeveloperFields: head & 0x20 != 0)
        } else {
            try readData(&bytes, local: Int(head & 0x0F), hasTime: false)
        }
    }

    /// The header contains the low 5 bits of the time, which repeat after 32 s: it is the next such time from the last
    /// one on.
    private mutating func compressedTime(_ low: UInt32) {
        guard let last = timestamp else { return }
        timestamp = last &+ ((low &- last) & 0x1F)
    }

    private mutating func readDefinition(_ bytes: inout FITBytes, local: Int, hasDeveloperFields: Bool) throws {
        try bytes.need(6)
        var size = 6 + Int(bytes.buffer[bytes.at + 5]) * 3
        try bytes.need(size)
        if hasDeveloperFields {
            try bytes.need(size + 1)
            size += 1 + Int(bytes.buffer[bytes.at + size]) * 3
            try bytes.need(size)
        }
        let definition = FITDefinition(
            bytes.buffer.span, at: bytes.at + 1, hasDeveloperFields: hasDeveloperFields, types: types)
        definitions[local] = FITLocal(definition, types, &builder)
        bytes.at += size
    }

    private mutating func readData(_ bytes: inout FITBytes, local: Int, hasTime: Bool) throws {
        guard let local = definitions[local] else {
            throw ImportFailure.damaged("a data message without a definition", byte: bytes.position)
        }
        try bytes.need(1 + local.definition.size)
        let start = bytes.at + 1
        bytes.at += 1 + local.definition.size
        if let field = local.timestamp, let time = field.integer(bytes.buffer.span, start, local.definition.isBigEndian)
        {
            // A device may declare any width for it; FIT's date_time has 32 bits.
            timestamp = UInt32(exactly: time)
        } else if local.message == .record, !hasTime {
            // A record without a timestamp has no time, whatever earlier messages contained.
            return try takeRecord(bytes.buffer.span, start, local, time: nil)
        }
        if local.message == .record { return try takeRecord(bytes.buffer.span, start, local, time: instant) }
        try takeMessage(bytes.buffer.span, start, local.definition, local.message)
    }

    private var instant: Instant? {
        timestamp.flatMap(Instant.init(fitTimestamp:))
    }

    // MARK: Records

    private mutating func takeRecord(_ bytes: Span<UInt8>, _ start: Int, _ local: FITLocal, time: Instant?) throws {
        records += 1
        guard !fileAttributes.isPlan else { return }
        let isBigEndian = local.definition.isBigEndian
        guard let east = local.longitude?.integer(bytes, start, isBigEndian),
            let north = local.latitude?.integer(bytes, start, isBigEndian)
        else { return reading.skip(.recordWithoutPosition) }
        guard let longitude = Int32(exactly: east), let latitude = Int32(exactly: north),
            // 2^30 semicircles are 90°.
            latitude.magnitude <= 1 << 30
        else { return reading.refuse(.latitude("\(north) semicircles"), line: records) }
        if points == 0 { builder.beginSegment() }
        points += 1
        builder.addPoint(longitudeSemicircles: longitude, latitudeSemicircles: latitude, time: time)
        for value in local.values {
            if value.isInteger {
                if let raw = value.field.firstInteger(bytes, start, isBigEndian),
                    let number = value.meaning.decimal(raw)
                {
                    builder.set(value.slot, to: number)
                }
            } else if let text = value.field.spelling(bytes, start, isBigEndian, value.meaning) {
                builder.set(value.slot, toSpelled: text)
            }
        }
        if let packed = local.compressed { takeCompressed(packed, bytes, start) }
        if builder.isFull, let chunk = builder.takeChunk() { try add(chunk) }
    }

    /// 12 bits of speed in cm/s and 12 bits of distance in 1/16 m, which wraps around.
    private mutating func takeCompressed(_ field: FITField, _ bytes: Span<UInt8>, _ start: Int) {
        let at = start + field.offset
        let (first, second, third) = (Int64(bytes[at]), Int64(bytes[at + 1]), Int64(bytes[at + 2]))
        guard first & second & third != 0xFF else { return }
        builder.set(FieldName.speed, to: FixedDecimal(mantissa: first | (second & 0x0F) << 8, places: 2))
        let low = second >> 4 | third << 4
        let last = compressedDistance ?? 0
        let distance = last + ((low - last) & 0xFFF)
        compressedDistance = distance
        // 1/16 is 0.0625.
        builder.set(FieldName.distance, to: FixedDecimal(mantissa: distance * 625, places: 4))
    }

    // MARK: Recordings

    private mutating func add(_ chunk: PointColumns) throws {
        if let recording { return try reading.append(chunk, to: recording) }
        waiting.append(chunk)
        guard points > Self.waitingLimit else { return }
        let begun = try reading.begin()
        recording = begun
        for chunk in waiting { try reading.append(chunk, to: begun) }
        waiting = []
    }

    /// Ends a file: divides its points into the recordings of its sessions.
    private mutating func endFile() throws {
        if let chunk = builder.takeChunk() { try add(chunk) }
        if let recording { try end(recording, fileAttributes.sessions.first) }
        let division = FITDivision(fileAttributes.sessions)
        var number = 0
        var current: (recording: OpenRecording, session: Int?)?
        for chunk in waiting {
            var first = 0
            while first < chunk.count {
                let session = division.session(
                    ofPoint: number + first, at: chunk.times[first], before: current?.session)
                var last = first + 1
                while last < chunk.count,
                    division.session(ofPoint: number + last, at: chunk.times[last], before: session) == session
                {
                    last += 1
                }
                if let open = current, open.session != session {
                    try end(open.recording, division[open.session])
                    current = nil
                }
                var part = chunk
                if first > 0 || last < chunk.count {
                    var starts = chunk.segmentStarts.filter { (first..<last).contains($0) }.map { $0 - first }
                    if current == nil, starts.first != 0 { starts.insert(0, at: 0) }
                    part = chunk.gathered(first..<last, segmentStarts: starts)
                } else if current == nil, part.segmentStarts.first != 0 {
                    part.segmentStarts.insert(0, at: 0)
                }
                let open = try current ?? (reading.begin(), session)
                current = open
                try reading.append(part, to: open.recording)
                first = last
            }
            number += chunk.count
        }
        if let current { try end(current.recording, division[current.session]) }
        (points, waiting, recording) = (0, [], nil)
    }

    private func end(_ recording: OpenRecording, _ session: FITSession?) throws {
        var header = RecordingHeader(source: reading.source)
        fileAttributes.describe(&header, session)
        try reading.end(recording, header: header)
    }

    // MARK: Other messages

    private mutating func takeMessage(
        _ bytes: Span<UInt8>, _ start: Int, _ definition: FITDefinition, _ message: FITMessage?
    ) throws {
        switch message {
        case .event?:
            // Event 0 is the timer, type 0 its start; the time between stop and start is a gap.
            let event = definition.field(0)?.integer(bytes, start, definition.isBigEndian)
            let type = definition.field(1)?.integer(bytes, start, definition.isBigEndian)
            if event == 0, type == 0 { builder.beginSegment() }
        case .fieldDescription?: describeField(bytes, start, definition)
        case .coursePoint?: try takeCoursePoint(bytes, start, definition)
        case let message?: fileAttributes.add(message, bytes, start, definition, after: points)
        case nil: break
        }
    }

    private func takeCoursePoint(_ bytes: Span<UInt8>, _ start: Int, _ definition: FITDefinition) throws {
        let isBigEndian = definition.isBigEndian
        guard let north = definition.field(2)?.integer(bytes, start, isBigEndian),
            let east = definition.field(3)?.integer(bytes, start, isBigEndian),
            let longitude = Int32(exactly: east), let latitude = Int32(exactly: north), latitude.magnitude <= 1 << 30
        else { return reading.skip(.recordWithoutPosition) }
        let unit = CoordinateUnit.semicircles
        var waypoint = WaypointBuilder()
        waypoint.place = Place(
            longitude: FixedDecimal(mantissa: unit.nanodegrees(Int64(longitude)), places: 9),
            latitude: FixedDecimal(mantissa: unit.nanodegrees(Int64(latitude)), places: 9))
        if let seconds = definition.field(1)?.integer(bytes, start, isBigEndian), let time = UInt32(exactly: seconds) {
            waypoint.time = Instant(fitTimestamp: time)
        }
        if let name = definition.field(6)?.text(bytes, start) { waypoint.addAttribute(PinAttribute.name, name) }
        try reading.add(waypoint)
    }

    private mutating func describeField(_ bytes: Span<UInt8>, _ start: Int, _ definition: FITDefinition) {
        let isBigEndian = definition.isBigEndian
        guard let developer = definition.field(0)?.integer(bytes, start, isBigEndian),
            let number = definition.field(1)?.integer(bytes, start, isBigEndian),
            let type = definition.field(2)?.integer(bytes, start, isBigEndian)
        else { return }
        let name = definition.field(3)?.text(bytes, start)
        let key = FITDeveloperField(
            developer: UInt8(truncatingIfNeeded: developer), number: UInt8(truncatingIfNeeded: number))
        types[key] = FITDescription(
            name: name ?? "developer_\(developer)_\(number)", type: UInt8(truncatingIfNeeded: type))
    }
}

/// The current definition of a local message, with the fields needed for each record.
private struct FITLocal {
    struct Value {
        let field: FITField
        let slot: FieldSlot
        let meaning: FITMeaning
        let isInteger: Bool
    }

    let definition: FITDefinition
    let message: FITMessage?
    let timestamp: FITField?
    private(set) var latitude: FITField?
    private(set) var longitude: FITField?
    private(set) var compressed: FITField?
    private(set) var values: [Value] = []

    init(_ definition: FITDefinition, _ types: [FITDeveloperField: FITDescription], _ builder: inout ChunkBuilder) {
        self.definition = definition
        message = FITMessage(rawValue: definition.message)
        // In every message, field 253 is the timestamp.
        timestamp = definition.field(253).flatMap { $0.isSingle ? $0 : nil }
        guard message == .record else { return }
        var names: Set<String> = []
        // Enhanced fields have higher numbers, so they come after the plain fields and replace them.
        let fields = definition.fields.sorted {
            ($0.developer == nil ? 0 : 1, $0.number) < ($1.developer == nil ? 0 : 1, $1.number)
        }
        for field in fields {
            guard let developer = field.developer else {
                switch field.number {
                case 0: latitude = field.isSingle || field.base == .int32 ? field : nil
                case 1: longitude = field.isSingle || field.base == .int32 ? field : nil
                case 8 where field.size == 3: compressed = field
                case 253: break
                default:
                    let meaning = FITMeaning.recordField(field.number)
                    names.insert(meaning.name)
                    add(field, meaning, &builder)
                }
                continue
            }
            let key = FITDeveloperField(developer: developer, number: field.number)
            let described = types[key]?.name ?? "developer_\(developer)_\(field.number)"
            // A developer field does not replace a field of the profile.
            let name = names.insert(described).inserted ? described : "developer." + described
            add(field, FITMeaning.developerField(name), &builder)
        }
    }

    private mutating func add(_ field: FITField, _ meaning: FITMeaning, _ builder: inout ChunkBuilder) {
        let isInteger: Bool
        switch field.base {
        case .text, .float32, .float64: isInteger = false
        // Bytes of an unknown type, or of a size that does not fit its type, are not numbers.
        case .bytes: isInteger = field.isSingle
        default: isInteger = field.isSingle || meaning.isScalar
        }
        values.append(
            Value(field: field, slot: builder.slot(for: meaning.name), meaning: meaning, isInteger: isInteger))
    }
}
