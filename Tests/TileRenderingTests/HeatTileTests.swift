import Cairo
import Colors
import Digest
import Foundation
import HeatGrid
import PNG
import Styling
import TestSupport
import Testing
import TileMath
import TileRendering

/// A world whose counts are computed and need no memory: any cell of any zoom level has a count, which is mostly 0.
struct World {
    var share: UInt64 = 5

    /// The count of a cell by its column and row in the world; 0 beyond the north and south edges.
    func count(zoom: Int, x: Int, y: Int) -> UInt32 {
        let side = 256 << zoom
        guard y >= 0, y < side else { return 0 }
        let column = (x % side + side) % side
        var bits = (UInt64(column) << 32 | UInt64(y)) &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(zoom)
        bits = (bits ^ bits >> 29) &* 0x94D0_49BB_1331_11EB
        bits ^= bits >> 32
        guard bits % share == 0 else { return 0 }
        return UInt32(1 + (bits >> 20) % 40)
    }

    func counts(of tile: TileCoordinate) -> CellCounts {
        var counts = CellCounts()
        for code in 0..<UInt64(TileCoordinate.cellCount) {
            let count = count(
                zoom: tile.zoom.number, x: tile.x * 256 + Int(Morton.x(of: code)),
                y: tile.y * 256 + Int(Morton.y(of: code)))
            guard count > 0 else { continue }
            counts.cells.append(UInt16(code))
            counts.counts.append(count)
        }
        return counts
    }
}

func tile(_ zoom: Int, _ x: Int, _ y: Int) throws -> TileCoordinate {
    let level = try #require(ZoomLevel(zoom))
    return try #require(TileCoordinate(zoom: level, x: x, y: y))
}

func table(colors: Int = 16) throws -> ColorTable {
    let ramp = try #require(NamedRamp.named("heat")).ramp
    var histogram = CountHistogram()
    for count in 1...40 as ClosedRange<UInt32> { histogram.add(count: count, cells: 100) }
    return ColorTable(symbolizer: HeatSymbolizer(colors: colors, ramp: ramp), histogram: histogram)
}

func picture(
    of tile: TileCoordinate, _ scale: TileScale, world: World, table: ColorTable, canvas: Canvas
) throws -> [UInt8] {
    let layout = HeatTileLayout(tile: tile, scale: scale)
    return try canvas.picture(layout, counts: layout.tilesNeeded.map(world.counts), colorMapper: .table(table))
}

/// The number of pixels of a PNG that differ from the colours of the expected counts.
func wrongPixels(_ png: [UInt8], side: Int, table: ColorTable, count: (Int, Int) -> UInt32) throws -> Int {
    let image = try PNGReader.image(of: png)
    guard image.width == side, image.height == side else { return -1 }
    let colors = table.colors.map { [$0.red, $0.green, $0.blue, $0.alpha] }
    var wrong = 0
    for pixel in 0..<(side * side) {
        let color = colors[Int(table.paletteIndex(of: count(pixel % side, pixel / side)))]
        if image.bytes[4 * pixel..<4 * pixel + 4] != color[...] { wrong += 1 }
    }
    return wrong
}

@Suite struct HeatTileTests {
    let world = World()

    @Test(arguments: [8, 16, 40, 64])
    func `Each cell is one pixel of its colour`(colors: Int) throws {
        let table = try table(colors: colors)
        let canvas = try Canvas()
        for place in [try tile(0, 0, 0), try tile(3, 7, 2), try tile(16, 65_535, 65_535)] {
            let png = try picture(of: place, .single, world: world, table: table, canvas: canvas)
            let wrong = try wrongPixels(png, side: 256, table: table) { x, y in
                world.count(zoom: place.zoom.number, x: place.x * 256 + x, y: place.y * 256 + y)
            }
            #expect(wrong == 0, "\(place)")
        }
    }

