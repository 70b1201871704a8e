import Cairo
import FoundationEssentials
import PNG
import Testing

@Suite struct DocumentTests {
    private let side = 24

    /// Opaque and transparent pixels of several colours.
    private func picture() throws -> ImageSurface {
        var surface = try ImageSurface(.argb32, width: side, height: side)
        surface.withWords { words in
            for index in words.indices where index % 5 != 0 {
                words[index] = 0xFF00_0000 | UInt32(index) &* 40_503 & 0xFF_FFFF
            }
        }
        return surface
    }

    private func png(_ surface: inout ImageSurface) throws -> [UInt8] {
        try surface.withWords { words in
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: side, height: side)
        }
    }

    @Test func `A picture of a PDF gives the bytes that its pixels give`() throws {
        var surface = try picture()
        let png = try png(&surface)
        var painted = try Document(.pdf, width: 200, height: 100)
        var kept = try Document(.pdf, width: 200, height: 100)
        try painted.draw { context in
            context.scale(x: 3, y: 3)
            context.paint(surface, x: 0, y: 0, filter: .smooth)
        }
        try kept.draw(png: png, width: side, height: side) { context, picture in
            context.scale(x: 3, y: 3)
            context.paint(picture)
        }
        let bytes = try kept.finish()
        #expect(bytes.count > side * side)
        #expect(try painted.finish() == bytes)
    }

    @Test func `An SVG has the PNG of each picture, and no link`() throws {
        var surface = try picture()
        let png = try png(&surface)
        var document = try Document(.svg, width: 200, height: 100)
        for x in [10.0, 90] {
            try document.draw(png: png, width: side, height: side) { context, picture in
                context.translate(x: x, y: 10)
                context.paint(picture)
            }
        }
        let text = String(decoding: try document.finish(), as: UTF8.self)
        let href = "xlink:href=\"data:image/png;base64,\(Data(png).base64EncodedString())\""
        #expect(text.split(separator: href, omittingEmptySubsequences: false).count == 3)
        #expect(!text.contains("picture:"))
        #expect(text.hasSuffix("</svg>\n"))
    }

    @Test func `A picture that is no PNG fails the document`() {
        #expect(throws: CairoError.self) {
            var document = try Document(.pdf, width: 200, height: 100)
            try document.draw(png: [1, 2, 3], width: side, height: side) { $0.paint($1) }
            _ = try document.finish()
        }
    }
}
