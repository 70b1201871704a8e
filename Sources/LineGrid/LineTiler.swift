import TileMath

/// Finds the tiles of a zoom level that each polyline of a day passes, and the vertices for each tile.
///
/// A segment (two vertices) or a lone vertex belongs to every tile whose box, widened by the margin, it meets.
/// Columns wrap round the world, rows end at the map edges.
struct LineTiler: Sendable {
    /// Consecutive vertices that a tile draws as one run.
    struct Entry: Sendable {
        /// The packed key of the tile.
        var tile: UInt64
        /// The column of the tile, not wrapped at 180°.
        var column: Int32
        var row: Int32
        /// The index of the run in the level.
        var run: Int32
        var first: Int32
        var last: Int32
    }

    private(set) var entries: [Entry] = []
    private var joined: [Entry] = []
    private var codes: [UInt64] = []

    private static let side = Int64(TileLines.unitsPerSide)
    private static let sideShift: Int64 = 10
    private static let margin = Int64(TileLines.unitsPerPixel * TileLines.marginPixels)
    /// A line goes round the world at most `TrackLines.turnLimit` times in either direction before it is cut; the
    /// margin may add one more turn.
    private static let turns: Int64 = 16
    /// A sort key has 64 bits: 37 of the tile, 5 of the turn, and 22 of the ordinal.
    private static let turnBits: UInt64 = 5
    private static let ordinalBits: UInt64 = 22

