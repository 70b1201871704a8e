// Strings, names and numbers.
extension JSONReader {
    /// Reads a string.
    @inlinable
    public mutating func string() throws -> String {
        if let range = try plainString() { return ByteText.string(block.span, range) }
        try scanString()
        return ByteText.string(scratch)
    }

    /// Reads a string that is often repeated, and creates it only once.
    @inlinable
    public mutating func name() throws -> InternedName {
        if isLenient, let next = try peek(), next != UInt8(ascii: "\""), next &- UInt8(ascii: "0") < 10 {
            return try bareNumberName()
        }
        if let range = try plainString() { return names.name(block.span, range) }
        try scanString()
        return names.name(scratch.span, scratch.indices)
    }

    /// Reads a number as a name: Huawei writes `{1.0:380.0}`.
    @usableFromInline
    mutating func bareNumberName() throws -> InternedName {
        let word = try word()
        return names.name(word.span, word.indices)
    }

    /// Reads a string and calls `body` with its bytes.
    @inlinable
    public mutating func withString<Result>(_ body: (Span<UInt8>, Range<Int>) throws -> Result) throws -> Result {
        if let range = try plainString() { return try body(block.span, range) }
        try scanString()
        return try body(scratch.span, scratch.indices)
    }

    /// Reads a string and returns its range in the block; nil, without reading, if it has escapes or continues in the
    /// next block.
    @inlinable
    mutating func plainString() throws -> Range<Int>? {
        guard try peek() == UInt8(ascii: "\"") else { throw try syntaxError("a string is expected") }
        guard let end = Self.stringEnd(block.span, at + 1) else { return nil }
        defer { at = end + 1 }
        return (at + 1)..<end
    }

    @inlinable
    @inline(__always)
    static func stringEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
        var at = start
        while at < bytes.count {
            let byte = bytes[at]
            if byte == UInt8(ascii: "\"") { return at }
            if byte == UInt8(ascii: "\\") || byte == 0x0A { return nil }
            at += 1
        }
        return nil
    }

    /// Reads a string into `scratch`, with its escapes resolved.
    @usableFromInline
    mutating func scanString() throws {
        try expect(UInt8(ascii: "\""), "a string is expected")
        scratch.removeAll(keepingCapacity: true)
        while let next = try byte() {
            at += 1
            switch next {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case 0x0A: throw failure("a string is not closed")
            default: scratch.append(next)
            }
            if scratch.count > TextLimit.bytes { try checkLength() }
        }
        throw failure("the file is truncated inside a string")
    }

    private func checkLength() throws {
        let limit = TextLimit.bytes(of: scratch)
        guard scratch.count <= limit else { throw JSONError.longText(limit: limit, line: line) }
    }

    private mutating func escape() throws {
        guard let next = try byte() else { throw failure("the file is truncated inside a string") }
        at += 1
        switch next {
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "u"): try unicodeEscape()
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(next)
        default: throw failure("an unknown escape in a string")
        }
    }

    private mutating func unicodeEscape() throws {
        var units = [try codeUnit()]
        // RFC 8259, section 7: characters beyond U+FFFF are escaped as two surrogates. A lone one becomes U+FFFD below.
        if UTF16.isLeadSurrogate(units[0]), try byte() == UInt8(ascii: "\\") {
            at += 1
            guard try byte() == UInt8(ascii: "u") else { throw failure("an incomplete surrogate pair in a string") }
            at += 1
            units.append(try codeUnit())
        }
        scratch.append(contentsOf: String(decoding: units, as: UTF16.self).utf8)
    }

    private mutating func codeUnit() throws -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let next = try byte(), let digit = HexDigits.value(of: next) else {
                throw failure("an invalid escape in a string")
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    /// Reads the bytes of a number or word.
    @usableFromInline
    mutating func word() throws -> [UInt8] {
        scratch.removeAll(keepingCapacity: true)
        while let next = try byte() {
            switch next {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                scratch.append(next)
                at += 1
                if scratch.count > 1024 { throw failure("a number is too long") }
            default: return scratch
            }
        }
        return scratch
    }

    /// Reads a number that ends within the block; nil, without reading, for anything else.
    @inlinable
    mutating func plainNumber() -> FixedDecimal? {
        guard let (number, end) = Self.plainNumber(block.span, at) else { return nil }
        at = end
        return number
    }

    @inlinable
    @inline(__always)
    static func plainNumber(_ bytes: Span<UInt8>, _ start: Int) -> (FixedDecimal, end: Int)? {
        guard start < bytes.count else { return nil }
        guard bytes[start] == UInt8(ascii: "-") || bytes[start] &- UInt8(ascii: "0") < 10 else { return nil }
        var end = start + 1
        while end < bytes.count, end - start < 32,
            bytes[end] &- UInt8(ascii: "0") < 10 || bytes[end] == UInt8(ascii: ".")
        {
            end += 1
        }
        // At the end of the block, more digits may follow in the next one.
        guard end < bytes.count else { return nil }
        switch bytes[end] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: break
        default: return nil
        }
        return FixedDecimal(bytes, start..<end).map { ($0, end) }
    }

    /// Reads a number, or what is written in place of one.
    @inlinable
    public mutating func number() throws -> JSONNumber {
        if try peek() != UInt8(ascii: "\""), let number = plainNumber() { return JSONNumber(number) }
        return try uncommonNumber()
    }

    @usableFromInline
    mutating func uncommonNumber() throws -> JSONNumber {
        if try isAtString() {
            // Some services write all numbers as texts.
            let text = try string()
            let bytes = Array(text.utf8)
            return JSONNumber(
                FixedDecimal(bytes.span, ByteText.trimmed(bytes.span, bytes.indices)), text: text)
        }
        let bytes = try word()
        guard let first = bytes.first else { throw try syntaxError("a number is expected") }
        let text = ByteText.string(bytes)
        if let number = FixedDecimal(bytes.span, bytes.indices) { return JSONNumber(number, text: text) }
        guard first == UInt8(ascii: "-") || first < 0x40 || Self.notNumbers.contains(text) else {
            throw failure("a number is expected")
        }
        return JSONNumber(nil, text: text)
    }

    static let notNumbers: Set<String> = ["null", "NaN", "nan", "Infinity", "inf"]

    /// Whether the bytes are a number of RFC 8259, section 6.
    static func isNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func digits() -> Bool {
            let count = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(count)
            return count > 0
        }
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let start = rest.startIndex
        guard digits(), !isZero || rest.startIndex == start + 1 else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() else { return false }
        }
        if let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard digits() else { return false }
        }
        return rest.isEmpty
    }
}
