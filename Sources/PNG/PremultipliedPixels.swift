import Colors

/// Pixels in cairo's ARGB32 format: words 0xAARRGGBB with premultiplied colours. PNG needs straight colours.
@safe
enum PremultipliedPixels {
    /// Replaces the contents of `rows` by rows of red, green, blue and alpha, with a filter byte before each row.
    ///
    /// The filter is always None: line tiles repeat the same few colours, but less often the same differences.
    /// Measured on five pictures of 6–300 lines, Sub, Up, Average and the least sum of these give 13–60 % more bytes.
    static func write(_ words: Span<UInt32>, width: Int, height: Int, into rows: inout [UInt8]) {
        let rowBytes = 1 + 4 * width
        let count = rowBytes * height
        if rows.count != count { rows = [UInt8](repeating: 0, count: count) }
        unsafe rows.withUnsafeMutableBytes { target in
            unsafe words.withUnsafeBufferPointer { words in
                unsafe straightValues.withUnsafeBufferPointer { straight in
                    for y in 0..<height {
                        unsafe target[y * rowBytes] = 0
                        for x in 0..<width {
                            let pixel = unsafe bytes(of: words[y * width + x], straight)
                            unsafe target.storeBytes(
                                of: pixel.littleEndian, toByteOffset: y * rowBytes + 1 + 4 * x, as: UInt32.self)
                        }
                    }
                }
            }
        }
    }

    /// Red in the lowest byte, alpha in the highest.
    @inline(__always)
    private static func bytes(of word: UInt32, _ straight: UnsafeBufferPointer<UInt8>) -> UInt32 {
        let alpha = word >> 24
        guard alpha > 0 else { return 0 }
        let row = Int(alpha) << 8
        let red = unsafe UInt32(straight[row | Int(word >> 16 & 255)])
        let green = unsafe UInt32(straight[row | Int(word >> 8 & 255)])
        let blue = unsafe UInt32(straight[row | Int(word & 255)])
        return red | green << 8 | blue << 16 | alpha << 24
    }

    /// Straight values by alpha and premultiplied value, 64 KiB.
    private static let straightValues = (0..<65_536).map { Color.straight($0 & 255, alpha: $0 >> 8) }
}

/// The distinct colours of an image in order of appearance, if there are at most 256.
struct PaletteScan {
    /// The colours; a word with alpha 0 is stored as 0.
    private(set) var words: [UInt32] = []

    /// A hash table with open addressing and four slots for each colour; an empty slot has the index −1.
    private var slots = [(word: UInt32, index: Int16)](repeating: (0, -1), count: 1 << slotBits)
    private static let slotBits: UInt32 = 10
    private static let maxColors = 256

    /// Writes the palette index of each pixel to `indices`; nil if the image has more than 256 colours.
    init?(_ pixels: Span<UInt32>, indices: inout [UInt8]) {
        if indices.count != pixels.count { indices = [UInt8](repeating: 0, count: pixels.count) }
        var span = indices.mutableSpan
        var last: UInt32 = 0
        // nil, so that the first pixel is always looked up.
        var lastIndex: UInt8?
        var index = 0
        while index < pixels.count {
            // Most pixels of most pictures of lines are transparent: eight of them are one comparison.
            if last == 0, let lastIndex, index + 8 <= pixels.count {
                let eight = pixels.extracting(index..<index + 8)
                if eight[0] | eight[1] | eight[2] | eight[3] | eight[4] | eight[5] | eight[6] | eight[7] == 0 {
                    for other in index..<index + 8 { span[other] = lastIndex }
                    index += 8
                    continue
                }
            }
            let pixel = pixels[index]
            let word = pixel >> 24 == 0 ? 0 : pixel
            if word != last || lastIndex == nil {
                guard let paletteIndex = paletteIndex(of: word) else { return nil }
                (last, lastIndex) = (word, paletteIndex)
            }
            span[index] = lastIndex ?? 0
            index += 1
        }
    }

    private mutating func paletteIndex(of word: UInt32) -> UInt8? {
        // The multiplier is 2^32 divided by the golden ratio (Knuth, The Art of Computer Programming 3, 6.4).
        var slot = Int((word &* 0x9E37_79B9) >> (32 - Self.slotBits))
        while slots[slot].index >= 0 {
            if slots[slot].word == word { return UInt8(slots[slot].index) }
            slot = (slot + 1) % slots.count
        }
        guard words.count < Self.maxColors else { return nil }
        slots[slot] = (word, Int16(words.count))
        words.append(word)
        return UInt8(words.count - 1)
    }
}
