import Cairo
import Testing

struct TextTests {
    private func size(_ text: String, _ style: TextStyle) throws -> TextSize {
        var surface = try ImageSurface(.alpha8, width: 1, height: 1)
        var size = TextSize.zero
        try surface.draw { size = $0.size(of: text, style) }
        return size
    }

    /// The box of the pixels that a text covers: left, top, right, bottom.
    private func box(_ text: String, _ style: TextStyle, x: Double, y: Double, outline: Bool = false) throws -> [Int] {
        var surface = try ImageSurface(.alpha8, width: 200, height: 80)
        try surface.draw { context in
            context.setSource(red: 0, green: 0, blue: 0)
            if outline {
                context.addOutlines(of: text, style, x: x, y: y)
                context.fill()
            } else {
                context.show(text, style, x: x, y: y)
            }
        }
        var box = [200, 80, -1, -1]
        let stride = surface.bytesPerRow
        surface.withBytes { alphas in
            for row in 0..<80 {
                for column in 0..<200 where alphas[row * stride + column] > 40 {
                    box = [min(box[0], column), min(box[1], row), max(box[2], column), max(box[3], row)]
                }
            }
        }
        return box
    }

    @Test func `Text grows with its size, its weight and its length`() throws {
        let regular = try size("Berlin", TextStyle(size: 12))
        let large = try size("Berlin", TextStyle(size: 24))
        #expect(abs(large.width - 2 * regular.width) < 0.1 && regular.width > 20)
        #expect(try size("Berlin", TextStyle(size: 12, weight: .bold)).width > regular.width)
        #expect(try size("Berlin an der Spree", TextStyle(size: 12)).width > 2 * regular.width)
        #expect(regular.baseline > 6 && regular.baseline < regular.height)
        #expect(try size("", TextStyle(size: 12)).width == 0)
    }

    @Test func `Text stands on its baseline at its place, drawn or as outlines`() throws {
        for outline in [false, true] {
            let box = try box("Hamburg", TextStyle(size: 30), x: 20, y: 50, outline: outline)
            #expect(abs(box[0] - 22) <= 2, "\(box)")
            // A g reaches below the baseline, capitals 0.73 of the size above it.
            #expect(box[3] > 51 && box[3] < 60 && abs(box[1] - 28) <= 2, "\(box)")
        }
    }

    @Test func `Text of all scripts, direction marks and a NUL are drawn without an error`() throws {
        for text in ["東京", "القاهرة", "\u{202E}abc", "a\0b", "🗺️", "ก็", String(repeating: "x", count: 10_000)] {
            #expect(try size(text, TextStyle(size: 12)).width > 0, "\(text.prefix(9))")
        }
    }

    @Test func `A document has its size in points, and a PDF the same bytes each time`() throws {
        func document(_ format: Document.Format) throws -> [UInt8] {
            var document = try Document(format, width: 1190.55, height: 1683.78, title: "Zürich <&>")
            try document.draw { context in
                context.setSource(red: 1, green: 0, blue: 0)
                context.rectangle(x: 10, y: 10, width: 100, height: 50)
                context.fill()
                context.show("Zürich <&>", TextStyle(size: 20), x: 30, y: 100)
            }
            return try document.finish()
        }
        let pdf = try document(.pdf)
        #expect(pdf.starts(with: "%PDF-1.".utf8) && pdf.count > 1000)
        let text = String(decoding: pdf, as: UTF8.self)
        #expect(text.contains("/MediaBox [ 0 0 1190.55") && text.contains("1683.78"))
        #expect(!text.contains("CreationDate"))
        let svg = String(decoding: try document(.svg), as: UTF8.self)
        #expect(svg.contains("width=\"1190.55pt\"") && svg.contains("height=\"1683.78pt\""))
        #expect(try document(.pdf) == pdf)
    }

    @Test func `A page too large for an image, or an error while drawing, is reported`() throws {
        #expect(throws: CairoError.self) {
            var document = try Document(.pdf, width: 100, height: 100)
            try document.draw { $0.scale(x: 0, y: 0) }
            _ = try document.finish()
        }
    }
}
