import TestSupport
import Testing
import TileMath

@Suite struct StepDetailTests {
    private func place(_ longitude: Double, _ latitude: Double) -> WorldPoint {
        WorldPoint(longitude: longitude, latitude: latitude)
    }

    @Test func `ordinary steps are drawn at every zoom level, flights at coarse ones`() {
        // 2 km eastwards at 60° north.
        #expect(StepDetail.deepestZoom(from: place(10, 60), to: place(10.0359, 60)) == 16)
        #expect(StepDetail.deepestZoom(from: place(10, 0), to: place(10, 0)) == 16)
        let frankfurt = place(8.57, 50.03)
        #expect(StepDetail.deepestZoom(from: frankfurt, to: place(-73.78, 40.64)) == 6)
        #expect(StepDetail.deepestZoom(from: frankfurt, to: place(2.35, 48.85)) == 9)
        // Half-way round the world, and from pole to pole.
        #expect(StepDetail.deepestZoom(from: place(0, 0), to: place(180, 0)) == 5)
        #expect(StepDetail.deepestZoom(from: place(0, 90), to: place(0, -90)) <= 4)
    }

    @Test func `a step goes the short way over the antimeridian`() {
        #expect(StepDetail.deepestZoom(from: place(179.999, 10), to: place(-179.999, 10)) == 16)
        #expect(StepDetail.deepestZoom(from: place(179, 10), to: place(-179, 10)) == 11)
    }

    @Test func `the part of a step beyond the map edges does not count, except near the edges`() {
        // From the pole to the next degree: completely beyond 85.0511°.
        #expect(StepDetail.deepestZoom(from: place(10, 90), to: place(20, 89)) == 16)
        // Some metres beyond the edge, along a third of the world: the width of the drawn line reaches onto the map.
        #expect(StepDetail.deepestZoom(from: place(0, 85.0515), to: place(120, 85.0515)) <= 6)
        // Only a small part of a step to the pole is on the map.
        #expect(StepDetail.deepestZoom(from: place(10, 85.05), to: place(10, 90)) >= 8)
    }

    @Test func `the zoom level is the deepest one within the limits and is the same in both directions`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<5000 {
            let reach = Int64(1) << Int64.random(in: 4...32, using: &random)
            let start = WorldPoint(
                x: .random(in: 0..<WorldPoint.side, using: &random), y: .random(in: 0..<WorldPoint.side, using: &random)
            )
            let end = WorldPoint(
                x: start.x + Int64.random(in: -reach...reach, using: &random),
                y: min(max(start.y + Int64.random(in: -reach...reach, using: &random), 0), WorldPoint.side - 1))
            let zoom = Int64(StepDetail.deepestZoom(from: start, to: end))
            #expect(Int64(StepDetail.deepestZoom(from: end, to: start)) == zoom)
            let (width, height) = (abs(start.eastwards(to: end)), abs(end.y - start.y))
            func isWithin(_ zoom: Int64) -> Bool {
                let shift = 24 - zoom
                let (larger, smaller) = (max(width, height), min(width, height))
                return larger >> shift <= 4096 && (larger + 2 * smaller) >> shift <= 5120
            }
            #expect(isWithin(zoom) && (zoom == 16 || !isWithin(zoom + 1)), "\(start) \(end)")
        }
    }
}
