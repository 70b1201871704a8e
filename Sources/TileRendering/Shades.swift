import HeatGrid
import PNG
import Styling
import TileMath

/// The shades of some cells, and the colours of a table that they use: the picture's palette, and where each colour
/// went in it.
struct Shades {
    /// For each cell so far, the table's place; memory that is used again.
    private(set) var places = [UInt8](repeating: 0, count: TileCoordinate.cellCount)
    /// A bit for each place in the table's palette; `Style.colorLimits` keeps them within a word. Nothing is always
    /// there.
    private var used: UInt64 = 1

    /// Forgets all cells.
    mutating func clear() {
        places.removeAll(keepingCapacity: true)
        used = 1
    }

    /// The shades of more cells, behind those that are here.
    mutating func add(_ counts: CellCounts, in range: Range<Int>, table: ColorTable) {
        let first = places.count
        places.append(contentsOf: repeatElement(0, count: range.count))
        var span = places.mutableSpan
        var rest = span._mutatingExtracting(first...)
        used |= table.places(of: counts.counts.span.extracting(range), into: &rest)
    }

    /// The table's place → the picture's, both 0 for nothing.
    func order(of table: ColorTable) -> [UInt8] {
        var next: UInt8 = 0
        return table.colors.indices.map { place in
            guard used >> UInt64(place) & 1 == 1 else { return 0 }
            defer { next += 1 }
            return next
        }
    }

    /// The picture's colours, the transparent one first, in the table's order.
    func palette(of table: ColorTable) -> [RGBA] {
        table.colors.indices.filter { used >> UInt64($0) & 1 == 1 }.map { place in
            let color = table.colors[place]
            return RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
        }
    }
}