    var isEmpty: Bool { entries.isEmpty }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
    }

    /// Adds the segments of a run from index `start` until there are `limit` entries. Returns the index at which to
    /// continue, nil at the end.
    mutating func add(
        _ level: ZoomLevelLines, run: Int, from start: Int, zoom: Int, limit: Int
    ) -> Int? {
        let vertices = level.runs[run].vertices
        if vertices.count == 1 {
            let x = Int64(level.xs[vertices.lowerBound])
            let y = Int64(level.ys[vertices.lowerBound])
            let box = Box(x, y, x, y)
            addTiles(box, line: nil, run: run, first: vertices.lowerBound, last: vertices.lowerBound, zoom: zoom)
            return nil
        }
        let (xs, ys) = (level.xs.span, level.ys.span)
        for index in start..<vertices.upperBound - 1 {
            let (startX, startY) = (Int64(xs[index]), Int64(ys[index]))
            let (endX, endY) = (Int64(xs[index + 1]), Int64(ys[index + 1]))
            let box = Box(startX, startY, endX, endY)
            if box.isOneTile, let last = entries.last, Int64(last.column) == box.west, Int64(last.row) == box.north,
                Int(last.last) == index, Int(last.run) == run
            {
                entries[entries.count - 1].last = Int32(truncatingIfNeeded: index + 1)
                continue
            }
            let line = box.isWide ? Segment(x: startX, y: startY, dx: endX - startX, dy: endY - startY) : nil
            addTiles(box, line: line, run: run, first: index, last: index + 1, zoom: zoom)
            if entries.count >= limit { return index + 2 < vertices.upperBound ? index + 1 : nil }
        }
        return nil
    }

    /// Sorts the entries by tile, then by turn and in line order; consecutive entries that continue each other become
    /// one.
    mutating func join(zoom: Int) {
        codes.removeAll(keepingCapacity: true)
        joined.removeAll(keepingCapacity: true)
        for (ordinal, entry) in entries.enumerated() {
            let turn = UInt64((Int64(entry.column) >> Int64(zoom)) + Self.turns)
            codes.append((entry.tile << Self.turnBits | turn) << Self.ordinalBits | UInt64(ordinal))
        }
        codes.sort()
        for code in codes {
            let entry = entries[Int(code & (1 << Self.ordinalBits - 1))]
            if let before = joined.last, before.tile == entry.tile, before.column == entry.column,
                before.run == entry.run, before.last == entry.first
            {
                joined[joined.count - 1].last = entry.last
            } else {
                joined.append(entry)
            }
        }
        swap(&entries, &joined)
    }

    private mutating func addTiles(_ box: Box, line: Segment?, run: Int, first: Int, last: Int, zoom: Int) {
        let north = max(box.north, 0)
        let south = min(box.south, Int64(1) << Int64(zoom) - 1)
        guard north <= south else { return }
        for row in north...south {
            let columns = line?.columns(inRow: row, of: box) ?? box.west...box.east
            for column in columns where line?.meets(column: column, row: row) ?? true {
                let entry = Entry(
                    tile: UInt64(zoom) << 32
                        | Morton.code(
                            x: UInt32(truncatingIfNeeded: column & (Int64(1) << Int64(zoom) - 1)),
                            y: UInt32(truncatingIfNeeded: row)),
                    column: Int32(truncatingIfNeeded: column), row: Int32(truncatingIfNeeded: row),
                    run: Int32(truncatingIfNeeded: run), first: Int32(truncatingIfNeeded: first),
                    last: Int32(truncatingIfNeeded: last))
                add(entry)
            }
        }
    }

    /// Adds an entry, or extends one of the last four: a line along a border alternates between two or four tiles.
    private mutating func add(_ entry: Entry) {
        for index in (max(0, entries.count - 4)..<entries.count).reversed() {
            let other = entries[index]
            guard other.last == entry.first, other.tile == entry.tile, other.column == entry.column,
                other.run == entry.run, entry.last > entry.first
            else { continue }
            entries[index].last = entry.last
            return
        }
        entries.append(entry)
    }

    /// The range of tiles whose widened boxes meet the bounding box of a segment, inclusive.
    private struct Box {
        var west: Int64
        var north: Int64
        var east: Int64
        var south: Int64

        init(_ startX: Int64, _ startY: Int64, _ endX: Int64, _ endY: Int64) {
            // A widened box includes its edges: −margin ... side + margin.
            west = (min(startX, endX) - margin - 1) >> sideShift
            east = (max(startX, endX) + margin) >> sideShift
            north = (min(startY, endY) - margin - 1) >> sideShift
            south = (max(startY, endY) + margin) >> sideShift
        }

        var isOneTile: Bool { west == east && north == south }
        /// Whether a segment may miss some of these tiles; within one row or column it meets all of them.
        var isWide: Bool { west != east && north != south }
    }

    /// A segment that extends over several rows and columns.
    private struct Segment {
        var x: Int64
        var y: Int64
        var dx: Int64
        var dy: Int64

        /// The columns of a row that the segment may meet, with one too many at either end.
        func columns(inRow row: Int64, of box: Box) -> ClosedRange<Int64> {
            guard dy != 0 else { return box.west...box.east }
            let slope = Double(dx) / Double(dy)
            let (low, high) = dy > 0 ? (Double(y), Double(y + dy)) : (Double(y + dy), Double(y))
            let north = min(max(Double(row * side - margin), low), high)
            let south = min(max(Double((row + 1) * side + margin), low), high)
            let first = Double(x) + (north - Double(y)) * slope
            let second = Double(x) + (south - Double(y)) * slope
            // Two units more than the margin, for rounding errors far below one unit.
            let west = (Int64(min(first, second)) - margin - 2) >> sideShift
            let east = (Int64(max(first, second)) + margin + 2) >> sideShift
            return max(west, box.west)...max(min(east, box.east), max(west, box.west))
        }

        /// Whether the segment meets a tile's widened box, if its bounding box meets that box.
        func meets(column: Int64, row: Int64) -> Bool {
            // A box meets the line if the line function at its centre is no farther from 0 than the maximum for a
            // corner.
            let toX = column * side + side / 2 - x
            let toY = row * side + side / 2 - y
            return abs(dx * toY - dy * toX) <= (side / 2 + margin) * (abs(dx) + abs(dy))
        }
    }
}
