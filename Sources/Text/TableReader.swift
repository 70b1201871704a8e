/// Reads a binary table in order: a signature, varints, and UTF-8 texts that follow their number of bytes.
public struct TableReader: Sendable {
    public let bytes: [UInt8]
    /// The offset of the next byte.
    public var position = 0

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The number of bytes that are left.
    @inlinable
    public var remaining: Int { bytes.count - position }

    /// Skips the signature, which has to be the first bytes.
    public mutating func readSignature(_ signature: some Collection<UInt8>) throws(TableError) {
        guard bytes.starts(with: signature) else { throw .otherFormat }
        position = signature.count
    }

    /// Throws unless everything was read.
    public func expectEnd() throws(TableError) {
        guard position == bytes.count else { throw .damaged(offset: position) }
    }

    /// Reads a number.
    @inlinable
    public mutating func unsigned() throws(TableError) -> UInt64 {
        var next = position
        do throws(VarintError) {
            let value = try Varint.read(bytes.span, &next, end: bytes.count)
            position = next
            return value
        } catch {
            throw .damaged(offset: position)
        }
    }

    /// Reads a number that has to be less than a limit.
    @inlinable
    public mutating func number(below limit: Int) throws(TableError) -> Int {
        let start = position
        let value = try unsigned()
        guard value < UInt64(clamping: limit) else { throw .damaged(offset: start) }
        return Int(value)
    }

    /// Reads whether something is so: 0 or 1.
    public mutating func flag() throws(TableError) -> Bool { try number(below: 2) == 1 }

    /// Reads the number of elements that follow, each of which takes at least one byte.
    @inlinable
    public mutating func count() throws(TableError) -> Int {
        let start = position
        let count = try number(below: bytes.count)
        guard count <= remaining else { throw .damaged(offset: start) }
        return count
    }

    /// Skips a number of bytes, and returns where they are.
    public mutating func skip(_ count: Int) throws(TableError) -> Range<Int> {
        guard (0...remaining).contains(count) else { throw .damaged(offset: position) }
        defer { position += count }
        return position..<position + count
    }

    /// Skips a text, and returns the offset of its number of bytes.
    @inlinable
    public mutating func skipText() throws(TableError) -> Int {
        let start = position
        let count = try count()
        position += count
        return start
    }

    /// Reads a text.
    public mutating func text() throws(TableError) -> String {
        let range = try skip(try count())
        guard let text = String(validating: bytes[range], as: UTF8.self) else {
            throw .damaged(offset: range.lowerBound)
        }
        return text
    }
}

/// Why bytes are not the table that was expected.
public enum TableError: Error, Equatable {
    /// The signature, the version or the compression is another one.
    case otherFormat
    /// The compressed bytes are damaged or incomplete.
    case damagedStream
    /// A number, a text or an index is not possible, or the table does not end where it should; the offset in bytes.
    case damaged(offset: Int)
}
