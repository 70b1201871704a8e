/// Hashes the names of elements and members in files, for tables with open addressing: FNV-1a from a random state.
///
/// With a fixed state, a file could have thousands of names for one slot: 22 MB of such XML took 9 s. The standard library's
/// `Hasher` would take twice the time for names of ten bytes.
public struct NameHash: Sendable {
    @usableFromInline let state = UInt64.random(in: .min ... .max)
    @usableFromInline let multiplier = UInt64.random(in: .min ... .max) | 1

    /// A hash that differs from that of other instances.
    public init() {}

    /// The slot of a name in a table of 2^`slotBits` slots.
    @inlinable
    public func slot(_ bytes: Span<UInt8>, _ range: Range<Int>, slotBits: Int) -> Int {
        var hash = state
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        // The low bits of FNV depend on the low bits of the state only; the highest bits of the product depend on all.
        hash = (hash ^ (hash >> 32)) &* multiplier
        return Int(truncatingIfNeeded: hash >> (64 - UInt64(slotBits)))
    }
}
