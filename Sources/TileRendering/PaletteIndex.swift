import Colors
import HeatGrid
import Styling
import TileMath

/// The palette indices of cells, and the colours of a table that they use: they form the picture's palette.
struct PaletteIndex {
    /// The index of each cell in the palette of the table; the memory is reused.
    private(set) var indices = [UInt8](repeating: 0, count: TileCoordinate.cellCount)
    /// A bit for each used index of the table's palette; `HeatSymbolizer.colorLimits` keeps them within a word. The
    /// transparent colour is always used.
    private var used: UInt64 = 1

    /// Removes all cells.
    mutating func clear() {
        indices.removeAll(keepingCapacity: true)
        used = 1
    }

    /// Appends the palette indices of a tile's cells; `x` and `y` are the tile's position in cells from the picture's
    /// first.
    mutating func add(_ counts: CellCounts, in range: Range<Int>, paletteMapper: PaletteMapper, x: Int = 0, y: Int = 0)
    {
        let first = indices.count
        indices.append(contentsOf: repeatElement(0, count: range.count))
        var bits: UInt64 = 0
        defer { used |= bits }
        var span = indices.mutableSpan
        var rest = span._mutatingExtracting(first...)
        switch paletteMapper {
        case .table(let table):
            bits = table.paletteIndices(of: counts.counts.span.extracting(range), into: &rest)
        case .differences: preconditionFailure("differences with a kernel have no cells")
        case .local(let localLevels):
            let byteTable = CellLayout.table
            let bytePositions = byteTable.span
            let knotTable = CountKnots.table
            let knots = knotTable.span
            let cells = counts.cells.span.extracting(range)
            let numbers = counts.counts.span.extracting(range)
            for index in cells.indices {
                let at = CellLayout.position(of: cells[index], bytePositions)
                let paletteIndex = localLevels.paletteIndex(
                    ofKnot: CountKnots.index(of: numbers[index], knots), x: x + at & 255, y: y + at >> 8)
                bits |= 1 << UInt64(paletteIndex & 63)
                rest[index] = paletteIndex
            }
        }
    }

    /// Marks palette indices as used.
    mutating func use(_ bits: UInt64) { used |= bits }

    /// Maps indices of the table's palette to those of the picture's; both are 0 for the transparent colour.
    func order(of paletteMapper: PaletteMapper) -> [UInt8] {
        var order = [UInt8](repeating: 0, count: paletteMapper.colors.count)
        var next: UInt8 = 0
        for index in paletteMapper.indicesByVisibility where used >> UInt64(index) & 1 == 1 {
            order[index] = next
            next += 1
        }
        return order
    }

    /// The picture's palette: the transparent colour first, then from the least to the most visible colour.
    func palette(of paletteMapper: PaletteMapper) -> [Color] {
        let colors = paletteMapper.colors
        return paletteMapper.indicesByVisibility.filter { used >> UInt64($0) & 1 == 1 }.map { colors[$0] }
    }
}
