import Foundation
import TestSupport
import Testing
import TileLog

@testable import LineGrid

@Suite struct SimplificationTests {
    enum Shape: String, CaseIterable {
        case randomWalk, spiral, backAndForth, comb, circle, longJumps, straight
    }

    static func vertices(_ shape: Shape) -> LineVertices {
        var random = SeededRandom(seed: 11)
        var vertices = LineVertices()
        var (x, y) = (30_000_000.0, 20_000_000.0)
        let count = shape == .spiral ? 3000 : 800
        for index in 0..<count {
            let part = Double(index)
            switch shape {
            case .randomWalk:
                x += Double.random(in: -40...40, using: &random)
                y += Double.random(in: -40...40, using: &random)
            case .spiral:
                x = 30_000_000 + part * 9 * cos(part / 5)
                y = 20_000_000 + part * 9 * sin(part / 5)
            case .backAndForth:
                x += index / 50 % 2 == 0 ? 90 : -90
                y += Double.random(in: -1...1, using: &random)
            case .comb:
                x += 3
                y = 20_000_000 + (index % 2 == 0 ? part * 7 : 0)
            case .circle:
                x = 30_000_000 + 20_000 * cos(part * 2 * .pi / 799)
                y = 20_000_000 + 20_000 * sin(part * 2 * .pi / 799)
            case .longJumps:
                x = Double.random(in: 0...67_000_000, using: &random)
                y = Double.random(in: 0...67_000_000, using: &random)
            case .straight:
                x += 16
                y += 8
            }
            vertices.xs.append(Int32(x.rounded()))
            vertices.ys.append(Int32(y.rounded()))
            vertices.times.append(Int64(index) * 1000)
            vertices.metres.append(part)
            vertices.elevations.append(DayStep.noElevation)
        }
        return vertices
    }

    private func distance(_ x: Double, _ y: Double, from a: (Double, Double), to b: (Double, Double)) -> Double {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1)
        let length = dx * dx + dy * dy
        let part = length == 0 ? 0 : min(1, max(0, ((x - a.0) * dx + (y - a.1) * dy) / length))
        return hypot(x - a.0 - part * dx, y - a.1 - part * dy)
    }

    @Test(arguments: Shape.allCases)
    func `every vertex that a zoom level leaves out is within a quarter pixel of its line`(shape: Shape) {
        let vertices = Self.vertices(shape)
        var levels = [UInt8](repeating: 99, count: vertices.count)
        var simplifier = LineSimplifier()
        simplifier.findLevels(of: vertices, range: 0..<vertices.count, into: &levels)
        #expect(levels.first == 0 && levels.last == 0)
        let place = { (index: Int) in (Double(vertices.xs[index]), Double(vertices.ys[index])) }
        for zoom in 0...16 {
            let tolerance = exp2(Double(16 - zoom))
            let kept = levels.indices.filter { levels[$0] <= UInt8(zoom) }
            var farthest = 0.0
            for (start, end) in zip(kept, kept.dropFirst()) {
                for index in start..<end {
                    let (x, y) = place(index)
                    farthest = max(farthest, distance(x, y, from: place(start), to: place(end)))
                }
            }
            #expect(farthest <= tolerance, "zoom \(zoom)")
        }
    }

    @Test(arguments: Shape.allCases)
    func `a zoom level shows the vertices that it keeps, rounded to its quarter pixels`(shape: Shape) {
        let vertices = Self.vertices(shape)
        var levels = [UInt8](repeating: 0, count: vertices.count)
        var simplifier = LineSimplifier()
        simplifier.findLevels(of: vertices, range: 0..<vertices.count, into: &levels)
        let runs = [LineRun(day: 3, vertices: 0..<vertices.count)]
        var level = ZoomLevelLines()
        level.begin(runs[...])
        for zoom in stride(from: 16, through: 0, by: -1) {
            level.show(runs[...], of: vertices, levels: levels, zoom: zoom)
            var expected: [[Int]] = []
            let unit = exp2(Double(16 - zoom))
            for index in levels.indices where levels[index] <= UInt8(zoom) {
                let x = Int((Double(vertices.xs[index]) / unit + 0.5).rounded(.down))
                let y = Int((Double(vertices.ys[index]) / unit + 0.5).rounded(.down))
                if expected.last != [x, y] { expected.append([x, y]) }
            }
            #expect(zip(level.xs, level.ys).map { [Int($0), Int($1)] } == expected)
            #expect(level.runs.map(\.vertices) == [0..<expected.count])
        }
    }

    @Test func `a straight line has two vertices at every zoom level`() {
        let vertices = Self.vertices(.straight)
        var levels = [UInt8](repeating: 0, count: vertices.count)
        var simplifier = LineSimplifier()
        simplifier.findLevels(of: vertices, range: 0..<vertices.count, into: &levels)
        #expect(levels.dropFirst().dropLast().allSatisfy { $0 == LineSimplifier.never })
    }

    @Test func `the zoom level of a distance is the first whose quarter pixel is smaller`() {
        for zoom in 0...16 {
            let quarter = exp2(Double(16 - zoom))
            #expect(LineSimplifier.level(squaredDistance: (quarter * 1.0001) * (quarter * 1.0001)) == zoom)
            guard zoom < 16 else { continue }
            #expect(LineSimplifier.level(squaredDistance: quarter * quarter) == zoom + 1)
        }
    }
}
