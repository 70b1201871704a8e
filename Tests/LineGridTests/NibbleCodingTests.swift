import Testing

@testable import LineGrid

struct NibbleCodingTests {
    private static let numbers: [UInt64] = [0, 7, 8, 1, 63, 64, 500, 0, 3, 1 << 18, .max, 5]

    private func encoded(_ numbers: [UInt64]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0xFF, count: 22 * numbers.count + 1)
        var span = bytes.mutableSpan
        var writer = NibbleWriter(at: 1)
        for number in numbers { writer.put(number, into: &span) }
        let end = writer.end
        return Array(bytes[..<end])
    }

    @Test("numbers are read as they were written, in any number of halves of bytes")
    func roundTrip() {
        for count in 0...Self.numbers.count {
            let numbers = Array(Self.numbers[..<count])
            let bytes = encoded(numbers)
            var cursor = NibbleCursor(offset: 1, end: bytes.count)
            for number in numbers { #expect(cursor.next(in: bytes.span) == number) }
            #expect(cursor.end == bytes.count)
        }
    }

    @Test("a number below 8 takes half a byte, the first in the low half")
    func layout() {
        #expect(encoded([1, 2, 3]) == [0xFF, 0x21, 0x03])
        #expect(encoded([8]) == [0xFF, 0x18])
    }

    @Test("after the end, and in groups without an end, numbers end")
    func damaged() {
        let bytes = [UInt8](repeating: 0xFF, count: 40)
        var cursor = NibbleCursor(offset: 0, end: bytes.count)
        #expect(cursor.next(in: bytes.span) == .max)
        #expect(cursor.end == bytes.count)
        #expect(cursor.next(in: bytes.span) == 0)
        var empty = NibbleCursor(offset: 3, end: 3)
        #expect(empty.next(in: bytes.span) == 0)
        #expect(empty.end == 3)
    }
}
