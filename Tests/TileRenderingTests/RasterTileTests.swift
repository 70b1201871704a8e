import Cairo
import Colors
import Foundation
import LineGrid
import PNG
import Styling
import TestSupport
import Testing
import TileMath

@testable import TileRendering

@Suite struct RasterTileTests {
    private static let tile = TileCoordinate(northWestOf: .deepestGrid)
    private static let layout = LineTileLayout.lines(of: tile, scale: .single)

    private static func world(count: Int = 24, seed: UInt64 = 3) -> LineWorld {
        LineWorld(zoom: .deepestGrid, unitsPerSide: 1024, around: 512, 512, count: count, seed: seed)
    }

    private static func picture(
        _ world: LineWorld, _ symbolizer: LineSymbolizer, ranks: [UInt8] = [], method: LineDrawing.Method = .raster,
        canvas: Canvas
    ) throws -> RGBAImage {
        let lines = world.lines(of: tile)
        let fragmentRanks = ranks.isEmpty ? [] : lines.fragments.map { ranks[Int($0.track)] }
        canvas.draw(nothing: .single)
        try canvas.draw(LineDrawing(layout, symbolizer, lines, method: method, fragmentRanks: fragmentRanks))
        return try PNGReader.image(of: try canvas.png())
    }

    @Test(arguments: [0.3, 0.5, 0.75, 1, 1.17, 1.5, 2, 2.5, 3.5, 7, 14])
    func `A brush covers the quarter pixels within its radius, and a line has its width`(width: Double) {
        var random = SeededRandom(seed: UInt64(width * 100))
        var points = [UInt64](repeating: 0, count: RasterGrid.side * RasterGrid.wordsPerRow)
        var places: [(x: Int, y: Int)] = []
        for _ in 0..<60 {
            // In the tile and in its margin.
            let (x, y) = (random.below(RasterGrid.side), random.below(RasterGrid.side))
            let bit = x + UInt64.bitWidth - RasterGrid.margin
            points[y * RasterGrid.wordsPerRow + bit / 64] |= 1 << UInt64(bit % 64)
            places.append((x - RasterGrid.margin, y - RasterGrid.margin))
        }
        let brush = LineBrush(width: width)
        let half = Double(brush.extents[0])
        #expect(abs(2 * half - 4 * width) <= 1 || width < 0.5)
        #expect(brush.share == 1 || width < 1.5)
        #expect(abs(Double(brush.share) * 2 * half - 4 * width) < 0.01 || brush.share == 1)
        var brushed = BrushedRaster()
        brushed.draw(points, rows: 0..<RasterGrid.side, brush)
        var mask = [UInt8](repeating: 0, count: 256 * 256)
        var span = mask.mutableSpan
        brushed.cover(&span, bytesPerRow: 256)
        let square = max(4 * width * width, (half - 0.5) * (half - 0.5) + 0.25)
        var covered = [UInt8](repeating: 0, count: 1024 * 1024)
        for place in places {
            for south in -Int(half)..<Int(half) {
                for east in -Int(half)..<Int(half) {
                    let (x, y) = (place.x + east, place.y + south)
                    let (dx, dy) = (Double(east) + 0.5, Double(south) + 0.5)
                    if dx * dx + dy * dy <= square, min(x, y) >= 0, max(x, y) < 1024 { covered[y * 1024 + x] = 1 }
                }
            }
        }
        var wrong = 0
        for pixel in 0..<65_536 {
            let first = pixel / 256 * 4 * 1024 + pixel % 256 * 4
            var quarters = 0
            for row in 0..<4 { for column in 0..<4 { quarters += Int(covered[first + row * 1024 + column]) } }
            if mask[pixel] != UInt8((Float(quarters * 255) * brush.share / 16).rounded()) { wrong += 1 }
        }
        #expect(wrong == 0)
        #expect(mask.contains { $0 > 0 })
    }

    @Test(arguments: LineColoring.allCases, [false, true])
    func `Through a raster, lines look as by their distances`(coloring: LineColoring, casing: Bool) throws {
        let symbolizer = try coloring.symbolizer(casing: casing, width: ZoomNumbers(2.5))
        let world = Self.world()
        let ranks = coloring.ranks(tracks: world.lines.count, symbolizer)
        let canvas = try Canvas()
        let exact = try Self.picture(world, symbolizer, ranks: ranks, method: .distances, canvas: canvas)
        let raster = try Self.picture(world, symbolizer, ranks: ranks, canvas: canvas)
        var (inked, different, missing) = (0, 0, 0)
        for y in 0..<256 {
            for x in 0..<256 {
                let (one, two) = (exact[x, y], raster[x, y])
                if one.alpha > 0 { inked += 1 }
                if abs(Int(one.alpha) - Int(two.alpha)) > 64 { different += 1 }
                // No line is there in one picture and not in the other.
                if (one.alpha > 200 && two.alpha < 60) || (one.alpha < 20 && two.alpha > 160) { missing += 1 }
            }
        }
        #expect(inked > 3000)
        #expect(Double(different) / Double(inked) < 0.02)
        #expect(missing == 0)
    }

