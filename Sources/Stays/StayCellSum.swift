/// The cells of several tracks, added up: those of the same minute and square are one.
struct StayCellSum: Sendable {
    private struct Row {
        var minute: Int64
        var range: Range<Int>
    }

    private var bytes: [UInt8] = []
    private var rows: [Row] = []

    /// Adds the cells of a track, which are after an offset in `row`.
    mutating func add(_ row: [UInt8], from offset: Int = 0) {
        let start = bytes.count
        bytes += row[offset...]
        let range = start..<bytes.count
        var reader = StayCellReader(range)
        guard reader.next(in: bytes.span) else { return }
        rows.append(Row(minute: reader.cell.minute, range: range))
    }

    /// The runs of the devices that have recorded these cells.
    var runs: [StayRun] {
        var devices = StayDevices()
        forEachMinute { devices.add(&$0) }
        devices.finish()
        return devices.runs
    }

    /// Calls `body` with the cells of each minute, ascending; in a minute by row and column, each once. `body` may change
    /// or swap them. Takes time in proportion to the cells, and to the logarithm of the number of tracks at the same time.
    func forEachMinute(_ body: (inout [StayCell]) -> Void) {
        let span = bytes.span
        let rows = rows.sorted { ($0.minute, $0.range.lowerBound) < ($1.minute, $1.range.lowerBound) }
        var next = 0
        var open = OpenRows()
        var cells: [StayCell] = []
        while let minute = open.minute ?? (next < rows.count ? rows[next].minute : nil) {
            let now = next < rows.count ? min(minute, rows[next].minute) : minute
            while next < rows.count, rows[next].minute == now {
                open.insert(StayCellReader(rows[next].range), span)
                next += 1
            }
            cells.removeAll(keepingCapacity: true)
            let isSorted = open.take(now, into: &cells, span)
            if !isSorted { Self.addUp(&cells) }
            body(&cells)
        }
    }

    /// Sorts the cells of a minute, and adds up those of the same square.
    static func addUp(_ cells: inout [StayCell]) {
        cells.sort { ($0.row, $0.column) < ($1.row, $1.column) }
        var count = 0
        for index in cells.indices {
            if count > 0, cells[count - 1].isSameSquare(cells[index]) {
                cells[count - 1].add(cells[index])
            } else {
                cells[count] = cells[index]
                count += 1
            }
        }
        cells.removeLast(cells.count - count)
    }
}

/// Rows that are being read, by the minute of their next cell: a binary heap.
private struct OpenRows {
    private struct Entry {
        var minute: Int64
        var reader: Int
    }

    private var heap: [Entry] = []
    private var readers: [StayCellReader] = []
    private var free: [Int] = []

    /// The minute of the next cell.
    var minute: Int64? { heap.first?.minute }

    mutating func insert(_ reader: StayCellReader, _ bytes: borrowing Span<UInt8>) {
        var reader = reader
        guard reader.next(in: bytes) else { return }
        let index = free.popLast() ?? readers.count
        if index == readers.count { readers.append(reader) } else { readers[index] = reader }
        heap.append(Entry(minute: reader.cell.minute, reader: index))
        var child = heap.count - 1
        while child > 0, heap[child].minute < heap[(child - 1) / 2].minute {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Appends the cells of a minute. Returns whether they are those of one row, in its order.
    mutating func take(_ minute: Int64, into cells: inout [StayCell], _ bytes: borrowing Span<UInt8>) -> Bool {
        var rows = 0
        while let entry = heap.first, entry.minute == minute {
            rows += 1
            if read(minute, from: &readers[entry.reader], into: &cells, bytes) {
                heap[0].minute = readers[entry.reader].cell.minute
            } else {
                free.append(entry.reader)
                let last = heap.removeLast()
                guard !heap.isEmpty else { break }
                heap[0] = last
            }
            if heap.count > 1 { sink() }
        }
        return rows <= 1
    }

    /// Returns whether the row has cells of later minutes.
    private func read(
        _ minute: Int64, from reader: inout StayCellReader, into cells: inout [StayCell],
        _ bytes: borrowing Span<UInt8>
    ) -> Bool {
        while reader.cell.minute <= minute {
            cells.append(reader.cell)
            guard reader.next(in: bytes) else { return false }
        }
        return true
    }

    private mutating func sink() {
        var parent = 0
        while true {
            var child = 2 * parent + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, heap[child + 1].minute < heap[child].minute { child += 1 }
            guard heap[child].minute < heap[parent].minute else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
