import Testing
import TileMath

@Suite struct E7LongitudeTests {
    private static let longitudes: [Int32] = [
        -1_800_000_000, -1_799_999_999, -900_000_000, -1, 0, 1, 900_000_000, 1_799_999_999, 1_800_000_000,
    ]

    @Test(arguments: longitudes, longitudes)
    func `The difference of two longitudes is at most a half turn, and leads from one to the other`(
        start: Int32, end: Int32
    ) {
        let difference = E7Longitude.difference(from: start, to: end)
        #expect(difference.magnitude <= 1_800_000_000)
        let reached = Int64(E7Longitude.wrapped(Int64(start) + difference))
        #expect((-1_800_000_000...1_800_000_000).contains(reached))
        #expect((reached - Int64(end)) % 3_600_000_000 == 0)
        // Exactly a half turn is not turned round.
        if (Int64(end) - Int64(start)).magnitude <= 1_800_000_000 { #expect(difference == Int64(end) - Int64(start)) }
    }
}