    /// A tile that begins at another place has the same pixels, so adjacent tiles continue each other.
    @Test(arguments: LineColoring.allCases, [(512, 0), (0, -512), (-256, 256), (300, -600)])
    func `Pixels do not depend on where the edges of the tile are`(coloring: LineColoring, shift: (Int, Int)) throws {
        let symbolizer = try coloring.symbolizer(casing: true, opacity: 0.8, width: ZoomNumbers(4))
        var (world, moved) = (Self.world(count: 60), Self.world(count: 60))
        if coloring == .dense {
            // Many lines over each other, also along the edges.
            for number in 0..<120 {
                world.lines.append(world.lines[number % 7])
                world.lines[world.lines.count - 1].track = Int64(100 + number)
            }
            moved = world
        }
        for line in moved.lines.indices {
            for vertex in moved.lines[line].vertices.indices {
                moved.lines[line].vertices[vertex].x -= Int64(shift.0)
                moved.lines[line].vertices[vertex].y -= Int64(shift.1)
            }
        }
        let ranks = coloring.ranks(tracks: world.lines.count, symbolizer)
        let canvas = try Canvas()
        let here = try Self.picture(world, symbolizer, ranks: ranks, canvas: canvas)
        let there = try Self.picture(moved, symbolizer, ranks: ranks, canvas: canvas)
        var (compared, inked) = (0, 0)
        for y in 0..<256 {
            for x in 0..<256 {
                let (otherX, otherY) = (x - shift.0 / 4, y - shift.1 / 4)
                guard (0..<256).contains(otherX), (0..<256).contains(otherY) else { continue }
                compared += 1
                if here[x, y].alpha > 0 { inked += 1 }
                if here[x, y] != there[otherX, otherY] {
                    Issue.record("\(x),\(y): \(here[x, y]), not \(there[otherX, otherY])")
                    return
                }
            }
        }
        #expect(compared > 30 && inked > 0)
    }

    @Test func `A stored raster and its lines give the same picture`() throws {
        let symbolizer = try LineColoring.dense.symbolizer(casing: true, width: ZoomNumbers(3))
        var worlds = [Self.world(count: 80, seed: 1), Self.world(count: 80, seed: 2)]
        for line in worlds[1].lines.indices { worlds[1].lines[line].track += 80 }
        for number in 0..<60 { worlds[0].lines.append(worlds[0].lines[number % 3]) }
        for line in worlds[0].lines.indices { worlds[0].lines[line].track = Int64(1000 + line) }
        let parts = worlds.map { $0.lines(of: Self.tile) }
        var all = parts[0]
        all.append(parts[1])
        let canvas = try Canvas()
        func picture(_ lines: TileLines, _ rasters: [LineDrawing.Raster]) throws -> ShownContent {
            canvas.draw(nothing: .single)
            try canvas.draw(LineDrawing(Self.layout, symbolizer, lines, rasters: rasters, method: .raster))
            return try canvas.png().shown
        }
        let encoded = parts.map { part in
            var raster = LineRaster()
            raster.clear(hasCounts: true)
            raster.add(part) { _, _, _ in 0 }
            return LineDrawing.Raster(points: raster.encoded)
        }
        let drawn = try picture(all, [])
        #expect(drawn != Self.layout.scale.emptyPicture.shown)
        #expect(try picture(parts[1], [encoded[0]]) == drawn)
        #expect(try picture(TileLines(), [encoded[1], encoded[0]]) == drawn)
    }

