/// Why a text cannot be read as JSON.
public enum JSONError: Error, Equatable {
    /// The text is not JSON; with the line, counted from 1.
    case syntax(String, line: Int)
    /// Values are nested deeper than the limit.
    case tooDeep(limit: Int, line: Int)
    /// A string has more bytes than the limit.
    case longText(limit: Int, line: Int)
    /// A value takes more bytes of memory than the limit.
    case longValue(limit: Int, line: Int)
}

/// A number as read; `decimal` is nil for `null`, `NaN`, a number that is too large, or a string.
public struct JSONNumber: Sendable {
    /// The value.
    public let decimal: FixedDecimal?
    /// The text as read; nil if it is the description of `decimal`.
    private let text: String?

    @inlinable
    init(_ decimal: FixedDecimal) {
        self.init(decimal, text: nil)
    }

    @usableFromInline
    init(_ decimal: FixedDecimal?, text: String?) {
        self.decimal = decimal
        self.text = text
    }

    /// The text as read.
    public var spelling: String { text ?? decimal?.description ?? "" }
}

/// Reads JSON (RFC 8259) as a stream; accepts `NaN` and `Infinity`, which much software writes, as missing numbers, and
/// numbers without quotes as names.
public struct JSONReader {
    /// Maximum nesting depth, more than any GeoJSON needs: each level takes a part of the stack.
    public static let depthLimit = 64
    /// Maximum memory for one object in bytes, not counting the columns of its points.
    public static let memoryLimit = 128 * 1024 * 1024
    /// Approximate size of a value in an array, in bytes.
    private static let valueBytes = 64

    /// The current line, counted from 1.
    public var line: Int { lines }

    @usableFromInline var lines = 1

    private let nextBlock: () throws -> [UInt8]
    @usableFromInline var block: [UInt8] = []
    @usableFromInline var at = 0
    @usableFromInline var depth = 0
    @usableFromInline var scratch: [UInt8] = []
    private var memoryUsed = 0
    @usableFromInline let names = NameInterner()
    /// Whether numbers may be `NaN`, `+1` or `.5`, which much software writes, and names may be numbers without quotes.
    @usableFromInline var isLenient = true

    /// Creates a reader of the bytes that `nextBlock` returns; it is called until it returns none.
    public init(_ nextBlock: @escaping () throws -> [UInt8]) {
        self.nextBlock = nextBlock
    }

    /// Creates a reader of bytes in memory.
    public init(_ bytes: [UInt8]) {
        nextBlock = { [] }
        block = bytes
    }

    /// Reads exactly one value: numbers only as RFC 8259 has them, and a comma after the last element is ignored.
    ///
    /// A number that `FixedDecimal` does not hold exactly is `none`, with its spelling.
    public static func value(_ bytes: [UInt8]) throws -> JSONValue {
        var reader = JSONReader(bytes)
        reader.isLenient = false
        let value = try reader.value()
        guard try reader.peek() == nil else { throw reader.failure("there is text after the value") }
        return value
    }

    /// The error of a text that is not valid here.
    public func failure(_ reason: String) -> JSONError { .syntax(reason, line: line) }

    /// Resets the count of memory in use.
    public mutating func releaseValues() {
        memoryUsed = 0
    }

    /// Counts memory in use; throws above the limit.
    public mutating func countMemory(bytes: Int) throws {
        memoryUsed += bytes
        guard memoryUsed <= Self.memoryLimit else {
            throw JSONError.longValue(limit: Self.memoryLimit, line: line)
        }
    }

    // MARK: Bytes

    @inlinable
    @inline(__always)
    mutating func byte() throws -> UInt8? {
        if at < block.count { return block[at] }
        return try refill()
    }

    @usableFromInline
    mutating func refill() throws -> UInt8? {
        block = try nextBlock()
        at = 0
        return block.first
    }

    /// The next byte that is not whitespace; nil at the end.
    @inlinable
    public mutating func peek() throws -> UInt8? {
        repeat {
            let (next, lines) = Self.afterBlanks(block.span, at)
            at = next
            self.lines += lines
            if next < block.count { return block[next] }
        } while try refill() != nil
        return nil
    }

