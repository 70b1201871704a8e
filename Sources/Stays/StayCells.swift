import Text

/// Cells as bytes: in the order of minute, row and column, each key once.
public enum StayCells {
    /// The number of minutes from a cell to the next one from which on there is a pause. The last point before it and
    /// the first one after it have their places in a row. What is a pause over all tracks of a person is a pause in
    /// each of these, so these places are known for the sum of tracks, too.
    static var pauseMinutes: Int64 { 2 }

    /// Bits of the first number of a cell, below the minutes since the cell before.
    enum Flag {
        static let severalPoints: UInt64 = 1
        static let firstPlace: UInt64 = 2
        static let lastPlace: UInt64 = 4
        /// The times are in whole seconds.
        static let seconds: UInt64 = 8
        static let shift: UInt64 = 4
    }

    /// What the numbers of the next cell are relative to.
    struct Base {
        var minute: Int64 = 0
        var row: Int32 = 0
        var column: Int32 = 0
        var isFirst = true
    }

    /// Appends a cell that comes after the others: some 9 bytes for a single point, 20 for several ones.
    static func append(_ cell: StayCell, after base: inout Base, to bytes: inout [UInt8]) {
        func append(_ number: Int64) { Varint.append(Varint.zigzag(number), to: &bytes) }
        func append(_ place: StayCell.Offset) {
            Varint.append(UInt64(UInt32(bitPattern: place.x)), to: &bytes)
            Varint.append(UInt64(UInt32(bitPattern: place.y)), to: &bytes)
        }
        if base.isFirst { append(cell.minute) }
        var head = base.isFirst ? 0 : UInt64(bitPattern: cell.minute &- base.minute) << Flag.shift
        let isSeconds = cell.first % 1000 == 0 && cell.last % 1000 == 0
        if isSeconds { head |= Flag.seconds }
        if cell.count > 1 { head |= Flag.severalPoints }
        if cell.firstPlace != nil { head |= Flag.firstPlace }
        if cell.lastPlace != nil { head |= Flag.lastPlace }
        Varint.append(head, to: &bytes)
        append(Int64(cell.row &- base.row))
        append(Int64(cell.column &- base.column))
        base = Base(minute: cell.minute, row: cell.row, column: cell.column, isFirst: false)
        let unit: Int32 = isSeconds ? 1000 : 1
        Varint.append(UInt64(UInt32(bitPattern: cell.first / unit)), to: &bytes)
        Varint.append(UInt64(bitPattern: cell.x), to: &bytes)
        Varint.append(UInt64(bitPattern: cell.y), to: &bytes)
        if cell.count > 1 {
            Varint.append(UInt64(bitPattern: cell.count), to: &bytes)
            Varint.append(UInt64(UInt32(bitPattern: (cell.last &- cell.first) / unit)), to: &bytes)
            append(cell.xx &- expected(cell.x, cell.count))
            append(cell.yy &- expected(cell.y, cell.count))
            // The place of a single point is its offset.
            if let place = cell.firstPlace { append(place) }
            if let place = cell.lastPlace { append(place) }
        }
    }

    /// The sum of squares of equal offsets: that of the points is larger by their variance. Wraps for very many points,
    /// in both directions.
    fileprivate static func expected(_ sum: Int64, _ count: Int64) -> Int64 { sum &* sum / max(1, count) }
}

/// Reads cells from bytes that `StayCells` has written.
struct StayCellReader {
    private(set) var cell = StayCell(minute: 0, row: 0, column: 0)
    private var cursor: VarintCursor
    private var isFirst = true

    /// Reads the bytes of a range; `next` reads the first cell.
    init(_ range: Range<Int>) { cursor = VarintCursor(offset: range.lowerBound, end: range.upperBound) }

    /// Reads the next cell; false at the end.
    mutating func next(in bytes: borrowing Span<UInt8>) -> Bool {
        guard !cursor.isAtEnd else { return false }
        if isFirst { cell.minute = Varint.unzigzag(cursor.next(in: bytes)) }
        isFirst = false
        let head = cursor.next(in: bytes)
        cell.minute &+= Int64(bitPattern: head >> StayCells.Flag.shift)
        cell.row &+= Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
        cell.column &+= Int32(truncatingIfNeeded: Varint.unzigzag(cursor.next(in: bytes)))
        let unit: Int32 = head & StayCells.Flag.seconds != 0 ? 1000 : 1
        cell.first = number(bytes) &* unit
        cell.x = Int64(bitPattern: cursor.next(in: bytes))
        cell.y = Int64(bitPattern: cursor.next(in: bytes))
        if head & StayCells.Flag.severalPoints == 0 {
            (cell.count, cell.last) = (1, cell.first)
            (cell.xx, cell.yy) = (cell.x &* cell.x, cell.y &* cell.y)
        } else {
            cell.count = max(1, Int64(bitPattern: cursor.next(in: bytes)))
            cell.last = cell.first &+ number(bytes) &* unit
            cell.xx = Varint.unzigzag(cursor.next(in: bytes)) &+ StayCells.expected(cell.x, cell.count)
            cell.yy = Varint.unzigzag(cursor.next(in: bytes)) &+ StayCells.expected(cell.y, cell.count)
        }
        cell.firstPlace = head & StayCells.Flag.firstPlace != 0 ? place(bytes) : nil
        cell.lastPlace = head & StayCells.Flag.lastPlace != 0 ? place(bytes) : nil
        return true
    }

    private mutating func number(_ bytes: borrowing Span<UInt8>) -> Int32 {
        Int32(truncatingIfNeeded: cursor.next(in: bytes))
    }

    private mutating func place(_ bytes: borrowing Span<UInt8>) -> StayCell.Offset {
        // That of a single point is its offset.
        guard cell.count > 1 else {
            return StayCell.Offset(x: Int32(truncatingIfNeeded: cell.x), y: Int32(truncatingIfNeeded: cell.y))
        }
        return StayCell.Offset(x: number(bytes), y: number(bytes))
    }
}
