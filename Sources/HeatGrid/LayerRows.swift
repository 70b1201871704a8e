public import TileLog

/// What an operator's layer has of a log.
struct LayerShare: Sendable, Equatable {
    /// The sum of its parts' digests.
    var digest: UInt64 = 0
    /// How many parts.
    var parts = 0
}

/// What stands at the head of an operator's layer in a dense tile; where it has no part there is none.
///
/// The tile's own directory does not speak of such layers: they come and go without a change of any other row.
public struct LayerHead: Sendable, Equatable {
    /// The sum of its parts' digests.
    public var digest: UInt64
    /// How many parts it has; where they are all that the tile has, the tile's own sums are the layer's, and it has none.
    public var parts: Int
    /// The periods that have a sum, ascending, and these sums' cells.
    var sums: [(period: UInt16, cells: Int)]

    /// What it is stored under among the periods: the untimed log, which has no sum.
    public static let period: UInt16 = Period.untimed

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.parts == right.parts && left.sums.elementsEqual(right.sums, by: ==)
    }

    init(_ share: LayerShare, sums: [(period: UInt16, cells: Int)]) {
        digest = share.digest
        parts = share.parts
        self.sums = sums
    }

    /// A head as it was stored.
    public init(decoding bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        digest = cursor.next(in: bytes)
        parts = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        sums = []
        while !cursor.isAtEnd {
            let period = UInt16(truncatingIfNeeded: cursor.next(in: bytes))
            sums.append((period, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFF_FFFF)))
        }
    }

    /// As it is stored: digest, parts, then period and cells of each sum, as varints.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(digest, to: &bytes)
        Varint.append(UInt64(parts), to: &bytes)
        for sum in sums {
            Varint.append(UInt64(sum.period), to: &bytes)
            Varint.append(UInt64(sum.cells), to: &bytes)
        }
        return bytes
    }

    func row(of layer: UInt8) -> TileRow.Sum {
        TileRow.Sum(layer: layer, period: Self.period, data: encoded())
    }
}

/// A tile as it is stored, for the making of one layer more.
public enum StoredTile: Sendable {
    /// Its log.
    case log([UInt8])
    /// Its directory and all-time sum, and all its months.
    case dense(data: [UInt8], months: [TileRow.MonthLog])

    /// Bytes that it holds.
    public var byteCount: Int {
        switch self {
        case .log(let log): log.count
        case .dense(let data, let months): data.count + months.reduce(0) { $0 + $1.log.count }
        }
    }
}

extension TileBuilder {
    /// The rows of an operator's layer in a tile, and what it adds to the zoom level's histograms: what `row` makes of it.
    public mutating func rows(
        of layer: UInt8, in tile: StoredTile, tracks: GridTracks
    ) -> (rows: [TileRow.Sum], histograms: LayerHistograms) {
        var histograms = LayerHistograms()
        let made: (counts: CellCounts, rows: [TileRow.Sum])
        switch tile {
        case .log(let log):
            let survey = LogSurvey(log.span, tracks: tracks, layers: [layer])
            made = rows(
                of: layer, survey.shares[0], logs: [log], months: [], all: nil, isWhole: false, tracks: tracks)
        case .dense(let data, let months):
            var share = LayerShare()
            for month in months {
                let part = LogSurvey(month.log.span, tracks: tracks, layers: [layer]).shares[0]
                share.digest &+= part.digest
                share.parts += part.parts
            }
            let isWhole = share.parts == TileDirectory(decoding: data.span).partCount
            let all = isWhole ? CellCounter.decoded(sum: data.span, from: TileDirectory.sumOffset(in: data.span)) : nil
            made = rows(
                of: layer, share, logs: months.map(\.log), months: months, all: all, isWhole: isWhole, tracks: tracks)
        }
        histograms.add(made.counts, layer: layer, sign: 1)
        return (made.rows, histograms)
    }

    /// A layer's all-time counts over `logs`, and where there are months, the tile being dense, its rows.
    mutating func rows(
        of layer: UInt8, _ share: LayerShare, logs: [[UInt8]], months: [TileRow.MonthLog], all: CellCounts?,
        isWhole: Bool, tracks: GridTracks
    ) -> (counts: CellCounts, rows: [TileRow.Sum]) {
        guard share.parts > 0 else { return (CellCounts(), []) }
        if isWhole, let all {
            return (all, months.isEmpty ? [] : [LayerHead(share, sums: []).row(of: layer)])
        }
        let filter = tracks.filter(ofLayer: layer)
        for log in logs { counter.countLog(log.span, days: nil, filter: filter) }
        let counts = counter.take()
        guard !months.isEmpty else { return (counts, []) }
        var sums = [TileRow.Sum(layer: layer, period: Period.all, data: CellCounter.encoded(counts))]
        for year in months.chunkedByYear { sums += periodSums(of: year, layers: [layer], tracks: tracks) }
        sums.sort { $0.period < $1.period }
        let head = LayerHead(share, sums: sums.map { ($0.place.period, $0.place.cells) })
        return (counts, [head.row(of: layer)] + sums)
    }
}

