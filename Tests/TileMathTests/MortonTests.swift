import Testing
import TileMath

@Suite struct MortonTests {
    /// Interleaves bit by bit.
    private func interleaved(_ x: UInt32, _ y: UInt32) -> UInt64 {
        var code: UInt64 = 0
        for bit in UInt64(0)..<32 {
            code |= (UInt64(x) >> bit & 1) << (2 * bit)
            code |= (UInt64(y) >> bit & 1) << (2 * bit + 1)
        }
        return code
    }

    @Test func `The code of every square of 256 × 256 interleaves its bits, and gives back the square`() {
        var wrong: [String] = []
        for x in UInt32(0)..<256 {
            for y in UInt32(0)..<256 {
                let code = Morton.code(x: x, y: y)
                if code != interleaved(x, y) || Morton.x(of: code) != x || Morton.y(of: code) != y {
                    wrong.append("\(x), \(y): \(code)")
                }
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test func `Every bit of a column and a row has its place in the code`() {
        for bit in UInt32(0)..<32 {
            #expect(Morton.code(x: 1 << bit, y: 0) == 1 << UInt64(2 * bit), "bit \(bit) of x")
            #expect(Morton.code(x: 0, y: 1 << bit) == 2 << UInt64(2 * bit), "bit \(bit) of y")
        }
        #expect(Morton.code(x: .max, y: .max) == .max)
        #expect(Morton.x(of: .max) == .max && Morton.y(of: .max) == .max)
    }

    @Test func `The codes of a square are all numbers below its area`() {
        let codes = (UInt32(0)..<64).flatMap { x in (UInt32(0)..<64).map { Morton.code(x: x, y: $0) } }
        #expect(codes.sorted() == Array(0..<4096))
    }

    @Test func `A code shifted by two is the code of the enclosing square`() {
        var wrong = 0
        for x in UInt32(0)..<256 {
            for y in UInt32(0)..<256 where Morton.code(x: x, y: y) >> 2 != Morton.code(x: x / 2, y: y / 2) {
                wrong += 1
            }
        }
        #expect(wrong == 0)
    }

    @Test func `Codes on disk keep their values`() {
        #expect(Morton.code(x: 1, y: 0) == 1 && Morton.code(x: 0, y: 1) == 2)
        #expect(Morton.code(x: 35_210, y: 21_493) == 0x624B_EA66)
        #expect(Morton.code(x: 0xFFFF, y: 0x1234) == 0x575D_5F75)
    }
}
