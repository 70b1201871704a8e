extension [UInt8] {
    /// The bytes that these hexadecimal digits stand for, two digits per byte. Blanks are skipped.
    public init(hexadecimal: String) {
        let digits = hexadecimal.compactMap(\.hexDigitValue).map { UInt8($0) }
        precondition(digits.count % 2 == 0, "two digits per byte")
        self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Lower-case hexadecimal digits, two per byte.
    public var hexadecimal: String {
        let digits = Array<Character>("0123456789abcdef")
        return String(flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
