public import Digest
import Text

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
        // Digits are written in lower case only, so that a pin has one address.
        let upperCase = UInt8(ascii: "A")...UInt8(ascii: "F")
        guard digits.count == 2 * Self.byteCount, !digits.contains(where: upperCase.contains) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = HexDigits.byte(digits[index], digits[index + 1]) else { return nil }
            bytes.append(byte)
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

    public var description: String { HexDigits.text(bytes) }
}

extension PinID: Comparable {
    public static func < (one: PinID, other: PinID) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
