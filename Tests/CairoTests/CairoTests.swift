import Cairo
import Testing

@Suite struct CairoTests {
    @Test func `A new surface is transparent`() throws {
        var surface = try ImageSurface(.argb32, width: 3, height: 2)
        let words = surface.withWords { words in words.indices.map { words[$0] } }
        #expect(words == [0, 0, 0, 0, 0, 0])
    }

    @Test func `Cairo reads written pixels`() throws {
        var surface = try ImageSurface(.argb32, width: 2, height: 1)
        surface.withWords { $0[1] = 0xFF10_2030 }
        var copy = try ImageSurface(.argb32, width: 2, height: 1)
        try copy.draw { $0.paint(surface, x: 0, y: 0) }
        #expect(copy.straightBytes() == [0, 0, 0, 0, 0x10, 0x20, 0x30, 0xFF])
    }

    @Test(arguments: [1, 2, 4, 64, 128])
    func `The nearest filter enlarges each byte to a block`(factor: Int) throws {
        let side = 256 / factor
        var small = try ImageSurface(.alpha8, width: side, height: side)
        let smallRow = small.bytesPerRow
        small.withBytes { bytes in
            for y in 0..<side {
                for x in 0..<side { bytes[y * smallRow + x] = UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13 &+ 1) }
            }
        }
        var large = try ImageSurface(.alpha8, width: 256, height: 256)
        try large.draw { context in
            context.scale(x: Double(factor), y: Double(factor))
            context.paint(small, x: 0, y: 0, filter: .nearest)
        }
        let wrong = large.withBytes { bytes in
            (0..<65_536).count { place in
                let (x, y) = (place % 256 / factor, place / 256 / factor)
                return bytes[place] != UInt8(truncatingIfNeeded: x &* 7 &+ y &* 13 &+ 1)
            }
        }
        #expect(wrong == 0)
    }

    @Test func `A stroke covers only its line`() throws {
        var surface = try ImageSurface(.alpha8, width: 16, height: 16)
        let row = surface.bytesPerRow
        try surface.draw { context in
            context.setSource(red: 0, green: 0, blue: 0)
            context.setLine(width: 2, cap: .round, join: .round)
            context.move(x: 2, y: 8)
            context.line(x: 14, y: 8)
            context.stroke()
        }
        surface.withBytes { bytes in
            #expect(bytes[7 * row + 8] == 255 && bytes[8 * row + 8] == 255)
            #expect(bytes[3 * row + 8] == 0 && bytes[12 * row + 8] == 0)
        }
    }

    @Test func `Saved state is restored`() throws {
        var surface = try ImageSurface(.argb32, width: 4, height: 1)
        try surface.draw { context in
            context.setSource(red: 1, green: 0, blue: 0)
            context.withSavedState {
                context.translate(x: 2, y: 0)
                context.setSource(red: 0, green: 0, blue: 1)
                context.rectangle(x: 0, y: 0, width: 1, height: 1)
                context.fill()
            }
            context.rectangle(x: 0, y: 0, width: 1, height: 1)
            context.fill()
        }
        surface.withWords { words in
            #expect(words[0] == 0xFFFF_0000 && words[1] == 0 && words[2] == 0xFF00_00FF && words[3] == 0)
        }
    }

    @Test func `Cairo errors are thrown`() throws {
        #expect(throws: CairoError.self) { _ = try ImageSurface(.argb32, width: 100_000, height: 1) }
        var surface = try ImageSurface(.argb32, width: 4, height: 4)
        #expect(throws: CairoError.self) {
            try surface.draw { $0.scale(x: 0, y: 0) }
        }
    }

    @Test func `Text is drawn`() throws {
        var surface = try ImageSurface(.alpha8, width: 80, height: 20)
        var width = 0.0
        try surface.draw { context in
            width = context.size(of: "1234", TextStyle(size: 12)).width
            context.show("1234", TextStyle(size: 12), x: 2, y: 15)
        }
        #expect(width > 8)
        #expect(surface.withBytes { bytes in bytes.indices.contains { bytes[$0] > 100 } })
    }
}
