/// The Morton (Z-order) curve: bits of x and y interleaved, x in the even bits.
///
/// A code shifted right by two is the code of the enclosing square one zoom level coarser, so a sorted list stays
/// sorted when it is coarsened.
public enum Morton {
    /// The code of a square.
    @inlinable
    public static func code(x: UInt32, y: UInt32) -> UInt64 {
        spread(x) | spread(y) << 1
    }

    /// The column of a code.
    @inlinable
    public static func x(of code: UInt64) -> UInt32 {
        gather(code)
    }

    /// The row of a code.
    @inlinable
    public static func y(of code: UInt64) -> UInt32 {
        gather(code >> 1)
    }

    @inlinable
    static func spread(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits << 2) & 0x3333_3333_3333_3333
        bits = (bits | bits << 1) & 0x5555_5555_5555_5555
        return bits
    }

    @inlinable
    static func gather(_ code: UInt64) -> UInt32 {
        var bits = code & 0x5555_5555_5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333_3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F_0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits >> 16) & 0x0000_0000_FFFF_FFFF
        return UInt32(truncatingIfNeeded: bits)
    }
}