    @Test(arguments: [LineColoring.activity, .age, .speed, .elevation, .direction])
    func `A stored raster with codes gives the same colours as its lines`(coloring: LineColoring) throws {
        let symbolizer = try coloring.symbolizer(casing: true, width: ZoomNumbers(3))
        let property = try #require(symbolizer.property)
        let parts = [Self.world(count: 60, seed: 3), Self.world(count: 60, seed: 4)].map { $0.lines(of: Self.tile) }
        var all = parts[0]
        all.append(parts[1])
        // Activities and days by track and day, as a grid would have them.
        let activity = { (track: Int64) in UInt8(truncatingIfNeeded: track % 5) }
        let activityRanks: [UInt8] = [0, 2, 1, 0, 2]
        let days = Set(all.fragments.map(\.day)).sorted()
        let rankOfDay = Dictionary(
            uniqueKeysWithValues: days.enumerated().map { ($1, UInt8(1 + 15 * $0 / max(1, days.count))) })
        let codeRank: @Sendable (UInt16) -> UInt8 = { code in
            switch property {
            case .activity:
                activityRanks.indices.filter { code >> UInt16($0) & 1 != 0 }.map { activityRanks[$0] }.max() ?? 0
            case .day: LineProperty.day(ofCode: code).flatMap { rankOfDay[$0] } ?? 0
            case .speed: UInt8(symbolizer.rank(metresPerSecond: SpeedCode.metresPerSecond(UInt8(clamping: code))))
            case .elevation: UInt8(symbolizer.rank(elevation: LineProperty.elevation(ofCode: code).map(Double.init)))
            case .direction: UInt8(clamping: code)
            }
        }
        func ranks(_ lines: TileLines) -> [UInt8] {
            switch property {
            case .activity: lines.fragments.map { activityRanks[Int(activity($0.track))] }
            case .day: lines.fragments.map { rankOfDay[$0.day] ?? 0 }
            case .speed, .elevation, .direction: []
            }
        }
        let canvas = try Canvas()
        func picture(_ lines: TileLines, _ rasters: [LineDrawing.Raster]) throws -> ShownContent {
            canvas.draw(nothing: .single)
            try canvas.draw(
                LineDrawing(
                    Self.layout, symbolizer, lines, rasters: rasters, method: .raster, fragmentRanks: ranks(lines),
                    codeRank: codeRank))
            return try canvas.png().shown
        }
        let stored = parts.map { part in
            var (raster, codes) = (LineRaster(), LineCodeRaster())
            raster.add(part) { _, _, _ in 0 }
            codes.add(part, activity: activity)
            return LineDrawing.Raster(points: raster.encoded, codes: codes.encoded)
        }
        let drawn = try picture(all, [])
        #expect(drawn != Self.layout.scale.emptyPicture.shown)
        #expect(try picture(parts[1], [stored[0]]) == drawn)
        #expect(try picture(TileLines(), [stored[1], stored[0]]) == drawn)
        // Codes joined before they are stored are those of both.
        var (points, codes) = (LineRaster(), LineCodeRaster())
        for part in stored {
            points.join(part.points.span)
            codes.join(part.codes.span)
        }
        #expect(
            try picture(TileLines(), [LineDrawing.Raster(points: points.encoded, codes: codes.encoded)]) == drawn)
    }

    @Test func `The code of a direction is its rank`() throws {
        let symbolizer = try LineColoring.direction.symbolizer(casing: false)
        for step in 0..<720 {
            let angle = Double(step) * .pi / 360
            let (east, south) = (Int32((1000 * sin(angle)).rounded()), Int32((-1000 * cos(angle)).rounded()))
            let exact = atan2(Double(east), -Double(south))
            #expect(Int(LineProperty.code(east: east, south: south)) == symbolizer.rank(direction: exact))
        }
    }

    @Test func `A raster without points near the tile leaves the picture as it is`() throws {
        let canvas = try Canvas()
        canvas.draw(nothing: .single)
        let symbolizer = try LineColoring.age.symbolizer(casing: true)
        try canvas.draw(LineDrawing(Self.layout, symbolizer, TileLines(), method: .raster))
        #expect(try canvas.png() == Self.layout.scale.emptyPicture)
    }

    @Test func `The colour changes with the number of fragments`() throws {
        let symbolizer = try LineColoring.dense.symbolizer(casing: false, width: ZoomNumbers(3))
        let canvas = try Canvas()
        func color(lines: Int) throws -> Color {
            var world = Self.world(count: 0)
            for track in 0..<lines {
                let ends = [Int64(-64), 1088].map {
                    LineWorld.Vertex(x: $0, y: 514, speed: 0, elevation: TileLines.noElevation)
                }
                world.lines.append(LineWorld.Line(track: Int64(track), vertices: ends))
            }
            return try Self.picture(world, symbolizer, canvas: canvas)[100, 128]
        }
        var last = try color(lines: 1)
        #expect(try color(lines: 2) == last)
        for lines in [4, 8, 16, 32] {
            let now = try color(lines: lines)
            #expect(now.red < last.red, "\(lines) lines")
            last = now
        }
        #expect(last == symbolizer.dense)
        #expect(try color(lines: 300) == last)
    }
}
