import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

/// Long steps are stored once, and every deeper tile draws them from there.
@Suite struct LongStepLineTests {
    private static let side = TileLines.unitsPerSide
    private static let margin = TileLines.marginPixels * TileLines.unitsPerPixel

    private func wandering(_ seed: UInt64, count: Int) -> [PlaceInTime] {
        var random = SeededRandom(seed: seed)
        var place = (lon: Double.random(in: -179...179, using: &random), lat: 10.0)
        return (0..<count).map { number in
            let reach = [0.0005, 0.01, 0.4, 6][Int.random(in: 0..<4, using: &random)]
            place.lon += .random(in: -reach...reach, using: &random)
            if abs(place.lon) > 180 { place.lon -= place.lon > 0 ? 360 : -360 }
            place.lat = min(max(place.lat + .random(in: -reach...reach, using: &random), -70), 70)
            return (place.lon, place.lat, 1_700_000_000_000 + Int64(number) * 3_600_000)
        }
    }

    /// The lines of a tile: those in its log, and the long steps in its ancestors' logs.
    private func lines(_ logs: [UInt64: [UInt8]], _ tile: TileKey) -> TileLines {
        var lines = logs[tile.packed].map { tileLines($0) } ?? TileLines()
        for holder in tile.ancestors {
            guard let log = logs[holder.packedLongSteps] else { continue }
            lines.merge(LongSteps(tileLines(log), of: holder).lines(near: tile))
        }
        return lines
    }

    /// Both ends of a step in a zoom level's quarter pixels.
    private func placed(_ step: (DayStep, DayStep), zoom: Int) -> PlacedSegment {
        func rounded(_ units: Int64) -> Int {
            let deepest = (units + 32) >> 6
            let shift = Int64(16 - zoom)
            return Int((deepest + (1 << shift) >> 1) >> shift)
        }
        let x = step.0.point.x
        return PlacedSegment(
            startX: rounded(x), startY: rounded(step.0.point.y),
            endX: rounded(x + step.0.point.eastwards(to: step.1.point)), endY: rounded(step.1.point.y))
    }

    private func comesNear(_ segment: PlacedSegment) -> Bool {
        let (low, high) = (-Self.margin, Self.side + Self.margin)
        guard max(segment.startX, segment.endX) >= low, min(segment.startX, segment.endX) <= high,
            max(segment.startY, segment.endY) >= low, min(segment.startY, segment.endY) <= high
        else { return false }
        let (dx, dy) = (segment.endX - segment.startX, segment.endY - segment.startY)
        let half = Self.side / 2
        return abs(dx * (half - segment.startY) - dy * (half - segment.startX))
            <= (half + Self.margin) * (abs(dx) + abs(dy))
    }

    @Test(arguments: UInt64(1)...3) func `a deeper tile draws the whole step, with the same ends as its neighbours`(
        seed: UInt64
    ) throws {
        let steps = [PointColumns.degrees(wandering(seed, count: 60))].daySteps()
        let logs = lineLogs(steps)
        var random = SeededRandom(seed: seed)
        var looked = 0
        for (start, end) in zip(steps, steps.dropFirst()) where !end.begins && end.deepestZoom < 16 {
            for zoom in (Int(StepDetail.deepestZoomOfLines(heatDownTo: end.deepestZoom)) + 1)...16 {
                let placed = placed((start, end), zoom: zoom)
                // Tiles on the step and next to it.
                let share = Double.random(in: 0...1, using: &random)
                let x = placed.startX + Int(Double(placed.endX - placed.startX) * share)
                let y = placed.startY + Int(Double(placed.endY - placed.startY) * share)
                let column = x >> 10 + Int.random(in: -1...1, using: &random)
                let row = y >> 10 + Int.random(in: -1...1, using: &random)
                guard row >= 0, row < 1 << zoom else { continue }
                let tile = TileKey(
                    zoom: zoom, morton: Morton.code(x: UInt32(column & (1 << zoom - 1)), y: UInt32(row)))
                let near = placed.shifted(x: -column << 10, y: -row << 10)
                let found = lines(logs, tile).segments
                #expect(found.filter { $0 == near }.count == (comesNear(near) ? 1 : 0), "\(zoom) \(near)")
                looked += 1
            }
        }
        #expect(looked > 100)
    }

    @Test func `the tiles found near steps are exactly those for which the box test is true`() throws {
        let steps = [PointColumns.degrees(wandering(8, count: 50))].daySteps()
        let logs = lineLogs(steps)
        var count = 0
        for (packed, log) in logs {
            guard let holder = TileKey(packedLongSteps: packed), holder.zoom < 13 else { continue }
            let long = LongSteps(tileLines(log), of: holder)
            for depth in [1, 3] {
                let zoom = try #require(ZoomLevel(holder.zoom + depth))
                let below = (0..<UInt64(1) << UInt64(2 * depth)).map { holder.morton << UInt64(2 * depth) | $0 }
                let expected = below.filter { long.areNear(TileKey(zoom: zoom.number, morton: $0)) }
                #expect(long.tiles(zoom: zoom) == expected)
                #expect(
                    expected.filter { !long.fragments(near: TileKey(zoom: zoom.number, morton: $0)).isEmpty }
                        == expected)
                count += expected.count
            }
        }
        #expect(count > 100)
    }

    @Test func `ordinary lines and long steps of a track's day form one fragment`() throws {
        // A walk, a flight, and a walk at the destination.
        let time: Int64 = 1_699_950_000_000
        let points: [PlaceInTime] = [
            (10, 50, time), (10.002, 50.001, time + 600_000), (-20, 45, time + 20_000_000),
            (-20.003, 45, time + 20_600_000),
        ]
        let logs = lineLogs([PointColumns.degrees(points, elevations: [100, 110, 20, 30])].daySteps())
        let place = WorldPoint(longitude: 10.002, latitude: 50.001)
        let tile = TileKey(
            zoom: 16, morton: Morton.code(x: UInt32(place.x >> 16), y: UInt32(place.y >> 16)))
        let found = lines(logs, tile)
        #expect(found.fragments.count == 1 && found.runs.count == 2 && found.fragments[0].runs == 0..<2)
        // The flight begins where the walk ends, and has its own speed and elevations.
        let (walk, flight) = (found.runs[0], found.runs[1])
        #expect(found.xs[walk.upperBound - 1] == found.xs[flight.lowerBound])
        #expect(found.ys[walk.upperBound - 1] == found.ys[flight.lowerBound])
        #expect(Array(found.elevations[flight]) == [110, 20])
        #expect(found.speeds[flight.lowerBound + 1] > 200 && found.speeds[walk.lowerBound + 1] < 120)
    }

    @Test func `at zoom levels where a step is short enough, lines are simplified through it`() throws {
        // A straight flight with a point every 33 km: two vertices remain at coarse zoom levels.
        var points: [PlaceInTime] = []
        for step in 0..<40 {
            points.append((lon: 5 + Double(step) * 0.3, lat: 0, time: 1_700_000_000_000 + Int64(step) * 120_000))
        }
        let logs = lineLogs([PointColumns.degrees(points)].daySteps())
        let world = try #require(logs[0])
        #expect(tileLines(world).xs.count == 2)
        let holders = logs.keys.compactMap { (key: UInt64) -> TileKey? in TileKey(packedLongSteps: key) }
        #expect(!holders.isEmpty && Set(holders.map(\.zoom)).count == 1)
        #expect(logs.keys.allSatisfy { $0 >= TileKey.firstOfLongSteps || $0 >> 32 <= UInt64(holders[0].zoom) })
    }
}
