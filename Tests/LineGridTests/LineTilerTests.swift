import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

@Suite struct LineTilerTests {
    private static let margin = TileLines.marginPixels * TileLines.unitsPerPixel

    /// Polylines with random steps of up to `reach`; some are lone vertices.
    private func vertices(seed: UInt64, reach: Int32) -> (vertices: LineVertices, runs: [LineRun]) {
        var random = SeededRandom(seed: seed)
        var vertices = LineVertices()
        var runs: [LineRun] = []
        for number in 0..<6 {
            let first = vertices.count
            var x = Int32.random(in: 0..<(1 << 26), using: &random)
            var y = Int32.random(in: -40...(1 << 26) + 40, using: &random)
            for _ in 0..<(number % 3 == 2 ? 1 : 30) {
                vertices.xs.append(x)
                vertices.ys.append(y)
                vertices.times.append(0)
                vertices.metres.append(0)
                vertices.elevations.append(DayStep.noElevation)
                x += Int32.random(in: -reach...reach, using: &random)
                y = min(max(y + Int32.random(in: -reach...reach, using: &random), -5000), 1 << 26 + 5000)
            }
            runs.append(LineRun(day: 5, vertices: first..<vertices.count))
        }
        return (vertices, runs)
    }

    private func crosses(_ line: PlacedSegment, _ edge: PlacedSegment) -> Bool {
        func side(_ of: PlacedSegment, _ x: Int, _ y: Int) -> Int {
            ((of.endX - of.startX) * (y - of.startY) - (of.endY - of.startY) * (x - of.startX)).signum()
        }
        return side(line, edge.startX, edge.startY) * side(line, edge.endX, edge.endY) <= 0
            && side(edge, line.startX, line.startY) * side(edge, line.endX, line.endY) <= 0
            && max(min(line.startX, line.endX), min(edge.startX, edge.endX))
                <= min(max(line.startX, line.endX), max(edge.startX, edge.endX))
            && max(min(line.startY, line.endY), min(edge.startY, edge.endY))
                <= min(max(line.startY, line.endY), max(edge.startY, edge.endY))
    }

    /// Whether a segment meets a tile's widened box, checked at both ends and at each edge.
    private func meets(_ line: PlacedSegment, column: Int, row: Int) -> Bool {
        let (west, north) = (column * 1024 - Self.margin, row * 1024 - Self.margin)
        let (east, south) = ((column + 1) * 1024 + Self.margin, (row + 1) * 1024 + Self.margin)
        for (x, y) in [(line.startX, line.startY), (line.endX, line.endY)]
        where x >= west && x <= east && y >= north && y <= south { return true }
        let corners = [(west, north), (east, north), (east, south), (west, south)]
        return (0..<4).contains { side in
            let (from, to) = (corners[side], corners[(side + 1) % 4])
            return crosses(line, PlacedSegment(startX: from.0, startY: from.1, endX: to.0, endY: to.1))
        }
    }

