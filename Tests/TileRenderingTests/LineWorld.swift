import Colors
import Foundation
import LineGrid
import Styling
import TestSupport
import Testing
import TileMath
import TileRendering

/// A few lines near one place, in the units of a zoom level's tiles.
struct LineWorld {
    struct Vertex {
        var x: Int64
        var y: Int64
        var speed: UInt8
        var elevation: Int16
    }

    /// A polyline and its track; x is not wrapped at the antimeridian.
    struct Line {
        var track: Int64
        var vertices: [Vertex]
    }

    var zoom: ZoomLevel
    var unitsPerSide: Int64
    var lines: [Line] = []

    /// The width of the world in units.
    var width: Int64 { unitsPerSide << Int64(zoom.number) }

    /// Winding lines that start near a place, some of one vertex, some with very long segments.
    init(zoom: ZoomLevel, unitsPerSide: Int, around x: Int64, _ y: Int64, count: Int, seed: UInt64) {
        self.zoom = zoom
        self.unitsPerSide = Int64(unitsPerSide)
        var random = SeededRandom(seed: seed)
        let step = Int64(unitsPerSide) / 12
        for track in 0..<count {
            var place = (
                x: x + random.below(6 * step) - 3 * step, y: y + random.below(6 * step) - 3 * step
            )
            var line = Line(track: Int64(track), vertices: [])
            for number in 0..<(track % 5 == 4 ? 1 : 7) {
                line.vertices.append(
                    Vertex(
                        x: place.x, y: place.y, speed: UInt8(random.below(256)),
                        elevation: number % 4 == 3 ? TileLines.noElevation : Int16(random.below(2000))))
                let reach = number == 5 && track % 7 == 3 ? 40 * step : step
                place.x += random.below(2 * reach) - reach
                place.y += random.below(2 * reach) - reach
            }
            lines.append(line)
        }
    }

    /// The lines as a tile's log holds them: every segment near the tile, unclipped, with all its copies around the
    /// world.
    func lines(of tile: TileCoordinate) -> TileLines {
        precondition(tile.zoom == zoom)
        let margin = unitsPerSide * 8 / 256
        var found = TileLines()
        for line in lines {
            let first = found.runs.count
            for turn in [-width, 0, width] {
                let local = line.vertices.map { vertex in
                    var vertex = vertex
                    vertex.x += turn - Int64(tile.x) * unitsPerSide
                    vertex.y -= Int64(tile.y) * unitsPerSide
                    return vertex
                }
                append(local, margin, to: &found)
            }
            guard found.runs.count > first else { continue }
            found.fragments.append(
                TileLines.Fragment(track: line.track, day: Int32(line.track), runs: first..<found.runs.count))
        }
        return found
    }

    private func append(_ vertices: [Vertex], _ margin: Int64, to found: inout TileLines) {
        let box = -margin...unitsPerSide + margin
        func isNear(_ start: Vertex, _ end: Vertex) -> Bool {
            min(start.x, end.x) <= box.upperBound && max(start.x, end.x) >= box.lowerBound
                && min(start.y, end.y) <= box.upperBound && max(start.y, end.y) >= box.lowerBound
        }
        if vertices.count == 1 {
            guard isNear(vertices[0], vertices[0]) else { return }
            return append(run: vertices, to: &found)
        }
        var run: [Vertex] = []
        for (start, end) in zip(vertices, vertices.dropFirst()) {
            if isNear(start, end) {
                run += run.isEmpty ? [start, end] : [end]
            } else if !run.isEmpty {
                append(run: run, to: &found)
                run = []
            }
        }
        if !run.isEmpty { append(run: run, to: &found) }
    }

    private func append(run: [Vertex], to found: inout TileLines) {
        let first = found.xs.count
        for vertex in run {
            found.xs.append(Int32(vertex.x))
            found.ys.append(Int32(vertex.y))
            found.speeds.append(vertex.speed)
            found.elevations.append(vertex.elevation)
        }
        found.runs.append(first..<found.xs.count)
    }
}

/// A reference implementation: the colour of a pixel, computed from the distances to all lines.
struct ReferenceRenderer {
    private struct LineSegment {
        var startX: Double
        var startY: Double
        var endX: Double
        var endY: Double
        var rank: Int

        func isNear(_ x: Double, _ y: Double) -> Bool {
            let reach = 20.0
            return min(startX, endX) < x + reach && max(startX, endX) > x - reach && min(startY, endY) < y + reach
                && max(startY, endY) > y - reach
        }

