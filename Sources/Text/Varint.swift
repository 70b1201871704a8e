/// Unsigned numbers in groups of seven bits, lowest first; a set eighth bit says that more follow.
///
/// Signed numbers are zigzag-encoded first: 0, −1, 1, −2, … become 0, 1, 2, 3, …
public enum Varint {
    /// The largest size of a number, in bytes.
    public static let longest = 10

    /// Calls `body` with each byte of a number.
    @inlinable
    @inline(__always)
    public static func forEachByte(of value: UInt64, _ body: (UInt8) -> Void) {
        var rest = value
        while rest >= 0x80 {
            body(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        body(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a number.
    @inlinable
    @inline(__always)
    public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        forEachByte(of: value) { bytes.append($0) }
    }

    /// Writes a number at `position`, which is advanced past it; there must be room for the longest one.
    @inlinable
    @inline(__always)
    public static func put(_ value: UInt64, into bytes: inout MutableSpan<UInt8>, at position: inout Int) {
        var rest = value
        while rest >= 0x80 {
            bytes[position] = UInt8(truncatingIfNeeded: rest) | 0x80
            position += 1
            rest >>= 7
        }
        bytes[position] = UInt8(truncatingIfNeeded: rest)
        position += 1
    }

    /// Reads the number at `position`, which is advanced past it; it must end before `end`.
    @inlinable
    @inline(__always)
    public static func read(
        _ bytes: borrowing Span<UInt8>, _ position: inout Int, end: Int
    ) throws(VarintError) -> UInt64 {
        guard position < end else { throw .truncated }
        let first = bytes[position]
        position += 1
        if first < 0x80 { return UInt64(first) }
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while true {
            guard position < end else { throw .truncated }
            let byte = bytes[position]
            position += 1
            // The tenth byte holds only the 64th bit.
            guard shift < 63 || byte <= 1 else { throw .tooLong }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// A signed number as an unsigned one that is small if the magnitude is small.
    @inlinable
    @inline(__always)
    public static func zigzag(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number << 1 ^ number >> 63)
    }

    /// The signed number of a zigzag-encoded one.
    @inlinable
    @inline(__always)
    public static func unzigzag(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}

/// Why bytes are not a varint.
public enum VarintError: Error {
    /// The bytes end within the number.
    case truncated
    /// The number does not fit in 64 bits.
    case tooLong
}

/// Reads varints from bytes. A truncated or too long varint reads as 0 and moves the cursor to the end, so that loops
/// over damaged bytes end, and no number needs a check for errors.
public struct VarintCursor: Sendable {
    /// The offset of the next number.
    public var offset: Int
    /// The offset after the last byte.
    public let end: Int

    /// Creates a cursor over the bytes from `offset` to `end`.
    @inlinable
    public init(offset: Int, end: Int) {
        self.offset = offset
        self.end = end
    }

    /// Whether no bytes are left.
    @inlinable
    public var isAtEnd: Bool { offset >= end }

    /// Reads the next number.
    @inlinable
    @inline(__always)
    public mutating func next(in bytes: borrowing Span<UInt8>) -> UInt64 {
        guard offset < end else { return 0 }
        let first = bytes[offset]
        guard first >= 0x80 else {
            offset += 1
            return UInt64(first)
        }
        return longNumber(in: bytes)
    }

    /// Reads the number of the elements that follow. Each takes at least one byte, so no count exceeds the bytes left.
    @inlinable
    public mutating func nextCount(in bytes: borrowing Span<UInt8>) -> Int {
        let count = next(in: bytes)
        return Int(min(count, UInt64(end - offset)))
    }

    @usableFromInline
    mutating func longNumber(in bytes: borrowing Span<UInt8>) -> UInt64 {
        do throws(VarintError) {
            return try Varint.read(bytes, &offset, end: end)
        } catch {
            offset = end
            return 0
        }
    }
}
