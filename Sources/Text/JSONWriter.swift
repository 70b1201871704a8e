/// How strings are written, besides the escapes that JSON requires.
///
/// Clients compare and store what was written (ETags, exports), so each kind of text keeps its escapes.
public struct JSONEscapes: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Line feeds as `\n`, not `\u000a`.
    public static let lineFeed = JSONEscapes(rawValue: 1)
    /// Tabs and carriage returns as `\t` and `\r`.
    public static let tabAndReturn = JSONEscapes(rawValue: 2)
    /// U+007F as `\u007f`.
    public static let delete = JSONEscapes(rawValue: 4)
    /// U+2028 and U+2029, which end lines in older JavaScript, as `\u2028` and `\u2029`.
    public static let lineSeparators = JSONEscapes(rawValue: 8)
}

/// Writes JSON deterministically: the same values give the same bytes, with keys in the order in which they are added.
public struct JSONWriter: Sendable {
    /// The JSON text so far.
    public private(set) var bytes: [UInt8] = []
    private let escapes: JSONEscapes

    /// An empty text with room for `capacity` bytes.
    public init(capacity: Int = 0, escapes: JSONEscapes = []) {
        self.escapes = escapes
        if capacity > 0 { bytes.reserveCapacity(capacity) }
    }

    /// Lets `body` append to `text`.
    public static func writing(
        to text: inout [UInt8], escapes: JSONEscapes = [], _ body: (inout JSONWriter) -> Void
    ) {
        var json = JSONWriter(escapes: escapes)
        swap(&json.bytes, &text)
        body(&json)
        swap(&json.bytes, &text)
    }

    /// The JSON text so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Adds text that is already JSON.
    public mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Adds bytes that are already JSON.
    public mutating func raw(_ more: [UInt8]) {
        bytes.append(contentsOf: more)
    }

    // MARK: Values

    /// Adds an integer.
    public mutating func add(_ number: some FixedWidthInteger) {
        add(Int64(number), places: 0)
    }

    /// Adds `mantissa` × 10^−`places` with as few digits as possible: `8.5`, `-0.0000001`, `12`.
    public mutating func add(_ mantissa: Int64, places: UInt8) {
        FixedDecimal(mantissa: mantissa, places: places).write(to: &bytes, isShort: true)
    }

    /// Adds a number with as many decimals as it has.
    public mutating func add(_ number: FixedDecimal) {
        number.write(to: &bytes)
    }

    /// Adds a number with as few digits as identify it, a whole one without decimals; `null` if it is nil or not
    /// finite.
    public mutating func add(_ number: Double?) {
        guard let number, number.isFinite else { return raw("null") }
        if let whole = Int64(exactly: number) { add(whole) } else { raw("\(number)") }
    }

    /// Adds `true` or `false`.
    public mutating func add(_ isTrue: Bool) {
        raw(isTrue ? "true" : "false")
    }

    /// Adds a string in quotes, or `null`.
    public mutating func add(_ text: String?) {
        guard let text else { return raw("null") }
        Self.append(text, escapes: escapes, to: &bytes)
    }

    /// Adds a value; what is beyond `limit` bytes of the whole text may be left out.
    public mutating func add(_ value: JSONValue, limit: Int = .max) {
        guard bytes.count < limit else { return }
        switch value {
        // A cut within a character is beyond the limit.
        case .text(let text) where text.utf8.count - 4 > limit:
            add(String(decoding: text.utf8.prefix(limit + 4), as: UTF8.self))
        case .text(let text): add(text)
        case .number(let number): add(number)
        case .none(let word): raw(word.isEmpty ? "null" : word)
        case .bool(let isTrue): add(isTrue)
        case .list(let elements):
            array(elements) { $0.add($1, limit: limit) }
        case .object(let members):
            object { json in
                for member in members {
                    guard json.bytes.count < limit else { return }
                    json.key(member.name)
                    json.add(member.value, limit: limit)
                }
            }
        }
    }

    // MARK: Objects and arrays

    /// Adds `[…]` with the elements that `add` adds for each of `elements`.
    public mutating func array<Elements: Sequence>(
        _ elements: Elements, _ add: (inout JSONWriter, Elements.Element) -> Void
    ) {
        raw("[")
        var isFirst = true
        for element in elements {
            if !isFirst { raw(",") }
            isFirst = false
            add(&self, element)
        }
        raw("]")
    }

    /// Adds `{…}` with the members that `body` adds.
    public mutating func object(_ body: (inout JSONWriter) -> Void) {
        raw("{")
        body(&self)
        raw("}")
    }

    /// Adds the name of a member, with the comma before it unless the object has just begun.
    public mutating func key(_ name: String) {
        if let last = bytes.last, last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
        add(name)
        bytes.append(UInt8(ascii: ":"))
    }

    // MARK: Strings

    /// Appends a string in quotes (RFC 8259, section 7), escaped as JSON requires and as `escapes` says.
    public static func append(_ text: String, escapes: JSONEscapes = [], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // The bytes of U+2028 and U+2029 that are written already: E2 80.
        var separatorBytes = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20: appendEscape(byte, escapes, to: &bytes)
            case 0x7F where escapes.contains(.delete): appendEscape(byte, escapes, to: &bytes)
            case 0xA8 where separatorBytes == 2, 0xA9 where separatorBytes == 2:
                bytes.removeLast(2)
                bytes.append(contentsOf: byte == 0xA8 ? "\\u2028".utf8 : "\\u2029".utf8)
            default: bytes.append(byte)
            }
            guard escapes.contains(.lineSeparators) else { continue }
            let isNext = byte == 0xE2 || byte == 0x80 && separatorBytes == 1
            separatorBytes = byte == 0xE2 ? 1 : isNext ? 2 : 0
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the escape of a control character.
    private static func appendEscape(_ byte: UInt8, _ escapes: JSONEscapes, to bytes: inout [UInt8]) {
        switch byte {
        case 0x0A where escapes.contains(.lineFeed): bytes.append(contentsOf: "\\n".utf8)
        case 0x09 where escapes.contains(.tabAndReturn): bytes.append(contentsOf: "\\t".utf8)
        case 0x0D where escapes.contains(.tabAndReturn): bytes.append(contentsOf: "\\r".utf8)
        default:
            bytes.append(contentsOf: "\\u00".utf8)
            HexDigits.append(byte, to: &bytes)
        }
    }
}
