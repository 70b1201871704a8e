public import TileLog
public import TileMath

/// Reads the additional rows of a dense tile.
public protocol DenseTileRows {
    /// Names rows that are going to be read: see `Session.prefetch`.
    func prefetch(_ rows: @autoclosure () -> [DenseTileRow]) throws
    /// Calls `body` with the log of a month; does nothing if there is none.
    func withMonthLog(period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Calls `body` with the sum of a layer over a period; does nothing if there is none.
    func withSum(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
    /// Calls `body` with the head (`LayerHeader.period`) or a sum of an operator's layer; does nothing if there is none.
    func withLayerRow(layer: UInt8, period: UInt16, _ body: (borrowing Span<UInt8>) -> Void) throws
}

/// Names an additional row of a dense tile.
public enum DenseTileRow: Sendable, Hashable {
    case monthLog(period: UInt16)
    case sum(layer: UInt8, period: UInt16)
    case layerRow(layer: UInt8, period: UInt16)
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

    /// Whether it counts everything, which a dense tile has with its own row.
    var countsEverything: Bool { window.isAllTime && layer == 0 }

    /// The row of a dense tile with the sum of a layer over a period.
    func row(ofSum period: UInt16, layer: UInt8) -> DenseTileRow {
        layer != 0 && operatorLayer == layer
            ? .layerRow(layer: layer, period: period) : .sum(layer: layer, period: period)
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
        guard !query.countsEverything else { return CellCounter.decoded(sum: data, from: sumOffset) }
        guard let reads = try Self.reads(dense: data, rows: rows, query) else { return CellCounts() }
        try rows.prefetch(reads.rows(query))
        if reads.steps == [.sum(period: StoredPeriod.all, subtracting: false)] {
            guard reads.layer != 0 else { return CellCounter.decoded(sum: data, from: sumOffset) }
            var counts = CellCounts()
            try withSum(rows, query, layer: reads.layer ?? 0, period: StoredPeriod.all) {
                counts = CellCounter.decoded(sum: $0)
            }
            return counts
        }
        for step in reads.steps {
            switch step {
            case .sum(StoredPeriod.all, let subtracting) where reads.layer == 0:
                counter.add(sum: data, from: sumOffset, subtracting: subtracting)
            case .sum(let period, let subtracting):
                try withSum(rows, query, layer: reads.layer ?? 0, period: period) {
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

    /// The additional rows that `counts(dense:rows:_:)` is going to read.
    public static func rowsNeeded(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ query: CountQuery
    ) throws -> [DenseTileRow] {
        try query.countsEverything ? [] : reads(dense: data, rows: rows, query)?.rows(query) ?? []
    }

    /// What is read of a dense tile.
    private struct Reads {
        /// The layer whose sums are read; nil for none.
        var layer: UInt8?
        var steps: [WindowPlan.Step]

        /// The rows besides the tile's own, which has the sum of all layers over all time.
        func rows(_ query: CountQuery) -> [DenseTileRow] {
            steps.compactMap { step in
                switch step {
                case .sum(StoredPeriod.all, _) where layer == 0: nil
                case .sum(let period, _): query.row(ofSum: period, layer: layer ?? 0)
                case .log(let month, _, _): .monthLog(period: month)
                }
            }
        }
    }

    /// nil if nothing of the tile is counted.
    private static func reads(
        dense data: borrowing Span<UInt8>, rows: some DenseTileRows, _ query: CountQuery
    ) throws -> Reads? {
        var directory = TileDirectory(decoding: data)
        var layer = query.layer
        if let own = query.operatorLayer {
            var head: LayerHeader?
            try rows.withLayerRow(layer: own, period: LayerHeader.period) { head = LayerHeader(decoding: $0) }
            guard let head else { return nil }
            layer = head.fragmentCount == directory.fragmentCount ? 0 : own
            if layer != 0 { directory.sums = head.sums.map { (layer: own, period: $0.period, cells: $0.cells) } }
        }
        if let asked = layer, asked == directory.commonActivity { layer = 0 }
        if query.window.isAllTime {
            let hasSum = layer == 0 || directory.sums.contains { $0.layer == layer && $0.period == StoredPeriod.all }
            return Reads(
                layer: layer,
                steps: hasSum
                    ? [.sum(period: StoredPeriod.all, subtracting: false)]
                    : directory.months.map { .log(month: $0.period, days: nil, subtracting: false) })
        }
        guard let days = query.window.days else { return nil }
        // An ad-hoc set has no sums: 255 is not the number of a layer, so no sums are found for it.
        let plan = WindowPlan(
            days: days, layer: layer ?? .max, directory: directory,
            allTimeCells: layer == 0 ? cells(data, TileDirectory.sumOffset(in: data)) : nil)
        return Reads(layer: layer, steps: plan.steps)
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

    /// Reads a sum from the rows of the query's layer.
    private func withSum(
        _ rows: some DenseTileRows, _ query: CountQuery, layer: UInt8, period: UInt16,
        _ body: (borrowing Span<UInt8>) -> Void
    ) throws {
        switch query.row(ofSum: period, layer: layer) {
        case .layerRow: try rows.withLayerRow(layer: layer, period: period, body)
        case .sum, .monthLog: try rows.withSum(layer: layer, period: period, body)
        }
    }

    /// The number of cells of a sum, within a factor of two: each takes two bytes or more.
    private static func cells(_ data: borrowing Span<UInt8>, _ offset: Int) -> Int {
        (data.count - offset) / 2
    }
}
