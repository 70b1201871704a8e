internal import Glibc

/// An IPv4 or IPv6 address, without port or zone.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 16 bytes as two numbers. IPv4 is stored as `::ffff:a.b.c.d` (RFC 4291 2.5.5.2), so both spellings are equal.
    private let high: UInt64
    private let low: UInt64

    private static let mappedPrefix: UInt64 = 0xffff_0000_0000

    /// 127.0.0.1.
    public static let loopback = IPAddress(v4: 0x7f00_0001)

    /// An IPv4 address; its first byte is the most significant.
    public init(v4: UInt32) {
        high = 0
        low = Self.mappedPrefix | UInt64(v4)
    }

    /// An IPv6 address; its first byte is the most significant of `high`.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses dotted IPv4, or IPv6 without brackets; nil for anything else. Octal and short forms of IPv4 (`010.0.0.1`,
    /// `127.1`) are refused, because parsers disagree about them.
    public init?(_ text: some StringProtocol) {
        // inet_pton reads up to a zero byte.
        guard !text.utf8.contains(0) else { return nil }
        var v4 = in_addr()
        var v6 = (high: UInt64(0), low: UInt64(0))
        if unsafe text.withCString({ unsafe inet_pton(AF_INET, $0, &v4) }) == 1 {
            self.init(v4: UInt32(bigEndian: v4.s_addr))
        } else if unsafe text.withCString({ unsafe inet_pton(AF_INET6, $0, &v6) }) == 1 {
            self.init(high: UInt64(bigEndian: v6.high), low: UInt64(bigEndian: v6.low))
        } else {
            return nil
        }
    }

    /// The four bytes as a number if it is an IPv4 address.
    public var v4: UInt32? {
        high == 0 && low >> 32 == Self.mappedPrefix >> 32 ? UInt32(truncatingIfNeeded: low) : nil
    }

    /// Whether it is a loopback address: 127.0.0.0/8 or ::1.
    public var isLoopback: Bool {
        if let v4 { return v4 >> 24 == 127 }
        return high == 0 && low == 1
    }

    /// Whether it means every address of the machine: 0.0.0.0 or ::.
    public var isAny: Bool { v4 == 0 || (high == 0 && low == 0) }

    public var description: String {
        if let v4 { return "\(v4 >> 24).\(v4 >> 16 & 255).\(v4 >> 8 & 255).\(v4 & 255)" }
        var bytes = (high.bigEndian, low.bigEndian)
        return unsafe String(unsafeUninitializedCapacity: Int(INET6_ADDRSTRLEN)) { text in
            let characters = unsafe UnsafeMutableRawBufferPointer(text).bindMemory(to: CChar.self)
            unsafe inet_ntop(AF_INET6, &bytes, characters.baseAddress, socklen_t(characters.count))
            return unsafe characters.firstIndex(of: 0) ?? 0
        }
    }
}
