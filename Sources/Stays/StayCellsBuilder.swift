import Text
public import Tracks

/// Adds up the points of a track by minute and square.
///
/// Points in ascending order of time are encoded as they come. Other orders begin a new row whenever the minute
/// decreases; `finish` merges the rows. So the bytes do not depend on the order of the points.
public struct StayCellsBuilder: Sendable {
    /// The cell of the last point; empty before the first one.
    private var cell = StayCell(minute: 0, row: 0, column: 0)
    /// The beginning of its minute in milliseconds, and its south-western corner.
    private var start: Int64 = 0
    private var west: Int64 = 0
    private var south: Int64 = 0
    /// The other cells of the minute; a square that was left for long may occur more than once.
    private var others: [StayCell] = []
    /// The minute before, in the present row.
    private var lastMinute: Int64?
    private var base = StayCells.Base()
    private var bytes: [UInt8] = []
    /// The rows that are complete.
    private var rows: StayCellSum?

    /// Number of recent cells searched for the square of a point: a receiver at a corner of four squares is in all of
    /// them in turn. A square that is not found gets a second cell, which `endMinute` adds to the first.
    private static var nearCells: Int { 6 }

    /// Creates the cells of a track without points.
    public init() {}

    /// Adds the next points of the track. Outliers, and points without a recorded time, do not count.
    public mutating func add(_ points: [ClassifiedPoint]) {
        for index in points.indices where points[index].outlierReason == nil {
            let point = points[index]
            guard point.time != PointColumns.untimed, !point.isTimeEstimated else { continue }
            var time = point.time &- start
            var x = Int64(point.longitude) &- west
            var y = Int64(point.latitude) &- south
            let isSame =
                // As unsigned numbers, negative differences are large: one comparison tests both ends.
                UInt64(bitPattern: time) < UInt64(StayCell.minuteMilliseconds)
                && UInt64(bitPattern: x) < UInt64(StayCell.side) && UInt64(bitPattern: y) < UInt64(StayCell.side)
                && cell.count > 0
            if !isSame {
                move(to: point)
                (time, x, y) = (
                    point.time &- start, Int64(point.longitude) &- west, Int64(point.latitude) &- south
                )
            }
            add(time: Int32(truncatingIfNeeded: time), x, y)
        }
    }

    @inline(__always)
    private mutating func add(time: Int32, _ x: Int64, _ y: Int64) {
        cell.count &+= 1
        cell.x &+= x
        cell.y &+= y
        cell.xx &+= x &* x
        cell.yy &+= y &* y
        let place = StayCell.Offset(x: Int32(truncatingIfNeeded: x), y: Int32(truncatingIfNeeded: y))
        if cell.count == 1 {
            (cell.first, cell.last, cell.firstPlace, cell.lastPlace) = (time, time, place, place)
            return
        }
        if time >= cell.last {
            if time > cell.last || cell.lastPlace.map({ $0 < place }) ?? true { cell.lastPlace = place }
            cell.last = time
        }
        if time <= cell.first {
            if time < cell.first || cell.firstPlace.map({ place < $0 }) ?? true { cell.firstPlace = place }
            cell.first = time
        }
    }

    /// Makes the cell of a point the present one.
    private mutating func move(to point: ClassifiedPoint) {
        let minute = point.time.floorDivided(by: StayCell.minuteMilliseconds)
        let side = Int64(StayCell.side)
        let column = Int32((Int64(point.longitude) - StayCell.westernmost).floorDivided(by: side))
        let row = Int32((Int64(point.latitude) - StayCell.southernmost).floorDivided(by: side))
        if cell.count > 0 { others.append(cell) }
        if !others.isEmpty, minute != cell.minute { endMinute(before: minute) }
        cell = takeOther(row: row, column: column) ?? StayCell(minute: minute, row: row, column: column)
        start = minute * StayCell.minuteMilliseconds
        (west, south) = (cell.west, cell.south)
    }

    private mutating func takeOther(row: Int32, column: Int32) -> StayCell? {
        let index = others.suffix(Self.nearCells).lastIndex { $0.row == row && $0.column == column }
        guard let index else { return nil }
        others.swapAt(index, others.count - 1)
        return others.removeLast()
    }

    /// Encodes the cells of a minute. The next point is in another one; nil at the end.
    private mutating func endMinute(before next: Int64?) {
        let minute = cell.minute
        if others.count > 1 { StayCellSum.addUp(&others) }
        let isAscending = next.map { $0 > minute } ?? false
        encode(others, ofMinute: minute, before: isAscending ? next : nil)
        others.removeAll(keepingCapacity: true)
        if !isAscending, next != nil { endRow() }
    }

    /// Encodes the cells of a minute; nil if no minute of the row follows. Only the cells beside a pause have the places
    /// of their first and last point.
    private mutating func encode(_ cells: [StayCell], ofMinute minute: Int64, before next: Int64?) {
        let isAfterPause = lastMinute.map { minute - $0 >= StayCells.pauseMinutes } ?? true
        let isBeforePause = next.map { $0 - minute >= StayCells.pauseMinutes } ?? true
        lastMinute = minute
        let first = isAfterPause ? cells.lazy.map(\.first).min() : nil
        let last = isBeforePause ? cells.lazy.map(\.last).max() : nil
        for cell in cells {
            var cell = cell
            if cell.first != first { cell.firstPlace = nil }
            if cell.last != last { cell.lastPlace = nil }
            StayCells.append(cell, after: &base, to: &bytes)
        }
    }

    private mutating func endRow() {
        var sum = rows ?? StayCellSum()
        rows = nil
        sum.add(bytes)
        rows = sum
        bytes.removeAll(keepingCapacity: true)
        base = StayCells.Base()
        lastMinute = nil
    }

    /// The row of the track: none without points. The builder must not be used afterwards.
    public mutating func finish() -> [UInt8] {
        if cell.count > 0 { others.append(cell) }
        if !others.isEmpty { endMinute(before: nil) }
        guard rows != nil else { return StayRow.encoded(cells: bytes) }
        endRow()
        let sum = rows ?? StayCellSum()
        var pending: [StayCell] = []
        sum.forEachMinute { cells in
            endMerged(pending, before: cells.first?.minute)
            swap(&pending, &cells)
        }
        endMerged(pending, before: nil)
        return StayRow.encoded(cells: bytes)
    }

    /// Encodes the cells of a minute of all rows.
    private mutating func endMerged(_ cells: [StayCell], before next: Int64?) {
        guard let minute = cells.first?.minute else { return }
        encode(cells, ofMinute: minute, before: next)
    }
}
