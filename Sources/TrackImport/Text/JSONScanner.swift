package import Tracks

/// A JSON value in memory.
package enum JSONValue: Sendable {
    case text(String)
    case number(FixedDecimal)
    /// `null`, or a number that cannot be represented: `NaN`, `1e999`.
    case none(String)
    case bool(Bool)
    case list([JSONValue])
    case object([(name: String, value: JSONValue)])
}

/// Reads JSON (RFC 8259) as a stream; accepts `NaN` and `Infinity`, which much software writes, as missing numbers.
package struct JSONScanner {
    /// Maximum nesting depth, more than any GeoJSON needs.
    static let depthLimit = 64
    /// Maximum memory for one object in bytes, not counting the columns of its points.
    static let memoryLimit = 128 * 1024 * 1024
    /// Approximate size of a value in an array, in bytes.
    private static let valueBytes = 64

    /// The current line, counted from 1.
    package private(set) var line = 1

    private let reading: FileReading?
    private var source: any ByteSource
    private var block: [UInt8] = []
    private var at = 0
    private var depth = 0
    private var scratch: [UInt8] = []
    private var memoryUsed = 0
    private let names = NameInterner()

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Creates a scanner of bytes in memory.
    package init(_ bytes: [UInt8]) {
        source = MemorySource(bytes)
        reading = nil
    }

    func failure(_ reason: String) -> ImportFailure { .json(reason, line: line) }

    /// Resets the count of memory in use.
    mutating func releaseValues() {
        memoryUsed = 0
    }

    /// Counts memory in use; throws above the limit.
    mutating func countMemory(bytes: Int) throws {
        memoryUsed += bytes
        guard memoryUsed <= Self.memoryLimit else {
            throw ImportFailure.longFeature(limit: Self.memoryLimit, line: line)
        }
    }

    // MARK: Bytes

    @inline(__always)
    private mutating func byte() throws -> UInt8? {
        if at < block.count { return block[at] }
        return try refill()
    }

    private mutating func refill() throws -> UInt8? {
        block = try reading?.next(from: &source) ?? source.read()
        at = 0
        return block.first
    }

    /// The next byte that is not whitespace; nil at the end.
    mutating func peek() throws -> UInt8? {
        repeat {
            let (next, lines) = Self.afterBlanks(block.span, at)
            at = next
            line += lines
            if next < block.count { return block[next] }
        } while try refill() != nil
        return nil
    }

    /// The index after the whitespace at `start`, and the number of line ends in it.
    @inline(__always)
    private static func afterBlanks(_ bytes: Span<UInt8>, _ start: Int) -> (Int, lines: Int) {
        var at = start
        var lines = 0
        while at < bytes.count {
            switch bytes[at] {
            case 0x0A: lines += 1
            case 0x20, 0x09, 0x0D: break
            default: return (at, lines)
            }
            at += 1
        }
        return (at, lines)
    }

    /// The first byte of the next text of a sequence (RFC 8142, or one per line); nil at the end.
    package mutating func peekText() throws -> UInt8? {
        while let next = try peek() {
            // U+001E begins a text; a byte order mark and padding with NUL are ignored.
            guard next == 0x1E || next == 0x00 || next == 0xEF || next == 0xBB || next == 0xBF else { return next }
            at += 1
        }
        return nil
    }

    private mutating func skip(_ wanted: UInt8) throws -> Bool {
        guard try peek() == wanted else { return false }
        at += 1
        return true
    }

    private mutating func expect(_ wanted: UInt8, _ reason: String) throws {
        guard try skip(wanted) else { throw try syntaxError(reason) }
    }

    private mutating func syntaxError(_ reason: String) throws -> ImportFailure {
        try peek() == nil ? failure("the file is truncated") : failure(reason)
    }

    // MARK: Structures

    /// Calls `body` with the name of each member of the object here, at its value; `body` must read the value.
    mutating func eachMember(_ body: (inout JSONScanner, String) throws -> Void) throws {
        try eachInternedMember { try body(&$0, $1.text) }
    }

    /// Like `eachMember`, with numbered names.
    mutating func eachInternedMember(_ body: (inout JSONScanner, InternedName) throws -> Void) throws {
        try expect(UInt8(ascii: "{"), "an object is expected")
        try enterLevel()
        if try !skip(UInt8(ascii: "}")) {
            repeat {
                let name = try name()
                try expect(UInt8(ascii: ":"), "a colon is missing")
                try body(&self, name)
            } while try skip(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"), "a comma or a closing brace is missing")
        }
        depth -= 1
    }

    /// Calls `body` at each element of the array here; `body` must read the element.
    mutating func eachElement(_ body: (inout JSONScanner) throws -> Void) throws {
        try expect(UInt8(ascii: "["), "an array is expected")
        try enterLevel()
        if try !skip(UInt8(ascii: "]")) {
            repeat { try body(&self) } while try skip(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"), "a comma or a closing bracket is missing")
        }
        depth -= 1
    }

    private mutating func enterLevel() throws {
        depth += 1
        guard depth <= Self.depthLimit else { throw ImportFailure.tooDeep(limit: Self.depthLimit, line: line) }
    }

    // MARK: Values

    /// Reads a string.
    mutating func string() throws -> String {
        if let range = try plainString() { return Text.string(block.span, range) }
        try scanString()
        return Text.string(scratch)
    }

    /// Reads a string that is often repeated, and creates it only once.
    mutating func name() throws -> InternedName {
        if let range = try plainString() { return names.name(block.span, range) }
        try scanString()
        return names.name(scratch.span, scratch.indices)
    }

    /// Reads a string and calls `body` with its bytes.
    mutating func withString<Result>(_ body: (Span<UInt8>, Range<Int>) throws -> Result) throws -> Result {
        if let range = try plainString() { return try body(block.span, range) }
        try scanString()
        return try body(scratch.span, scratch.indices)
    }

    /// Reads a string and returns its range in the block; nil, without reading, if it has escapes or continues in the
    /// next block.
    private mutating func plainString() throws -> Range<Int>? {
        guard try peek() == UInt8(ascii: "\"") else { throw try syntaxError("a string is expected") }
        guard let end = Self.stringEnd(block.span, at + 1) else { return nil }
        defer { at = end + 1 }
        return (at + 1)..<end
    }

    @inline(__always)
    private static func stringEnd(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
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
    private mutating func scanString() throws {
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
        guard scratch.count <= limit else { throw ImportFailure.longText(limit: limit, line: line) }
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
            guard let next = try byte(), let digit = Character(Unicode.Scalar(next)).hexDigitValue else {
                throw failure("an invalid escape in a string")
            }
            unit = unit << 4 | UInt16(digit)
            at += 1
        }
        return unit
    }

    /// Reads the bytes of a number or word.
    private mutating func word() throws -> [UInt8] {
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
    private mutating func plainNumber() -> FixedDecimal? {
        guard let (number, end) = Self.plainNumber(block.span, at) else { return nil }
        at = end
        return number
    }

    @inline(__always)
    private static func plainNumber(_ bytes: Span<UInt8>, _ start: Int) -> (FixedDecimal, end: Int)? {
        guard start < bytes.count else { return nil }
        guard bytes[start] == UInt8(ascii: "-") || bytes[start] &- UInt8(ascii: "0") < 10 else { return nil }
        var end = start + 1
        while end < bytes.count, end - start < 32,
            bytes[end] &- UInt8(ascii: "0") < 10 || bytes[end] == UInt8(ascii: ".")
        {
            end += 1
        }
        guard end < bytes.count else { return nil }
        switch bytes[end] {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), 0x20, 0x0A, 0x0D, 0x09: break
        default: return nil
        }
        return FixedDecimal(bytes, start..<end).map { ($0, end) }
    }

    /// Reads a number; nil, with its text, for `null`, `NaN`, a number that is too large, or a string.
    mutating func number() throws -> (FixedDecimal?, spelling: () -> String) {
        if try peek() == UInt8(ascii: "\"") {
            let text = try string()
            return (nil, { text })
        }
        if let number = plainNumber() { return (number, { number.description }) }
        let bytes = try word()
        guard let first = bytes.first else { throw try syntaxError("a number is expected") }
        if let number = FixedDecimal(bytes.span, bytes.indices) { return (number, { Text.string(bytes) }) }
        guard first == UInt8(ascii: "-") || first < 0x40 || Self.notNumbers.contains(Text.string(bytes)) else {
            throw failure("a number is expected")
        }
        return (nil, { Text.string(bytes) })
    }

    private static let notNumbers: Set<String> = ["null", "NaN", "nan", "Infinity", "inf"]

    /// Reads any value into memory.
    package mutating func value() throws -> JSONValue {
        try countMemory(bytes: Self.valueBytes)
        switch try peek() {
        case UInt8(ascii: "\"")?:
            let text = try string()
            try countMemory(bytes: text.utf8.count)
            return .text(text)
        case UInt8(ascii: "{")?:
            var members: [(name: String, value: JSONValue)] = []
            try eachMember { scanner, name in
                try scanner.countMemory(bytes: name.utf8.count)
                members.append((name, try scanner.value()))
            }
            return .object(members)
        case UInt8(ascii: "[")?:
            var elements: [JSONValue] = []
            try eachElement { elements.append(try $0.value()) }
            return .list(elements)
        default: return try wordValue()
        }
    }

    /// Reads a string, number or word as the value of a column; `null` and invalid numbers are absent.
    mutating func plainValue() throws -> ColumnValue {
        if try isAtString() { return .text(try string()) }
        switch try wordValue() {
        case .number(let number): return .number(number)
        case .bool(let value): return .bool(value)
        default: return .absent
        }
    }

    private mutating func wordValue() throws -> JSONValue {
        if let number = plainNumber() { return .number(number) }
        let bytes = try word()
        if bytes.elementsEqual("true".utf8) { return .bool(true) }
        if bytes.elementsEqual("false".utf8) { return .bool(false) }
        let text = Text.string(bytes)
        if bytes.elementsEqual("null".utf8) || Self.notNumbers.contains(text.drop { $0 == "-" }.description) {
            return .none(text)
        }
        guard let first = bytes.first, first == UInt8(ascii: "-") || first < 0x40 else {
            throw try syntaxError("a value is expected")
        }
        return FixedDecimal(bytes.span, bytes.indices).map { .number($0) } ?? .none(text)
    }

    /// Skips a value.
    mutating func skipValue() throws {
        switch try peek() {
        case UInt8(ascii: "\"")?: _ = try string()
        case UInt8(ascii: "{")?: try eachMember { scanner, _ in try scanner.skipValue() }
        case UInt8(ascii: "[")?: try eachElement { try $0.skipValue() }
        default: _ = try wordValue()
        }
    }

    /// Whether an array begins here.
    mutating func isAtArray() throws -> Bool { try peek() == UInt8(ascii: "[") }
    /// Whether an object begins here.
    mutating func isAtObject() throws -> Bool { try peek() == UInt8(ascii: "{") }
    /// Whether a string begins here.
    mutating func isAtString() throws -> Bool { try peek() == UInt8(ascii: "\"") }
}