    /// The index after the whitespace at `start`, and the number of line ends in it.
    @inlinable
    @inline(__always)
    static func afterBlanks(_ bytes: Span<UInt8>, _ start: Int) -> (Int, lines: Int) {
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
    public mutating func peekText() throws -> UInt8? {
        while let next = try peek() {
            // U+001E begins a text; a byte order mark and padding with NUL are ignored.
            guard next == 0x1E || next == 0x00 || next == 0xEF || next == 0xBB || next == 0xBF else { return next }
            at += 1
        }
        return nil
    }

    @inlinable
    mutating func skip(_ wanted: UInt8) throws -> Bool {
        guard try peek() == wanted else { return false }
        at += 1
        return true
    }

    @inlinable
    mutating func expect(_ wanted: UInt8, _ reason: String) throws {
        guard try skip(wanted) else { throw try syntaxError(reason) }
    }

    @usableFromInline
    mutating func syntaxError(_ reason: String) throws -> JSONError {
        try peek() == nil ? failure("the file is truncated") : failure(reason)
    }

    // MARK: Structures

    /// Calls `body` with the name of each member of the object here, at its value; `body` must read the value.
    @inlinable
    public mutating func eachMember(_ body: (inout JSONReader, String) throws -> Void) throws {
        try eachInternedMember { try body(&$0, $1.text) }
    }

    /// Like `eachMember`, with numbered names.
    @inlinable
    public mutating func eachInternedMember(_ body: (inout JSONReader, InternedName) throws -> Void) throws {
        try expect(UInt8(ascii: "{"), "an object is expected")
        try enterLevel()
        if try !skip(UInt8(ascii: "}")) {
            repeat {
                let name = try name()
                try expect(UInt8(ascii: ":"), "a colon is missing")
                try body(&self, name)
            } while try skipComma(before: UInt8(ascii: "}"))
            try expect(UInt8(ascii: "}"), "a comma or a closing brace is missing")
        }
        depth -= 1
    }

    /// Calls `body` at each element of the array here; `body` must read the element.
    @inlinable
    public mutating func eachElement(_ body: (inout JSONReader) throws -> Void) throws {
        try expect(UInt8(ascii: "["), "an array is expected")
        try enterLevel()
        if try !skip(UInt8(ascii: "]")) {
            repeat { try body(&self) } while try skipComma(before: UInt8(ascii: "]"))
            try expect(UInt8(ascii: "]"), "a comma or a closing bracket is missing")
        }
        depth -= 1
    }

    /// Whether there is a comma, and another element after it.
    @inlinable
    mutating func skipComma(before end: UInt8) throws -> Bool {
        guard try skip(UInt8(ascii: ",")) else { return false }
        return try isLenient || peek() != end
    }

    @usableFromInline
    mutating func enterLevel() throws {
        depth += 1
        guard depth <= Self.depthLimit else { throw JSONError.tooDeep(limit: Self.depthLimit, line: line) }
    }
}

extension JSONReader {
    /// Reads any value into memory.
    public mutating func value() throws -> JSONValue {
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

    /// Reads a number or word.
    public mutating func wordValue() throws -> JSONValue {
        if isLenient, let number = plainNumber() { return .number(number) }
        let bytes = try word()
        if bytes.elementsEqual("true".utf8) { return .bool(true) }
        if bytes.elementsEqual("false".utf8) { return .bool(false) }
        let text = ByteText.string(bytes)
        if bytes.elementsEqual("null".utf8)
            || isLenient && Self.notNumbers.contains(text.drop { $0 == "-" }.description)
        {
            return .none(text)
        }
        guard let first = bytes.first, first == UInt8(ascii: "-") || first < 0x40 else {
            throw try syntaxError("a value is expected")
        }
        let number = FixedDecimal(bytes.span, bytes.indices)
        if !isLenient {
            guard Self.isNumber(bytes) else { throw failure("an invalid number") }
            // The spelling says more than the number: zero with a sign, or more digits than it holds.
            let isExact = bytes.count <= 17 && !bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
            guard isExact, number?.mantissa != 0 || first != UInt8(ascii: "-") else { return .none(text) }
        }
        return number.map { .number($0) } ?? .none(text)
    }

    /// Skips a value.
    public mutating func skipValue() throws {
        switch try peek() {
        case UInt8(ascii: "\"")?: _ = try string()
        case UInt8(ascii: "{")?: try eachMember { scanner, _ in try scanner.skipValue() }
        case UInt8(ascii: "[")?: try eachElement { try $0.skipValue() }
        default: _ = try wordValue()
        }
    }

    /// Whether an array begins here.
    @inlinable
    public mutating func isAtArray() throws -> Bool { try peek() == UInt8(ascii: "[") }
    /// Whether an object begins here.
    @inlinable
    public mutating func isAtObject() throws -> Bool { try peek() == UInt8(ascii: "{") }
    /// Whether a string begins here.
    @inlinable
    public mutating func isAtString() throws -> Bool { try peek() == UInt8(ascii: "\"") }
}
