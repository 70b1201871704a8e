public import TileLog

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
