public import TileLog

/// When a tile stores sums beside its log, and when its log is split by month. The decision is a pure function of the
/// tile's content.
public struct SumRule: Sendable, Equatable {
    /// A tile with more visits than this, and more than `gain` × its cells, is dense: its log is split into months, and
    /// all-time sums are stored for `all` and for each activity.
    public var denseVisits = 16_384
    /// A month or year with fewer visits than this has no sum: counting them takes some 20 µs.
    public var minVisits = 16_384
    /// A sum is stored only if it saves reading more than this many visits per cell.
    public var gain = 3
    /// If the lines of a tile take more bytes than this, they are stored in one log per month: a new track then
    /// rewrites only one of these, and a window reads only its own months.
    public var lineLogBytes = 128 << 10
    /// If the lines of a tile in a month, in a year or of all time take more bytes than this in logs, a raster of them is
    /// stored beside the logs: drawing 24 KiB of lines takes some 0.4 ms, and their raster takes half of the space.
    public var lineRasterBytes = 24 << 10
    /// If they take more bytes than this, the codes of their properties are stored, too, for styles with several colours.
    /// A greater limit than that of rasters, because codes take more space, and such styles are rarer.
    public var lineCodeBytes = 64 << 10

    /// The default rule. On 10 million points of city traces, logs alone take 26.4 bytes a point, and 30.1 with sums.
    public init() {}

    func isDense(visits: Int, cells: Int) -> Bool {
        visits > denseVisits && visits > gain * cells
    }

    func isWorthStoring(_ counts: CellCounts) -> Bool {
        counts.visits > minVisits && counts.visits > gain * counts.cells.count
    }
}

/// Builds tile rows from tile logs; one builder per thread, reused for many tiles.
public struct TileBuilder: Sendable {
    let rule: SumRule
    var counter = CellCounter()

    /// Creates a builder.
    public init(rule: SumRule = SumRule()) {
        self.rule = rule
    }

    /// The row for a tile's log, and its contribution to the zoom level's histograms. `layers` are the operator's
    /// layers to include.
    public mutating func row(
        log: [UInt8], tracks: GridTracks, layers: [UInt8] = []
    ) -> (row: TileRow, histograms: LayerHistograms) {
        let statistics = LogStatistics(log.span, tracks: tracks, layers: layers)
        var histograms = LayerHistograms()
        let all = count(log, tracks: tracks, layer: 0)
        histograms.add(all, layer: 0, sign: 1)
        var layerCounts: [(layer: UInt8, counts: CellCounts)] = []
        for layer in statistics.activities {
            let counts = statistics.commonActivity == layer ? all : count(log, tracks: tracks, layer: layer)
            histograms.add(counts, layer: layer, sign: 1)
            if statistics.commonActivity != layer { layerCounts.append((layer, counts)) }
        }
        var row = TileRow(
            digest: statistics.digest, visits: all.visits, cells: all.cells.count, data: log, months: [], sums: [])
        let isDense = rule.isDense(visits: row.visits, cells: row.cells)
        if isDense { row.months = Self.months(of: log) }
        for (layer, share) in zip(layers, statistics.shares) {
            let made = rows(
                of: layer, share, logs: [log], months: row.months, all: all,
                isWhole: share.fragmentCount == statistics.fragmentCount,
                tracks: tracks)
            histograms.add(made.counts, layer: layer, sign: 1)
            row.layers += made.rows
        }
        guard isDense else { return (row, histograms) }

        var directory = TileDirectory(fragmentCounts: statistics.fragmentCounts)
        directory.months = row.months.map { (period: $0.period, bytes: $0.log.count) }
        row.sums = layerCounts.map {
            TileRow.Sum(layer: $0.layer, period: StoredPeriod.all, data: CellCounter.encoded($0.counts))
        }
        for year in row.months.chunkedByYear {
            row.sums += periodSums(of: year, layers: directory.layersWithSums, tracks: tracks)
        }
        row.sums.sort { ($0.layer, $0.period) < ($1.layer, $1.period) }
        directory.sums = row.sums.map(\.directoryEntry)
        row.data = directory.encoded(before: all)
        return (row, histograms)
    }

    /// The sums of the months of a year, and of the year, that are worth storing.
    mutating func periodSums(
        of months: ArraySlice<MonthLog>, layers: [UInt8], tracks: GridTracks
    ) -> [TileRow.Sum] {
        // A visit takes at least one byte, so the number of bytes is an upper bound of the visits.
        let timed = months.filter { $0.period != StoredPeriod.untimed }
        guard let first = timed.first, timed.reduce(0, { $0 + $1.log.count }) > rule.minVisits else { return [] }
        let year = StoredPeriod.year(ofMonth: first.period)
        var sums: [TileRow.Sum] = []
        for layer in layers {
            let filter = tracks.filter(ofLayer: layer)
            for month in timed where month.log.count > rule.minVisits {
                counter.countLog(month.log.span, days: nil, filter: filter)
                let counts = counter.take()
                guard rule.isWorthStoring(counts) else { continue }
                sums.append(TileRow.Sum(layer: layer, period: month.period, data: CellCounter.encoded(counts)))
            }
            // The number of the year 1900 is that of the untimed log, so that year has no sum.
            guard year != StoredPeriod.untimed else { continue }
            for month in timed { counter.countLog(month.log.span, days: nil, filter: filter) }
            let counts = counter.take()
            guard rule.isWorthStoring(counts) else { continue }
            sums.append(TileRow.Sum(layer: layer, period: year, data: CellCounter.encoded(counts)))
        }
        return sums
    }

    mutating func count(_ log: [UInt8], tracks: GridTracks, layer: UInt8) -> CellCounts {
        counter.countLog(log.span, days: nil, filter: tracks.filter(ofLayer: layer))
        return counter.take()
    }

    /// `base` with the `old` counts subtracted and the `new` counts added.
    mutating func changed(_ base: CellCounts, taking old: [CellCounts], adding new: [CellCounts]) -> CellCounts {
        counter.add(base)
        for counts in new { counter.add(counts) }
        for counts in old { counter.add(counts, subtracting: true) }
        return counter.take()
    }

    static func months(of log: [UInt8]) -> [MonthLog] {
        TileLog<CellDeltas>.months(of: log)
    }
}

extension CellCounts {
    /// Person-days × cells: the sum of all counts.
    public var visits: Int { counts.reduce(0) { $0 + Int($1) } }
}

extension TileRow.Sum {
    /// The entry of this sum in the directory.
    var directoryEntry: (layer: UInt8, period: UInt16, cells: Int) {
        (layer: layer, period: period, cells: CellCounter.cellCount(sum: data.span))
    }
}

extension [MonthLog] {
    /// Splits months into years, in order; the untimed log is grouped with the year 1900.
    var chunkedByYear: [ArraySlice<MonthLog>] {
        var years: [ArraySlice<MonthLog>] = []
        var first = startIndex
        while first < endIndex {
            let year = StoredPeriod.year(ofMonth: self[first].period)
            let end = self[first...].firstIndex { StoredPeriod.year(ofMonth: $0.period) != year } ?? endIndex
            years.append(self[first..<end])
            first = end
        }
        return years
    }
}
