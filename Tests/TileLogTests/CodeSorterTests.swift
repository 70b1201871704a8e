import TestSupport
import Testing

@testable import TileLog

@Suite struct CodeSorterTests {
    @Test(arguments: [0, 1, 2, 95, 96, 97, 5000, 70_000]) func `keys are sorted, and equal keys keep their order`(
        count: Int
    ) {
        var random = SeededRandom(seed: UInt64(count) + 9)
        let keys = (0..<count).map { _ in random.next() & 0x0F00_0000_00F0_F00F }
        let expected = keys.indices.sorted { (keys[$0], $0) < (keys[$1], $1) }
        var sorted = keys
        #expect(CodeSorter.order(of: &sorted) == expected.map { UInt32($0) })
        #expect(sorted == keys.sorted())
    }

    @Test(arguments: [0, 1, 2, 95, 96, 97, 5000, 70_000]) func `sorting removes duplicate codes`(count: Int) {
        var random = SeededRandom(seed: UInt64(count))
        var codes = (0..<count).map { _ in random.next() & 0xFFFF_3FFF_FF00 }
        let expected = Set(codes).sorted()
        var sorter = CodeSorter()
        sorter.sortDistinct(&codes)
        #expect(codes == expected)
    }
}
