internal import Digest
internal import PrimaryStore
import Text
public import Tracks

/// The points of one device in one request.
public struct RecordedPoints: Sendable, Equatable {
    /// The person of the points; nil for the library's owner.
    public var person: String?
    /// The device, whose stream gets the points.
    public var device: String
    /// The protocol by which they came (`owntracks`): the source of the stream's tracks.
    public var source: String
    /// The points, each with its time, in any order; at most `PointChunk.capacity`.
    public var points: PointColumns
    /// Changes of the device's heading between its points.
    public var headings: [HeadingChange]

    public init(
        person: String?, device: String, source: String, points: PointColumns, headings: [HeadingChange] = []
    ) {
        self.person = person
        self.device = device
        self.source = source
        self.points = points
        self.headings = headings
    }
}

extension RecordedPoints {
    /// The bytes that a log stores for points.
    static func log(of points: [RecordedPoints]) -> [UInt8] {
        points.flatMap { LogFrame.framed($0.encoded()) }
    }

    /// Calls `body` with the points of a log; throws if an entry that was written completely cannot be read. `path` names the
    /// log in the error.
    static func forEach(in log: [UInt8], path: String, _ body: (RecordedPoints) throws -> Void) throws {
        for entry in LogFrame.entries(of: log) {
            guard let points = RecordedPoints(decoding: entry) else {
                throw LibraryError.damaged(path: path, what: "holds points that this version cannot read")
            }
            try body(points)
        }
    }
}

/// The encoding of recorded points in a log: version; person, device and source, each after its length; from version 2
/// on the changes of heading, after their count; then the encoded chunk.
extension RecordedPoints {
    /// The version of entries without changes of heading, which older releases can read.
    private static let versionOfPoints: UInt8 = 1
    private static let versionWithHeadings: UInt8 = 2
    /// Longer names are cut: their length is stored in two bytes.
    static let nameLimit = 1000

    func encoded() -> [UInt8] {
        var bytes = [headings.isEmpty ? Self.versionOfPoints : Self.versionWithHeadings]
        for name in [person ?? "", device, source] {
            let text = Self.cut(name)
            bytes.append(UInt8(truncatingIfNeeded: text.count))
            bytes.append(UInt8(truncatingIfNeeded: text.count >> 8))
            bytes += text
        }
        if !headings.isEmpty {
            bytes += LogNumber.bytes(UInt64(headings.count), count: 4)
            for heading in headings {
                bytes += LogNumber.bytes(UInt64(bitPattern: heading.time), count: 8)
                bytes += LogNumber.bytes(UInt64(bitPattern: heading.degrees.mantissa), count: 8)
                bytes.append(heading.degrees.places)
                bytes.append(UInt8(truncatingIfNeeded: heading.id.utf8.count))
                bytes += Array(heading.id.utf8)
            }
        }
        return bytes + points.encoded()
    }

    /// The bytes of a name, cut before the character that does not fit: half of one would be read as another name.
    private static func cut(_ name: String) -> [UInt8] {
        let bytes = name.utf8.prefix(nameLimit + 1)
        guard bytes.count > nameLimit else { return Array(bytes) }
        return Array(bytes[..<(bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.startIndex)])
    }

    /// nil if the bytes are not a valid entry.
    init?(decoding bytes: [UInt8]) {
        guard let version = bytes.first, [Self.versionOfPoints, Self.versionWithHeadings].contains(version) else {
            return nil
        }
        var position = 1
        var names: [String] = []
        for _ in 0..<3 {
            guard position + 2 <= bytes.count else { return nil }
            let count = Int(bytes[position]) | Int(bytes[position + 1]) << 8
            position += 2
            guard position + count <= bytes.count else { return nil }
            names.append(String(decoding: bytes[position..<position + count], as: UTF8.self))
            position += count
        }
        headings = []
        if version == Self.versionWithHeadings {
            guard let read = Self.headings(bytes, &position) else { return nil }
            headings = read
        }
        guard let chunk = try? PointColumns(decoding: Array(bytes[position...])) else { return nil }
        person = names[0].isEmpty ? nil : names[0]
        device = names[1]
        source = names[2]
        // The log may come from a version that accepted any number as a time.
        points = chunk.withPlausibleTimes()
    }

    private static func headings(_ bytes: [UInt8], _ position: inout Int) -> [HeadingChange]? {
        guard let count = LogNumber.read(bytes, &position, count: 4) else { return nil }
        var headings: [HeadingChange] = []
        for _ in 0..<count {
            guard let time = LogNumber.read(bytes, &position, count: 8),
                let mantissa = LogNumber.read(bytes, &position, count: 8),
                let places = LogNumber.read(bytes, &position, count: 1), places <= 18,
                let length = LogNumber.read(bytes, &position, count: 1), position + Int(length) <= bytes.count
            else { return nil }
            let id = String(decoding: bytes[position..<position + Int(length)], as: UTF8.self)
            position += Int(length)
            let degrees = FixedDecimal(mantissa: Int64(bitPattern: mantissa), places: UInt8(places))
            guard let heading = HeadingChange(time: Int64(bitPattern: time), degrees: degrees, id: id) else {
                return nil
            }
            headings.append(heading)
        }
        return headings
    }
}

/// Numbers of fixed length, little-endian.
private enum LogNumber {
    static func bytes(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// nil if fewer bytes are left.
    static func read(_ bytes: [UInt8], _ position: inout Int, count: Int) -> UInt64? {
        guard position + count <= bytes.count else { return nil }
        defer { position += count }
        return number(bytes[position..<position + count])
    }
}

/// Frames the entries of a log so that a partly written entry is detected: a magic number, the length, a digest, the
/// bytes.
enum LogFrame {
    /// "tsre" in ASCII: the beginning of an entry.
    private static let magic: [UInt8] = [0x74, 0x73, 0x72, 0x65]
    private static let headerBytes = 16

    static func framed(_ entry: [UInt8]) -> [UInt8] {
        var bytes = magic
        bytes.reserveCapacity(headerBytes + entry.count)
        bytes += LogNumber.bytes(UInt64(entry.count), count: 4)
        bytes += LogNumber.bytes(ContentDigest(of: entry).first64, count: 8)
        return bytes + entry
    }

    /// The complete entries of a log. Other bytes belong to entries that were not written completely, and so were never
    /// acknowledged; entries after them are found.
    static func entries(of log: [UInt8]) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var position = 0
        while position + headerBytes <= log.count {
            guard let entry = entry(of: log, at: position) else {
                position += 1
                continue
            }
            entries.append(entry)
            position += headerBytes + entry.count
        }
        return entries
    }

    /// The complete entries at the beginning of a log that is being written, and the number of their bytes.
    static func complete(_ log: ArraySlice<UInt8>) -> (entries: [[UInt8]], byteCount: Int) {
        let bytes = Array(log)
        var entries: [[UInt8]] = []
        var position = 0
        while position + headerBytes <= bytes.count, let entry = entry(of: bytes, at: position) {
            entries.append(entry)
            position += headerBytes + entry.count
        }
        return (entries, position)
    }

    private static func entry(of log: [UInt8], at position: Int) -> [UInt8]? {
        guard log[position..<position + magic.count].elementsEqual(magic) else { return nil }
        let start = position + headerBytes
        let length = Int(LogNumber.number(log[position + 4..<position + 8]))
        guard start + length <= log.count else { return nil }
        let entry = Array(log[start..<start + length])
        return ContentDigest(of: entry).first64 == LogNumber.number(log[position + 8..<start]) ? entry : nil
    }
}
