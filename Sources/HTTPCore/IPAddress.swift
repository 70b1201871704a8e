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

    /// Parses dotted IPv4, or IPv6 without brackets; nil for anything else.
    public init?(_ text: some StringProtocol) {
        if let v4 = Self.v4(text) {
            self.init(v4: v4)
        } else if let groups = Self.v6(text) {
            self.init(
                high: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) },
                low: groups[4...].reduce(0) { $0 << 16 | UInt64($1) })
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
        let groups = [high, low].flatMap { half in
            stride(from: 48, through: 0, by: -16).map { Int(half >> UInt64($0) & 0xffff) }
        }
        return Self.text(of: groups)
    }

    /// RFC 5952: the longest run of two or more zero groups becomes `::`.
    private static func text(of groups: [Int]) -> String {
        var longest = 0..<0
        var start = 0
        for index in 0...groups.count where index == groups.count || groups[index] != 0 {
            if index - start > longest.count, index - start > 1 { longest = start..<index }
            start = index + 1
        }
        let texts = groups.map { String($0, radix: 16) }
        guard !longest.isEmpty else { return texts.joined(separator: ":") }
        return texts[..<longest.lowerBound].joined(separator: ":") + "::"
            + texts[longest.upperBound...].joined(separator: ":")
    }

    private static func v4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            // No leading zeros: some parsers read them as octal.
            guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let byte = UInt8(part),
                part.utf8.count == 1 || part.first != "0"
            else { return nil }
            address = address << 8 | UInt32(byte)
        }
        return address
    }

    private static func v6(_ text: some StringProtocol) -> [UInt16]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        guard halves.count <= 2, let head = groups(halves[0]) else { return nil }
        guard halves.count == 2 else { return head.count == 8 ? head : nil }
        guard let tail = groups(halves[1]), head.count + tail.count <= 7 else { return nil }
        return head + [UInt16](repeating: 0, count: 8 - head.count - tail.count) + tail
    }

    /// Groups between single colons; the last may be a dotted IPv4 address.
    private static func groups(_ text: some StringProtocol) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var result: [UInt16] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if index == parts.count - 1, let address = v4(part) {
                result += [UInt16(address >> 16), UInt16(address & 0xffff)]
            } else {
                guard (1...4).contains(part.utf8.count), part.first != "+", let group = UInt16(part, radix: 16) else {
                    return nil
                }
                result.append(group)
            }
        }
        return result
    }
}
