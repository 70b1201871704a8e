import HeatGrid
import PNG
import Styling
import TileMath

/// The shades of some cells, and the colours of a table that they use: the picture's palette, and where each colour
/// went in it.
struct PaletteIndex {
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

    /// The shades of more cells, behind those that are here; the cells are those of a tile at `x` and `y`, counted from
    /// the picture's first.
    mutating func add(_ counts: CellCounts, in range: Range<Int>, painter: Painter, x: Int = 0, y: Int = 0) {
        let first = places.count
        places.append(contentsOf: repeatElement(0, count: range.count))
        var bits: UInt64 = 0
        defer { used |= bits }
        var span = places.mutableSpan
        var rest = span._mutatingExtracting(first...)
        switch painter {
        case .table(let table):
            bits = table.places(of: counts.counts.span.extracting(range), into: &rest)
        case .local(let ground):
            let byteTable = CellLayout.table
            let bytePlaces = byteTable.span
            let knotTable = CountKnots.table
            let knots = knotTable.span
            let cells = counts.cells.span.extracting(range)
            let numbers = counts.counts.span.extracting(range)
            for index in cells.indices {
                let at = CellLayout.place(of: cells[index], bytePlaces)
                let place = ground.place(
                    ofKnot: CountKnots.index(of: numbers[index], knots), x: x + at & 255, y: y + at >> 8)
                bits |= 1 << UInt64(place & 63)
                rest[index] = place
            }
        }
    }

    /// Notes places that came up elsewhere.
    mutating func use(_ bits: UInt64) { used |= bits }

    /// The table's place → the picture's, both 0 for nothing.
    func order(of painter: Painter) -> [UInt8] {
        var order = [UInt8](repeating: 0, count: painter.colors.count)
        var next: UInt8 = 0
        for place in painter.placesByWeight where used >> UInt64(place) & 1 == 1 {
            order[place] = next
            next += 1
        }
        return order
    }

    /// The picture's colours, the transparent one first, then from what shows least to what shows most.
    func palette(of painter: Painter) -> [RGBA] {
        let colors = painter.colors
        return painter.placesByWeight.filter { used >> UInt64($0) & 1 == 1 }.map { place in
            let color = colors[place]
            return RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
        }
    }
}
