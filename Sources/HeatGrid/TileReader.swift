internal import Text
public import TileLog
public import TileMath

/// Reads the additional rows of a dense tile.
public protocol DenseTileRows {
    /// Calls `body` with the log of a month; does nothing if there is none.
    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Calls `body` with the sum of a layer over a period; does nothing if there is none.
    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Calls `body` with the head (`LayerHeader.period`) or a sum of an operator's layer; does nothing if there is none.
    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
}

/// Which person-days a read counts.
public struct CountQuery: Sendable {
    /// The days to count.
    public var window: DayWindow
    /// The number of the layer, if it may have sums: 0 for `all`, or an activity; nil for an ad-hoc set of tracks.
    public var layer: UInt8?
    /// The number of an operator's layer, whose sums are in separate rows; `layer` is then nil.
    public private(set) var operatorLayer: UInt8?
    /// The fragments to count.
    public var filter: FragmentFilter

    /// Creates a query; `filter` must match the layer number.
    public init(window: DayWindow, layer: UInt8?, filter: FragmentFilter) {
        self.window = window
        self.layer = layer
        self.filter = filter
    }

    /// Creates a query for a layer: 0 for `all`, otherwise the number of an operator's layer or of an activity.
    public init(window: DayWindow, layer: UInt8, tracks: GridTracks) {
        self.window = window
        filter = tracks.filter(ofLayer: layer)
        if case .members = filter { operatorLayer = layer } else { self.layer = layer }
    }

    /// Counts everything.
    public static let everything = CountQuery(window: .allTime, layer: 0, filter: .all)
}

/// Reads counts from tile rows; one reader per thread, reused for many tiles.
public struct TileReader: Sendable {
    private var counter = CellCounter()

    /// Creates a reader.
    public init() {}

    /// The counts of a tile that is not dense: one pass over its log.
    public mutating func counts(log: borrowing Span<UInt8>, _ query: CountQuery) -> CellCounts {
        if query.window.isAllTime {
            counter.countLog(log, days: nil, filter: query.filter)
        } else if let days = query.window.days {
            counter.countLog(log, days: days, filter: query.filter)
        }
        return counter.take()
    }

    /// The distribution of the counts in a dense tile.
    public mutating func distribution(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ query: CountQuery
    ) throws -> CountDistribution {
        if query.window.isAllTime, query.layer == 0 { return TileDirectory.distribution(in: data) }
        return CountDistribution(try counts(dense: data, rows: rows, query))
    }

    /// The counts of a dense tile, from the cheapest mix of sums and month logs.
    public mutating func counts(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ query: CountQuery
    ) throws -> CellCounts {
        let sumOffset = TileDirectory.sumOffset(in: data)
        if query.window.isAllTime, query.layer == 0 {
            return CellCounter.decoded(sum: data, from: sumOffset)
        }
        var directory = TileDirectory(decoding: data)
        var layer = query.layer
        if let own = query.operatorLayer {
            var head: LayerHeader?
            try rows.withLayerRow(layer: own, period: LayerHeader.period) { head = LayerHeader(decoding: $0) }
            guard let head else { return CellCounts() }
            layer = head.fragmentCount == directory.fragmentCount ? 0 : own
            if layer != 0 { directory.sums = head.sums.map { (layer: own, period: $0.period, cells: $0.cells) } }
        }
        if let asked = layer, asked == directory.commonActivity { layer = 0 }
        if query.window.isAllTime {
            return try allTime(data, sumOffset, directory, layer: layer, rows, query)
        }
        guard let days = query.window.days else { return CellCounts() }
        // An ad-hoc set has no sums: 255 is not the number of a layer, so no sums are found for it.
        let plan = WindowPlan(
            days: days, layer: layer ?? .max, directory: directory,
            allTimeCells: layer == 0 ? Self.cells(data, sumOffset) : nil)
        for step in plan.steps {
            switch step {
            case .sum(StoredPeriod.all, let subtracting) where layer == 0:
                counter.add(sum: data, from: sumOffset, subtracting: subtracting)
            case .sum(let period, let subtracting):
                try withSum(rows, query, layer: layer ?? 0, period: period) {
                    counter.add(sum: $0, subtracting: subtracting)
                }
            case .log(let month, let days, let subtracting):
                try rows.withMonthLog(period: month) { log in
                    if subtracting { counter.negate() }
                    counter.countLog(log, days: days, filter: query.filter)
                    if subtracting { counter.negate() }
                }
            }
        }
        return counter.take()
    }

