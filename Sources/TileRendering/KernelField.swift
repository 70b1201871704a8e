import Digest
import HeatGrid
import PNG
import Styling
import TileMath

/// Spreads counts by a separable kernel: first along rows, then along columns, in integers throughout.
///
/// If the radius differs between rows (in metres it depends on the latitude), each run of rows with one radius is
/// computed separately.
struct KernelField {
    /// The palette indices of the field's pixels, row by row. `used` has a bit for each index that occurs.
    private(set) var places: [UInt8] = []
    private(set) var used: UInt64 = 1
    /// For each row of the field, a bit for each block of cells that may be non-zero.
    private(set) var blocks: [UInt64] = []

    /// Cells of a block: a row of the largest field has as many blocks as a word has bits.
    static let blockCells = 8
    private var side = 0
    /// The table of the last picture, scaled to the unit of its last kernel.
    private var scaled: (source: ContentDigest, table: ColorTable)?
    private var sums = KernelSums<UInt32>()
    private var wideSums = KernelSums<UInt64>()
    private var values: [UInt32] = []

    /// Spreads and colours counts; false if the result is empty.
    mutating func draw(_ field: HeatTileLayout.Field, counts: [CellCounts], paletteMapper: PaletteMapper) -> Bool {
        let side = field.side
        clear()
        self.side = side
        if places.count < side * side { places = [UInt8](repeating: 0, count: side * side) }
        used = 1
        blocks = Array(repeating: 0, count: side)
        guard counts.contains(where: { !$0.isEmpty }) else { return false }
        let most = counts.reduce(0) { max($0, $1.counts.max() ?? 0) }
        var first = 0
        while first < side {
            let radius = field.radii[first]
            var end = first + 1
            while end < side, field.radii[end] == radius { end += 1 }
            let kernel = Kernel(radius: radius)
            let greatest = UInt64(most) * UInt64(kernel.across) * UInt64(kernel.across)
            if greatest <= UInt64(UInt32.max) {
                spread(field, first..<end, kernel, counts, paletteMapper, \.sums)
            } else {
                spread(field, first..<end, kernel, counts, paletteMapper, \.wideSums)
            }
            first = end
        }
        return used != 1
    }

    private mutating func spread<Word: FixedWidthInteger & UnsignedInteger & SIMDScalar & Sendable>(
        _ field: HeatTileLayout.Field, _ range: Range<Int>, _ kernel: Kernel, _ counts: [CellCounts],
        _ paletteMapper: PaletteMapper,
        _ path: WritableKeyPath<KernelField, KernelSums<Word>>
    ) {
        // Moved out of the struct, so that changing one of them copies nothing.
        var sums = self[keyPath: path]
        self[keyPath: path] = KernelSums()
        var places = self.places
        self.places = []
        defer {
            self.places = places
            self[keyPath: path] = sums
        }
        sums.addRows(field, range, kernel, counts)
        let scaled: ColorTable? =
            if case .table(let table) = paletteMapper { self.table(table, unit: kernel.unit) } else { nil }
        var bits: UInt64 = 0
        if values.count < max(field.side, Self.blockCells) {
            values = [UInt32](repeating: 0, count: max(field.side, Self.blockCells))
        }
        for row in range {
            let mask = sums.addColumns(row - range.lowerBound, kernel, into: &values)
            blocks[row] = mask
            var rest = mask
            while rest != 0 {
                let west = rest.trailingZeroBitCount * Self.blockCells
                rest &= rest &- 1
                let width = min(Self.blockCells, field.side - west)
                let block = values.span.extracting(west..<west + width)
                var all = places.mutableSpan
                var target = all._mutatingExtracting(row * field.side + west..<row * field.side + west + width)
                if let scaled {
                    bits |= scaled.places(of: block, into: &target)
                } else if case .local(let localLevels) = paletteMapper {
                    bits |= Self.colorize(
                        block, localLevels, west: field.west + west, y: field.north + row, unit: kernel.unit,
                        into: &target)
                }
            }
        }
        sums.clear()
        used |= bits
    }

    /// Clears only the blocks that were coloured; all others are still 0.
    private mutating func clear() {
        for row in blocks.indices {
            var rest = blocks[row]
            while rest != 0 {
                let west = rest.trailingZeroBitCount * Self.blockCells
                rest &= rest &- 1
                for x in west..<min(west + Self.blockCells, side) { places[row * side + x] = 0 }
            }
        }
    }

    private mutating func table(_ table: ColorTable, unit: UInt32) -> ColorTable {
        if let scaled, scaled.source == table.digest, scaled.table.unit == unit { return scaled.table }
        let made = table.scaled(toUnit: unit)
        scaled = (table.digest, made)
        return made
    }

