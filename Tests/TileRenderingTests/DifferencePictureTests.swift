import Colors
import HeatGrid
import PNG
import Styling
import Testing
import TileMath
import TileRendering

/// Pictures of comparisons in the default style: lines as wide as those of heat.
@Suite struct DifferencePictureTests {
    private let table: ColorTable
    private let kernel: KernelRadius

    init() throws {
        let ramp = try #require(NamedRamp.named(NamedRamp.defaultDiverging))
        let heat = try #require(StyleSheet.builtIn["heat"]?.forDifferences(ramp: ramp.ramp)?.heat)
        table = ColorTable(differencesOf: heat, histogram: WholeWorld.histogram)
        kernel = try #require(heat.kernel)
    }

    private func picture(
        zoom: Int = 14, scale: TileScale = .single, of difference: (_ x: Int, _ y: Int) -> Int?
    ) throws -> RGBAImage {
        let place = try tile(zoom, 1_000 << (zoom - 12), 1_000 << (zoom - 12))
        let layout = HeatTileLayout(tile: place, scale: scale, kernel: kernel)
        let counts = layout.tilesNeeded.map { tile -> CellCounts in
            var cells: [(code: UInt16, count: UInt32)] = []
            for y in 0..<256 {
                for x in 0..<256 {
                    guard let found = difference((tile.x - place.x) * 256 + x, (tile.y - place.y) * 256 + y) else {
                        continue
                    }
                    let code = UInt16(Morton.code(x: UInt32(x), y: UInt32(y)))
                    cells.append((code, UInt32(Int(ColorTable.zeroDifference) + found)))
                }
            }
            cells.sort { $0.code < $1.code }
            return CellCounts(cells: cells.map(\.code), counts: cells.map(\.count))
        }
        return try PNGReader.image(of: Canvas().picture(layout, counts: counts, colorMapper: .table(table)))
    }

    private func color(_ difference: Int) -> Color {
        table.color(of: UInt32(Int(ColorTable.zeroDifference) + difference))
    }

    @Test(arguments: [12, 13, 14, 15, 16]) func `A line of a difference has its colour, and soft edges`(zoom: Int)
        throws
    {
        for difference in [-3, -1, 0, 1, 2] {
            let image = try picture(zoom: zoom) { _, y in y == 100 ? difference : nil }
            let column = (0..<256).map { image[128, $0] }
            #expect(column[100] == color(difference))
            let visible = column.indices.filter { column[$0].alpha > 0 }
            #expect(visible.count >= 5 && visible.count <= 15, "\(visible.count) pixels")
            #expect(column[visible[0]].alpha < column[100].alpha)
            for pixel in visible {
                let (here, middle) = (column[pixel], color(difference))
                #expect((here.red, here.green, here.blue) == (middle.red, middle.green, middle.blue))
            }
        }
    }

    @Test func `Days that lie beside one another count together, and opposite ones cancel`() throws {
        // Two days that moved from one cell to the next: no change.
        let moved = try picture { x, y in
            y == 100 ? ((x + y) % 2 == 0 ? 1 : -1) : y == 101 ? ((x + y) % 2 == 0 ? 1 : -1) : nil
        }
        #expect(moved[128, 100] == color(0) && moved[128, 101] == color(0))
        // Two days, in two rows: two days.
        let two = try picture { _, y in y == 100 || y == 101 ? 1 : nil }
        #expect(two[128, 100] == color(2) && two[128, 101] == color(2))
        // Apart from one another, each line has its colour.
        let apart = try picture { _, y in y == 100 ? 2 : y == 120 ? -2 : nil }
        #expect(apart[128, 100] == color(2) && apart[128, 120] == color(-2))
    }

    @Test func `A single cell is visible`() throws {
        for difference in [-1, 1] {
            let image = try picture { x, y in x == 50 && y == 60 ? difference : nil }
            #expect(image[50, 60] == color(difference) && image[53, 60].alpha > 0)
        }
    }

    @Test func `Neighbouring tiles continue one another`() throws {
        // The same line, once in the middle of a tile and once at its edge.
        let inside = try picture { x, _ in x == 100 ? 1 : nil }
        let edge = try picture { x, _ in x == 0 ? 1 : nil }
        let beyond = try picture { x, _ in x == 256 ? 1 : nil }
        for offset in 0..<12 {
            #expect(edge[offset, 128] == inside[100 + offset, 128])
            #expect(beyond[255 - offset, 128] == inside[99 - offset, 128])
        }
    }
}