    /// Adds further person-days to counts; each is a list of the cells of its tracks.
    public mutating func counts(_ counts: CellCounts, adding personDays: [[PathCells]], in tile: TileKey) -> CellCounts
    {
        counter.add(counts)
        for tracks in personDays {
            counter.beginPersonDay()
            for cells in tracks {
                cells.forEachRun(ofZoom: tile.zoom) { codes, shift in
                    let first = Self.index(of: tile.morton << (shift + 16), in: codes)
                    let end = Self.index(of: (tile.morton + 1) << (shift + 16), in: codes)
                    for index in first..<end { counter.countUnseen(cell: Int(codes[index] >> shift & 0xFFFF)) }
                }
            }
        }
        return counter.take()
    }

    /// The index of the first code that is not below a bound.
    private static func index(of bound: UInt64, in codes: [UInt64]) -> Int {
        var low = 0
        var high = codes.count
        while low < high {
            let middle = (low + high) / 2
            if codes[middle] < bound { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func allTime(
        _ data: borrowing Span<UInt8>, _ sumOffset: Int, _ directory: TileDirectory, layer: UInt8?,
        _ rows: some DenseTileRows,
        _ query: CountQuery
    ) throws -> CellCounts {
        if layer == 0 { return CellCounter.decoded(sum: data, from: sumOffset) }
        if let layer, directory.sums.contains(where: { $0.layer == layer && $0.period == StoredPeriod.all }) {
            var counts = CellCounts()
            try withSum(rows, query, layer: layer, period: StoredPeriod.all) { counts = CellCounter.decoded(sum: $0) }
            return counts
        }
        for month in directory.months {
            try rows.withMonthLog(period: month.period) { counter.countLog($0, days: nil, filter: query.filter) }
        }
        return counter.take()
    }

    /// Reads a sum from the rows of the query's layer.
    private func withSum(
        _ rows: some DenseTileRows, _ query: CountQuery, layer: UInt8, period: UInt16,
        _ body: (borrowing Span<UInt8>) -> Void
    ) throws {
        if layer != 0, query.operatorLayer == layer {
            try rows.withLayerRow(layer: layer, period: period, body)
        } else {
            try rows.withSum(layer: layer, period: period, body)
        }
    }

    /// The number of cells of a sum, within a factor of two: each takes two bytes or more.
    private static func cells(_ data: borrowing Span<UInt8>, _ offset: Int) -> Int {
        (data.count - offset) / 2
    }
}

/// Counts visits per cell; reused for many tiles, so that a tile needs no new memory.
package struct CellCounter: Sendable {
    private var counts = [UInt32](repeating: 0, count: 65_536)
    /// A bit for each block of 32 cells that was touched: only these are read and cleared.
    private var touched = [UInt64](repeating: 0, count: 32)
    /// Cells already counted for the current person-day, if it has several fragments.
    private var seen = [UInt64](repeating: 0, count: 1024)
    /// A bit for each word of `seen` that is not 0.
    private var seenWords = [UInt64](repeating: 0, count: 16)

    package init() {}

    /// Counts each cell of a fragment that is the only one of its person-day.
    @inline(__always)
    package mutating func count(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        Self.count(cells, in: bytes, &counts, &touched)
    }

    private static func count(
        _ cells: Range<Int>, in bytes: borrowing Span<UInt8>, _ countsArray: inout [UInt32],
        _ touchedArray: inout [UInt64]
    ) {
        var offset = cells.lowerBound
        let end = cells.upperBound
        var cell = -1
        var counts = countsArray.mutableSpan
        var touched = touchedArray.mutableSpan
        while offset < end {
            let byte = bytes[offset]
            offset &+= 1
            if byte < 0x80 {
                cell &+= Int(byte) &+ 1
            } else {
                var cursor = VarintCursor(offset: offset - 1, end: end)
                cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
                offset = cursor.offset
            }
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
        }
    }

    /// Counts the cells of a fragment that earlier fragments of the same person-day do not have.
    package mutating func countUnseen(_ cells: Range<Int>, in bytes: borrowing Span<UInt8>) {
        Self.countUnseen(cells, in: bytes, &counts, &touched, &seen, &seenWords)
    }

    private static func countUnseen(
        _ cells: Range<Int>, in bytes: borrowing Span<UInt8>, _ countsArray: inout [UInt32],
        _ touchedArray: inout [UInt64], _ seenArray: inout [UInt64], _ seenWordsArray: inout [UInt64]
    ) {
        var cursor = VarintCursor(offset: cells.lowerBound, end: cells.upperBound)
        var cell = -1
        var counts = countsArray.mutableSpan
        var touched = touchedArray.mutableSpan
        var seen = seenArray.mutableSpan
        var seenWords = seenWordsArray.mutableSpan
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFFFF) &+ 1
            let bit = UInt64(1) << UInt64(cell & 63)
            let word = (cell >> 6) & 1023
            let before = seen[word]
            guard before & bit == 0 else { continue }
            if before == 0 { seenWords[word >> 6] |= 1 << UInt64(word & 63) }
            seen[word] = before | bit
            counts[cell & 0xFFFF] &+= 1
            touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
        }
    }

    /// Counts a cell unless the current person-day has already counted it.
    package mutating func countUnseen(cell: Int) {
        let bit = UInt64(1) << UInt64(cell & 63)
        let word = cell >> 6
        guard seen[word] & bit == 0 else { return }
        seen[word] |= bit
        seenWords[word >> 6] |= 1 << UInt64(word & 63)
        counts[cell] &+= 1
        touch(cell)
    }

    /// Starts the next person-day.
    package mutating func beginPersonDay() {
        for summary in 0..<16 {
            var filled = seenWords[summary]
            seenWords[summary] = 0
            while filled != 0 {
                seen[summary << 6 | filled.trailingZeroBitCount] = 0
                filled &= filled &- 1
            }
        }
    }

    /// Adds or subtracts (wrapping) the counts of a stored sum.
    package mutating func add(sum: borrowing Span<UInt8>, from start: Int = 0, subtracting: Bool = false) {
        var cursor = VarintCursor(offset: start, end: sum.count)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: sum) & 0xFFFF) &+ 1
            let count = UInt32(truncatingIfNeeded: cursor.next(in: sum))
            if subtracting {
                counts[cell & 0xFFFF] &-= count
            } else {
                counts[cell & 0xFFFF] &+= count
            }
            touch(cell)
        }
    }

    /// Adds or subtracts (wrapping) counts.
    package mutating func add(_ other: CellCounts, subtracting: Bool = false) {
        for index in 0..<other.cells.count {
            let cell = Int(other.cells[index])
            if subtracting { counts[cell] &-= other.counts[index] } else { counts[cell] &+= other.counts[index] }
            touch(cell)
        }
    }

    /// Negates each count (wrapping), so that what is counted until the next call is subtracted.
    package mutating func negate() {
        for word in 0..<32 {
            var blocks = touched[word]
            while blocks != 0 {
                let first = word << 11 | blocks.trailingZeroBitCount << 5
                blocks &= blocks &- 1
                for cell in first..<first + 32 { counts[cell] = 0 &- counts[cell] }
            }
        }
    }

    /// Returns the counts in ascending order of cells and clears the counter.
    package mutating func take() -> CellCounts {
        var result = CellCounts()
        let blockCount = touched.reduce(0) { $0 + $1.nonzeroBitCount }
        result.cells.reserveCapacity(blockCount * 24)
        result.counts.reserveCapacity(blockCount * 24)
        for word in 0..<32 {
            var blocks = touched[word]
            touched[word] = 0
            while blocks != 0 {
                let first = word << 11 | blocks.trailingZeroBitCount << 5
                blocks &= blocks &- 1
                var block = counts.mutableSpan
                for cell in first..<first + 32 {
                    let count = block[cell]
                    guard count != 0 else { continue }
                    block[cell] = 0
                    result.cells.append(UInt16(truncatingIfNeeded: cell))
                    result.counts.append(count)
                }
            }
        }
        return result
    }

    @inline(__always)
    private mutating func touch(_ cell: Int) {
        touched[(cell >> 11) & 31] |= 1 << UInt64((cell >> 5) & 63)
    }

    /// The stored form: for each cell the difference from the cell before, minus one, and its count, as varints.
    package static func encoded(_ counts: CellCounts) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(counts.cells.count * 2 + 8)
        var last = -1
        for (cell, count) in zip(counts.cells, counts.counts) {
            Varint.append(UInt64(Int(cell) - last - 1), to: &bytes)
            Varint.append(UInt64(count), to: &bytes)
            last = Int(cell)
        }
        return bytes
    }

    /// The number of cells in a stored sum.
    package static func cellCount(sum: borrowing Span<UInt8>) -> Int {
        // A cell is two varints, and only the last byte of a varint is below 128.
        var ends = 0
        for offset in 0..<sum.count where sum[offset] < 0x80 { ends += 1 }
        return ends / 2
    }

    /// The counts in a stored sum.
    package static func decoded(sum: borrowing Span<UInt8>, from start: Int = 0) -> CellCounts {
        var result = CellCounts()
        let most = (sum.count - start) / 2 + 1
        result.cells.reserveCapacity(min(most, 65_536))
        result.counts.reserveCapacity(min(most, 65_536))
        var cursor = VarintCursor(offset: start, end: sum.count)
        var cell = -1
        while !cursor.isAtEnd {
            cell &+= Int(truncatingIfNeeded: cursor.next(in: sum) & 0xFFFF) &+ 1
            result.cells.append(UInt16(truncatingIfNeeded: cell))
            result.counts.append(UInt32(truncatingIfNeeded: cursor.next(in: sum)))
        }
        return result
    }
}