/// A dense tile before and after a change, as far as the operator's layers ask.
struct LayerDifference {
    let tile: DenseTile
    let edits: MonthEdits
    let allBefore: CellCounts
    let all: CellCounts
    let partsBefore: Int
    let parts: Int
    let oldTracks: GridTracks
    let newTracks: GridTracks
}

extension TileBuilder {
    /// How an operator's rows in a dense tile change; nil where that takes more than the months that were read.
    mutating func rows(
        of layer: UInt8, _ ways: LayerDifference, _ histograms: inout LayerHistograms
    ) -> [(layer: UInt8, period: UInt16, data: [UInt8]?)]? {
        let stored = ways.tile.layers.first { $0.layer == layer && $0.period == LayerHead.period }
        let old = stored.map { LayerHead(decoding: $0.data.span) } ?? LayerHead(LayerShare(), sums: [])
        var share = LayerShare(digest: old.digest, parts: old.parts)
        var isTouched = false
        for edit in ways.edits.list {
            let (oldLog, newLog) = (edit.old ?? [], edit.new ?? [])
            let before = LogSurvey(oldLog.span, tracks: ways.oldTracks, layers: [layer]).shares[0]
            let after = LogSurvey(newLog.span, tracks: ways.newTracks, layers: [layer]).shares[0]
            share.digest = share.digest &- before.digest &+ after.digest
            share.parts += after.parts - before.parts
            isTouched = isTouched || before.parts > 0 || after.parts > 0
        }
        let wasWhole = old.parts > 0 && old.parts == ways.partsBefore
        let isWhole = share.parts > 0 && share.parts == ways.parts
        guard isTouched || wasWhole != isWhole else { return [] }
        // The sums that it had in common with the tile are those of every year.
        if wasWhole, !isWhole, share.parts > 0 { return nil }

        let counts = counts(of: layer, ways, wasWhole: wasWhole, isWhole: isWhole)
        if counts.before != counts.after {
            histograms.add(counts.before, layer: layer, sign: -1)
            histograms.add(counts.after, layer: layer, sign: 1)
        }
        var sums: [UInt16: [UInt8]?] = [:]
        var kept: [(period: UInt16, cells: Int)] = []
        let years = Set(ways.edits.list.map { Period.year(ofMonth: $0.period) })
        for sum in old.sums {
            let stays =
                !isWhole && share.parts > 0 && sum.period != Period.all
                && !years.contains(Period.year(ofMonth: sum.period))
            if stays { kept.append(sum) } else { sums[sum.period] = .some(nil) }
        }
        if share.parts > 0, !isWhole {
            var made = [TileRow.Sum(layer: layer, period: Period.all, data: CellCounter.encoded(counts.after))]
            for year in ways.edits.applied(to: ways.tile.months).chunkedByYear {
                made += periodSums(of: year, layers: [layer], tracks: ways.newTracks)
            }
            for sum in made {
                sums[sum.period] = sum.data
                kept.append((sum.place.period, sum.place.cells))
            }
        }
        let head = LayerHead(share, sums: kept.sorted { $0.period < $1.period })
        let headRow = (layer: layer, period: LayerHead.period, data: share.parts > 0 ? head.encoded() : nil)
        return [headRow] + sums.sorted { $0.key < $1.key }.map { (layer, $0.key, $0.value) }
    }

    /// A layer's all-time counts before and after.
    private mutating func counts(
        of layer: UInt8, _ ways: LayerDifference, wasWhole: Bool, isWhole: Bool
    ) -> (before: CellCounts, after: CellCounts) {
        let stored = ways.tile.layers.first { $0.layer == layer && $0.period == Period.all }
        let before =
            wasWhole ? ways.allBefore : stored.map { CellCounter.decoded(sum: $0.data.span) } ?? CellCounts()
        if isWhole { return (before, ways.all) }
        var taken: [CellCounts] = []
        var added: [CellCounts] = []
        for edit in ways.edits.list {
            if let log = edit.old { taken.append(count(log, tracks: ways.oldTracks, layer: layer)) }
            if let log = edit.new { added.append(count(log, tracks: ways.newTracks, layer: layer)) }
        }
        return (before, changed(before, taking: taken, adding: added))
    }
}