    /// The expected pixels are computed for the whole world at once, so adjacent tiles cannot have a seam.
    @Test(arguments: [(0, [(0, 0)]), (2, [(0, 0), (1, 1), (3, 0)]), (15, [(0, 1), (32_767, 32_767)])])
    func `Double tiles have no seams`(zoom: Int, places: [(Int, Int)]) throws {
        let table = try table()
        let canvas = try Canvas()
        for (x, y) in places {
            let png = try picture(of: try tile(zoom, x, y), .double, world: world, table: table, canvas: canvas)
            let wrong = try wrongPixels(png, side: 512, table: table) { column, row in
                let (cellX, cellY) = (x * 512 + column, y * 512 + row)
                let around = [(0, 0), (-1, 0), (0, -1), (-1, -1)].map { dx, dy in
                    world.count(zoom: zoom + 1, x: cellX + dx, y: cellY + dy)
                }
                return around.max() ?? 0
            }
            #expect(wrong == 0, "\(zoom)/\(x)/\(y)")
        }
    }

    @Test(arguments: 16...22, TileScale.allCases)
    func `Deeper tiles enlarge the deepest grid`(zoom: Int, scale: TileScale) throws {
        let table = try table()
        let canvas = try Canvas()
        let depth = zoom - 16
        let origin = (x: 34_567 << depth, y: 22_222 << depth)
        let counts = world.counts(of: try tile(16, 34_567, 22_222))
        for step in [0, 2, (1 << depth) - 1] where step < 1 << depth {
            let place = try tile(zoom, origin.x + step, origin.y + (1 << depth) - 1 - step)
            let png = try canvas.picture(
                HeatTileLayout(tile: place, scale: scale), counts: [counts], colorMapper: .table(table))
            let factor = scale.rawValue << depth
            let wrong = try wrongPixels(png, side: scale.side, table: table) { x, y in
                world.count(
                    zoom: 16, x: (place.x * scale.side + x) / factor, y: (place.y * scale.side + y) / factor)
            }
            #expect(wrong == 0, "\(place)")
        }
    }

    @Test func `Enlarging equals Cairo's nearest filter`() throws {
        let table = try table()
        let canvas = try Canvas()
        let place = try tile(18, 4_001, 6_002)
        let ancestor = world.counts(of: place.ancestor(at: .deepestGrid))
        var cells = try ImageSurface(.argb32, width: 64, height: 64)
        let (west, north) = (place.x % 4 * 64, place.y % 4 * 64)
        cells.withWords { words in
            for (cell, count) in zip(ancestor.cells, ancestor.counts) {
                let (x, y) = (Int(Morton.x(of: UInt64(cell))) - west, Int(Morton.y(of: UInt64(cell))) - north)
                guard 0..<64 ~= x, 0..<64 ~= y else { continue }
                words[y * 64 + x] = 0xFF00_0000 | UInt32(table.paletteIndex(of: count))
            }
        }
        var large = try ImageSurface(.argb32, width: 256, height: 256)
        try large.draw { context in
            context.scale(x: 4, y: 4)
            context.paint(cells, x: 0, y: 0, filter: .nearest)
        }
        let image = try PNGReader.image(of: picture(of: place, .single, world: world, table: table, canvas: canvas))
        let wrong = large.withWords { words in
            (0..<65_536).count { at in
                image[at % 256, at / 256] != table.colors[Int(words[at] & 255)]
            }
        }
        #expect(wrong == 0)
    }

    @Test func `Tiles without counts are the empty picture`() throws {
        let table = try table()
        let canvas = try Canvas()
        let full = try tile(5, 3, 3)
        _ = try picture(of: full, .double, world: world, table: table, canvas: canvas)
        for zoom in [0, 7, 16, 19, 22] {
            for scale in TileScale.allCases {
                let layout = HeatTileLayout(tile: try tile(zoom, 0, 0), scale: scale)
                let nothing = layout.tilesNeeded.map { _ in CellCounts() }
                let png = try canvas.picture(layout, counts: nothing, colorMapper: .table(table))
                #expect(png == (scale == .single ? EmptyPicture.tile : EmptyPicture.doubleTile))
            }
        }
        let elsewhere = CellCounts(cells: [0, 65_535], counts: [1, 1])
        let middle = HeatTileLayout(tile: try tile(18, 1, 1), scale: .single)
        #expect(try canvas.picture(middle, counts: [elsewhere], colorMapper: .table(table)) == EmptyPicture.tile)
    }

