import TestSupport
import Testing
import Tracks

@Suite struct StepRulerTests {
    @Test func `a ruler measures steps of any length and region like Geodesy`() {
        var random = SeededRandom(seed: 8)
        for reach: Int64 in [10, 1000, 100_000, 490_000, 510_000, 40_000_000, 1_800_000_000] {
            var ruler = StepRuler()
            for _ in 0..<2000 {
                let longitude = Int64(random.below(UInt64(3_600_000_001))) - 1_800_000_000
                let latitude = Int64(random.below(UInt64(1_800_000_001))) - 900_000_000
                let east = Int64(random.below(UInt64(2 * reach + 1))) - reach
                let north = Int64(random.below(UInt64(2 * reach + 1))) - reach
                let start = (Int32(longitude), Int32(latitude))
                let end = (
                    Int32(clamping: min(max(longitude + east, -1_800_000_000), 1_800_000_000)),
                    Int32(clamping: min(max(latitude + north, -900_000_000), 900_000_000))
                )
                let exact = Geodesy.metres(start.0, start.1, end.0, end.1)
                let measured = ruler.metres(start.0, start.1, end.0, end.1)
                #expect(abs(measured - exact) <= exact * 2e-8 + 1e-9, "\(start) \(end) \(exact)")
            }
        }
    }

    @Test func `a ruler takes the shorter way over the antimeridian`() {
        var ruler = StepRuler()
        let metres = ruler.metres(1_799_999_000, 0, -1_799_999_000, 0)
        #expect(abs(metres - Geodesy.metres(0, 0, 2000, 0)) < 0.001)
    }
}
