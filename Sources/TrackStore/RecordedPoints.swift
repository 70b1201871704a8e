internal import Digest
public import Tracks

/// What one request recorded of one device.
public struct RecordedPoints: Sendable, Equatable {
    /// Whose points they are; nil for the library's owner.
    public var person: String?
    /// The device whose stream they join.
    public var device: String
    /// By what they came (`owntracks`): the source of the stream's tracks.
    public var source: String
    /// The points, each with its time, in any order; at most `PointChunk.capacity`.
    public var points: PointChunk

    /// Points of a device.
    public init(person: String?, device: String, source: String, points: PointChunk) {
        self.person = person
        self.device = device
        self.source = source
        self.points = points
    }
}

/// How recorded points stand in a log: a version, person, device and source, each with its length before it, then the
/// encoded chunk.
extension RecordedPoints {
    private static let formatVersion: UInt8 = 1
    /// Names longer than this are cut: their length is told in two bytes.
    static let nameLimit = 1000

    func encoded() -> [UInt8] {
        var bytes = [Self.formatVersion]
        for name in [person ?? "", device, source] {
            let text = Array(name.utf8.prefix(Self.nameLimit))
            bytes.append(UInt8(truncatingIfNeeded: text.count))
            bytes.append(UInt8(truncatingIfNeeded: text.count >> 8))
            bytes += text
        }
        return bytes + points.encoded()
    }

    /// nil for bytes that are none.
    init?(decoding bytes: [UInt8]) {
        guard bytes.first == Self.formatVersion else { return nil }
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
        guard let chunk = try? PointChunk(decoding: Array(bytes[position...])) else { return nil }
        person = names[0].isEmpty ? nil : names[0]
        device = names[1]
        source = names[2]
        points = chunk
    }
}

/// Frames entries of a log, so that a torn end is told from what was written whole: a mark, the length, a digest, the bytes.
enum LogFrame {
    /// "tsre" in ASCII: where an entry may begin.
    private static let mark: [UInt8] = [0x74, 0x73, 0x72, 0x65]
    private static let headBytes = 16

    static func framed(_ entry: [UInt8]) -> [UInt8] {
        var bytes = mark
        bytes.reserveCapacity(headBytes + entry.count)
        append(UInt64(entry.count), bytes: 4, to: &bytes)
        append(ContentDigest(of: entry).first64, bytes: 8, to: &bytes)
        return bytes + entry
    }

    /// The whole entries of a log. What is between them and behind them was never written to its end, and so never
    /// promised; an entry behind such a place is found again.
    static func entries(of log: [UInt8]) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var position = 0
        while position + headBytes <= log.count {
            guard let entry = entry(of: log, at: position) else {
                position += 1
                continue
            }
            entries.append(entry)
            position += headBytes + entry.count
        }
        return entries
    }

    private static func entry(of log: [UInt8], at position: Int) -> [UInt8]? {
        guard log[position..<position + mark.count].elementsEqual(mark) else { return nil }
        let start = position + headBytes
        let length = Int(number(log[position + 4..<position + 8]))
        guard start + length <= log.count else { return nil }
        let entry = Array(log[start..<start + length])
        return ContentDigest(of: entry).first64 == number(log[position + 8..<start]) ? entry : nil
    }

    private static func append(_ number: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
