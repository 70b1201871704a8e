/// A 64-bit checksum that detects accidental changes, at about 10 GB/s; it is not safe against forgery.
///
/// Mixes as wyhash does (Wang Yi, public domain): the two halves of a 128-bit product are combined.
public struct Checksum64: Sendable {
    private var state: UInt64

    private static let first: UInt64 = 0x2d35_8dcc_aa6c_78a5
    private static let second: UInt64 = 0x8bb8_4b93_962e_acc9
    private static let third: UInt64 = 0x4b33_a62e_d433_d4a3

    /// Creates a checksum of no data; different seeds give different checksums of the same data.
    public init(seed: UInt64 = 0) {
        state = seed ^ Self.first
    }

    /// Adds a number.
    @inline(__always)
    public mutating func update(_ number: UInt64) {
        state = Self.mixed(state, number, Self.second)
    }

    /// Adds the count of bytes, then the bytes.
    public mutating func update(_ bytes: borrowing Span<UInt8>) {
        update(UInt64(bytes.count))
        guard bytes.count > 0 else { return }
        let start = state
        state = unsafe bytes.withUnsafeBytes { unsafe Self.state(start, with: $0) }
    }

    /// Adds the count of bytes, then the bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        update(UInt64(bytes.count))
        state = unsafe Self.state(state, with: bytes)
    }

    /// The checksum of everything added.
    public var value: UInt64 { Self.mixed(state, Self.third, Self.first) }

    /// Three independent lanes of 16 bytes, because a multiplication has a higher latency than throughput; then the
    /// remaining bytes.
    private static func state(_ start: UInt64, with bytes: UnsafeRawBufferPointer) -> UInt64 {
        var (state, left, right) = (start, start, start)
        var offset = 0
        let end = bytes.count
        func word(_ place: Int) -> UInt64 {
            unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
        while end &- offset >= 48 {
            state = mixed(state, word(offset), word(offset &+ 8) ^ first)
            left = mixed(left, word(offset &+ 16), word(offset &+ 24) ^ second)
            right = mixed(right, word(offset &+ 32), word(offset &+ 40) ^ third)
            offset &+= 48
        }
        state ^= (left << 1 | left >> 63) ^ (right << 2 | right >> 62)
        while end &- offset >= 8 {
            state = mixed(state, word(offset), second)
            offset &+= 8
        }
        guard offset < end else { return state }
        var rest: UInt64 = 0
        while offset < end {
            rest = unsafe rest << 8 | UInt64(bytes[offset])
            offset &+= 1
        }
        return mixed(state, rest, third)
    }

    /// The state enters twice, so that no value of one argument hides the others.
    @inline(__always)
    private static func mixed(_ state: UInt64, _ word: UInt64, _ key: UInt64) -> UInt64 {
        let product = (word ^ state).multipliedFullWidth(by: key ^ (state >> 32 | state << 32))
        return product.high ^ product.low ^ (state << 23 | state >> 41) &+ word
    }
}
