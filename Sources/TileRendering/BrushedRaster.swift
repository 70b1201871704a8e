import LineGrid

/// The quarter pixels that a brush covers in a tile.
struct BrushedRaster {
    /// Words of a row, without margins.
    private static let wordsPerRow = TileLines.unitsPerSide / UInt64.bitWidth

    private var words = [UInt64](repeating: 0, count: TileLines.unitsPerSide * wordsPerRow)
    private var brush = LineBrush(width: 0)
    /// The rows of quarter pixels that may be covered.
    private var rows = 0..<0

    /// Replaces the content with the points of some rows, in the form of `LineRaster.words`, drawn with a brush.
    mutating func draw(_ points: [UInt64], rows pointRows: Range<Int>, _ brush: LineBrush) {
        self.brush = brush
        let (side, margin, wide) = (TileLines.unitsPerSide, RasterGrid.margin, RasterGrid.wordsPerRow)
        let narrow = Self.wordsPerRow
        let reach = brush.extents.count
        let first = max(pointRows.lowerBound, margin - reach)
        let end = max(first, min(pointRows.upperBound, margin + side + reach))
        let drawn = rows
        let start = min(side, max(0, first - margin - reach))
        rows = start..<max(start, min(side, end - margin + reach))
        var words = words.mutableSpan
        for index in drawn.lowerBound * narrow..<drawn.upperBound * narrow { words[index] = 0 }
        let raster = points.span
        let extents = brush.extents.span
        // Of the words at both sides, only the points near the edge matter.
        let edge = UInt64(UInt64.bitWidth - extents[0])
        for row in first..<end {
            let line = raster.extracting(row * wide..<row * wide + narrow + 2)
            var (before, next) = (line[0], line[1])
            for column in 0..<narrow {
                let (west, here, east) = (before, next, line[column + 2])
                (before, next) = (here, east)
                guard (west &>> edge) | here | (east &<< edge) != 0 else { continue }
                // The points of the row from −extent to extent − 1 quarter pixels away, one extent after the other. The
                // rows of the disc are visited from its narrow ends to its middle.
                var covered: UInt64 = 0
                var extent = 0
                var distance = reach - 1
                while distance >= 0 {
                    let wanted = extents[distance]
                    while extent < wanted {
                        let left = UInt64(extent)
                        let right = UInt64(extent + 1)
                        // Masking shifts: in two steps, because the shift by 64 bits for `left` 0 must give 0.
                        covered |= here &<< left | (west &>> (63 &- left)) &>> 1
                        covered |= here &>> right | east &<< (64 &- right)
                        extent += 1
                    }
                    let (south, north) = (row - margin + distance, row - margin - 1 - distance)
                    if UInt(bitPattern: south) < UInt(side) { words[south * narrow + column] |= covered }
                    if UInt(bitPattern: north) < UInt(side) { words[north * narrow + column] |= covered }
                    distance -= 1
                }
            }
        }
    }

    /// Writes for each pixel the covered part, 0…255; `mask` must be clear.
    func cover(_ mask: inout MutableSpan<UInt8>, bytesPerRow: Int) {
        let full = 16
        let alphas = (0...full).map { UInt8((Float($0 * 255) * brush.share / Float(full)).rounded()) }
        let (alpha, words) = (alphas.span, words.span)
        let narrow = Self.wordsPerRow
        for y in pixelRows {
            for column in 0..<narrow {
                let first = 4 * y * narrow + column
                let (one, two) = (words[first], words[first + narrow])
                let (three, four) = (words[first + 2 * narrow], words[first + 3 * narrow])
                guard one | two | three | four != 0 else { continue }
                let (even, odd) = Self.pixelCounts(one, two, three, four)
                let at = y * bytesPerRow + column * 16
                for pair in 0..<8 {
                    mask[at + 2 * pair] = alpha[Int(even >> UInt64(8 * pair) & 0xFF)]
                    mask[at + 2 * pair + 1] = alpha[Int(odd >> UInt64(8 * pair) & 0xFF)]
                }
            }
        }
    }

    /// The rows of pixels that may be covered; a pixel has 4 × 4 quarter pixels.
    var pixelRows: Range<Int> { rows.lowerBound / 4..<(rows.upperBound + 3) / 4 }

    /// The number of bits of each pixel, 0…16, a byte each: of the even and of the odd pixels.
    private static func pixelCounts(_ one: UInt64, _ two: UInt64, _ three: UInt64, _ four: UInt64) -> (UInt64, UInt64) {
        let low: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let (one, two, three, four) = (nibbleCounts(one), nibbleCounts(two), nibbleCounts(three), nibbleCounts(four))
        return (
            (one & low) + (two & low) + (three & low) + (four & low),
            (one >> 4 & low) + (two >> 4 & low) + (three >> 4 & low) + (four >> 4 & low)
        )
    }

    /// The number of bits of each group of four.
    private static func nibbleCounts(_ word: UInt64) -> UInt64 {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555)
        return (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333)
    }
}
