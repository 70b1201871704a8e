import Digest
import HeatGrid
import Styling

/// Spreads counts by a separable kernel: first along rows of cells, then along columns of pixels.
///
/// All weights and counts are whole numbers, and they are added in the order of the cells in the grid: equal counts give
/// equal pictures on every machine, and a pixel does not depend on the tile that shows it. If the extent of the kernel
/// differs between rows (in metres it depends on the latitude), each run of rows with one extent is computed
/// separately.
struct KernelField {
    /// The palette indices of the field's pixels, row by row. `used` has a bit for each index that occurs.
    private(set) var indices: [UInt8] = []
    private(set) var used: UInt64 = 1
    /// For each row of the field, a bit for each block of pixels that may be non-zero.
    private(set) var blocks: [UInt64] = []

    private var side = 0
    /// The palette of the last picture, for the unit of its last kernel.
    private var palette: (source: ContentDigest, kernel: Kernel, fadeShare: Double, palette: FieldPalette)?
    private var sums = KernelSums()

    /// Spreads and colours counts; false if the result is empty.
    mutating func draw(_ field: HeatField, counts: [CellCounts], paletteMapper: PaletteMapper) -> Bool {
        clear()
        side = field.side * field.factor
        if indices.count < side * side { indices = [UInt8](repeating: 0, count: side * side) }
        used = 1
        blocks = Array(repeating: 0, count: side)
        guard counts.contains(where: { !$0.isEmpty }) else { return false }
        var first = 0
        while first < field.side {
            let extent = field.extents[first]
            var end = first + 1
            while end < field.side, field.extents[end] == extent { end += 1 }
            let kernel = Kernel(extent: extent, factor: field.factor)
            let fadeShare = field.fadeShare(kernel)
            sums.addRows(field, first..<end, kernel, counts)
            switch paletteMapper {
            case .differences: preconditionFailure("differences are not added")
            case .table(let table):
                let palette = palette(of: table, kernel, fadeShare)
                color(field, first..<end, kernel, ByTable(palette))
            case .local(let levels):
                let fractions = FieldPalette(fractionsOf: kernel, fadeShare: fadeShare)
                color(field, first..<end, kernel, ByNeighbourhood(levels, fractions, field, unit: kernel.unit))
            }
            sums.clear()
            first = end
        }
        return used != 1
    }

    /// Adds the columns of a run of rows of cells and colours the pixels.
    private mutating func color(
        _ field: HeatField, _ range: Range<Int>, _ kernel: Kernel, _ coloring: borrowing some FieldColoring
    ) {
        var bits: UInt64 = 0
        let (side, sums) = (side, sums)
        // Moved out of the struct, so that changing them copies nothing.
        var indices = self.indices
        self.indices = []
        var blocks = self.blocks
        self.blocks = []
        defer {
            self.indices = indices
            self.blocks = blocks
        }
        var all = indices.mutableSpan
        for cellRow in range {
            let mask = sums.blocks(ofRow: cellRow - range.lowerBound, kernel)
            guard mask != 0 else { continue }
            for phase in 0..<field.factor {
                let row = cellRow * field.factor + phase
                blocks[row] = mask
                var rest = mask
                while rest != 0 {
                    let block = rest.trailingZeroBitCount
                    rest &= rest &- 1
                    let values = sums.column(block, ofRow: cellRow - range.lowerBound, phase, kernel)
                    let west = block * HeatField.blockPixels
                    let start = row * side + west
                    var pixels = all._mutatingExtracting(start..<start + HeatField.blockPixels)
                    bits |= coloring.color(&pixels, values, x: west, y: row)
                }
            }
        }
        used |= bits
    }

    /// Clears only the blocks that were coloured; all others are still 0.
    private mutating func clear() {
        for row in blocks.indices {
            var rest = blocks[row]
            while rest != 0 {
                let start = row * side + rest.trailingZeroBitCount * HeatField.blockPixels
                rest &= rest &- 1
                for index in start..<start + HeatField.blockPixels { indices[index] = 0 }
            }
        }
    }

    private mutating func palette(of table: ColorTable, _ kernel: Kernel, _ fadeShare: Double) -> FieldPalette {
        if let palette, palette.source == table.digest, palette.kernel == kernel, palette.fadeShare == fadeShare {
            return palette.palette
        }
        let made = FieldPalette(table, kernel, fadeShare: fadeShare)
        palette = (table.digest, kernel, fadeShare, made)
        return made
    }
}

/// How the values of a field become palette indices.
private protocol FieldColoring {
    /// Writes the palette indices of eight pixels, of which the first is at (x, y) in the field. Returns a bit for each
    /// of these indices.
    func color(_ pixels: inout MutableSpan<UInt8>, _ values: SIMD8<Float>, x: Int, y: Int) -> UInt64
}

/// With the same palette everywhere.
private struct ByTable: FieldColoring {
    private let indices: [UInt8]

    init(_ palette: FieldPalette) { indices = palette.indices }

    @inline(__always)
    func color(_ pixels: inout MutableSpan<UInt8>, _ values: SIMD8<Float>, x: Int, y: Int) -> UInt64 {
        let (indices, entries) = (indices.span, FieldPalette.entries(of: values))
        // Each lane by a constant number: a loop over the lanes would go through memory.
        let low = (
            indices[Int(entries[0])], indices[Int(entries[1])], indices[Int(entries[2])], indices[Int(entries[3])]
        )
        let high = (
            indices[Int(entries[4])], indices[Int(entries[5])], indices[Int(entries[6])], indices[Int(entries[7])]
        )
        (pixels[0], pixels[1], pixels[2], pixels[3]) = low
        (pixels[4], pixels[5], pixels[6], pixels[7]) = high
        return Self.bit(low.0) | Self.bit(low.1) | Self.bit(low.2) | Self.bit(low.3)
            | Self.bit(high.0) | Self.bit(high.1) | Self.bit(high.2) | Self.bit(high.3)
    }

    @inline(__always)
    private static func bit(_ index: UInt8) -> UInt64 { 1 &<< UInt64(index) }
}

/// By the neighbourhood of each pixel.
private struct ByNeighbourhood: FieldColoring {
    private let levels: LocalPaletteIndices
    private let fractions: FieldPalette
    private let knots = CountKnots.table
    /// The inverse of the value of one count, a little greater, so that rounding errors lower no count.
    private let perUnit: Float
    private let unit: Float
    private let west: Int
    private let north: Int
    private let shift: Int

    init(_ levels: LocalPaletteIndices, _ fractions: FieldPalette, _ field: HeatField, unit: Float) {
        self.levels = levels
        self.fractions = fractions
        self.unit = unit
        perUnit = (1 / unit) * (1 + 1 / 65_536)
        (west, north, shift) = (field.west, field.north, field.factor.trailingZeroBitCount)
    }

    @inline(__always)
    func color(_ pixels: inout MutableSpan<UInt8>, _ values: SIMD8<Float>, x: Int, y: Int) -> UInt64 {
        let entries = FieldPalette.entries(of: values)
        var bits: UInt64 = 0
        for lane in values.indices {
            let value = values[lane]
            var index: UInt8 = 0
            if entries[lane] != 0 {
                if value < unit {
                    index = fractions.indices[Int(entries[lane])]
                } else {
                    let count = UInt32(min(value * perUnit, 0x1p31))
                    index = levels.paletteIndex(
                        ofKnot: CountKnots.index(of: count, knots.span), x: west + (x + lane) >> shift,
                        y: north + y >> shift)
                }
            }
            pixels[lane] = index
            bits |= 1 &<< UInt64(index)
        }
        return bits
    }
}
