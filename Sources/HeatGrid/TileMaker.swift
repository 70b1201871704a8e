/// Makes tiles' rows from their logs; one serves a thread, tile after tile.
public struct TileMaker: Sendable {
    /// A tile with more visits than this, and more than `sumGain` × its cells, stores sums.
    public static let denseVisits = 16_384
    /// A sum is stored only where it spares reading at least this many visits for each of its cells.
    public static let sumGain = 3
    /// Sums of months, years and layers are not worth a row below this many visits.
    public static let leastSumVisits = 2048

    private var counter = CellCounter()

    /// A maker.
    public init() {}

    /// The row of a tile's log, and what it adds to the zoom level's histograms.
    public mutating func row(log: [UInt8], tracks: GridTracks) -> (row: TileRow, histograms: LayerHistograms) {
        let survey = LogSurvey(log.span, tracks: tracks)
        var histograms = LayerHistograms()
        let all = count(log, tracks: tracks, layer: 0)
        histograms.add(all, layer: 0, sign: 1)
        var layerCounts: [(layer: UInt8, counts: CellCounts)] = []
        for layer in survey.activities {
            let counts = survey.soleLayer == layer ? all : count(log, tracks: tracks, layer: layer)
            histograms.add(counts, layer: layer, sign: 1)
            if survey.soleLayer != layer { layerCounts.append((layer, counts)) }
        }
        let visits = Self.visits(all)
        var row = TileRow(
            digest: survey.digest, visits: visits, cells: all.cells.count, data: log, months: [], sums: [])
        guard visits > Self.denseVisits, visits > Self.sumGain * all.cells.count else { return (row, histograms) }

        row.months = Self.months(of: log)
        let layers: [UInt8] = survey.soleLayer == nil ? [0] + survey.activities : [0]
        row.sums = layerCounts.filter { Self.pays($0.counts) }.map {
            TileRow.Sum(layer: $0.layer, period: Period.all, data: CellCounter.encoded($0.counts))
        }
        row.sums += periodSums(of: row.months, layers: layers, tracks: tracks)
        row.sums.sort { ($0.layer, $0.period) < ($1.layer, $1.period) }
        var directory = TileDirectory(soleLayer: survey.soleLayer)
        directory.months = row.months.map { month in
            (period: month.period, visits: Self.visits(count(month.log, tracks: tracks, layer: 0)))
        }
        directory.sums = row.sums.map { sum in
            (layer: sum.layer, period: sum.period, cells: CellCounter.decoded(sum: sum.data.span).cells.count)
        }
        row.data = directory.encoded(before: CellCounter.encoded(all))
        return (row, histograms)
    }

    private mutating func periodSums(of months: [TileRow.MonthLog], layers: [UInt8], tracks: GridTracks) -> [TileRow
        .Sum]
    {
        var sums: [TileRow.Sum] = []
        var first = months.startIndex
        while first < months.endIndex {
            let year = Period.year(ofMonth: months[first].period)
            var end = first
            while end < months.endIndex, Period.year(ofMonth: months[end].period) == year { end += 1 }
            if months[first].period != Period.untimed || end > first + 1 {
                for layer in layers {
                    addSums(of: months[first..<end], year: year, layer: layer, tracks: tracks, to: &sums)
                }
            }
            first = end
        }
        return sums
    }

    private mutating func addSums(
        of months: ArraySlice<TileRow.MonthLog>, year: UInt16, layer: UInt8, tracks: GridTracks,
        to sums: inout [TileRow.Sum]
    ) {
        let filter = Self.filter(layer, tracks)
        for month in months where month.period != Period.untimed {
            counter.countLog(month.log.span, days: nil, filter: filter)
            let counts = counter.take()
            if Self.pays(counts) {
                sums.append(TileRow.Sum(layer: layer, period: month.period, data: CellCounter.encoded(counts)))
            }
        }
        for month in months where month.period != Period.untimed {
            counter.countLog(month.log.span, days: nil, filter: filter)
        }
        let counts = counter.take()
        // The year 1900 shares its number with the untimed log, and does without a sum.
        if year != Period.untimed, Self.pays(counts) {
            sums.append(TileRow.Sum(layer: layer, period: year, data: CellCounter.encoded(counts)))
        }
    }

