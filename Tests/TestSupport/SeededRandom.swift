import Digest

/// Pseudorandom numbers that are the same in every run and on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    private var generator: SplitMix64

    public init(seed: some BinaryInteger) { generator = SplitMix64(seed: UInt64(truncatingIfNeeded: seed)) }

    public mutating func next() -> UInt64 { generator.next() }

    /// An integer in 0 ..< `bound`, which is small enough that the remainder is as good as uniform.
    public mutating func below<Number: FixedWidthInteger>(_ bound: Number) -> Number {
        Number(next() % UInt64(bound))
    }

    /// True with the probability 1 / `times`.
    public mutating func once(in times: Int) -> Bool { below(times) == 0 }
}
