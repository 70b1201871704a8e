import HeatGrid
import Styling
import TileMath

/// The sums of a run of rows of cells, spread along the rows into pixels.
struct KernelSums {
    /// The rows of cells from `reach` before the run's first to `reach` after its last, in blocks of pixels, with a
    /// margin on both sides in which cells outside of the picture end. All zeros between runs.
    private var rows: [SIMD8<Float>] = []
    /// For each of these rows, a bit for each block of the picture that may be non-zero.
    private var blocks: [UInt64] = []
    /// Whether a row has cells.
    private var isUsed: [Bool] = []
    private var blocksPerRow = 0
    private var marginBlocks = 0

    private static let blockPixels = HeatField.blockPixels

    /// Adds the counts of all cells that contribute to a run of rows.
    mutating func addRows(
        _ field: HeatField, _ range: Range<Int>, _ kernel: Kernel, _ counts: [CellCounts]
    ) {
        let reach = kernel.reach
        let height = range.count + 2 * reach
        let block = Self.blockPixels
        let side = field.side * field.factor
        marginBlocks = (2 * reach * field.factor + block - 1) / block + 1
        blocksPerRow = side / block + 2 * marginBlocks
        // Moved out of the struct, so that changing it copies nothing.
        var rows = self.rows
        self.rows = []
        if rows.count < height * blocksPerRow {
            rows = [SIMD8<Float>](repeating: SIMD8(), count: height * blocksPerRow)
        }
        var blocks = [UInt64](repeating: 0, count: height)
        var isUsed = [Bool](repeating: false, count: height)
        let spread = SpreadPatterns(kernel)
        let (margin, blocksPerRow, factor) = (marginBlocks * block, blocksPerRow, field.factor)
        let byteTable = CellLayout.table
        let bytePositions = byteTable.span
        var target = rows.mutableSpan
        let patterns = spread.blocks.span
        for placedTile in field.placedTiles {
            let tileCounts = counts[placedTile.index]
            let (west, north) = (
                placedTile.column * TileCoordinate.cellsPerSide - field.west,
                placedTile.row * TileCoordinate.cellsPerSide - field.north - range.lowerBound + reach
            )
            let (cells, numbers) = (tileCounts.cells.span, tileCounts.counts.span)
            let edge = CodeFilter(column: placedTile.column, row: placedTile.row, field, reach: reach)
            for index in cells.indices where edge.passes(cells[index]) {
                let at = CellLayout.position(of: cells[index], bytePositions)
                let (x, y) = (west + at & 255, north + at >> 8)
                guard y >= 0, y < height, x >= -reach, x < field.side + reach else { continue }
                let count = SIMD8(repeating: Float(numbers[index]))
                let start = (x - reach) * factor + margin
                let (first, shift) = (start / block, start % block)
                let length = spread.length(shift: shift)
                let (from, pattern) = (y * blocksPerRow + first, spread.start(shift: shift))
                for position in 0..<length { target[from + position] += patterns[pattern + position] * count }
                isUsed[y] = true
                let west = max(0, first - margin / block)
                let east = min(side / block - 1, first - margin / block + length - 1)
                guard west <= east else { continue }
                // Ones from bit `west` to bit `east`.
                blocks[y] |= (~0 >> UInt64(63 - east + west)) << UInt64(west)
            }
        }
        self.rows = rows
        self.blocks = blocks
        self.isUsed = isUsed
    }

    /// Sets all rows with cells to zero.
    mutating func clear() {
        for row in isUsed.indices where isUsed[row] {
            for position in row * blocksPerRow..<(row + 1) * blocksPerRow { rows[position] = SIMD8() }
        }
    }

    /// The blocks of a row of the run that may be non-zero.
    func blocks(ofRow row: Int, _ kernel: Kernel) -> UInt64 {
        var mask: UInt64 = 0
        for other in row...row + 2 * kernel.reach { mask |= blocks[other] }
        return mask
    }

    /// The values of a block of pixels: the row of the run is a row of cells, the phase a row of its pixels.
    @inline(__always)
    func column(_ block: Int, ofRow row: Int, _ phase: Int, _ kernel: Kernel) -> SIMD8<Float> {
        let taps = kernel.taps
        let weights = kernel.weights.span.extracting(phase * taps..<(phase + 1) * taps)
        let first = row * blocksPerRow + marginBlocks + block
        let source = rows.span.extracting(first..<first + (taps - 1) * blocksPerRow + 1)
        var sum = SIMD8<Float>()
        var position = 0
        // Rows without cells are zero; testing for them would take longer than adding them.
        for tap in weights.indices {
            sum += source[position] * SIMD8(repeating: weights[tap])
            position &+= blocksPerRow
        }
        return sum
    }
}

/// The weights of the pixels in a row around a cell, in blocks, for each position of their first pixel in a block.
private struct SpreadPatterns {
    let blocks: [SIMD8<Float>]
    private let pixels: Int
    private let stride: Int

    init(_ kernel: Kernel) {
        let block = HeatField.blockPixels
        pixels = kernel.taps * kernel.factor
        stride = (pixels + 2 * block - 2) / block
        var blocks = [SIMD8<Float>](repeating: SIMD8(), count: stride * block)
        for shift in 0..<block {
            for pixel in 0..<pixels {
                // The pixel's cell is `pixel / factor − reach` cells away from the cell that is spread; seen from the
                // pixel, that cell is on the other side.
                let tap = 2 * kernel.reach - pixel / kernel.factor
                let weight = kernel.weights[pixel % kernel.factor * kernel.taps + tap]
                let position = shift + pixel
                blocks[shift * stride + position / block][position % block] = weight
            }
        }
        self.blocks = blocks
    }

    @inline(__always)
    func start(shift: Int) -> Int { shift * stride }

    @inline(__always)
    func length(shift: Int) -> Int { (shift + pixels + HeatField.blockPixels - 1) / HeatField.blockPixels }
}

/// Rejects most cells of a neighbouring tile that are too far from the picture, by bits of their Morton codes.
private struct CodeFilter {
    private let mask: UInt16
    private let value: UInt16

    /// The bits of x (column) of a code; those of y are one higher.
    private static let columnBits: UInt16 = 0x5555

    init(column: Int, row: Int, _ field: HeatField, reach: Int) {
        var (mask, value): (UInt16, UInt16) = (0, 0)
        let last = (field.west + field.side - 1) >> 8
        let lastRow = (field.north + field.side - 1) >> 8
        // Only beside the picture's own tiles: a strip of a power of two of cells along the common edge.
        let depth = max(0, Int.bitWidth - (max(reach, 1) - 1).leadingZeroBitCount)
        let high = depth >= 8 ? 0 : UInt16(truncatingIfNeeded: 0xFFFF << (2 * depth))
        if column < field.west >> 8 {
            mask |= Self.columnBits & high
            value |= Self.columnBits & high
        } else if column > last {
            mask |= Self.columnBits & high
        }
        if row < field.north >> 8 {
            mask |= Self.columnBits << 1 & high
            value |= Self.columnBits << 1 & high
        } else if row > lastRow {
            mask |= Self.columnBits << 1 & high
        }
        (self.mask, self.value) = (mask, value)
    }

    @inline(__always)
    func passes(_ code: UInt16) -> Bool { code & mask == value }
}
