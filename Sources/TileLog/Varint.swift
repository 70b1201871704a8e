/// Unsigned numbers in groups of seven bits, lowest first; a set eighth bit says that more follow.
public enum Varint {
    /// Appends a number.
    @inlinable
    @inline(__always)
    public static func append(_ value: UInt64, to bytes: inout [UInt8]) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads varints from bytes. A truncated or too long varint reads as 0 and moves the cursor to the end.
public struct VarintCursor {
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
        offset += 1
        if first < 0x80 { return UInt64(first) }
        return rest(after: first, in: bytes)
    }

    @usableFromInline
    mutating func rest(after first: UInt8, in bytes: borrowing Span<UInt8>) -> UInt64 {
        var value = UInt64(first & 0x7F)
        var shift: UInt64 = 7
        while offset < end, shift < 64 {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        offset = end
        return 0
    }
}
