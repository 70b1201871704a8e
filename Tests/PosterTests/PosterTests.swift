import Cairo
import Colors
import Files
import GridStorage
import PNG
import Poster
import SampleTracks
import Styling
import TestLibrary
import TestSupport
import Testing
import TileDrawing
import TileMath
import TrackStore

struct PosterTests {
    let folder: TemporaryFolder
    let renderer: TileRenderer
    /// Around the sample's city.
    let box: BoundingBox

    init() throws {
        folder = try TemporaryFolder()
        let library = try Library(in: folder)
        try library.add(SampleTracks(SampleSpec(size: .tracks(6), seed: 7, years: 2)))
        renderer = try TileRenderer(library: library, styles: .builtIn, workers: 2, disk: nil)
        let bounds = try #require(try library.grid.read { try $0.occupiedBounds() })
        box = bounds
    }

    private func request(_ format: PosterRequest.Format, dpi: Int = 60, paper: String = "A4") throws -> PosterRequest {
        var request = PosterRequest(box: box, paper: try #require(PaperSize(paper)), format: format)
        request.dpi = dpi
        request.title = "Zürich <&> 東京"
        return request
    }

    private func bytes(_ request: PosterRequest) throws -> [UInt8] {
        try Poster(request, renderer: renderer).bytes()
    }

    @Test func `A PNG has the size of its paper, and the same pixels each time`() throws {
        let png = try bytes(request(.png, dpi: 72, paper: "254x508mm"))
        let image = try PNGReader.image(of: png)
        #expect(image.width == 720 && image.height == 1440)
        #expect(try bytes(request(.png, dpi: 72, paper: "254x508mm")).shown == png.shown)
        // Tracks, text and background are different colours.
        var colors: Set<Color> = []
        for y in stride(from: 0, to: image.height, by: 3) {
            for x in stride(from: 0, to: image.width, by: 3) { colors.insert(image[x, y]) }
        }
        #expect(colors.count > 20)
    }

    @Test func `Bands leave no seam: every row is that of a page drawn at another place`() throws {
        // At 300 dpi the page has more rows than a band; at 100 dpi it has one. Averages of 3 × 3 pixels agree.
        let large = try PNGReader.image(of: bytes(request(.png, dpi: 300, paper: "100x100mm")))
        let small = try PNGReader.image(of: bytes(request(.png, dpi: 100, paper: "100x100mm")))
        #expect(large.height == 1181 && small.height == 394)
        var worst = 0.0
        for row in 1..<small.height - 1 {
            var difference = 0.0
            for x in 1..<small.width - 1 {
                let place = (x: min(x * 3 + 1, large.width - 1), y: min(row * 3 + 1, large.height - 1))
                difference += abs(Double(small[x, row].green) - Double(large[place.x, place.y].green))
            }
            worst = max(worst, difference / Double(small.width))
        }
        #expect(worst < 24, "\(worst)")
    }

    @Test func `A page is turned if the area is wider than high, and a given size is not`() throws {
        let wide = try #require(BoundingBox(west: 0, south: 40, east: 30, north: 45))
        let high = try #require(BoundingBox(west: 0, south: 40, east: 5, north: 60))
        let text = { (box: BoundingBox, paper: String) throws -> String in
            let request = PosterRequest(box: box, paper: try #require(PaperSize(paper)), format: .pdf)
            return String(decoding: try bytes(request), as: UTF8.self)
        }
        #expect(try text(wide, "A2").contains("/MediaBox [ 0 0 1683.77"))
        #expect(try text(high, "A2").contains("/MediaBox [ 0 0 1190.55"))
        #expect(try text(wide, "100x200mm").contains("/MediaBox [ 0 0 283.46"))
    }

    @Test func `An SVG is well formed with any title, and a PDF is complete`() throws {
        let svg = String(decoding: try bytes(request(.svg)), as: UTF8.self)
        #expect(svg.contains("<svg") && svg.hasSuffix("</svg>\n"))
        let pdf = try bytes(request(.pdf))
        #expect(String(decoding: pdf.suffix(6), as: UTF8.self) == "%%EOF\n")
    }

    @Test(arguments: [
        (170.0, -20.0, -170.0, 10.0), (-180, -80, 180, 84), (-180, -90, 180, 90), (8.5, 47.3, 8.5001, 47.3001),
    ]) func `Any part of the world can be drawn`(west: Double, south: Double, east: Double, north: Double) throws {
        let box = try #require(BoundingBox(west: west, south: south, east: east, north: north))
        for theme in Theme.allCases {
            var request = PosterRequest(box: box, format: .png)
            request.dpi = 36
            request.theme = theme
            let image = try PNGReader.image(of: bytes(request))
            #expect(min(image.width, image.height) == 298)
        }
    }

    @Test func `What cannot be drawn is refused with the limit`() throws {
        var request = try request(.png, dpi: 600, paper: "A0")
        #expect(throws: PosterError.self) { try request.check() }
        request.format = .pdf
        try request.check()
        request.dpi = 601
        #expect(throws: PosterError.self) { try request.check() }
        request.dpi = 100
        request.title = String(repeating: "x", count: 201)
        #expect(throws: PosterError.self) { try request.check() }
        for text in ["", "A5", "a", "10x10mm", "2000x100mm", "100mm", "100x", "-5x100mm", "100x1e2mm", "nanx100mm"] {
            #expect(PaperSize(text) == nil, "\(text)")
        }
        #expect(PaperSize("a3") == PaperSize("A3"))
        let flat = try #require(BoundingBox(west: 5, south: 5, east: 5, north: 5))
        #expect(throws: PosterError.self) { try PosterRequest(box: flat).check() }
    }

    @Test func `An unknown style or layer is reported, and a cancelled poster stops`() throws {
        var request = try request(.png)
        request.style = "nothing"
        #expect(throws: TileError.self) { try bytes(request) }
        let plain = try self.request(.pdf)
        #expect(throws: CancellationError.self) {
            try Poster(plain, renderer: renderer, isCancelled: { true }).bytes()
        }
    }
}