    @Test func `A picture does not depend on earlier drawings`() throws {
        let table = try table()
        let used = try Canvas()
        let layouts = [
            HeatTileLayout(tile: try tile(4, 1, 1), scale: .double),
            HeatTileLayout(tile: try tile(16, 9, 9), scale: .single),
            HeatTileLayout(tile: try tile(17, 40, 40), scale: .single),
            HeatTileLayout(tile: try tile(22, 7, 7), scale: .double),
            HeatTileLayout(tile: try tile(0, 0, 0), scale: .double),
        ]
        let drawings = layouts.map { ($0, $0.tilesNeeded.map(world.counts)) }
        for (layout, counts) in drawings + drawings.reversed() {
            let again = try used.picture(layout, counts: counts, colorMapper: .table(table))
            let fresh = try Canvas().picture(layout, counts: counts, colorMapper: .table(table))
            #expect(again.shown == fresh.shown, "\(layout.tile) @\(layout.scale.rawValue)x")
        }
    }

    @Test func `Many threads draw the same picture`() throws {
        let table = try table()
        let place = try tile(9, 200, 100)
        let layout = HeatTileLayout(tile: place, scale: .double)
        let counts = layout.tilesNeeded.map(world.counts)
        let expected = try Canvas().picture(layout, counts: counts, colorMapper: .table(table))
        let canvases = try CanvasPool(count: 2)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            let png = try? canvases.withCanvas { try $0.picture(layout, counts: counts, colorMapper: .table(table)) }
            let same = png?.shown == expected.shown
            #expect(same)
        }
    }

    @Test func `Few colours need few bits`() throws {
        let table = try table()
        let canvas = try Canvas()
        let layout = HeatTileLayout(tile: try tile(8, 1, 1), scale: .single)
        for (shades, bits) in [(1, 1), (3, 2), (15, 4)] {
            let counts = CellCounts(
                cells: (0..<UInt16(shades)).map { $0 * 5 }, counts: table.lowerBounds.prefix(shades).map { $0 })
            let png = try canvas.picture(layout, counts: [counts], colorMapper: .table(table))
            #expect(Int(png[24]) == bits, "\(shades) shades")
        }
    }
}

@Suite struct HeatRecipeTests {
    @Test func `A layout lists each tile once and none below the grid`() throws {
        for zoom in 0...22 {
            let last = (1 << zoom) - 1
            for (x, y) in [(0, 0), (last, last), (last / 2, 0), (0, last / 2)] {
                for scale in TileScale.allCases {
                    let needed = HeatTileLayout(tile: try tile(zoom, x, y), scale: scale).tilesNeeded
                    #expect(Set(needed).count == needed.count)
                    #expect(needed.allSatisfy { $0.zoom <= .deepestGrid })
                    #expect(needed.count == 1 || (scale == .double && zoom < 16))
                }
            }
        }
    }

    @Test func `Double tiles wrap in the west and end in the north`() throws {
        let corner = HeatTileLayout(tile: try tile(2, 0, 0), scale: .double)
        #expect(
            Set(corner.tilesNeeded)
                == Set(try [(7, 0), (0, 0), (1, 0), (7, 1), (0, 1), (1, 1)].map { try tile(3, $0, $1) }))
        let whole = HeatTileLayout(tile: try tile(0, 0, 0), scale: .double)
        #expect(Set(whole.tilesNeeded) == Set(try tile(0, 0, 0).children))
    }

    @Test func `The digest depends on content, place, size and colours`() throws {
        let table = try table()
        func digest(_ layout: HeatTileLayout, _ first: UInt64 = 1, _ table: ColorTable) -> ContentDigest {
            let contents = layout.tilesNeeded.indices.map { first + UInt64($0) }
            return layout.digest(contents: contents, table: table.digest)
        }
        let place = HeatTileLayout(tile: try tile(18, 5, 5), scale: .single)
        let others = [
            digest(place, 2, table), digest(place, 1, try self.otherTable()),
            digest(HeatTileLayout(tile: try tile(18, 5, 5), scale: .double), 1, table),
            digest(HeatTileLayout(tile: try tile(18, 6, 5), scale: .single), 1, table),
            digest(HeatTileLayout(tile: try tile(17, 2, 2), scale: .single), 1, table),
        ]
        #expect(digest(place, 1, table) == digest(place, 1, table))
        #expect(!others.contains(digest(place, 1, table)))
        #expect(Set(others).count == others.count)
    }

    private func otherTable() throws -> ColorTable { try table(colors: 20) }
}
