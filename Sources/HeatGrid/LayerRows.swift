import Text
public import TileLog

/// The share of an operator's layer in a log.
struct LayerShare: Sendable, Equatable {
    /// The sum of its fragments' digests.
    var digest: UInt64 = 0
    /// The number of fragments.
    var fragmentCount = 0
}

/// The head of an operator's layer in a dense tile; stored only if the layer has a fragment there.
///
/// The directory of the tile does not mention such layers, so that they can be added and removed without changing other
/// rows.
public struct LayerHeader: Sendable, Equatable {
    /// The sum of its fragments' digests.
    public var digest: UInt64
    /// The number of its fragments. If these are all fragments of the tile, the layer has no sums and uses those of the
    /// tile.
    public var fragmentCount: Int
    /// The periods that have a sum, ascending, and the number of cells of each.
    var sums: [(period: UInt16, cells: Int)]

    /// The period under which the head is stored: that of the untimed log, which has no sum.
    public static let period: UInt16 = StoredPeriod.untimed

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.fragmentCount == right.fragmentCount
            && left.sums.elementsEqual(right.sums, by: ==)
    }

    init(_ share: LayerShare, sums: [(period: UInt16, cells: Int)]) {
        digest = share.digest
        fragmentCount = share.fragmentCount
        self.sums = sums
    }

    /// Decodes a stored head.
    public init(decoding bytes: borrowing Span<UInt8>) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        digest = cursor.next(in: bytes)
        fragmentCount = Int(truncatingIfNeeded: cursor.next(in: bytes) & 0x7FFF_FFFF)
        sums = []
        while !cursor.isAtEnd {
            let period = UInt16(truncatingIfNeeded: cursor.next(in: bytes))
            sums.append((period, Int(truncatingIfNeeded: cursor.next(in: bytes) & 0xFF_FFFF)))
        }
    }

    /// The stored form: digest, number of fragments, then period and cells of each sum, as varints.
    func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        Varint.append(digest, to: &bytes)
        Varint.append(UInt64(fragmentCount), to: &bytes)
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

/// A stored tile, as input for adding a layer.
public enum StoredTile: Sendable {
    /// The log of the tile.
    case log([UInt8])
    /// The directory and all-time sum of a dense tile, and all its months.
    case dense(data: [UInt8], months: [MonthLog])
}

extension TileBuilder {
    /// The rows of an operator's layer in a tile, and its contribution to the zoom level's histograms; the same as
    /// `row` computes.
    public mutating func rows(
        of layer: UInt8, in tile: StoredTile, tracks: GridTracks
    ) -> (rows: [TileRow.Sum], histograms: LayerHistograms) {
        var histograms = LayerHistograms()
        let made: (counts: CellCounts, rows: [TileRow.Sum])
        switch tile {
        case .log(let log):
            let statistics = LogStatistics(log.span, tracks: tracks, layers: [layer])
            made = rows(
                of: layer, statistics.shares[0], logs: [log], months: [], all: nil, isWhole: false, tracks: tracks)
        case .dense(let data, let months):
            var share = LayerShare()
            for month in months {
                let part = LogStatistics(month.log.span, tracks: tracks, layers: [layer]).shares[0]
                share.digest &+= part.digest
                share.fragmentCount += part.fragmentCount
            }
            let isWhole = share.fragmentCount == TileDirectory(decoding: data.span).fragmentCount
            let all = isWhole ? CellCounter.decoded(sum: data.span, from: TileDirectory.sumOffset(in: data.span)) : nil
            made = rows(
                of: layer, share, logs: months.map(\.log), months: months, all: all, isWhole: isWhole, tracks: tracks)
        }
        histograms.add(made.counts, layer: layer, sign: 1)
        return (made.rows, histograms)
    }

    /// A layer's all-time counts over `logs`, and its rows if the tile is dense (`months` is not empty).
    mutating func rows(
        of layer: UInt8, _ share: LayerShare, logs: [[UInt8]], months: [MonthLog], all: CellCounts?,
        isWhole: Bool, tracks: GridTracks
    ) -> (counts: CellCounts, rows: [TileRow.Sum]) {
        guard share.fragmentCount > 0 else { return (CellCounts(), []) }
        if isWhole, let all {
            return (all, months.isEmpty ? [] : [LayerHeader(share, sums: []).row(of: layer)])
        }
        let filter = tracks.filter(ofLayer: layer)
        for log in logs { counter.countLog(log.span, days: nil, filter: filter) }
        let counts = counter.take()
        guard !months.isEmpty else { return (counts, []) }
        var sums = [TileRow.Sum(layer: layer, period: StoredPeriod.all, data: CellCounter.encoded(counts))]
        for year in months.chunkedByYear { sums += periodSums(of: year, layers: [layer], tracks: tracks) }
        sums.sort { $0.period < $1.period }
        let head = LayerHeader(share, sums: sums.map { ($0.period, $0.directoryEntry.cells) })
        return (counts, [head.row(of: layer)] + sums)
    }
}

