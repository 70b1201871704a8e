import Colors
import Files
import Foundation
import GridStorage
import HTTPCore
import HeatGrid
import PNG
import RequestHandling
import SampleTracks
import Styling
import TestLibrary
import TestSupport
import Testing
import TileMath
import TrackStore

@testable import TileDrawing

/// The library of a sample city in a folder of its own.
final class City {
    let library: Library
    private let folder: TemporaryFolder

    init(tracks: Int = 30) throws {
        folder = try TemporaryFolder()
        library = try Library(in: folder, zone: "UTC")
        try library.add(SampleTracks(SampleSpec(size: .tracks(tracks), seed: 7, years: 2)))
    }

    /// A renderer with the built-in styles and some style files, given as text.
    func renderer(_ styles: String...) throws -> TileRenderer {
        let files = styles.enumerated().map { (name: "\($0).json", text: Array($1.utf8)) }
        return try TileRenderer(library: library, styles: StyleSheet(files: files), workers: 1, disk: nil)
    }

    /// The tile of a zoom level with the most cells.
    func densestTile(_ zoom: Int) throws -> TileCoordinate {
        let level = try #require(ZoomLevel(zoom))
        return try library.grid.read { reader in
            var tiles = TileReader()
            let keys = try reader.occupiedTiles(zoom: min(level, .deepestGrid), after: nil, limit: 2_000)
            let sized = try keys.map { ($0, try reader.counts(of: $0, .everything, using: &tiles).cells.count) }
            return try #require(sized.max { $0.1 < $1.1 }).0.tile
        }
    }
}

func request(_ tile: TileCoordinate, _ query: String = "", style: String = "heat", double: Bool = false) throws
    -> TileRequest
{
    let path = "/tiles/\(style)/\(tile)" + (double ? "@2x.png" : ".png")
    return try TileTarget(RequestTarget(query.isEmpty ? path : path + "?" + query)).request
}

@Suite struct WindowSpanTests {
    @Test func `a span is of all time or of the window, and of all time without a window`() throws {
        let tile = TileCoordinate(northWestOf: .deepestGrid)
        #expect(try request(tile, "from=2020-01-01&span=window").span == .window)
        #expect(try request(tile, "from=2020-01-01&span=all") == request(tile, "from=2020-01-01"))
        #expect(try request(tile, "span=window") == request(tile))
        #expect(throws: Problem.self) { try request(tile, "span=tile") }
    }

    @Test func `a window around everything has the range of all time, an empty window an empty range`() throws {
        let city = try City()
        let renderer = try city.renderer()
        for zoom in [3, 10, 12] {
            // These zoom levels have fewer tiles than a sample, so that the sample is exact.
            let tile = try city.densestTile(zoom)
            let whole = try request(tile, "from=1990-01-01&to=2090-01-01&span=window")
            #expect(try renderer.table(of: whole) == renderer.table(of: request(tile)))
            let none = try request(tile, "to=1990-01-01&span=window")
            let symbolizer = try #require(StyleSheet.builtIn["heat"]?.heat)
            let empty = ColorTable(symbolizer: symbolizer, histogram: CountHistogram())
            #expect(try renderer.table(of: none) == empty)
        }
    }

    @Test func `a sample of a deep zoom level is the same for every server`() throws {
        let city = try City()
        let tile = try city.densestTile(16)
        let window = try request(tile, "from=2000-01-01&span=window")
        let tables = try [city.renderer(), city.renderer()].map { try $0.table(of: window) }
        #expect(tables[0] == tables[1])
        #expect(try city.library.grid.read { try $0.occupiedCount(zoom: .deepestGrid) } > 256)
    }
}

@Suite struct DifferenceTests {
    /// The colour without its opacity, which is less at the edges of lines.
    private static func opaque(_ color: Color) -> Color {
        Color(red: color.red, green: color.green, blue: color.blue, alpha: 255)
    }

    private let all = "from=1990-01-01&to=2090-01-01"

    @Test func `a window minus itself is neutral everywhere`() throws {
        let city = try City()
        let renderer = try city.renderer()
        let tile = try city.densestTile(14)
        let same = try request(tile, "\(all)&minus=1990-01-01/2090-01-01")
        let middle = try #require(try renderer.table(of: same)?.legend.first { $0.direction == .same })
        let image = try PNGReader.image(of: renderer.picture(same).bytes)
        // As wide as heat, so it covers every cell, and it fades at its edges.
        var cells = try request(tile)
        cells.style = "heat-cells"
        let heat = try PNGReader.image(of: renderer.picture(cells).bytes)
        var (full, faded) = (0, 0)
        for at in 0..<65_536 {
            let pixel = image[at % 256, at / 256]
            if heat[at % 256, at / 256].alpha > 0 { #expect(pixel.alpha == middle.color.alpha) }
            guard pixel.alpha > 0 else { continue }
            #expect((pixel.red, pixel.green, pixel.blue) == (middle.color.red, middle.color.green, middle.color.blue))
            if pixel.alpha == middle.color.alpha { full += 1 } else { faded += 1 }
        }
        #expect(full > 0 && faded > 0)
    }

    @Test(arguments: [false, true])
    func `subtracted counts show as less, others as more`(double: Bool) throws {
        let city = try City()
        let renderer = try city.renderer()
        let tile = try city.densestTile(13)
        for (query, direction) in [
            ("\(all)&minus=/1990-01-01", LegendEntry.Direction.more),
            ("to=1990-01-01&minus=1990-01-02/", .less),
        ] {
            let asked = try request(tile, query, double: double)
            let legend = try #require(try renderer.table(of: asked)).legend
            let colors = Set(legend.filter { $0.direction == direction }.map { Self.opaque($0.color) })
            let image = try PNGReader.image(of: renderer.picture(asked).bytes)
            var seen = 0
            for x in 0..<image.width {
                for y in 0..<image.height where image[x, y].alpha > 0 {
                    let pixel = image[x, y]
                    let color = Color(red: pixel.red, green: pixel.green, blue: pixel.blue, alpha: 255)
                    #expect(colors.contains(color))
                    seen += 1
                }
            }
            #expect(seen > 0)
        }
    }

    @Test func `an ETag depends on both windows`() throws {
        let city = try City(tracks: 3)
        let renderer = try city.renderer()
        let tile = try city.densestTile(12)
        let queries = [
            "", "minus=2020-01-01/", "minus=2020-01-02/", "from=2020-01-01&minus=2020-01-01/", "from=2020-01-01",
        ]
        let digests = try queries.map { try renderer.picture(request(tile, $0)).digest }
        #expect(Set(digests).count == queries.count)
    }
}

@Suite struct SpreadTests {
    @Test func `tiles with local scales and kernels are equal to those of a canvas`() throws {
        let city = try City()
        let tile = try city.densestTile(14)
        for style in ["heat-glow", "heat-local"] {
            let pictures = try [city.renderer(), city.renderer()].map { try $0.picture(request(tile, style: style)) }
            #expect(pictures[0].bytes.shown == pictures[1].bytes.shown && !pictures[0].isEmpty)
            #expect(pictures[0].bytes.shown != (try city.renderer().picture(request(tile))).bytes.shown)
        }
    }
}
