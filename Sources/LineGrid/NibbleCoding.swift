/// Writes numbers in groups of three bits, lowest first; a set fourth bit says that more follow. Two groups are a byte, the
/// first in its low half.
///
/// For numbers of which most are below 8: differences of speeds and elevations take 5.4 bits on average, as varints of
/// bytes 8.2.
struct NibbleWriter {
    /// The byte that the next group goes into, and whether its low half is taken.
    private(set) var position: Int
    private var isHalf = false

    /// Writes from the byte at `position` on.
    init(at position: Int) {
        self.position = position
    }

    /// Writes a number; there must be room for half a byte for each three bits.
    @inline(__always)
    mutating func put(_ value: UInt64, into bytes: inout MutableSpan<UInt8>) {
        var rest = value
        while rest >= 8 {
            put(group: UInt8(truncatingIfNeeded: rest & 7) | 8, into: &bytes)
            rest >>= 3
        }
        put(group: UInt8(truncatingIfNeeded: rest), into: &bytes)
    }

    @inline(__always)
    private mutating func put(group: UInt8, into bytes: inout MutableSpan<UInt8>) {
        if isHalf {
            bytes[position] |= group << 4
            position &+= 1
        } else {
            bytes[position] = group
        }
        isHalf.toggle()
    }

    /// The position after the last byte, of which one half may not be used.
    var end: Int { isHalf ? position + 1 : position }
}

/// Reads what a `NibbleWriter` wrote. After the last byte all numbers are 0.
struct NibbleCursor {
    /// Half bytes from the start of the bytes.
    private var position: Int
    private let limit: Int

    /// Reads the bytes from `offset` to `end`.
    init(offset: Int, end: Int) {
        (position, limit) = (2 * offset, 2 * end)
    }

    /// Reads the next number. Groups beyond 64 bits are skipped.
    @inline(__always)
    mutating func next(in bytes: borrowing Span<UInt8>) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while position < limit {
            let group = bytes[position >> 1] &>> UInt8(truncatingIfNeeded: (position & 1) &<< 2)
            position &+= 1
            // A shift by 64 bits and more gives 0.
            value |= UInt64(group & 7) << shift
            if group & 8 == 0 { break }
            shift &+= 3
        }
        return value
    }

    /// The offset after the byte that was read last.
    var end: Int { (position + 1) >> 1 }
}
