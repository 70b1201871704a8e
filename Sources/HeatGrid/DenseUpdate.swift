public import TileLog

extension TileBuilder {
    /// Computes the change of a dense tile without reading rows that do not change. Returns nil if the tile must be
    /// built as a whole: it is no longer dense, its fragments begin or cease to have one common activity, or an
    /// operator's layer no longer contains every fragment.
    public mutating func change(
        of tile: DenseTile, removing removed: Set<Int64>, changing: Set<UInt16>, adding added: [UInt8]?,
        oldTracks: GridTracks, newTracks: GridTracks, layers: [UInt8] = []
    ) -> DenseChange? {
        let old = tile.storedDirectory
        let edits = MonthEdits(tile.months.filter { changing.contains($0.period) }, removing: removed, adding: added)
        var directory = old
        var digest = tile.digest
        for edit in edits.list {
            let (oldLog, newLog) = (edit.old ?? [], edit.new ?? [])
            let before = LogStatistics(oldLog.span, tracks: oldTracks)
            let after = LogStatistics(newLog.span, tracks: newTracks)
            digest = digest &- before.digest &+ after.digest
            for activity in 0..<256 {
                directory.fragmentCounts[activity] += after.fragmentCounts[activity] - before.fragmentCounts[activity]
            }
        }
        // With one common activity, its sums are those of `all` and are not stored; otherwise each activity has its
        // own.
        guard directory.commonActivity == old.commonActivity else { return nil }

        var histograms = LayerHistograms()
        let allBefore = CellCounter.decoded(sum: tile.data.span, from: TileDirectory.sumOffset(in: tile.data.span))
        let all = count(layer: 0, from: allBefore, edits, oldTracks, newTracks, &histograms)
        // An updated grid has to equal a rebuilt one, in which this tile would not be dense.
        guard rule.isDense(visits: all.visits, cells: all.cells.count) else { return nil }
        if let sole = directory.commonActivity {
            histograms.add(allBefore, layer: sole, sign: -1)
            histograms.add(all, layer: sole, sign: 1)
        }
        var sums = sumsOfYears(tile, edits: edits, directory: directory, newTracks: newTracks)
        for layer in UInt8(1)...254 where directory.commonActivity == nil {
            guard old.fragmentCounts[Int(layer)] > 0 || directory.fragmentCounts[Int(layer)] > 0 else { continue }
            let stored = tile.allTimeSums.first { $0.layer == layer }
            let before = stored.map { CellCounter.decoded(sum: $0.data.span) } ?? CellCounts()
            let counts = count(layer: layer, from: before, edits, oldTracks, newTracks, &histograms)
            guard counts != before else { continue }
            sums.append(
                SumChange(
                    layer: layer, period: StoredPeriod.all, data: counts.isEmpty ? nil : CellCounter.encoded(counts)))
        }
        let difference = LayerDifference(
            tile: tile, edits: edits, counts: (allBefore, all),
            fragmentCount: (old.fragmentCount, directory.fragmentCount), tracks: (oldTracks, newTracks))
        var layerRows: [SumChange] = []
        for layer in layers {
            guard let rows = rows(of: layer, difference, &histograms) else { return nil }
            layerRows += rows
        }
        directory.apply(edits.list.map { (period: $0.period, bytes: $0.new?.count ?? 0) })
        directory.apply(sums)
        let row = TileRow(
            digest: digest, visits: all.visits, cells: all.cells.count,
            data: directory.encoded(before: all), months: [], sums: [])
        return DenseChange(
            row: row, months: edits.list.map { ($0.period, $0.new) }, sums: sums, layers: layerRows,
            histograms: histograms)
    }

    /// A layer's all-time counts after the change; the difference is added to the histograms.
    private mutating func count(
        layer: UInt8, from before: CellCounts, _ edits: MonthEdits, _ oldTracks: GridTracks, _ newTracks: GridTracks,
        _ histograms: inout LayerHistograms
    ) -> CellCounts {
        var taken: [CellCounts] = []
        var added: [CellCounts] = []
        for edit in edits.list {
            if let log = edit.old { taken.append(count(log, tracks: oldTracks, layer: layer)) }
            if let log = edit.new { added.append(count(log, tracks: newTracks, layer: layer)) }
        }
        let after = changed(before, taking: taken, adding: added)
        guard after != before else { return after }
        histograms.add(before, layer: layer, sign: -1)
        histograms.add(after, layer: layer, sign: 1)
        return after
    }

    /// The new and removed sums of the years that change, and of their months.
    private mutating func sumsOfYears(
        _ tile: DenseTile, edits: MonthEdits, directory: TileDirectory, newTracks: GridTracks
    ) -> [SumChange] {
        let years = Set(edits.list.map { StoredPeriod.year(ofMonth: $0.period) })
        var sums: [SumChange] = []
        for stored in tile.storedDirectory.sums
        where stored.period != StoredPeriod.all && years.contains(StoredPeriod.year(ofMonth: stored.period)) {
            sums.append(SumChange(layer: stored.layer, period: stored.period, data: nil))
        }
        for year in edits.applied(to: tile.months).chunkedByYear {
            for sum in periodSums(of: year, layers: directory.layersWithSums, tracks: newTracks) {
                sums.removeAll { $0.layer == sum.layer && $0.period == sum.period }
                sums.append(SumChange(layer: sum.layer, period: sum.period, data: sum.data))
            }
        }
        return sums
    }
}

extension TileDirectory {
    /// Sets the new sizes of months; 0 removes a month.
    fileprivate mutating func apply(_ changes: [(period: UInt16, bytes: Int)]) {
        let gone = Set(changes.map(\.period))
        months = (months.filter { !gone.contains($0.period) } + changes.filter { $0.bytes > 0 }).sorted {
            $0.period < $1.period
        }
    }

    /// Sets or removes sums.
    fileprivate mutating func apply(_ changes: [SumChange]) {
        sums.removeAll { sum in changes.contains { $0.layer == sum.layer && $0.period == sum.period } }
        for change in changes {
            guard let data = change.data else { continue }
            sums.append(TileRow.Sum(layer: change.layer, period: change.period, data: data).directoryEntry)
        }
        sums.sort { ($0.layer, $0.period) < ($1.layer, $1.period) }
    }
}
