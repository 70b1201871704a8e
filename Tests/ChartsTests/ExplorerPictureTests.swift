import Charts
import PNG
import Statistics
import Styling
import Testing
import TileMath

@Suite struct ExplorerPictureTests {
    private func image(
        _ tiles: [ExplorerTile], areNew: [Bool] = [], _ zoom: Int, _ x: Int, _ y: Int, scale: Int = 1
    ) throws -> IndexedImage {
        let level = try #require(ZoomLevel(zoom))
        let tile = try #require(TileCoordinate(zoom: level, x: x, y: y))
        return ExplorerPicture(ExplorerTiles(tiles, zoom: 14), areNew: areNew, theme: .light).image(
            of: tile, scale: scale)
    }

    /// The rows and columns of the pixels that are not transparent.
    private func inked(_ image: IndexedImage) -> (rows: Set<Int>, columns: Set<Int>) {
        let pixels = image.pixels.indices.filter { image.pixels[$0] != 0 }
        return (Set(pixels.map { $0 / image.width }), Set(pixels.map { $0 % image.width }))
    }

    @Test func `a visited tile covers its part of a map tile at every zoom level`() throws {
        let visited = [ExplorerTile(x: 8800, y: 5373)]
        for zoom in 0...22 {
            let (x, y) =
                zoom <= 14 ? (8800 >> (14 - zoom), 5373 >> (14 - zoom)) : (8800 << (zoom - 14), 5373 << (zoom - 14))
            for scale in 1...2 {
                let found = inked(try image(visited, zoom, x, y, scale: scale))
                let side = max(1, (256 * scale) >> max(0, 14 - zoom))
                #expect(found.rows.count == side && found.columns.count == side, "\(zoom) \(scale) \(side)")
                // Its place in the map tile.
                if zoom <= 14 {
                    let place = ((8800 & (1 << (14 - zoom) - 1)) * 256 * scale) >> (14 - zoom)
                    #expect(found.columns.min() == place, "\(zoom)")
                }
            }
        }
        #expect(inked(try image(visited, 14, 8801, 5373)).rows.isEmpty)
        #expect(inked(try image(visited, 16, 8800 << 2, 5374 << 2)).rows.isEmpty)
    }

    @Test func `a square over the antimeridian has its outline on both sides`() throws {
        let tiles = [(16_383, 10), (0, 10), (16_383, 11), (0, 11)].map { ExplorerTile(x: $0.0, y: $0.1) }
        #expect(ExplorerTiles(tiles, zoom: 14).square == .init(side: 2, corner: ExplorerTile(x: 16_383, y: 10)))
        let west = try image(tiles, 14, 0, 10)
        let east = try image(tiles, 14, 16_383, 10)
        let outline = west.pixels.max()
        #expect(outline == east.pixels.max())
        // The outline is at the outer edges: the right one in the west, the left one in the east.
        #expect(west.pixels[128 * 256 + 255] == outline && west.pixels[128 * 256] != outline)
        #expect(east.pixels[128 * 256] == outline && east.pixels[128 * 256 + 255] != outline)
    }

    @Test func `new tiles have a colour of their own`() throws {
        let tiles = [ExplorerTile(x: 10, y: 10), ExplorerTile(x: 12, y: 10)]
        let old = try image(tiles, 13, 5, 5)
        let new = try image(tiles, areNew: [true, false], 13, 5, 5)
        #expect(old.pixels[64 * 256 + 64] != new.pixels[64 * 256 + 64])
        #expect(try image(tiles, 13, 6, 5) == image(tiles, areNew: [true, false], 13, 6, 5))
    }
}
