public import Digest
internal import Text

/// The id of a venue, a building, a level, a unit or another feature: 128 bits, written as 32 hexadecimal digits in lower
/// case.
///
/// It is derived from what identifies the feature in its source, so that importing a file again gives the same ids, and
/// features of different venues have different ones.
public struct FeatureID: Hashable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first 128 bits of a digest.
    public init(_ digest: ContentDigest) {
        var words: [UInt64] = [0, 0]
        for (index, byte) in digest.bytes.prefix(16).enumerated() {
            words[index / 8] = words[index / 8] << 8 | UInt64(byte)
        }
        self.init(high: words[0], low: words[1])
    }

    /// The id of what the texts identify.
    public init(of texts: [String]) {
        var digester = Digester()
        digester.update("venue feature")
        for text in texts { digester.update(text) }
        self.init(digester.finish())
    }

    /// The id with this text; nil if it is not one.
    public init?(_ text: some StringProtocol) {
        let digits = Array(text.utf8)
        // Digits are written in lower case only, so that a feature has one address.
        guard digits.count == 32, !digits.contains(where: { (0x41...0x5A).contains($0) }) else { return nil }
        var words: [UInt64] = [0, 0]
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = HexDigits.byte(digits[index], digits[index + 1]) else { return nil }
            words[index / 16] = words[index / 16] << 8 | UInt64(byte)
        }
        self.init(high: words[0], low: words[1])
    }

    public var description: String {
        let bytes = [high, low].flatMap { word in
            stride(from: UInt64(56), through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> $0) }
        }
        return HexDigits.text(bytes)
    }
}

extension FeatureID: Comparable {
    public static func < (one: FeatureID, other: FeatureID) -> Bool {
        (one.high, one.low) < (other.high, other.low)
    }
}