/// A dense tile before and after a change, as needed for the operator's layers.
struct LayerDifference {
    let tile: DenseTile
    let edits: MonthEdits
    /// The counts of all tracks over all time.
    let counts: (before: CellCounts, after: CellCounts)
    let fragmentCount: (before: Int, after: Int)
    let tracks: (before: GridTracks, after: GridTracks)
}

extension TileBuilder {
    /// The changes of an operator layer's rows in a dense tile; nil if months are needed that were not read.
    mutating func rows(
        of layer: UInt8, _ difference: LayerDifference, _ histograms: inout LayerHistograms
    ) -> [SumChange]? {
        let stored = difference.tile.layers.first { $0.layer == layer && $0.period == LayerHeader.period }
        let old = stored.map { LayerHeader(decoding: $0.data.span) } ?? LayerHeader(LayerShare(), sums: [])
        var share = LayerShare(digest: old.digest, fragmentCount: old.fragmentCount)
        var isTouched = false
        for edit in difference.edits.list {
            let (oldLog, newLog) = (edit.old ?? [], edit.new ?? [])
            let before = LogStatistics(oldLog.span, tracks: difference.tracks.before, layers: [layer]).shares[0]
            let after = LogStatistics(newLog.span, tracks: difference.tracks.after, layers: [layer]).shares[0]
            share.digest = share.digest &- before.digest &+ after.digest
            share.fragmentCount += after.fragmentCount - before.fragmentCount
            isTouched = isTouched || before.fragmentCount > 0 || after.fragmentCount > 0
        }
        let wasWhole = old.fragmentCount > 0 && old.fragmentCount == difference.fragmentCount.before
        let isWhole = share.fragmentCount > 0 && share.fragmentCount == difference.fragmentCount.after
        guard isTouched || wasWhole != isWhole else { return [] }
        // Until now the layer used the tile's sums, so its own are needed for every year.
        if wasWhole, !isWhole, share.fragmentCount > 0 { return nil }

        let counts = counts(of: layer, difference, wasWhole: wasWhole, isWhole: isWhole)
        if counts.before != counts.after {
            histograms.add(counts.before, layer: layer, sign: -1)
            histograms.add(counts.after, layer: layer, sign: 1)
        }
        var sums: [UInt16: [UInt8]?] = [:]
        var kept: [(period: UInt16, cells: Int)] = []
        let years = Set(difference.edits.list.map { StoredPeriod.year(ofMonth: $0.period) })
        for sum in old.sums {
            let stays =
                !isWhole && share.fragmentCount > 0 && sum.period != StoredPeriod.all
                && !years.contains(StoredPeriod.year(ofMonth: sum.period))
            if stays { kept.append(sum) } else { sums[sum.period] = .some(nil) }
        }
        if share.fragmentCount > 0, !isWhole {
            var made = [TileRow.Sum(layer: layer, period: StoredPeriod.all, data: CellCounter.encoded(counts.after))]
            for year in difference.edits.applied(to: difference.tile.months).chunkedByYear {
                made += periodSums(of: year, layers: [layer], tracks: difference.tracks.after)
            }
            for sum in made {
                sums[sum.period] = sum.data
                kept.append((sum.period, sum.directoryEntry.cells))
            }
        }
        let head = LayerHeader(share, sums: kept.sorted { $0.period < $1.period })
        let headRow = SumChange(
            layer: layer, period: LayerHeader.period, data: share.fragmentCount > 0 ? head.encoded() : nil)
        return [headRow]
            + sums.sorted { $0.key < $1.key }.map { SumChange(layer: layer, period: $0.key, data: $0.value) }
    }

    /// A layer's all-time counts before and after the change.
    private mutating func counts(
        of layer: UInt8, _ difference: LayerDifference, wasWhole: Bool, isWhole: Bool
    ) -> (before: CellCounts, after: CellCounts) {
        let stored = difference.tile.layers.first { $0.layer == layer && $0.period == StoredPeriod.all }
        let before =
            wasWhole ? difference.counts.before : stored.map { CellCounter.decoded(sum: $0.data.span) } ?? CellCounts()
        if isWhole { return (before, difference.counts.after) }
        var taken: [CellCounts] = []
        var added: [CellCounts] = []
        for edit in difference.edits.list {
            if let log = edit.old { taken.append(count(log, tracks: difference.tracks.before, layer: layer)) }
            if let log = edit.new { added.append(count(log, tracks: difference.tracks.after, layer: layer)) }
        }
        return (before, changed(before, taking: taken, adding: added))
    }
}
