import Testing
import Text

@Suite struct CodingTests {
    @Test func `Every byte has two digits, which are read in both cases`() {
        for byte in UInt8.min...UInt8.max {
            let text = HexDigits.text([byte])
            let digits = Array(text.utf8)
            #expect(digits.count == 2 && UInt8(text, radix: 16) == byte && text == text.lowercased())
            #expect(HexDigits.byte(digits[0], digits[1]) == byte)
            let upper = Array(text.uppercased().utf8)
            #expect(HexDigits.byte(upper[0], upper[1]) == byte)
            #expect((HexDigits.value(of: byte) != nil) == Character(Unicode.Scalar(byte)).isHexDigit)
        }
    }

    @Test func `No count exceeds the bytes that follow it`() {
        for (count, expected) in [(0, 0), (2, 2), (3, 3), (4, 3), (1 << 40, 3), (UInt64.max, 3)] as [(UInt64, Int)] {
            var bytes: [UInt8] = []
            Varint.append(count, to: &bytes)
            bytes += [1, 2, 3]
            var cursor = VarintCursor(offset: 0, end: bytes.count)
            #expect(cursor.nextCount(in: bytes.span) == expected)
        }
    }

    @Test func `Every character is encoded and decoded`() {
        for number in 0x20..<0x500 where number != 0x7F {
            guard let scalar = Unicode.Scalar(UInt32(number)) else { continue }
            let text = "a" + String(Character(scalar)) + "~"
            let encoded = PercentCoding.encode(text)
            #expect(encoded.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && $0 != UInt8(ascii: "&") })
            #expect(PercentCoding.decode(Array(encoded.utf8)[...], plusIsSpace: true) == text)
        }
        #expect(PercentCoding.encode("é &") == "%C3%A9%20%26")
    }

    @Test(arguments: ["%", "%4", "%4g", "a%", "%C3", "%00", "%7F", "\u{1}"])
    func `Broken escapes, control characters and invalid UTF-8 are refused`(text: String) {
        #expect(PercentCoding.decode(Array(text.utf8)[...], plusIsSpace: true) == nil)
    }

    @Test(arguments: [("100%", "100%"), ("%4", "%4"), ("%4g+%41", "%4g A"), ("%%41", "%A")])
    func `Broken escapes are kept by the lenient decoder`(text: String, decoded: String) {
        #expect(PercentCoding.decodeLeniently(Array(text.utf8)[...]) == Array(decoded.utf8))
    }

    @Test func `A plus sign is a space only in queries`() {
        #expect(PercentCoding.decode(Array("a+b".utf8)[...], plusIsSpace: true) == "a b")
        #expect(PercentCoding.decode(Array("a+b".utf8)[...], plusIsSpace: false) == "a+b")
    }
}
