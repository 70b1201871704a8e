import Digest
import Text

/// A position in a replay's sequence: the id of the last event that the reader received, with everything needed to
/// resume after it.
public struct ReplayCursor: Sendable, Hashable {
    /// The kind of the event. The raw values are in cursors that readers keep: new kinds are added at the end.
    enum Kind: UInt8, Sendable {
        case start, track, gap, frame, waypoint, trackEnd, commonGap, end, tiles, passed, passedLast
    }

    /// The first bytes of the query's digest.
    let query: UInt64
    let kind: Kind
    /// The track's number; 0 if the event belongs to no track.
    var track: Int64 = 0
    /// The first bytes of the digest of the track's version.
    var version: UInt64 = 0
    /// The instant of the event. For `start`: the instant at which playback begins; nil for the beginning.
    var instant: Int64?
    /// The position of the event among the track's playable points, from 1.
    var ordinal = 0

    /// The maximum number of characters of a cursor. A browser sends a preflight request before it sends a
    /// `Last-Event-ID` of more than 128 bytes, or with unusual characters, to another origin.
    public static let maxLength = 64
    /// The number of bits kept of a digest: enough to detect other data, but not forgeries.
    private static let digestBits: UInt64 = 48
    private static let digestBytes = Int(digestBits / 8)
    /// The version of the encoding, stored in the first bits.
    private static let encodingVersion: UInt8 = 1

    init(query: UInt64, kind: Kind) {
        self.query = query
        self.kind = kind
    }

    /// The part of a digest that cursors contain.
    static func part(_ digest: ContentDigest) -> UInt64 {
        digest.first64 & (1 << digestBits - 1)
    }

    /// Parses a cursor; nil for any text that `text` does not produce.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength, let bytes = Base64.decoded(text), bytes.count > Self.digestBytes,
            bytes[0] >> 4 == Self.encodingVersion, let kind = Kind(rawValue: bytes[0] & 15)
        else { return nil }
        var reader = CursorReader(bytes: bytes, position: 1)
        guard let query = reader.fixed(Self.digestBytes) else { return nil }
        self.init(query: query, kind: kind)
        switch kind {
        case .end: break
        case .start:
            if !reader.isAtEnd {
                guard let instant = reader.signed() else { return nil }
                self.instant = instant
            }
        default:
            guard let track = reader.varint(), let version = reader.fixed(Self.digestBytes),
                let instant = reader.signed(), let ordinal = reader.varint(), ordinal <= UInt64(Int.max)
            else { return nil }
            self.track = Int64(bitPattern: track)
            self.version = version
            self.instant = instant
            self.ordinal = Int(ordinal)
        }
        guard (instant ?? 0).magnitude <= UInt64(PlayableTimes.limit) + 1 else { return nil }
        // Each cursor has one text: alternative encodings are rejected.
        guard reader.isAtEnd, self.text == text else { return nil }
    }

    /// `[A-Za-z0-9_-]`, at most `maxLength` characters.
    public var text: String {
        var text: [UInt8] = []
        write(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Appends the text of the cursor.
    func write(to text: inout [UInt8]) {
        var writer = begin(&text)
        switch kind {
        case .end: break
        case .start: if let instant { writer.put(signed: instant, &text) }
        default: return end(writer, &text)
        }
        writer.finish(&text)
    }

    /// Appends the part that is equal for all cursors of a kind in one track; `end` appends the rest.
    func begin(_ text: inout [UInt8]) -> CursorWriter {
        var writer = CursorWriter()
        writer.put(Self.encodingVersion << 4 | kind.rawValue, &text)
        writer.put(fixed: query, bytes: Self.digestBytes, &text)
        guard kind != .start, kind != .end else { return writer }
        writer.put(varint: UInt64(bitPattern: track), &text)
        writer.put(fixed: version, bytes: Self.digestBytes, &text)
        return writer
    }

    /// Appends the position of the event in its track.
    func end(_ beginning: CursorWriter, _ text: inout [UInt8]) {
        var writer = beginning
        writer.put(signed: instant ?? 0, &text)
        writer.put(varint: UInt64(ordinal), &text)
        writer.finish(&text)
    }
}

/// Encodes a cursor's bytes as text one at a time, because every frame has a cursor.
struct CursorWriter {
    private var word: UInt32 = 0
    private var bits: UInt32 = 0

    mutating func put(_ byte: UInt8, _ text: inout [UInt8]) {
        word = word << 8 | UInt32(byte)
        bits += 8
        while bits >= 6 {
            bits -= 6
            text.append(Base64.letter(UInt8(truncatingIfNeeded: word >> bits) & 63))
        }
    }

    mutating func finish(_ text: inout [UInt8]) {
        guard bits > 0 else { return }
        text.append(Base64.letter(UInt8(truncatingIfNeeded: word << (6 - bits)) & 63))
    }

    mutating func put(fixed number: UInt64, bytes: Int, _ text: inout [UInt8]) {
        for index in 0..<bytes { put(UInt8(truncatingIfNeeded: number >> UInt64(8 * index)), &text) }
    }

    mutating func put(varint number: UInt64, _ text: inout [UInt8]) {
        Varint.forEachByte(of: number) { put($0, &text) }
    }

    mutating func put(signed number: Int64, _ text: inout [UInt8]) {
        put(varint: Varint.zigzag(number), &text)
    }
}

/// Decodes a cursor's bytes.
private struct CursorReader {
    let bytes: [UInt8]
    var position: Int

    var isAtEnd: Bool { position == bytes.count }

    mutating func fixed(_ count: Int) -> UInt64? {
        guard bytes.count - position >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func varint() -> UInt64? {
        var next = position
        defer { position = next }
        return try? Varint.read(bytes.span, &next, end: bytes.count)
    }

    mutating func signed() -> Int64? {
        varint().map { Varint.unzigzag($0) }
    }
}

/// Base64 of RFC 4648, section 5: safe in URLs and headers, without padding.
private enum Base64 {
    /// The character for six bits.
    static func letter(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(of letter: UInt8) -> Int? {
        switch letter {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(letter - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(letter - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(letter - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }

    static func decoded(_ text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        var word = 0
        var bits = 0
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            word = (word << 6 | value) & 0xffff
            bits += 6
            guard bits >= 8 else { continue }
            bits -= 8
            bytes.append(UInt8(truncatingIfNeeded: word >> bits))
        }
        return bytes
    }
}
