/// The pseudorandom generator splitmix64 (Steele, Lea, Flood 2014): the same numbers in every run and on every machine.
@frozen
public struct SplitMix64: RandomNumberGenerator, Sendable {
    /// What the state grows by with each number.
    public static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

    @usableFromInline var state: UInt64

    @inlinable
    public init(seed: UInt64) { state = seed }

    @inlinable
    public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mixed(state)
    }

    /// The finaliser: every bit of the result depends on every bit of the word.
    @inlinable
    public static func mixed(_ word: UInt64) -> UInt64 {
        var bits = word
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