    private static func colorize(
        _ values: Span<UInt32>, _ localLevels: LocalPaletteIndices, west: Int, y: Int, unit: UInt32,
        into places: inout MutableSpan<UInt8>
    ) -> UInt64 {
        let knotTable = CountKnots.table
        let knots = knotTable.span
        var bits: UInt64 = 0
        for x in values.indices where values[x] != 0 {
            let value = values[x]
            let place =
                value < unit
                ? ColorTable.fade(of: value, unit: unit)
                : localLevels.place(ofKnot: CountKnots.index(of: value / unit, knots), x: west + x, y: y)
            places[x] = place
            bits |= 1 << UInt64(place & 63)
        }
        return bits
    }
}

/// The sums of a run of rows, in words wide enough to hold them.
private struct KernelSums<Word: FixedWidthInteger & UnsignedInteger & SIMDScalar & Sendable> {
    private var side = 0
    /// The rows from `radius` before the run's first to `radius` after its last, spread horizontally. All zeros
    /// between runs.
    private var rows: [Word] = []
    /// For each of these rows, a bit for each block of cells that may be non-zero.
    private var blocks: [UInt64] = []

    mutating func addRows(
        _ field: HeatTileLayout.Field, _ range: Range<Int>, _ kernel: Kernel, _ counts: [CellCounts]
    ) {
        let (radius, side) = (kernel.radius, max(field.side, KernelField.blockCells))
        let height = range.count + 2 * radius
        var rows = self.rows
        self.rows = []
        if rows.count < height * side { rows = [Word](repeating: 0, count: height * side) }
        var blocks = [UInt64](repeating: 0, count: height)
        let byteTable = CellLayout.table
        let bytePlaces = byteTable.span
        // From the farthest west to the farthest east, so that clipping at an edge is a subrange.
        let weights = (kernel.weights.reversed() + kernel.weights.dropFirst()).map { Word($0) }
        for placedTile in field.placedTiles {
            let tileCounts = counts[placedTile.index]
            let (west, north) = (
                placedTile.column * TileCoordinate.cellsPerSide - field.west,
                placedTile.row * TileCoordinate.cellsPerSide - field.north - range.lowerBound + radius
            )
            var target = rows.mutableSpan
            let (cells, numbers, weightSpan) = (tileCounts.cells.span, tileCounts.counts.span, weights.span)
            for index in cells.indices {
                let at = CellLayout.place(of: cells[index], bytePlaces)
                let (x, y) = (west + at & 255, north + at >> 8)
                guard y >= 0, y < height, x >= -radius, x < side + radius else { continue }
                let count = Word(numbers[index])
                let (from, to) = (max(0, x - radius), min(side - 1, x + radius))
                let start = y * side
                let (first, last) = (from / KernelField.blockCells, to / KernelField.blockCells)
                blocks[y] |= (~0 >> UInt64(63 - last + first)) << UInt64(first)
                for place in from...to { target[start + place] &+= count &* weightSpan[place - x + radius] }
            }
        }
        self.side = side
        self.blocks = blocks
        self.rows = rows
    }

    /// Sets all non-zero blocks to zero.
    mutating func clear() {
        for row in blocks.indices {
            var rest = blocks[row]
            while rest != 0 {
                let start = row * side + rest.trailingZeroBitCount * KernelField.blockCells
                rest &= rest &- 1
                for at in start..<start + KernelField.blockCells { rows[at] = 0 }
            }
        }
    }

    /// Computes a row of the run in units of the kernel; the result has a bit for each block that may be non-zero.
    func addColumns(_ row: Int, _ kernel: Kernel, into values: inout [UInt32]) -> UInt64 {
        let radius = kernel.radius
        let middle = row + radius
        let mask = blocks[row...row + 2 * radius].reduce(0, |)
        let (source, masks, weights) = (rows.span, blocks.span, kernel.weights.span)
        var target = values.mutableSpan
        var rest = mask
        while rest != 0 {
            let bit = rest & (0 &- rest)
            let west = rest.trailingZeroBitCount * KernelField.blockCells
            rest ^= bit
            var sum = SIMD8<Word>()
            for distance in -radius...radius where masks[middle + distance] & bit != 0 {
                let start = (middle + distance) * side + west
                let block = source.extracting(start..<start + KernelField.blockCells)
                var lanes = SIMD8<Word>()
                for lane in 0..<KernelField.blockCells { lanes[lane] = block[lane] }
                sum &+= lanes &* SIMD8(repeating: Word(truncatingIfNeeded: weights[abs(distance)]))
            }
            for lane in 0..<KernelField.blockCells {
                target[west + lane] = UInt32(clamping: sum[lane] >> Word(truncatingIfNeeded: kernel.shift))
            }
        }
        return mask
    }
}
