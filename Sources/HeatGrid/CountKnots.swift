/// The 64 counts at which a distribution of counts is sampled: 1 to 8, then half octaves up to the maximum count.
public enum CountKnots {
    /// The number of knots.
    public static let count = 64

    /// The smallest count of each knot, ascending.
    public static let bounds: [UInt32] = Array(1...8) + (7..<count - 1).map { halfOctave($0) }

    private static let directLimit = 4_096
    private static let direct: [UInt8] = (0..<directLimit).map { UInt8(search(UInt32($0))) }

    /// The knot of each count below 4,096. Callers read it once, outside their loops.
    public static var table: [UInt8] { direct }

    /// The last knot that is not above `count`, which must be at least 1. `table` must be `CountKnots.table`.
    @inline(__always)
    public static func index(of count: UInt32, _ table: Span<UInt8>) -> Int {
        count < UInt32(truncatingIfNeeded: table.count) ? Int(table[Int(count)]) : search(count)
    }

    private static func search(_ count: UInt32) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= count { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    /// ⌈√2^power⌉: 1, 2, 2, 3, 4, 6, 8, 12, 16, 23, …
    package static func halfOctave(_ power: Int) -> UInt32 {
        let whole = Double(UInt64(1) << UInt64(power / 2))
        return UInt32(min((power % 2 == 0 ? whole : whole * 2.0.squareRoot()).rounded(.up), Double(UInt32.max)))
    }
}
