import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import HeatGrid

@Suite struct CellTracerTests {
    private func cells(_ start: WorldPoint, _ end: WorldPoint) -> [UInt64] {
        var tracer = CellTracer()
        tracer.visitLine(from: start, to: end)
        var sorter = CodeSorter()
        return tracer.takeSorted(using: &sorter)
    }

    @Test func `a line visits every cell that contains one of its points, and no other cell`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<400 {
            let x = Int64.random(in: 0..<WorldPoint.side, using: &random)
            let y = Int64.random(in: 4000..<WorldPoint.side - 4000, using: &random)
            let dx = Int64.random(in: -3000...3000, using: &random)
            let dy = Int64.random(in: -3000...3000, using: &random)
            let visited = Set(cells(WorldPoint(x: x, y: y), WorldPoint(x: x + dx, y: y + dy)))
            var sampled: Set<UInt64> = []
            for step in 0...20_000 {
                let px = (Double(dx) * Double(step) / 20_000 + Double(x)).rounded(.down)
                let py = (Double(dy) * Double(step) / 20_000 + Double(y)).rounded(.down)
                let column = (Int64(px) & (WorldPoint.side - 1)) >> 8
                sampled.insert(Morton.code(x: UInt32(column), y: UInt32(Int64(py) >> 8)))
            }
            #expect(sampled.isSubset(of: visited))
            #expect(visited.count <= sampled.count + 2, "\(x),\(y) by \(dx),\(dy)")
        }
    }

    @Test func `a line visits the same cells in both directions`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<2000 {
            // Multiples of a quarter cell hit corners and edges often.
            let start = WorldPoint(
                x: Int64.random(in: 0..<400, using: &random) * 64, y: Int64.random(in: 0..<400, using: &random) * 64)
            let end = WorldPoint(
                x: Int64.random(in: 0..<400, using: &random) * 64, y: Int64.random(in: 0..<400, using: &random) * 64)
            #expect(cells(start, end) == cells(end, start))
        }
    }

    @Test func `a line over the antimeridian goes the short way`() throws {
        let west = try #require(GeoPoint(longitude: 179.99, latitude: 10))
        let east = try #require(GeoPoint(longitude: -179.99, latitude: 10.001))
        let visited = cells(WorldPoint(west), WorldPoint(east))
        #expect(visited.count < 1100)
        let columns = visited.map { Morton.x(of: $0) }
        #expect(columns.contains(0) && columns.contains(0xFF_FFFF))
    }

    @Test func `a tracer that exceeds its tile limit gives the same cells as several smaller ones`() {
        var long = CellTracer()
        var parts: Set<UInt64> = []
        var sorter = CodeSorter()
        var x: Int64 = 0
        for _ in 0..<6 {
            // 800 columns of tiles each; consecutive lines overlap in columns.
            let start = WorldPoint(x: x, y: 1 << 31)
            let end = WorldPoint(x: x + 800 << 16, y: 1 << 31 + 700 << 14)
            long.visitLine(from: start, to: end)
            var short = CellTracer()
            short.visitLine(from: start, to: end)
            parts.formUnion(short.takeSorted(using: &sorter))
            x += 500 << 16
        }
        #expect(long.takeSorted(using: &sorter) == parts.sorted())
        #expect(long.takeSorted(using: &sorter).isEmpty)
    }

    @Test func `what lies beyond the map's edge is cut off`() throws {
        let pole = try #require(GeoPoint(longitude: 10, latitude: 90))
        let near = try #require(GeoPoint(longitude: 10, latitude: 85))
        let visited = cells(WorldPoint(near), WorldPoint(pole))
        #expect(!visited.isEmpty)
        #expect(visited.contains { Morton.y(of: $0) == 0 })
        var tracer = CellTracer()
        tracer.visit(WorldPoint(pole))
        var sorter = CodeSorter()
        #expect(tracer.takeSorted(using: &sorter).isEmpty)
    }
}
