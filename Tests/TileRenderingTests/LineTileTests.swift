import Cairo
import Colors
import Foundation
import HeatGrid
import LineGrid
import PNG
import Styling
import TestSupport
import Testing
import TileMath
import TileRendering

/// The ways to colour lines, with a symbolizer for each.
enum LineColoring: String, CaseIterable, Sendable {
    case fixed, dense, activity, age, speed, elevation, direction

    func symbolizer(casing: Bool, opacity: Double = 1, width: ZoomNumbers = ZoomNumbers(3)) throws -> LineSymbolizer {
        let ramp = try #require(NamedRamp.all.first).ramp
        let red = try #require(Color("#d03020"))
        let coloring: LineSymbolizer.Coloring =
            switch self {
            case .fixed: .fixed(red)
            case .dense: .fixed(red, dense: Color("#10143c"))
            case .activity: .activity(["ride": red, "walk": try #require(Color("#2040c0"))])
            case .age: .age(ramp)
            case .speed: .speed(ramp, metresPerSecond: 0.5...40)
            case .elevation: .elevation(ramp, metres: 0...2000)
            case .direction: .direction(ramp)
            }
        let rim = Casing(color: Color(red: 255, green: 255, blue: 255), width: ZoomNumbers(1.5))
        return LineSymbolizer(coloring: coloring, width: width, casing: casing ? rim : nil, opacity: opacity)
    }

    /// A rank for each of `tracks` tracks.
    func ranks(tracks: Int, _ symbolizer: LineSymbolizer) -> [UInt8] {
        switch self {
        case .activity, .age: (0..<tracks).map { UInt8($0 * 5 % symbolizer.palette.count) }
        default: []
        }
    }
}

@Suite struct LineTileTests {
    /// Draws a tile of a world.
    static func picture(
        _ world: LineWorld, _ layout: LineTileLayout, _ symbolizer: LineSymbolizer, ranks: [UInt8] = [], canvas: Canvas
    ) throws -> RGBAImage {
        let lines = world.lines(of: layout.sourceTile)
        let fragmentRanks = ranks.isEmpty ? [] : lines.fragments.map { ranks[Int($0.track)] }
        canvas.draw(nothing: layout.scale)
        try canvas.draw(LineDrawing(layout, symbolizer, lines, fragmentRanks: fragmentRanks))
        return try PNGReader.image(of: try canvas.png())
    }

    /// Draws four tiles around a corner that lines cross, and compares the pixels where they meet.
    private func compareFourTiles(
        zoom: Int, east x: Int, south y: Int, scale: TileScale, _ coloring: LineColoring, casing: Bool,
        opacity: Double = 1, width: ZoomNumbers = ZoomNumbers(3)
    ) throws {
        let level = try #require(ZoomLevel(zoom))
        let corner = try #require(TileCoordinate(zoom: level, x: x, y: y))
        let layout = LineTileLayout.lines(of: corner, scale: scale)
        let symbolizer = try coloring.symbolizer(casing: casing, opacity: opacity, width: width)
        let shift = Int64(zoom - layout.sourceTile.zoom.number)
        let units = Int64(layout.unitsPerSide)
        let world = LineWorld(
            zoom: layout.sourceTile.zoom, unitsPerSide: layout.unitsPerSide >> Int(shift),
            around: Int64(x) * units >> shift, Int64(y) * units >> shift, count: 24,
            seed: UInt64(zoom * 64 + x)
        ).scaled(unitsPerSide: layout.unitsPerSide)
        let ranks = coloring.ranks(tracks: world.lines.count, symbolizer)
        let reference = ReferenceRenderer(world, symbolizer, zoom: level, scale: scale, trackRanks: ranks)
        let canvas = try Canvas()
        var random = SeededRandom(seed: 7)
        var seen = 0
        for (column, row) in [(-1, -1), (0, -1), (-1, 0), (0, 0)] {
            guard let tile = corner.neighbour(dx: column, dy: row) else { continue }
            let picture = try Self.picture(
                world, LineTileLayout.lines(of: tile, scale: scale), symbolizer, ranks: ranks, canvas: canvas)
            let side = scale.side
            for y in 0..<side {
                for x in 0..<side {
                    let isEdge = min(x, y, side - 1 - x, side - 1 - y) < 2
                    guard isEdge && (x + y) % 5 == 0 || random.below(1000) < 3 else { continue }
                    let expected = reference.color(x: tile.x * side + x, y: tile.y * side + y)
                    if expected.w > 0.02 { seen += 1 }
                    let found = picture[x, y]
                    let alpha = Double(found.alpha)
                    let multiplied =
                        SIMD4(
                            Double(found.red) * alpha / 255, Double(found.green) * alpha / 255,
                            Double(found.blue) * alpha / 255, alpha) - expected * 255
                    // Each of up to 17 layers is rounded twice, and the colours of the picture once more.
                    let error = max(abs(multiplied.max()), abs(multiplied.min()))
                    try #require(error <= 3, "\(tile) at \(x),\(y): \(found), not \(expected * 255)")
                }
            }
        }
        #expect(seen > 10, "lines where pixels were looked at")
    }

    @Test(arguments: [0, 3, 10, 16, 17, 18, 19, 22], [TileScale.single, .double])
    func `Tiles match the reference at every zoom level`(zoom: Int, scale: TileScale) throws {
        let middle = (1 << zoom) / 2
        try compareFourTiles(
            zoom: zoom, east: middle, south: middle, scale: scale, .fixed, casing: true)
    }

    @Test(arguments: LineColoring.allCases, [false, true])
    func `Tiles match the reference in every coloring`(coloring: LineColoring, casing: Bool) throws {
        try compareFourTiles(zoom: 12, east: 1000, south: 2000, scale: .single, coloring, casing: casing)
    }

    @Test(arguments: [TileScale.single, .double])
    func `Many lines over each other are dense across edges`(scale: TileScale) throws {
        try compareFourTiles(
            zoom: 15, east: 1000, south: 2000, scale: scale, .dense, casing: true, width: ZoomNumbers(11))
    }

    @Test func `The colour changes with the number of lines, whatever the number of segments`() throws {
        let symbolizer = try LineColoring.dense.symbolizer(casing: false, width: ZoomNumbers(6))
        let canvas = try Canvas()
        // The colour in the middle of lines from west to east, each of `segments` segments.
        func color(lines: Int, segments: Int) throws -> Color {
            var world = Self.world(count: 0)
            for track in 0..<lines {
                let vertices = (0...segments).map { number in
                    LineWorld.Vertex(
                        x: -64 + Int64(number) * 1152 / Int64(segments), y: 514, speed: 0,
                        elevation: TileLines.noElevation)
                }
                world.lines.append(LineWorld.Line(track: Int64(track), vertices: vertices))
            }
            let layout = LineTileLayout.lines(of: Self.tile, scale: .single)
            return try Self.picture(world, layout, symbolizer, canvas: canvas)[100, 128]
        }
        let single = try color(lines: 1, segments: 1)
        #expect(try color(lines: 2, segments: 40) == single)
        var last = single
        for lines in [4, 8, 16, 32] {
            let now = try color(lines: lines, segments: 1)
            #expect(now.red < last.red, "\(lines) lines")
            #expect(try color(lines: lines, segments: 37) == now, "\(lines) lines")
            last = now
        }
        let dense = try #require(symbolizer.dense)
        #expect(dense.alpha == 255 && last == dense)
        #expect(try color(lines: 100, segments: 3) == last)
    }

    @Test func `The widest lines are complete across edges`() throws {
        try compareFourTiles(
            zoom: 9, east: 100, south: 200, scale: .single, .speed, casing: false,
            width: ZoomNumbers(LineSymbolizer.maxWidth))
    }

    @Test func `The thinnest lines are faint and unbroken`() throws {
        try compareFourTiles(
            zoom: 9, east: 100, south: 200, scale: .single, .fixed, casing: false, width: ZoomNumbers(0.3))
    }

    @Test func `Opacity applies to all lines together`() throws {
        try compareFourTiles(zoom: 14, east: 9000, south: 5000, scale: .single, .elevation, casing: true, opacity: 0.5)
    }

    @Test(arguments: [0, 1, 3, 16, 19])
    func `Lines cross the antimeridian`(zoom: Int) throws {
        try compareFourTiles(zoom: zoom, east: 0, south: (1 << zoom) / 2, scale: .single, .direction, casing: true)
    }

    @Test(arguments: [3, 16])
    func `Lines reach the northern edge of the map`(zoom: Int) throws {
        try compareFourTiles(zoom: zoom, east: (1 << zoom) / 2, south: 0, scale: .single, .fixed, casing: true)
    }

    private static let tile = TileCoordinate(northWestOf: .deepestGrid)

    private static func world(count: Int = 24) -> LineWorld {
        LineWorld(zoom: .deepestGrid, unitsPerSide: 1024, around: 512, 512, count: count, seed: 3)
    }

    @Test(arguments: LineColoring.allCases)
    func `Track order and numbers do not change the picture`(coloring: LineColoring) throws {
        let symbolizer = try coloring.symbolizer(casing: true)
        let layout = LineTileLayout.lines(of: Self.tile, scale: .single)
        var (world, other) = (Self.world(), Self.world())
        other.lines.reverse()
        for index in other.lines.indices { other.lines[index].track = Int64(index) }
        // The same ranks by the new track numbers.
        let ranks = coloring.ranks(tracks: world.lines.count, symbolizer)
        // A line that occurs twice must change nothing, unless colours show how many lines there are.
        if coloring != .dense { world.lines.append(world.lines[2]) }
        let canvas = try Canvas()
        let one = try Self.picture(world, layout, symbolizer, ranks: ranks, canvas: canvas)
        let two = try Self.picture(other, layout, symbolizer, ranks: ranks.reversed(), canvas: canvas)
        #expect(one == two)
    }

    @Test(arguments: [TileScale.single, .double])
    func `A tile without lines is the empty picture`(scale: TileScale) throws {
        let canvas = try Canvas()
        let symbolizer = try LineColoring.age.symbolizer(casing: true)
        let layout = LineTileLayout.lines(of: Self.tile, scale: scale)
        canvas.draw(nothing: scale)
        try canvas.draw(LineDrawing(layout, symbolizer, TileLines()))
        #expect(try canvas.png() == layout.scale.emptyPicture)
        // Lines in the log that come no nearer than its margin.
        var world = Self.world(count: 0)
        world.lines = [LineWorld.Line(track: 0, vertices: [LineWorld.Vertex(x: 1055, y: 1, speed: 0, elevation: 0)])]
        try canvas.draw(
            LineDrawing(layout, try LineColoring.fixed.symbolizer(casing: false), world.lines(of: Self.tile)))
        #expect(try canvas.png() == layout.scale.emptyPicture)
    }

    @Test func `A lone point is drawn as wide as a line`() throws {
        var world = Self.world(count: 0)
        world.lines = [LineWorld.Line(track: 0, vertices: [LineWorld.Vertex(x: 402, y: 202, speed: 0, elevation: 0)])]
        let symbolizer = try LineColoring.fixed.symbolizer(casing: false, width: ZoomNumbers(5))
        let picture = try Self.picture(
            world, LineTileLayout.lines(of: Self.tile, scale: .single), symbolizer, canvas: Canvas())
        let alphas = (0..<256).map { y in (0..<256).reduce(0) { $0 + Int(picture[$1, y].alpha) } }
        let area = Double(alphas.reduce(0, +)) / 255
        #expect(abs(area - Double.pi * 2.5 * 2.5) < 0.5)
        #expect(picture[100, 50].alpha == 255)
        #expect(alphas.indices.filter { alphas[$0] > 0 } == Array(48...52))
    }

    @Test func `Lines are drawn like Cairo strokes`() throws {
        let world = Self.world(count: 12)
        let symbolizer = try LineColoring.fixed.symbolizer(casing: false, width: ZoomNumbers(2.5))
        let picture = try Self.picture(
            world, LineTileLayout.lines(of: Self.tile, scale: .single), symbolizer, canvas: Canvas())
        var surface = try ImageSurface(.alpha8, width: 256, height: 256)
        try surface.draw { context in
            context.setLine(width: 2.5, cap: .round, join: .round)
            context.setSource(red: 0, green: 0, blue: 0)
            for line in world.lines {
                for (index, vertex) in line.vertices.enumerated() {
                    let (x, y) = (Double(vertex.x) / 4, Double(vertex.y) / 4)
                    if index == 0 { context.move(x: x, y: y) }
                    if index > 0 || line.vertices.count == 1 { context.line(x: x, y: y) }
                }
            }
            context.stroke()
        }
        let stroked = surface.straightBytes()
        var (differences, covered, most) = (0, 0, 0)
        for pixel in 0..<256 * 256 {
            let (ours, theirs) = (Int(picture.bytes[4 * pixel + 3]), Int(stroked[4 * pixel + 3]))
            covered += theirs
            differences += abs(ours - theirs)
            most = max(most, abs(ours - theirs))
        }
        #expect(covered > 255 * 1000)
        #expect(Double(differences) / Double(covered) < 0.03)
        // Where two lines cross, cairo adds the coverage of their edges.
        #expect(most < 110)
    }

    @Test func `Heat stays below lines`() throws {
        let heat = try #require(StyleSheet.builtIn["heat-cells"]?.heat)
        let world = Self.world(count: 5)
        let layout = HeatTileLayout(tile: Self.tile, scale: .single)
        let counts = CellCounts(cells: [0, 9], counts: [1, 3])
        var histogram = CountHistogram()
        for count in 1...4 { histogram.add(count: UInt32(count), cells: 5) }
        let table = ColorTable(symbolizer: heat, histogram: histogram)
        let canvas = try Canvas()
        let alone = try canvas.picture(layout, counts: [counts], colorMapper: .table(table))
        let lines = LineTileLayout.lines(of: Self.tile, scale: .single)
        let symbolizer = try LineColoring.fixed.symbolizer(casing: false)
        try canvas.draw(LineDrawing(lines, symbolizer, TileLines()))
        #expect(try canvas.png().shown == alone.shown)
        try canvas.draw(LineDrawing(lines, symbolizer, world.lines(of: Self.tile)))
        let both = try PNGReader.image(of: try canvas.png())
        let drawn = try Self.picture(world, lines, symbolizer, canvas: canvas)
        let heated = try PNGReader.image(of: alone)
        // Premultiplying and unpremultiplying can change a colour by one.
        #expect(abs(Int(both[0, 0].green) - Int(heated[0, 0].green)) <= 1 && both[0, 0].alpha == heated[0, 0].alpha)
        #expect(both[0, 0].alpha > 0)
        let opaque = (0..<256 * 256).filter { drawn.bytes[4 * $0 + 3] == 255 }
        #expect(!opaque.isEmpty)
        for pixel in opaque { #expect(both[pixel % 256, pixel / 256] == drawn[pixel % 256, pixel / 256]) }
    }
}

@Suite struct PointTileTests {
    private static let symbolizer = PointSymbolizer(
        color: Color(red: 30, green: 60, blue: 200), radius: ZoomNumbers(3),
        outline: Casing(color: Color(red: 255, green: 255, blue: 255), width: ZoomNumbers(1)))

    @Test(arguments: [15, 16, 18, 22], [TileScale.single, .double])
    func `A point on a corner is complete across four tiles`(zoom: Int, scale: TileScale) throws {
        let level = try #require(ZoomLevel(zoom))
        let middle = level.tilesPerSide / 2
        let corner = try #require(TileCoordinate(zoom: level, x: middle, y: middle))
        let canvas = try Canvas()
        var area = 0.0
        for (column, row) in [(-1, -1), (0, -1), (-1, 0), (0, 0)] {
            let tile = try #require(corner.neighbour(dx: column, dy: row))
            let layout = LineTileLayout.points(of: tile, scale: scale)
            // The middle of the world, relative to the corner of the source tile.
            let units = Int(WorldPoint.side) >> layout.sourceTile.zoom.number
            var points = TilePoints()
            points.append(
                x: Int32(Int(WorldPoint.side) / 2 - layout.sourceTile.x * units),
                y: Int32(Int(WorldPoint.side) / 2 - layout.sourceTile.y * units), isWaypoint: false)
            canvas.draw(nothing: scale)
            try canvas.draw(PointDrawing(layout, Self.symbolizer, points))
            let picture = try PNGReader.image(of: try canvas.png())
            let alphas = stride(from: 3, to: picture.bytes.count, by: 4).map { Int(picture.bytes[$0]) }
            area += Double(alphas.reduce(0, +)) / 255
        }
        let radius = 4.0 * Double(scale.rawValue)
        #expect(abs(area - Double.pi * radius * radius) < 1)
    }

    @Test func `Waypoints are above recorded points and larger`() throws {
        let layout = LineTileLayout.points(of: TileCoordinate(northWestOf: .deepestGrid), scale: .single)
        var points = TilePoints()
        for isWaypoint in [true, false] { points.append(x: 128 * 256, y: 128 * 256, isWaypoint: isWaypoint) }
        let canvas = try Canvas()
        canvas.draw(nothing: .single)
        try canvas.draw(PointDrawing(layout, Self.symbolizer, points))
        let picture = try PNGReader.image(of: try canvas.png())
        #expect(picture[128, 128] == PointSymbolizer.defaultPin)
        #expect(picture[131, 128] == picture[128, 128])
    }
}

extension LineWorld {
    /// The same world in other units for each tile: the lines keep their size in units and stay near the place.
    func scaled(unitsPerSide: Int) -> LineWorld {
        var other = self
        other.unitsPerSide = Int64(unitsPerSide)
        return other
    }
}
