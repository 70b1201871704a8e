/// Numbers as bytes, the lowest first.
enum LittleEndian {
    /// Appends all bytes of a number.
    static func append<Number: FixedWidthInteger>(_ number: Number, to bytes: inout [UInt8]) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }

    /// The number of all bytes of its type at an offset, which must be there.
    static func number<Number: FixedWidthInteger>(_ bytes: [UInt8], at offset: Int, as type: Number.Type = UInt64.self)
        -> Number
    {
        var number: Number = 0
        for index in 0..<Number.bitWidth / 8 {
            number |= Number(truncatingIfNeeded: bytes[offset + index]) << Number(8 * index)
        }
        return number
    }
}
