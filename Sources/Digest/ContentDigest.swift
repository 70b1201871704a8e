import Text

/// A BLAKE2b digest of 32 bytes: two contents with the same digest are the same content.
public struct ContentDigest: Hashable, Sendable, Comparable, CustomStringConvertible {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The size of a digest in bytes.
    public static let byteCount = 32

    /// nil unless there are exactly 32 bytes.
    public init?(bytes: [UInt8]) {
        // Not generic: a generic initialiser is not specialised in other modules, and every tile request reads digests.
        guard bytes.count == Self.byteCount else { return nil }
        let bytes = bytes.span
        words = (Self.word(bytes, 0), Self.word(bytes, 8), Self.word(bytes, 16), Self.word(bytes, 24))
    }

    /// Eight bytes from `first` on, the lowest first.
    private static func word(_ bytes: Span<UInt8>, _ first: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 { word |= UInt64(bytes[first + index]) << UInt64(8 * index) }
        return word
    }

    /// Parses lower-case hexadecimal digits as written by `description`; nil for anything else.
    public init?(hexadecimal: String) {
        let digits = Array(hexadecimal.utf8)
        // A digest has one text only: without upper case.
        guard digits.count == Self.byteCount * 2, !digits.contains(where: { (0x41...0x5A).contains($0) }) else {
            return nil
        }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = HexDigits.byte(digits[index], digits[index + 1]) else { return nil }
            bytes.append(byte)
        }
        self.init(bytes: bytes)
    }

    /// The 32 bytes, in BLAKE2b's order.
    public var bytes: [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(Self.byteCount)
        for word in [words.0, words.1, words.2, words.3] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                result.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return result
    }

    /// The first 8 bytes as one number: enough to distinguish contents that nobody forges.
    public var first64: UInt64 { words.0 }

    /// Lower-case hexadecimal, two digits per byte.
    public var description: String {
        HexDigits.text(bytes)
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.words == right.words
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.words.0.byteSwapped, left.words.1.byteSwapped, left.words.2.byteSwapped, left.words.3.byteSwapped)
            < (
                right.words.0.byteSwapped, right.words.1.byteSwapped, right.words.2.byteSwapped,
                right.words.3.byteSwapped
            )
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
    }
}
