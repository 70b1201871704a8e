public import Digest

/// The id of a pin: 128 bits, written as 32 hexadecimal digits in lower case.
public struct PinID: Hashable, Sendable, CustomStringConvertible {
    public let bytes: [UInt8]

    public static let byteCount = 16

    /// nil unless there are 16 bytes.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// The first 128 bits of a digest.
    public init(_ digest: ContentDigest) {
        bytes = Array(digest.bytes.prefix(Self.byteCount))
    }

    /// The id with this text; nil if it is not one.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1]) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// An id that nobody can guess.
    public static func random(using generator: inout some RandomNumberGenerator) -> PinID {
        let words = [generator.next(), generator.next()]
        return PinID(unchecked: words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } })
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The value of a digit; digits are written in lower case only, so that a pin has one address.
    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}

extension PinID: Comparable {
    public static func < (one: PinID, other: PinID) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
