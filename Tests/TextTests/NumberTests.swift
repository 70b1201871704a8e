import Testing
import Text

@Suite struct NumberTests {
    @Test(
        arguments: [
            (0, 0, "0", "0"), (0, 3, "0.000", "0"), (-1, 7, "-0.0000001", "-0.0000001"), (850, 2, "8.50", "8.5"),
            (1200, 2, "12.00", "12"), (1200, 0, "1200", "1200"),
            (Int64.max, 18, "9.223372036854775807", "9.223372036854775807"),
            (Int64.min, 18, "-9.223372036854775808", "-9.223372036854775808"),
            (1, 18, "0.000000000000000001", "0.000000000000000001"),
        ] as [(Int64, UInt8, String, String)])
    func `A decimal is written with all its places, or with as few as possible`(
        mantissa: Int64, places: UInt8, long: String, short: String
    ) {
        let number = FixedDecimal(mantissa: mantissa, places: places)
        var text: [UInt8] = []
        number.write(to: &text, isShort: true)
        #expect(number.description == long)
        #expect(String(decoding: text, as: UTF8.self) == short)
    }

    @Test func `Every decimal that is written is read back`() {
        for mantissa in [0, 1, -1, 9, 10, 123, -45_600, 999_999_999_999_999_999, -123_456_789_012_345_678] as [Int64] {
            for places in UInt8(0)...18 {
                let number = FixedDecimal(mantissa: mantissa, places: places)
                #expect(FixedDecimal(number.description) == number)
                // Longer text is not plain: it is kept as it is.
                let isPlain = number.description.utf8.count <= 20
                #expect(FixedDecimal(plain: number.description) == (isPlain ? number : nil))
            }
        }
    }

    @Test(arguments: ["", " ", "-", ".", "1.2.3", "1e", "12 m", "NaN", "99999999999999999999", "1,5"])
    func `Other text is no decimal`(text: String) {
        #expect(FixedDecimal(text) == nil)
    }

    @Test func `A varint is read back, and each shorter text is truncated`() throws {
        var numbers: [UInt64] = [0, .max]
        for shift in 0..<64 { numbers += [1 << shift, (1 << shift) - 1, (1 << shift) + 1] as [UInt64] }
        for number in numbers {
            var bytes: [UInt8] = []
            Varint.append(number, to: &bytes)
            #expect(bytes.count <= Varint.longest)
            var position = 0
            #expect(try Varint.read(bytes.span, &position, end: bytes.count) == number)
            #expect(position == bytes.count)
            var cursor = VarintCursor(offset: 0, end: bytes.count)
            #expect(cursor.next(in: bytes.span) == number)
            #expect(cursor.isAtEnd)
            for end in 0..<bytes.count {
                #expect(throws: VarintError.truncated) {
                    var position = 0
                    _ = try Varint.read(bytes.span, &position, end: end)
                }
            }
            #expect(Varint.zigzag(Varint.unzigzag(number)) == number)
        }
    }

    @Test func `A varint of more than 64 bits is an error, and reads as 0 at a cursor`() {
        for last in UInt8(2)...127 {
            let bytes = [UInt8](repeating: 0xFF, count: 9) + [last]
            #expect(throws: VarintError.tooLong) {
                var position = 0
                _ = try Varint.read(bytes.span, &position, end: bytes.count)
            }
            var cursor = VarintCursor(offset: 0, end: bytes.count)
            #expect(cursor.next(in: bytes.span) == 0)
            #expect(cursor.isAtEnd)
        }
    }

    @Test func `Small magnitudes have small zigzag numbers`() {
        #expect(([0, -1, 1, -2, 2] as [Int64]).map { Varint.zigzag($0) } == [0, 1, 2, 3, 4])
        #expect(Varint.zigzag(.min) == .max)
    }
}
