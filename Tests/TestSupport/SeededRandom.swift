/// A pseudorandom generator that gives the same numbers in every run and on every machine: splitmix64 (Steele, Lea,
/// Flood 2014).
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    /// An integer in 0 ..< `bound`, which is small enough that the remainder is as good as uniform.
    public mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
        Number(next() % UInt64(bound))
    }

    /// True with the probability 1 / `times`.
    public mutating func once(in times: Int) -> Bool { below(times) == 0 }
}
