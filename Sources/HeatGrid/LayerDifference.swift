import TileLog

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
