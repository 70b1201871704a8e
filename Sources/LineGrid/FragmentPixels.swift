/// The pixels of one fragment's points, and their counting.
///
/// A bit for each pixel: a fragment sets each bit once, however often it passes, and its pixels are counted together at
/// its end.
struct FragmentPixels: Sendable {
    /// Words of a row. The first and the last bit are free, so that a pixel beside the raster's edge has a bit, too.
    private static let wordsPerRow = (RasterGrid.pixelsPerRow + 2 + UInt64.bitWidth - 1) / UInt64.bitWidth
    private static let side = RasterGrid.pixelsPerRow

    /// The bits, to be set with `set`.
    var words: [UInt64] = []
    /// The rows and the words of rows that may have bits.
    private var top = Int.max
    private var bottom = -1
    private var left = Int.max
    private var right = -1

    /// Makes room before the first use.
    mutating func prepare() {
        if words.isEmpty { words = [UInt64](repeating: 0, count: Self.side * Self.wordsPerRow) }
    }

    /// Sets the bit of a pixel.
    @inline(__always)
    static func set(_ bits: inout MutableSpan<UInt64>, column: Int, row: Int) {
        let bit = column + 1
        bits[row * wordsPerRow + bit >> 6] |= 1 << UInt64(bit & 63)
    }

    /// Notes that bits of a rectangle of pixels may be set.
    @inline(__always)
    mutating func touch(columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        top = min(top, rows.lowerBound)
        bottom = max(bottom, rows.upperBound)
        left = min(left, (columns.lowerBound + 1) >> 6)
        right = max(right, (columns.upperBound + 1) >> 6)
    }

    /// Adds one to the counts of the pixels with a bit and of the eight pixels around each, up to 255; then clears the bits.
    mutating func count(_ counts: inout [UInt8]) {
        guard top <= bottom else { return }
        Self.count(words.span, rows: top...bottom, columns: left...right, &counts)
        Self.clear(&words, rows: top...bottom, columns: left...right)
        (top, bottom, left, right) = (.max, -1, .max, -1)
    }

    private static func count(
        _ words: Span<UInt64>, rows touched: ClosedRange<Int>, columns: ClosedRange<Int>, _ counts: inout [UInt8]
    ) {
        var all = counts.mutableSpan
        let (first, last) = (max(0, columns.lowerBound - 1), min(wordsPerRow - 1, columns.upperBound + 1))
        for row in max(0, touched.lowerBound - 1)...min(side - 1, touched.upperBound + 1) {
            let rows = max(touched.lowerBound, row - 1)...min(touched.upperBound, row + 1)
            // The bits of the rows together, in this word and in those at its sides.
            var (west, here): (UInt64, UInt64) = (0, together(words, rows, first))
            for column in first...last {
                let east = column < last ? together(words, rows, column + 1) : 0
                if west | here | east != 0 {
                    var bits = here | here << 1 | here >> 1 | west >> 63 | east << 63
                    // The bits beside the raster's edges are no pixels.
                    if column == 0 { bits &= ~1 }
                    if column == wordsPerRow - 1 { bits &= lastWord }
                    let pixel = row * side + column * UInt64.bitWidth - 1
                    while bits != 0 {
                        let index = pixel + bits.trailingZeroBitCount
                        all[index] = max(all[index], all[index] &+ 1)
                        bits &= bits - 1
                    }
                }
                (west, here) = (here, east)
            }
        }
    }

    @inline(__always)
    private static func together(_ words: Span<UInt64>, _ rows: ClosedRange<Int>, _ column: Int) -> UInt64 {
        let first = rows.lowerBound * wordsPerRow + column
        var bits = words[first]
        if rows.count > 1 { bits |= words[first + wordsPerRow] }
        if rows.count > 2 { bits |= words[first + 2 * wordsPerRow] }
        return bits
    }

    /// The bits of a row's last word that are pixels.
    private static let lastWord = UInt64.max >> UInt64(wordsPerRow * UInt64.bitWidth - side - 1)

    private static func clear(_ words: inout [UInt64], rows: ClosedRange<Int>, columns: ClosedRange<Int>) {
        var bits = words.mutableSpan
        for row in rows {
            for column in columns { bits[row * wordsPerRow + column] = 0 }
        }
    }
}
