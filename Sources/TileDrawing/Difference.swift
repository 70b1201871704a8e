import HeatGrid
import Styling

extension CellCounts {
    /// For each cell, how many more (or fewer) it has than in `other`, encoded as `ColorTable` expects differences:
    /// shifted by `ColorTable.zeroDifference`. Contains every cell that is in either of them.
    func difference(to other: CellCounts) -> CellCounts {
        var result = CellCounts()
        let same = Int64(ColorTable.zeroDifference)
        var (mine, its) = (0, 0)
        while mine < cells.count || its < other.cells.count {
            let cell = min(
                mine < cells.count ? Int(cells[mine]) : .max, its < other.cells.count ? Int(other.cells[its]) : .max)
            var value = same
            if mine < cells.count, Int(cells[mine]) == cell {
                value += Int64(counts[mine])
                mine += 1
            }
            if its < other.cells.count, Int(other.cells[its]) == cell {
                value -= Int64(other.counts[its])
                its += 1
            }
            result.cells.append(UInt16(cell))
            result.counts.append(UInt32(clamping: max(1, value)))
        }
        return result
    }
}