    private mutating func count(_ log: [UInt8], tracks: GridTracks, layer: UInt8) -> CellCounts {
        counter.countLog(log.span, days: nil, filter: Self.filter(layer, tracks))
        return counter.take()
    }

    private static func filter(_ layer: UInt8, _ tracks: GridTracks) -> PartFilter {
        layer == 0 ? .all : .activity(layer, tracks)
    }

    private static func pays(_ counts: CellCounts) -> Bool {
        let visits = visits(counts)
        return visits > leastSumVisits && visits > sumGain * counts.cells.count
    }

    private static func visits(_ counts: CellCounts) -> Int {
        counts.counts.reduce(0) { $0 + Int($1) }
    }

    private static func months(of log: [UInt8]) -> [TileRow.MonthLog] {
        var result: [TileRow.MonthLog] = []
        var writer = LogWriter()
        var month = Period.untimed
        var monthDays = TrackRaster.untimedDay...TrackRaster.untimedDay
        var reader = PartReader(bytes: log)
        while let order = reader.order {
            if !monthDays.contains(order.day) {
                let finished = writer.finish()
                if !finished.isEmpty { result.append(TileRow.MonthLog(period: month, log: finished)) }
                month = Period.month(ofDay: order.day)
                monthDays = Period.days(ofMonth: month)
            }
            writer.add(order, cells: log[reader.cells])
            reader.advance()
        }
        let finished = writer.finish()
        if !finished.isEmpty { result.append(TileRow.MonthLog(period: month, log: finished)) }
        return result
    }
}

/// What one pass over the heads of a log tells.
struct LogSurvey {
    private(set) var digest: UInt64 = 0
    /// The activities' numbers in it, ascending, without 0.
    private(set) var activities: [UInt8] = []
    /// The activity that every part has; nil where they differ or have none.
    private(set) var soleLayer: UInt8?

    init(_ log: borrowing Span<UInt8>, tracks: GridTracks) {
        var present = [Bool](repeating: false, count: 256)
        var reader = LogReader(log)
        while let part = reader.nextPart(in: log) {
            digest &+= tracks.partDigest(part.order)
            present[Int(tracks.activity(of: part.order.track))] = true
        }
        activities = (1...255).filter { present[$0] }.map { UInt8($0) }
        if activities.count == 1, !present[0] { soleLayer = activities[0] }
    }
}

/// Which tracks' parts are counted.
public enum PartFilter: Sendable {
    /// Every one's.
    case all
    /// Of the tracks that have the activity.
    case activity(UInt8, GridTracks)
    /// Of the tracks whose number is an index of a true entry.
    case members([Bool])

    @inline(__always)
    func passes(_ track: Int64) -> Bool {
        switch self {
        case .all: true
        case .activity(let activity, let tracks): tracks.activity(of: track) == activity
        case .members(let members): Int(track) < members.count && members[Int(track)]
        }
    }
}

extension CellCounter {
    /// Counts a log's pieces: those of some days (nil for all, the untimed one too), those parts that the filter lets pass.
    mutating func countLog(_ log: borrowing Span<UInt8>, days: ClosedRange<Int32>?, filter: PartFilter) {
        var reader = LogReader(log)
        while let part = reader.nextPart(in: log) {
            if let days {
                if part.order.day > days.upperBound { return }
                guard part.order.day >= days.lowerBound else { continue }
            }
            if part.beginsPiece, !part.isOnly { beginPiece() }
            guard filter.passes(part.order.track) else { continue }
            if part.isOnly { count(part.cells, in: log) } else { countUnseen(part.cells, in: log) }
        }
    }
}
