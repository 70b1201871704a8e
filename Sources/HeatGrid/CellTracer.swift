package import TileLog
package import TileMath

/// Rasterises lines to cells of a zoom level, with one bitmap per tile.
///
/// Cells are Morton codes (48 bits at zoom level 16, 24 per axis). A line visits exactly the cells that contain one of
/// its points; a cell contains its western and northern edge, not the other two. Therefore the cells of a line do not
/// depend on its direction, and the cells of a path do not depend on how it is cut.
///
/// A bitmap is a set by itself, in order: sorting the codes of each line instead was a ninth of the time of an import.
package struct CellTracer: Sendable {
    /// One bit per cell of each open tile, in Morton order within the tile.
    private var bits: [UInt64] = []
    /// For each open tile, one bit for each of its words that is not 0.
    private var words: [UInt64] = []
    /// The open tiles, by slot.
    private var tiles: [UInt64] = []
    private var slotOfTile: [UInt64: Int] = [:]
    private var lastTile = UInt64.max
    private var lastSlot = 0
    /// Codes of tiles that were closed early to free their slots: neither sorted nor distinct.
    private var spilled: [UInt64] = []
    /// A buffer for consecutive cells of a line.
    private var path = [UInt64](repeating: 0, count: pathCount)

    /// The maximum number of open tiles: 16 MiB of bits. A day in a city has some dozen tiles, a flight over an ocean
    /// thousands.
    private static let tileLimit = 2048
    private static let wordsPerTile = 1024
    private static let pathCount = 1024
    private static let wordsPerSummary = 16

    private static let columnBits: UInt64 = 0x5555_5555_5555
    private static let rowBits: UInt64 = 0xAAAA_AAAA_AAAA
    /// The width of a cell in world units, as a power of two: 2^8 at zoom level 16.
    private let cellShift: Int64
    /// The bits of a code that hold its column. Columns wrap round the world.
    private let columnMask: UInt64

    /// The number of codes from tiles that were closed early.
    package var spilledCount: Int { spilled.count }

    /// The number of open tiles.
    package var tileCount: Int { tiles.count }

    /// The number of tiles that can be open without more memory.
    package var room: Int { bits.count / Self.wordsPerTile }

    /// Creates a tracer for the cells of a zoom level.
    package init(zoom: Int = 16) {
        cellShift = Int64(24 - zoom)
        columnMask = Self.columnBits & (1 << UInt64(2 * (zoom + 8)) - 1)
    }

    /// Visits the one cell of a lone point; none if it is beyond the northern or southern map edge.
    package mutating func visit(_ point: WorldPoint) {
        guard point.y >= 0, point.y < WorldPoint.side else { return }
        visit(code: Self.code(column: point.x >> cellShift, row: point.y >> cellShift))
    }

    /// Visits the cells of a line, which takes the shorter way round the world and is clipped at the map edges.
    package mutating func visitLine(from start: WorldPoint, to end: WorldPoint) {
        let eastwards = start.eastwards(to: end)
        guard var line = FixedLine(x: start.x, y: start.y, dx: eastwards, dy: end.y - start.y).clipped else { return }
        line.pointSouth()
        trace(line)
    }

    /// Returns the distinct codes in ascending order and clears the tracer.
    package mutating func takeSorted(using sorter: inout CodeSorter) -> [UInt64] {
        var result: [UInt64] = []
        swap(&result, &spilled)
        let isInOrder = result.isEmpty
        takeTiles(into: &result)
        if !isInOrder { sorter.sortDistinct(&result) }
        return result
    }

    /// Appends the codes of all open tiles, in ascending order, and closes these.
    private mutating func takeTiles(into result: inout [UInt64]) {
        for (tile, slot) in slotOfTile.sorted(by: { $0.key < $1.key }) {
            for summary in slot * Self.wordsPerSummary..<(slot + 1) * Self.wordsPerSummary {
                var filled = words[summary]
                words[summary] = 0
                while filled != 0 {
                    let word = summary << 6 | filled.trailingZeroBitCount
                    filled &= filled &- 1
                    var cells = bits[word]
                    bits[word] = 0
                    // The low ten bits of `word` are its index within the tile.
                    let first = tile << 16 | UInt64(word & (Self.wordsPerTile - 1)) << 6
                    while cells != 0 {
                        result.append(first | UInt64(cells.trailingZeroBitCount))
                        cells &= cells &- 1
                    }
                }
            }
        }
        slotOfTile.removeAll(keepingCapacity: true)
        tiles.removeAll(keepingCapacity: true)
        lastTile = .max
    }

    private mutating func visit(code: UInt64) {
        path[0] = code
        visitPath(count: 1)
    }

    /// Sets the bits of the first `count` codes of `path`.
    private mutating func visitPath(count: Int) {
        var position = 0
        while position < count {
            let tile = path[position] >> 16
            if tile != lastTile { enter(tile) }
            position = Self.setBits(path, from: position, to: count, slot: lastSlot, &bits, &words)
        }
    }

    /// Sets the bits of codes while they are in the same tile; returns the index of the first that is not.
    private static func setBits(
        _ path: [UInt64], from start: Int, to end: Int, slot: Int, _ bitsArray: inout [UInt64],
        _ wordsArray: inout [UInt64]
    ) -> Int {
        let codes = path.span
        var bits = bitsArray.mutableSpan
        var words = wordsArray.mutableSpan
        let tile = codes[start] >> 16
        var position = start
        while position < end {
            let code = codes[position]
            guard code >> 16 == tile else { break }
            position &+= 1
            let word = Int(code & 0xFFFF) >> 6
            bits[slot << 10 | word] |= 1 << (code & 63)
            words[slot << 4 | word >> 6] |= 1 << UInt64(word & 63)
        }
        return position
    }

    /// Makes a tile the current one and opens it if needed.
    private mutating func enter(_ tile: UInt64) {
        if let slot = slotOfTile[tile] {
            lastSlot = slot
            lastTile = tile
            return
        }
        if tiles.count == Self.tileLimit {
            var codes: [UInt64] = []
            swap(&codes, &spilled)
            takeTiles(into: &codes)
            swap(&codes, &spilled)
        }
        lastSlot = tiles.count
        lastTile = tile
        slotOfTile[tile] = lastSlot
        tiles.append(tile)
        if bits.count < tiles.count * Self.wordsPerTile {
            bits.append(contentsOf: repeatElement(0, count: Self.wordsPerTile))
            words.append(contentsOf: repeatElement(0, count: Self.wordsPerSummary))
        }
    }

    private mutating func trace(_ line: FixedLine) {
        let (shift, columnMask) = (cellShift, columnMask)
        let column = line.x >> shift
        let row = line.y >> shift
        var columnsLeft = ((line.x + line.dx) >> shift) - column
        var rowsLeft = ((line.y + line.dy) >> shift) - row
        let west = columnsLeft < 0
        columnsLeft = abs(columnsLeft)
        var columnBits = Self.code(column: column, row: 0) & columnMask
        var rowBits = Self.code(column: 0, row: row)
        path[0] = columnBits | rowBits
        var count = 1

        let width = abs(line.dx)
        let toColumn = west ? line.x - column << shift : (column + 1) << shift - line.x
        let toRow = (row + 1) << shift - line.y
        // Exact: even at zoom level 0, the factors have 24 and 32 bits.
        // Negative if the next column is reached before the next row.
        var order = toColumn * line.dy - toRow * width
        let columnStep = line.dy << shift
        let rowStep = width << shift
        while columnsLeft > 0 || rowsLeft > 0 {
            var codes = path.mutableSpan
            while count < Self.pathCount, columnsLeft > 0 || rowsLeft > 0 {
                // A corner belongs to the cell south-east of it: going east, column and row change at once; going west,
                // the row changes first.
                let crossesColumn = columnsLeft > 0 && (rowsLeft == 0 || order < 0 || (order == 0 && !west))
                let crossesRow = rowsLeft > 0 && (columnsLeft == 0 || order >= 0)
                if crossesColumn {
                    // Adds 1 to the column without taking the code apart: where the bits of the row are set, the carry
                    // runs through.
                    columnBits = (west ? columnBits &- 1 : (columnBits | ~columnMask) &+ 1) & columnMask
                    columnsLeft &-= 1
                    order &+= columnStep
                }
                if crossesRow {
                    rowBits = ((rowBits | ~Self.rowBits) &+ 1) & Self.rowBits
                    rowsLeft &-= 1
                    order &-= rowStep
                }
                codes[count] = columnBits | rowBits
                count &+= 1
            }
            visitPath(count: count)
            count = 0
        }
        visitPath(count: count)
    }

    private static func code(column: Int64, row: Int64) -> UInt64 {
        Morton.code(x: UInt32(truncatingIfNeeded: column & 0xFF_FFFF), y: UInt32(truncatingIfNeeded: row & 0xFF_FFFF))
    }
}

/// A line in 32-bit world units; `x` and `x + dx` may be outside 0 ..< 2^32.
private struct FixedLine {
    var x: Int64
    var y: Int64
    var dx: Int64
    var dy: Int64

    /// The part between the northern and southern map edges; nil if there is none.
    var clipped: FixedLine? {
        let last = WorldPoint.side - 1
        let endY = y + dy
        if y >= 0, y <= last, endY >= 0, endY <= last { return self }
        guard max(y, endY) >= 0, min(y, endY) <= last else { return nil }
        let start = cut(at: min(max(y, 0), last))
        let end = cut(at: min(max(endY, 0), last))
        // An end inside the map stays as it is: `cut` could move it by a unit, into another cell than that of the
        // point.
        let first = y >= 0 && y <= last ? (x: x, y: y) : start
        let second = endY >= 0 && endY <= last ? (x: x + dx, y: endY) : end
        return FixedLine(x: first.x, y: first.y, dx: second.x - first.x, dy: second.y - first.y)
    }

    /// Turns the line round if needed, so that it starts at its northern end, or at its western end if it runs along a
    /// parallel.
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
