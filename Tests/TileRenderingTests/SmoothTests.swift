import Colors
import HeatGrid
import PNG
import Styling
import Testing
import TileMath
import TileRendering

/// The default style of heat, where cells are enlarged.
@Suite struct SmoothTests {
    /// Whether a line of a slope of 3/8 passes through a cell, counted from the corner of the picture.
    private func lineContains(_ x: Int, _ y: Int) -> Bool { y == 2 + (3 * x) >> 3 }

    private func picture(zoom: Int, scale: TileScale, _ count: UInt32, of style: String) throws -> (RGBAImage, Color) {
        let heat = try #require(StyleSheet.builtIn[style]?.heat)
        let table = ColorTable(symbolizer: heat, histogram: WholeWorld.histogram)
        let place = try tile(zoom, 1_000 << (zoom - 16), 1_000 << (zoom - 16))
        let layout = HeatTileLayout(tile: place, scale: scale, kernel: heat.kernel)
        let counts = layout.tilesNeeded.map { tile in
            var codes: [UInt16] = []
            for y in 0..<256 {
                for x in 0..<256 where lineContains((tile.x - 1_000) * 256 + x, (tile.y - 1_000) * 256 + y) {
                    codes.append(UInt16(Morton.code(x: UInt32(x), y: UInt32(y))))
                }
            }
            codes.sort()
            return CellCounts(cells: codes, counts: [UInt32](repeating: count, count: codes.count))
        }
        let image = try PNGReader.image(of: Canvas().picture(layout, counts: counts, colorMapper: .table(table)))
        return (image, try #require(table.legend.first).color)
    }

    /// The largest difference of the alphas of two pixels side by side.
    private func steepestEdge(_ image: RGBAImage) -> Int {
        var most = 0
        for y in 0..<image.height {
            for x in 0..<image.width {
                let here = Int(image[x, y].alpha)
                if x > 0 { most = max(most, abs(here - Int(image[x - 1, y].alpha))) }
                if y > 0 { most = max(most, abs(here - Int(image[x, y - 1].alpha))) }
            }
        }
        return most
    }

    @Test(arguments: [17, 18, 19, 21]) func `Edges of enlarged lines are soft`(zoom: Int) throws {
        for scale in TileScale.allCases {
            let (image, full) = try picture(zoom: zoom, scale: scale, 1, of: "heat")
            let opaque = (0..<image.width * image.height).count {
                image[$0 % image.width, $0 / image.width] == full
            }
            #expect(opaque > 0 && opaque < image.width * image.height)
            // Cells without a kernel have edges from 0 to 255.
            #expect(steepestEdge(image) <= 110, "\(scale) \(steepestEdge(image))")
        }
        // Cells are squares; the same measure finds their edges.
        #expect(try steepestEdge(picture(zoom: zoom, scale: .single, 1, of: "heat-cells").0) > 200)
    }
}
