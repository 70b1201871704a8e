package import TileMath

/// Cells of zoom level 16 as Morton codes of 48 bits (24 a side), gathered line by line.
///
/// A line visits exactly the cells that hold one of its points, a cell holding its western and northern edge and not the
/// other two; so the cells of a line do not depend on its direction, and those of a path not on how it is cut.
package struct CellTracer: Sendable {
    /// The codes gathered so far, neither sorted nor distinct.
    package private(set) var codes: [UInt64] = []

    /// Gathered codes are made distinct when there are this many, so that a year on one spot costs no more memory than a
    /// walk: 32 MiB of codes.
    private static let compactionCount = 4 << 20
    private var compactAt = Self.compactionCount

    private static let columnBits: UInt64 = 0x5555_5555_5555
    private static let rowBits: UInt64 = 0xAAAA_AAAA_AAAA
    /// A cell of zoom level 16 is 2^8 of the world's 2^32 units wide.
    private static let cellShift: Int64 = 8

    /// A tracer that has visited nothing.
    package init() {}

    /// Visits the one cell of a lone point; none beyond the map's northern and southern edges.
    package mutating func visit(_ point: WorldPoint) {
        guard point.y >= 0, point.y < WorldPoint.side else { return }
        append(Self.code(column: point.x >> Self.cellShift, row: point.y >> Self.cellShift))
    }

    /// Visits the cells of a line, by the shorter way round the world; what lies beyond the map's edges is cut off.
    package mutating func visitLine(from start: WorldPoint, to end: WorldPoint) {
        let eastwards = start.eastwards(to: end)
        guard var line = FixedLine(x: start.x, y: start.y, dx: eastwards, dy: end.y - start.y).clipped else { return }
        line.pointSouth()
        trace(line)
    }

    /// The distinct codes in ascending order; the tracer is empty afterwards.
    package mutating func takeSorted(using sorter: inout CodeSorter) -> [UInt64] {
        var result = codes
        codes = []
        compactAt = Self.compactionCount
        sorter.sortDistinct(&result)
        return result
    }

    private mutating func append(_ code: UInt64) {
        if code == codes.last { return }
        codes.append(code)
    }

    private mutating func trace(_ line: FixedLine) {
        if codes.count >= compactAt { compact() }
        let column = line.x >> Self.cellShift
        let row = line.y >> Self.cellShift
        var columnsLeft = ((line.x + line.dx) >> Self.cellShift) - column
        var rowsLeft = ((line.y + line.dy) >> Self.cellShift) - row
        let west = columnsLeft < 0
        columnsLeft = abs(columnsLeft)
        var columnBits = Self.code(column: column, row: 0)
        var rowBits = Self.code(column: 0, row: row)
        append(columnBits | rowBits)
        guard columnsLeft | rowsLeft != 0 else { return }

        let width = abs(line.dx)
        let toColumn = west ? line.x - column << Self.cellShift : (column + 1) << Self.cellShift - line.x
        let toRow = (row + 1) << Self.cellShift - line.y
        // Negative where the next column is reached before the next row.
        var order = toColumn * line.dy - toRow * width
        let columnStep = line.dy << Self.cellShift
        let rowStep = width << Self.cellShift
        while columnsLeft > 0 || rowsLeft > 0 {
            // A corner belongs to the cell south-east of it: eastwards both change at once, westwards the row first.
            let crossesColumn = columnsLeft > 0 && (rowsLeft == 0 || order < 0 || (order == 0 && !west))
            let crossesRow = rowsLeft > 0 && (columnsLeft == 0 || order > 0 || order == 0)
            if crossesColumn {
                columnBits = (west ? columnBits &- 1 : (columnBits | ~Self.columnBits) &+ 1) & Self.columnBits
                columnsLeft -= 1
                order += columnStep
            }
            if crossesRow {
                rowBits = ((rowBits | ~Self.rowBits) &+ 1) & Self.rowBits
                rowsLeft -= 1
                order -= rowStep
            }
            codes.append(columnBits | rowBits)
        }
    }

    private mutating func compact() {
        var sorter = CodeSorter()
        sorter.sortDistinct(&codes)
        compactAt = max(Self.compactionCount, codes.count * 2)
    }

    private static func code(column: Int64, row: Int64) -> UInt64 {
        Morton.code(x: UInt32(truncatingIfNeeded: column & 0xFF_FFFF), y: UInt32(truncatingIfNeeded: row & 0xFF_FFFF))
    }
}

/// A line in the world's 32-bit units; `x` and `x + dx` may lie outside one turn round the world.
private struct FixedLine {
    var x: Int64
    var y: Int64
    var dx: Int64
    var dy: Int64

    /// The part between the map's northern and southern edges; nil where there is none.
    var clipped: FixedLine? {
        let last = WorldPoint.side - 1
        let endY = y + dy
        if y >= 0, y <= last, endY >= 0, endY <= last { return self }
        guard max(y, endY) >= 0, min(y, endY) <= last else { return nil }
        let start = cut(at: min(max(y, 0), last))
        let end = cut(at: min(max(endY, 0), last))
        let first = y >= 0 && y <= last ? (x: x, y: y) : start
        let second = endY >= 0 && endY <= last ? (x: x + dx, y: endY) : end
        return FixedLine(x: first.x, y: first.y, dx: second.x - first.x, dy: second.y - first.y)
    }

    /// The same line from its northern end; from its western end where it runs along a parallel.
    mutating func pointSouth() {
        guard dy < 0 || (dy == 0 && dx < 0) else { return }
        x += dx
        y += dy
        dx = -dx
        dy = -dy
    }

    private func cut(at row: Int64) -> (x: Int64, y: Int64) {
        guard dy != 0 else { return (x, row) }
        return (x + Int64((Double(dx) * (Double(row - y) / Double(dy))).rounded(.down)), row)
    }
}
