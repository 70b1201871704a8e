public import TileLog
public import TileMath

/// Where a dense tile's further rows are read from.
public protocol DenseTileRows {
    /// Hands the log of a month to `body`; where it has none, `body` is not called.
    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Hands the sum of a layer over a period to `body`; where there is none, `body` is not called.
    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Hands the head (`LayerHead.period`) or a sum of an operator's layer to `body`; where there is none, `body` is not called.
    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
}

/// What a read counts.
public struct CountQuery: Sendable {
    /// Which days.
    public var window: DayWindow
    /// The layer's number where it may have sums: 0 for `all`, an activity's number, nil for a set of tracks of the moment.
    public var layer: UInt8?
    /// The number of an operator's layer, which has its sums in rows of its own; `layer` is nil then.
    public private(set) var ownLayer: UInt8?
    /// Which parts count.
    public var filter: FragmentFilter

    /// A question; `filter` must be what the layer's number stands for.
    public init(window: DayWindow, layer: UInt8?, filter: FragmentFilter) {
        self.window = window
        self.layer = layer
        self.filter = filter
    }

    /// What a layer counts: 0 is `all`, another number that of an operator's layer or of an activity.
    public init(window: DayWindow, layer: UInt8, tracks: GridTracks) {
        self.window = window
        filter = tracks.filter(ofLayer: layer)
        if case .members = filter { ownLayer = layer } else { self.layer = layer }
    }

    /// Everything.
    public static let everything = CountQuery(window: .allTime, layer: 0, filter: .all)
}

/// Reads counts from tiles' rows; one serves a thread, tile after tile.
public struct TileReader: Sendable {
    private var counter = CellCounter()

    /// A reader.
    public init() {}

    /// The counts of a tile that stores its log as it is: one pass over it.
    public mutating func counts(log: borrowing Span<UInt8>, _ question: CountQuery) -> CellCounts {
        if question.window.isAllTime {
            counter.countLog(log, days: nil, filter: question.filter)
        } else if let days = question.window.days {
            counter.countLog(log, days: days, filter: question.filter)
        }
        return counter.take()
    }

    /// How the counts of all time are spread in a dense tile.
    public mutating func neighbourhood(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ question: CountQuery
    ) throws -> Neighbourhood {
        if question.window.isAllTime, question.layer == 0 { return TileDirectory.neighbourhood(in: data) }
        return Neighbourhood(try counts(dense: data, rows: rows, question))
    }

    /// The counts of a dense tile: the cheapest mix of its sums and its months' logs.
    public mutating func counts(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ question: CountQuery
    ) throws -> CellCounts {
        let sumOffset = TileDirectory.sumOffset(in: data)
        if question.window.isAllTime, question.layer == 0 {
            return CellCounter.decoded(sum: data, from: sumOffset)
        }
        var directory = TileDirectory(decoding: data)
        var layer = question.layer
        if let own = question.ownLayer {
            var head: LayerHead?
            try rows.withLayerRow(layer: own, period: LayerHead.period) { head = LayerHead(decoding: $0) }
            guard let head else { return CellCounts() }
            layer = head.parts == directory.partCount ? 0 : own
            if layer != 0 { directory.sums = head.sums.map { (layer: own, period: $0.period, cells: $0.cells) } }
        }
        if let asked = layer, asked == directory.soleLayer { layer = 0 }
        if question.window.isAllTime {
            return try allTime(data, sumOffset, directory, layer: layer, rows, question)
        }
        guard let days = question.window.days else { return CellCounts() }
        // A set of the moment has no sums; no layer has the number 255, whose sums are none.
        let plan = WindowPlan(
            days: days, layer: layer ?? .max, directory: directory,
            allTimeCells: layer == 0 ? Self.cells(data, sumOffset) : nil)
        for step in plan.steps {
            switch step {
            case .sum(Period.all, let subtracting) where layer == 0:
                counter.add(sum: data, from: sumOffset, subtracting: subtracting)
            case .sum(let period, let subtracting):
                try withSum(rows, question, layer: layer ?? 0, period: period) {
                    counter.add(sum: $0, subtracting: subtracting)
                }
            case .log(let month, let days, let subtracting):
                try rows.withMonthLog(period: month) { log in
                    if subtracting { counter.negate() }
                    counter.countLog(log, days: days, filter: question.filter)
                    if subtracting { counter.negate() }
                }
            }
        }
        return counter.take()
    }

    /// Counts with further person-days added, each the cells of its tracks.
    public mutating func counts(_ counts: CellCounts, adding personDays: [[PathCells]], in tile: TileKey) -> CellCounts
    {
        counter.add(counts)
        for tracks in personDays {
            counter.beginPiece()
            for cells in tracks {
                cells.forEachRun(ofZoom: tile.zoom) { codes, shift in
                    let first = Self.index(of: tile.morton << (shift + 16), in: codes)
                    let behind = Self.index(of: (tile.morton + 1) << (shift + 16), in: codes)
                    for index in first..<behind { counter.countUnseen(cell: Int(codes[index] >> shift & 0xFFFF)) }
                }
            }
        }
        return counter.take()
    }

    /// Where the first code stands that is not below a bound.
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
        _ question: CountQuery
    ) throws -> CellCounts {
        if layer == 0 { return CellCounter.decoded(sum: data, from: sumOffset) }
        if let layer, directory.sums.contains(where: { $0.layer == layer && $0.period == Period.all }) {
            var counts = CellCounts()
            try withSum(rows, question, layer: layer, period: Period.all) { counts = CellCounter.decoded(sum: $0) }
            return counts
        }
        for month in directory.months {
            try rows.withMonthLog(period: month.period) { counter.countLog($0, days: nil, filter: question.filter) }
        }
        return counter.take()
    }

    /// A sum from where the question's layer has its own.
    private func withSum(
        _ rows: some DenseTileRows, _ question: CountQuery, layer: UInt8, period: UInt16,
        _ body: (borrowing Span<UInt8>) -> Void
    ) throws {
        if layer != 0, question.ownLayer == layer {
            try rows.withLayerRow(layer: layer, period: period, body)
        } else {
            try rows.withSum(layer: layer, period: period, body)
        }
    }

    /// How many cells a sum has, within a factor of two: two bytes or more each.
    private static func cells(_ data: borrowing Span<UInt8>, _ offset: Int) -> Int {
        (data.count - offset) / 2
    }
}
