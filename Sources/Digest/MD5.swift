/// An MD5 digest (RFC 1321), for formats of others that name contents by it.
///
/// MD5 can be forged: what has to be the same content is compared by `ContentDigest`.
public struct MD5: Sendable {
    private typealias State = (UInt32, UInt32, UInt32, UInt32)

    private var state: State = (0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476)
    /// The bytes that do not fill a block yet.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    private static let blockBytes = 64
    /// A block ends with the length of the message in bits.
    private static let lengthBytes = 8

    /// Creates a digest of no data.
    public init() {
        pending.reserveCapacity(Self.blockBytes)
    }

    /// The 16 bytes of the digest of `bytes`.
    public static func digest(of bytes: [UInt8]) -> [UInt8] {
        var digest = MD5()
        digest.update(bytes)
        return digest.finish()
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        byteCount &+= UInt64(bytes.count)
        var start = 0
        if !pending.isEmpty {
            start = min(Self.blockBytes - pending.count, bytes.count)
            pending.append(contentsOf: bytes[..<start])
            guard pending.count == Self.blockBytes else { return }
            state = Self.added(pending.span, at: 0, to: state)
            pending.removeAll(keepingCapacity: true)
        }
        let span = bytes.span
        while bytes.count - start >= Self.blockBytes {
            state = Self.added(span, at: start, to: state)
            start += Self.blockBytes
        }
        pending.append(contentsOf: bytes[start...])
    }

    /// The 16 bytes of the digest of everything added.
    public consuming func finish() -> [UInt8] {
        let bits = byteCount &* 8
        var end: [UInt8] = [0x80]
        let room = Self.blockBytes - Self.lengthBytes
        let used = (pending.count + 1) % Self.blockBytes
        end += [UInt8](repeating: 0, count: used <= room ? room - used : room + Self.blockBytes - used)
        for shift in stride(from: UInt64(0), to: 64, by: 8) { end.append(UInt8(truncatingIfNeeded: bits >> shift)) }
        update(end)
        return [state.0, state.1, state.2, state.3].flatMap { word in
            stride(from: UInt32(0), to: 32, by: 8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
    }

    /// `floor(2^32 × |sin(i + 1)|)`.
    private static let sines: [UInt32] = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A, 0xA830_4613, 0xFD46_9501,
        0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE, 0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821,
        0xF61E_2562, 0xC040_B340, 0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8, 0x676F_02D9, 0x8D2A_4C8A,
        0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C, 0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70,
        0x289B_7EC6, 0xEAA1_27FA, 0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92, 0xFFEF_F47D, 0x8584_5DD1,
        0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1, 0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]

    /// The state after the block at an offset.
    private static func added(_ bytes: borrowing Span<UInt8>, at start: Int, to state: State) -> State {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 {
            let place = start &+ 4 &* index
            words[index] =
                UInt32(bytes[place]) | UInt32(bytes[place &+ 1]) << 8 | UInt32(bytes[place &+ 2]) << 16
                | UInt32(bytes[place &+ 3]) << 24
        }
        let sines = sines.span
        var (a, b, c, d) = state
        @inline(__always) func step(_ mixed: UInt32, _ word: Int, _ index: Int, _ turn: UInt32) {
            let sum = a &+ mixed &+ sines[index] &+ words[word]
            (a, d, c, b) = (d, c, b, b &+ (sum << turn | sum >> (32 &- turn)))
        }
        for group in 0..<4 {
            let index = 4 &* group
            step(b & c | ~b & d, index, index, 7)
            step(b & c | ~b & d, index &+ 1, index &+ 1, 12)
            step(b & c | ~b & d, index &+ 2, index &+ 2, 17)
            step(b & c | ~b & d, index &+ 3, index &+ 3, 22)
        }
        for group in 0..<4 {
            let index = 16 &+ 4 &* group
            step(d & b | ~d & c, (5 &* index &+ 1) & 15, index, 5)
            step(d & b | ~d & c, (5 &* index &+ 6) & 15, index &+ 1, 9)
            step(d & b | ~d & c, (5 &* index &+ 11) & 15, index &+ 2, 14)
            step(d & b | ~d & c, (5 &* index &+ 16) & 15, index &+ 3, 20)
        }
        for group in 0..<4 {
            let index = 32 &+ 4 &* group
            step(b ^ c ^ d, (3 &* index &+ 5) & 15, index, 4)
            step(b ^ c ^ d, (3 &* index &+ 8) & 15, index &+ 1, 11)
            step(b ^ c ^ d, (3 &* index &+ 11) & 15, index &+ 2, 16)
            step(b ^ c ^ d, (3 &* index &+ 14) & 15, index &+ 3, 23)
        }
        for group in 0..<4 {
            let index = 48 &+ 4 &* group
            step(c ^ (b | ~d), (7 &* index) & 15, index, 6)
            step(c ^ (b | ~d), (7 &* index &+ 7) & 15, index &+ 1, 10)
            step(c ^ (b | ~d), (7 &* index &+ 14) & 15, index &+ 2, 15)
            step(c ^ (b | ~d), (7 &* index &+ 21) & 15, index &+ 3, 21)
        }
        return (state.0 &+ a, state.1 &+ b, state.2 &+ c, state.3 &+ d)
    }
}
