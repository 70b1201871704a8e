import Colors
import PNG
import TestSupport
import Testing

func noise(width: Int, height: Int, colors: Int, seed: UInt64, sparse: Bool = false) -> IndexedImage {
    var numbers = SeededRandom(seed: seed)
    let palette = (0..<colors).map { index -> Color in
        let alpha = index == 0 ? 0 : 255 - (index * 31) % 200
        return Color(red: UInt8(index), green: UInt8(255 - index), blue: UInt8(index * 7 & 255), alpha: UInt8(alpha))
    }
    let pixels = (0..<(width * height)).map { (place: Int) -> UInt8 in
        if place < colors { return UInt8(place) }
        if sparse && numbers.next() % 10 != 0 { return 0 }
        return UInt8(numbers.next() % UInt64(colors))
    }
    return IndexedImage(width: width, height: height, palette: palette, pixels: pixels)
}

/// The pixels at which a PNG differs from its source image.
func differences(_ png: [UInt8], _ image: IndexedImage) throws -> [Int] {
    let read = try PNGReader.image(of: png)
    guard read.width == image.width, read.height == image.height else { return [-1] }
    return image.pixels.indices.filter { place in
        read[place % image.width, place / image.width] != image.palette[Int(image.pixels[place])]
    }
}

@Suite struct PNGTests {
    @Test func `Pictures of every palette size are read as they were written`() throws {
        var writer = PNGWriter()
        for colors in 1...256 {
            let image = noise(width: 67, height: 9, colors: colors, seed: UInt64(colors))
            #expect(try differences(writer.png(of: image), image).isEmpty, "\(colors) colours")
        }
    }

    @Test func `Pictures of every width are read as they were written`() throws {
        var writer = PNGWriter()
        for width in 1...40 {
            for colors in [2, 3, 4, 5, 16, 17] {
                let image = noise(
                    width: width, height: 1 + colors * 3 / width + width % 3, colors: colors, seed: UInt64(width))
                #expect(try differences(writer.png(of: image), image).isEmpty, "\(width) wide, \(colors) colours")
            }
        }
    }

    @Test(arguments: [(2, 1), (4, 2), (16, 4), (17, 8)])
    func `Pixels take as few bits as their palette allows`(colors: Int, bits: Int) throws {
        var writer = PNGWriter()
        let png = try writer.png(of: noise(width: 64, height: 64, colors: colors, seed: 1))
        #expect(Int(png[24]) == bits, "the bit depth stands in byte 24, inside IHDR")
    }

    @Test func `Rows may be padded`() throws {
        var writer = PNGWriter()
        let image = noise(width: 10, height: 12, colors: 9, seed: 5)
        var padded: [UInt8] = []
        for y in 0..<image.height {
            padded += image.pixels[y * 10..<(y + 1) * 10] + [8, 8, 8]
        }
        let apart = try writer.png(
            indices: padded.span, bytesPerRow: 13, width: 10, height: 12, palette: image.palette)
        #expect(try isRepeated(apart) { try writer.png(of: image) })
    }

    @Test func `The bytes depend only on the picture`() throws {
        var used = PNGWriter()
        for seed in 1...20 as ClosedRange<UInt64> {
            let image = noise(width: 256, height: 256, colors: 16, seed: seed, sparse: seed % 2 == 0)
            var fresh = PNGWriter()
            let first = try used.png(of: image)
            #expect(try isRepeated(first) { try fresh.png(of: image) })
            #expect(try isRepeated(first) { try used.png(of: image) })
        }
    }

    /// isa-l's initialiser does not set a field that chooses the window; other bytes were seen in one run of many.
    @Test func `The bytes do not depend on previous memory contents`() throws {
        let image = noise(width: 256, height: 256, colors: 16, seed: 9, sparse: true)
        var first = PNGWriter()
        let expected = try first.png(of: image)
        for value in 1...30 as ClosedRange<UInt16> {
            for size in [365_008, 365_024, 400_000] {
                let litter = [UInt16](repeating: value, count: size / 2)
                #expect(litter.count == size / 2)
            }
            var fresh = PNGWriter()
            #expect(try isRepeated(expected) { try fresh.png(of: image) })
        }
    }

    @Test func `Incompressible pictures are written`() throws {
        var writer = PNGWriter()
        let image = noise(width: 512, height: 512, colors: 256, seed: 3)
        #expect(try differences(writer.png(of: image), image).isEmpty)
    }

    @Test func `Pictures of four channels are read as they were written`() throws {
        var numbers = SeededRandom(seed: 4)
        let bytes = (0..<33 * 21 * 4).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }
        let image = RGBAImage(width: 33, height: 21, bytes: bytes)
        var writer = PNGWriter()
        #expect(try PNGReader.image(of: writer.png(of: image)) == image)
    }

    @Test func `The empty picture is small and transparent`() throws {
        for (png, side, limit) in [(EmptyPicture.tile, 256, 116), (EmptyPicture.doubleTile, 512, 139)] {
            let image = try PNGReader.image(of: png)
            #expect(image.width == side && image.height == side)
            #expect(image.bytes.allSatisfy { $0 == 0 })
            #expect(png.count <= limit, "\(png.count) bytes")
            #expect(png[24] == 1)
        }
    }

    @Test func `Invalid bytes are an error`() throws {
        var writer = PNGWriter()
        let png = try writer.png(of: noise(width: 64, height: 64, colors: 16, seed: 1))
        var broken = png
        broken[png.count / 2] ^= 255
        for bytes in [[], [1, 2, 3], Array(png.prefix(60)), broken] {
            #expect(throws: PNGError.self) { try PNGReader.image(of: bytes) }
        }
    }
}
