import TestSupport
import Testing
import Text

@testable import Tracks

private let one = FixedDecimal(mantissa: 1, places: 0)

@Suite struct ChunkBuilderTests {
    @Test(arguments: 0..<20) func `Sparse numbers are read back as they were set`(seed: Int) {
        var random = SeededRandom(seed: seed)
        var sparse = SparseNumbers()
        var wanted: [Int: Int64] = [:]
        var point = 0
        for _ in 0..<60 {
            point += [0, 1, 1, 1, 2, 15, 16, 17, 18, 400][random.below(10)]
            wanted[point] = Int64(random.below(1000))
            sparse.set(FixedDecimal(mantissa: wanted[point] ?? 0, places: 3), at: point)
        }
        for _ in 0..<20 {
            let start = random.below(point + 2)
            let stop = start + random.below(point + 2)
            var found: [Int: Int64] = [:]
            var last = -1
            sparse.forEach(from: start, to: stop) { point, number in
                #expect(point > last && number.places == 3)
                last = point
                found[point] = number.mantissa
            }
            #expect(found == wanted.filter { $0.key >= start && $0.key < stop })
        }
        #expect(SparseNumbers().isEmpty && !sparse.isEmpty)
    }

    @Test func `Thousands of fields on one point take no memory for the other points`() throws {
        var builder = ChunkBuilder()
        for _ in 0..<PointChunk.capacity { builder.addPoint(longitude: one, latitude: one, time: nil) }
        for number in 0..<20_000 { builder.set("field\(number)", to: one) }
        let taken = builder.takeChunk()
        let chunk = try #require(taken)
        // The excess field makes the store refuse the chunk.
        #expect(chunk.fields.count > PointChunk.fieldLimit + 1)
    }

    @Test func `A chunk with the maximum number of fields can be decoded`() throws {
        var builder = ChunkBuilder()
        for _ in 0..<PointChunk.capacity { builder.addPoint(longitude: one, latitude: one, time: nil) }
        for number in 0..<PointChunk.fieldLimit { builder.set("field\(number)", to: one) }
        let taken = builder.takeChunk()
        let chunk = try #require(taken)
        #expect(chunk.fields.count == PointChunk.fieldLimit)
        #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
    }

    @Test(arguments: [0, 1, 9, 18] as [UInt8]) func `The smallest and largest 64-bit numbers are kept next to others`(
        places: UInt8
    ) throws {
        var builder = ChunkBuilder()
        let ends = [Int64.min + 1, .max, 0, 1].map { FixedDecimal(mantissa: $0, places: places) }
        for number in ends + [FixedDecimal(mantissa: 15, places: 1)] {
            builder.addPoint(longitude: one, latitude: one, time: nil)
            builder.set("value", to: number)
        }
        let taken = builder.takeChunk()
        let chunk = try #require(taken)
        #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
        for number in ends { #expect(!number.description.isEmpty && number.double.isFinite) }
    }
}