        func distance(to x: Double, _ y: Double) -> Double {
            let (alongX, alongY) = (endX - startX, endY - startY)
            let square = alongX * alongX + alongY * alongY
            let share =
                square == 0 ? 0 : min(max(((x - startX) * alongX + (y - startY) * alongY) / square, 0), 1)
            let (east, south) = (x - startX - alongX * share, y - startY - alongY * share)
            return (east * east + south * south).squareRoot()
        }

        /// Whether a place lies beside the segment, not beyond its ends, and within `reach`.
        func passes(_ x: Double, _ y: Double, reach: Double) -> Bool {
            let (alongX, alongY) = (endX - startX, endY - startY)
            let along = (x - startX) * alongX + (y - startY) * alongY
            return along >= 0 && along < alongX * alongX + alongY * alongY && distance(to: x, y) <= reach
        }
    }

    private var segments: [LineSegment] = []
    private let symbolizer: LineSymbolizer
    private let halfWidth: Double
    private let rim: Double

    /// The reference for a zoom level and a size in pixels; `trackRanks` holds the rank of each track.
    init(_ world: LineWorld, _ symbolizer: LineSymbolizer, zoom: ZoomLevel, scale: TileScale, trackRanks: [UInt8]) {
        self.symbolizer = symbolizer
        halfWidth = symbolizer.width[zoom] * Double(scale.rawValue) / 2
        rim = (symbolizer.casing?.width[zoom] ?? 0) * Double(scale.rawValue)
        let pixels = Double(scale.side << (zoom.number - world.zoom.number)) / Double(world.unitsPerSide)
        for line in world.lines {
            let (xs, ys) = (line.vertices.map { Double($0.x) * pixels }, line.vertices.map { Double($0.y) * pixels })
            for turn in [-1.0, 0, 1] {
                let offset = turn * Double(world.width) * pixels
                for index in xs.indices where index > 0 || xs.count == 1 {
                    let start = max(index - 1, 0)
                    segments.append(
                        LineSegment(
                            startX: xs[start] + offset, startY: ys[start], endX: xs[index] + offset, endY: ys[index],
                            rank: rank(line, start, index, trackRanks)))
                }
            }
        }
    }

    private func rank(_ line: LineWorld.Line, _ start: Int, _ end: Int, _ trackRanks: [UInt8]) -> Int {
        let (from, to) = (line.vertices[start], line.vertices[end])
        switch symbolizer.coloring {
        case .fixed: return 0
        case .activity, .age: return Int(trackRanks[Int(line.track)])
        case .speed: return start == end ? 0 : symbolizer.rank(metresPerSecond: SpeedCode.metresPerSecond(to.speed))
        case .elevation:
            let known = [from, to].map(\.elevation).filter { $0 != TileLines.noElevation }.map(Int.init)
            return symbolizer.rank(elevation: known.isEmpty ? nil : Double(known.reduce(0, +) / known.count))
        case .direction:
            return start == end || (from.x, from.y) == (to.x, to.y)
                ? 0 : symbolizer.rank(direction: atan2(Double(to.x - from.x), Double(from.y - to.y)))
        }
    }

    /// Premultiplied red, green, blue and alpha, 0…1, of the pixel with this north-western corner.
    func color(x: Int, y: Int) -> SIMD4<Double> {
        let (east, south) = (Double(x) + 0.5, Double(y) + 0.5)
        var nearest = [Double](repeating: .infinity, count: symbolizer.palette.count)
        for segment in segments where segment.isNear(east, south) {
            nearest[segment.rank] = min(nearest[segment.rank], segment.distance(to: east, south))
        }
        var color = SIMD4<Double>(repeating: 0)
        guard nearest.contains(where: { $0 < .infinity }) else { return color }
        func composite(_ above: Color, _ distance: Double, _ halfWidth: Double) {
            let covered = max(0, min(distance + 0.5, halfWidth) - max(distance - 0.5, -halfWidth))
            let ink = SIMD4(Double(above.red), Double(above.green), Double(above.blue), 255) / 255
            color = ink * covered + color * (1 - covered)
        }
        if let casing = symbolizer.casing, rim > 0 {
            composite(casing.color, nearest.min() ?? .infinity, halfWidth + rim)
        }
        for (color, distance) in zip(symbolizer.palette, nearest) { composite(color, distance, halfWidth) }
        if let dense = symbolizer.dense {
            let lines = segments.count { $0.isNear(east, south) && $0.passes(east, south, reach: halfWidth) }
            let share = Double(LineSymbolizer.denseShare(lines: Float(lines)))
            let covered = min(nearest[0] + 0.5, halfWidth) - max(nearest[0] - 0.5, -halfWidth)
            let ink = SIMD4(Double(dense.red), Double(dense.green), Double(dense.blue), 255) / 255
            color = ink * max(0, covered) * share + color * (1 - max(0, covered) * share)
        }
        return color * symbolizer.opacity
    }
}