    @Test(arguments: [(0, 1 << 25), (1, 1 << 25), (2, 1 << 24), (5, 1 << 22), (9, 1 << 18), (16, 3000), (16, 400)])
    func `a segment is stored uncut in exactly the tiles whose widened box it meets`(zoom: Int, reach: Int) throws {
        for seed in UInt64(1)...3 {
            let (vertices, runs) = vertices(seed: seed, reach: Int32(reach))
            let levels = [UInt8](repeating: 0, count: vertices.count)
            var level = ZoomLevelLines()
            level.begin(runs[...])
            level.show(runs[...], of: vertices, levels: levels, zoom: zoom)
            var expected: [UInt64: [PlacedSegment]] = [:]
            let side = 1 << zoom
            for run in level.runs.map(\.vertices) {
                for index in run.count == 1 ? run : run.dropLast() {
                    let next = run.count == 1 ? index : index + 1
                    let line = PlacedSegment(
                        startX: Int(level.xs[index]), startY: Int(level.ys[index]), endX: Int(level.xs[next]),
                        endY: Int(level.ys[next]))
                    for column in min(line.startX, line.endX) >> 10 - 1...max(line.startX, line.endX) >> 10 + 1 {
                        for row in min(line.startY, line.endY) >> 10 - 1...max(line.startY, line.endY) >> 10 + 1
                        where row >= 0 && row < side && meets(line, column: column, row: row) {
                            let code = Morton.code(x: UInt32(column & (side - 1)), y: UInt32(row))
                            let here = line.shifted(x: -column * 1024, y: -row * 1024)
                            expected[UInt64(zoom) << 32 | code, default: []].append(here)
                        }
                    }
                }
            }
            var tiler = LineTiler()
            for run in level.runs.indices {
                var start: Int? = level.runs[run].vertices.lowerBound
                // The smallest limit: each call continues the line where the last one stopped.
                while let from = start { start = tiler.add(level, run: run, from: from, zoom: zoom, limit: 1) }
            }
            tiler.join(zoom: zoom)
            var found: [UInt64: [PlacedSegment]] = [:]
            for entry in tiler.entries {
                for index in Int(entry.first)..<max(Int(entry.last), Int(entry.first) + 1) {
                    let next = entry.first == entry.last ? index : index + 1
                    let segment = PlacedSegment(
                        startX: Int(level.xs[index]), startY: Int(level.ys[index]), endX: Int(level.xs[next]),
                        endY: Int(level.ys[next]))
                    found[entry.tile, default: []].append(
                        segment.shifted(x: -Int(entry.column) * 1024, y: -Int(entry.row) * 1024))
                }
            }
            #expect(Set(found.keys) == Set(expected.keys))
            for (tile, segments) in expected {
                let order = { (left: PlacedSegment, right: PlacedSegment) in
                    (left.startX, left.startY, left.endX, left.endY)
                        < (right.startX, right.startY, right.endX, right.endY)
                }
                #expect(found[tile]?.sorted(by: order) == segments.sorted(by: order))
            }
        }
    }

    @Test(arguments: [true, false])
    func `a line over 180° takes the shorter way and is in the tiles on both sides`(eastwards: Bool) throws {
        let ends: [PlaceInTime] = [(179.9, 10, 0), (-179.9, 10.1, 60_000 * 60)]
        let logs = lineLogs([PointColumns.degrees(eastwards ? ends : ends.reversed())].daySteps())
        let level = try #require(ZoomLevel(3))
        let west = try #require(TileCoordinate(zoom: level, x: 7, y: 3).flatMap { TileKey($0) })
        let east = try #require(TileCoordinate(zoom: level, x: 0, y: 3).flatMap { TileKey($0) })
        #expect(Set(logs.keys.filter { $0 >> 32 == 3 }) == [west.packed, east.packed])
        let (left, right) = (tileLines(logs[west.packed] ?? []), tileLines(logs[east.packed] ?? []))
        #expect(left.segments == right.segments.map { $0.shifted(x: 1024, y: 0) })
        #expect(left.segments.count == 1)
        // At zoom level 0 the only tile shows the line at both edges.
        let world = tileLines(logs[0] ?? [])
        #expect(world.segments.count == 2)
        #expect(abs(Int(world.xs[0]) - Int(world.xs[world.runs[1].lowerBound])) == 1024)
    }

    @Test func `lines near the poles are in no tile, and lines at the map corners only in existing tiles`() throws {
        #expect(lineLogs([PointColumns.degrees([(10, 87, 0), (11, 88, 3_600_000)])].daySteps()).isEmpty)
        let corner = lineLogs([PointColumns.degrees([(-180, 85.0511, 0)])].daySteps())
        for zoom in 0...16 {
            let columns = Set(
                corner.keys.filter { $0 >> 32 == UInt64(zoom) }.map { Int(Morton.x(of: $0 & 0xFFFF_FFFF)) })
            #expect(columns == [0, (1 << zoom) - 1])
        }
        let south = lineLogs([PointColumns.degrees([(179.999, -85.0511, 0)])].daySteps())
        #expect(south.keys.filter { $0 >> 32 == 16 }.allSatisfy { Morton.y(of: $0 & 0xFFFF_FFFF) == 65_535 })
        #expect(!south.isEmpty)
    }
}
