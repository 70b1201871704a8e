import Colors
import PNG
import TestSupport
import Testing

/// A word 0xAARRGGBB.
private func word(_ alpha: Int, _ red: Int, _ green: Int, _ blue: Int) -> UInt32 {
    UInt32(alpha << 24 | red << 16 | green << 8 | blue)
}

/// A straight colour multiplied by its alpha and rounded, as readers do.
private func multiplied(_ color: Color) -> UInt32 {
    let alpha = Int(color.alpha)
    func value(_ straight: UInt8) -> Int { (Int(straight) * alpha * 2 + 255) / 510 }
    return word(alpha, value(color.red), value(color.green), value(color.blue))
}

/// Valid premultiplied pixels: no colour exceeds its alpha. About `share` percent are not transparent.
private func pixels(count: Int, share: UInt64 = 100, seed: UInt64) -> [UInt32] {
    var numbers = SeededRandom(seed: seed)
    return (0..<count).map { _ in
        guard numbers.next() % 100 < share else { return 0 }
        let alpha = 1 + numbers.next() % 255
        let (red, green, blue) = (
            numbers.next() % (alpha + 1), numbers.next() % (alpha + 1), numbers.next() % (alpha + 1)
        )
        return UInt32(alpha << 24 | red << 16 | green << 8 | blue)
    }
}

/// The colour type of a PNG, in its IHDR: 3 for indices, 6 for four bytes a pixel.
private func colorType(_ png: [UInt8]) -> Int { Int(png[25]) }

@Suite struct PremultipliedTests {
    private func check(_ words: [UInt32], width: Int, height: Int, type: Int) throws {
        var writer = PNGWriter()
        let png = try writer.png(premultiplied: words.span, width: width, height: height)
        #expect(colorType(png) == type)
        let image = try PNGReader.image(of: png)
        #expect(image.width == width && image.height == height)
        var wrong = 0
        for (place, word) in words.enumerated() {
            if multiplied(image[place % width, place / width]) != word { wrong += 1 }
        }
        #expect(wrong == 0)
    }

    @Test func `Every alpha and value is read as it was written`() throws {
        let words = (0..<65_536).map { place in
            let (alpha, value) = (place >> 8, min(place & 255, place >> 8))
            return word(alpha, value, alpha - value, value / 2)
        }
        try check(words, width: 256, height: 256, type: 6)
    }

    @Test func `A colour becomes the word that readers compute, and a word its colour again`() {
        var wrong = 0
        for alpha in 0...255 {
            for value in 0...255 {
                let color = Color(
                    red: UInt8(value), green: UInt8(255 - value), blue: UInt8(value / 2), alpha: UInt8(alpha))
                if color.premultiplied != multiplied(color) { wrong += 1 }
                let pixel = word(alpha, min(value, alpha), alpha - min(value, alpha), min(value, alpha) / 2)
                if Color(premultiplied: pixel).premultiplied != pixel { wrong += 1 }
            }
        }
        #expect(wrong == 0)
        #expect(Color(premultiplied: 0x00FF_0102) == .transparent)
        #expect(Color(premultiplied: 0x0304_0102) == Color(red: 255, green: 85, blue: 170, alpha: 3))
    }

    @Test func `Straight colours are rounded`() throws {
        let words = [word(3, 1, 2, 3), word(128, 1, 64, 127), word(255, 9, 8, 7), word(0, 0, 0, 0), word(2, 1, 0, 2)]
        var writer = PNGWriter()
        let image = try PNGReader.image(of: writer.png(premultiplied: words.span, width: 5, height: 1))
        #expect(
            (0..<5).map { image[$0, 0] } == [
                Color(red: 85, green: 170, blue: 255, alpha: 3), Color(red: 2, green: 128, blue: 253, alpha: 128),
                Color(red: 9, green: 8, blue: 7), .transparent, Color(red: 128, green: 0, blue: 255, alpha: 2),
            ])
    }

    @Test func `Pictures of every size are read as they were written`() throws {
        for width in 1...20 {
            for height in [1, 2, 17] {
                let words = pixels(count: width * height, share: 60, seed: UInt64(width * 100 + height))
                try check(words, width: width, height: height, type: Set(words).count <= 256 ? 3 : 6)
            }
        }
        try check(pixels(count: 512 * 512, share: 30, seed: 1), width: 512, height: 512, type: 6)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 16, 17, 255, 256, 257])
    func `Up to 256 colours are indices`(colors: Int) throws {
        var some: [UInt32] = []
        for pixel in pixels(count: 2_000, seed: 7) where !some.contains(pixel) && some.count < colors {
            some.append(pixel)
        }
        let words = (0..<300 * 40).map { some[$0 * $0 / 7 % colors] }
        let all = some + words.dropFirst(colors)
        try check(all, width: 300, height: 40, type: colors <= 256 ? 3 : 6)
    }

    @Test func `Transparent tiles are the empty picture`() throws {
        var writer = PNGWriter()
        for (side, empty) in [(256, EmptyPicture.tile), (512, EmptyPicture.doubleTile)] {
            var words = [UInt32](repeating: 0, count: side * side)
            #expect(try writer.png(premultiplied: words.span, width: side, height: side) == empty)
            words[side * side - 1] = word(1, 0, 0, 1)
            #expect(try writer.png(premultiplied: words.span, width: side, height: side) != empty)
        }
        try check([0, 0, 0, 0], width: 2, height: 2, type: 3)
    }

    @Test func `Invalid premultiplied values are still encoded`() throws {
        let words = [word(0, 9, 9, 9), word(7, 255, 8, 7)]
        var writer = PNGWriter()
        let image = try PNGReader.image(of: writer.png(premultiplied: words.span, width: 2, height: 1))
        #expect(image[0, 0] == .transparent && image[1, 0] == Color(red: 255, green: 255, blue: 255, alpha: 7))
    }

    @Test func `The bytes depend only on the picture`() throws {
        var used = PNGWriter()
        for seed in 1...6 as ClosedRange<UInt64> {
            let words = pixels(count: 256 * 256, share: seed % 2 == 0 ? 5 : 90, seed: seed)
            var fresh = PNGWriter()
            let first = try used.png(premultiplied: words.span, width: 256, height: 256)
            #expect(
                try isRepeated(first) { try fresh.png(premultiplied: words.span, width: 256, height: 256) })
            #expect(
                try isRepeated(first) { try used.png(premultiplied: words.span, width: 256, height: 256) })
        }
    }
}
