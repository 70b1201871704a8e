import Database
import Digest
import Dispatch
import HeatGrid
import PrimaryStore
import TileLog
import Tracks

/// What a build may use besides the processor.
struct BuildResources: Sendable {
    /// Where what does not fit in memory is spilled.
    var storage: any LibraryStorage
    /// The limit for fragments in memory, in bytes.
    var memoryBytes: Int
    /// What lets other processes help; nil if there are none.
    var help: BuildHelp?
}

/// Updates a grid from one revision to another in one transaction.
struct GridUpdate {
    let session: any Session
    let source: any GridSource
    let calendar: DayCalendar
    let rule: SumRule
    let resources: BuildResources
    let report: @Sendable (GridProgress) -> Void

    /// Bytes of logs and number of tiles collected for one batch: enough to keep all cores busy, little compared with
    /// the arenas.
    private static let batchBytes = 8 << 20
    private static let batchTiles = 4096

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Applies the revisions that the grid lacks; nil if there is nothing to do.
    func run(rebuilding: Bool) throws -> GridChange? {
        try session.transaction { try apply(rebuilding: rebuilding) }
    }

    private func apply(rebuilding: Bool) throws -> GridChange? {
        let definitions = try source.prepare()
        let before = try reader.state()
        let outlierRule = try source.outlierRule()
        // Read before the tracks, each of which has a snapshot of its own: one that changes meanwhile is in a later
        // revision, too, and is then applied again.
        let head = try source.head()
        let fingerprint = GridSchema.fingerprint(calendar, rule, outlierRule)
        let layers = LayerRegister(session: session, source: source, calendar: calendar)
        func after() throws -> GridState {
            GridState(
                revision: head.revision, digest: head.digest, fingerprint: fingerprint,
                layers: try reader.layersDigest())
        }
        if let before, !rebuilding, before.fingerprint == fingerprint,
            try source.digest(at: before.revision) == before.digest
        {
            try layers.update(definitions)
            let after = try after()
            guard before != after else { return nil }
            let tracksChangingLayers = try layers.tracksChangingLayers(
                of: try source.tracksWithChangedMetadata(since: before.revision), definitions)
            let changed = Set(try source.tracksChanged(since: before.revision)).union(tracksChangingLayers).sorted()
            let tiles = try update(changed, definitions, outlierRule, head)
            try writer.write(after)
            if before.revision < after.revision {
                try writer.write(touched: tiles, since: before.revision, revision: after.revision)
            }
            return GridChange(before: before, after: after, tiles: tiles)
        }
        try writer.removeAll()
        try layers.insertReady(definitions)
        _ = try update(try source.trackNumbers(), definitions, outlierRule, head)
        let after = try after()
        try writer.write(after)
        return GridChange(before: before, after: after, tiles: nil)
    }

    /// What the grid stores of the changed tracks: their tiles of all zoom levels (packed keys, ascending) and months.
    private struct Known {
        var numbers: Set<Int64> = []
        var tiles: [UInt64] = []
        var months: Set<UInt16> = []
    }

    /// Replaces the old state of tracks in the grid by the new one; returns the changed tiles, ascending.
    private func update(
        _ numbers: [Int64], _ definitions: [LayerDefinition], _ outlierRule: OutlierRule, _ head: Head
    ) throws -> [UInt64] {
        let oldTracks = try reader.tracks()
        let known = try known(numbers)
        let build = GridBuild(
            source: source, calendar: calendar, outlierRule: outlierRule, memoryBytes: resources.memoryBytes,
            storage: resources.storage, report: report)
        let supply = try supply(numbers, outlierRule, head)
        var rasterised = try build.rasterise(numbers, from: supply)
        var newTracks = oldTracks
        for track in rasterised.tracks {
            newTracks.set(track.track.number, digest: track.digest, activity: track.track.activityNumber)
        }
        let layers = try reader.layers()
        newTracks.layers = LayerRegister.members(
            oldTracks.layers, without: numbers, with: rasterised.tracks.map { ($0.track.number, $0.track.facts) },
            of: layers, definitions, calendar)
        let pass = TilePass(
            removed: known.numbers, removedMonths: known.months, oldTracks: oldTracks, newTracks: newTracks, rule: rule,
            layers: layers)
        let points = rasterised.tracks.reduce(0) { $0 + $1.track.points }
        let (cellBytes, bytes) = (rasterised.cells.byteCount, max(1, rasterised.byteCount))
        let report = { [report] (written: Int) in
            let done = min(1, Double(written) / Double(bytes))
            report(GridProgress(fraction: 0.5 + 0.5 * done, points: points, totalPoints: points))
        }
        let (cellTiles, histograms) = try rewrite(
            try rasterised.cells.takeRun(), removed: known.tiles, pass, written: report)
        try writer.write(histograms)
        let lineTiles = try LineUpdate(session: session, pass: pass).rewrite(
            try rasterised.lines.takeRun(), removed: known.tiles
        ) { report(cellBytes + $0) }
        let hasTracks = try session.integer("SELECT 1 FROM tracks LIMIT 1") != nil
        let trackWriter = hasTracks ? writer : GridWriter(ofEmptyTablesIn: session)
        try trackWriter.write(rasterised.tracks, rasterised.rows, removed: known.numbers)
        for layer in layers {
            try writer.write(
                members: newTracks.layers[layer.number] ?? LayerMembers(), of: layer.number, changed: numbers)
        }
        return Set(cellTiles).union(lineTiles).sorted()
    }

    /// The tracks that this process rasterises; the others, those that help.
    private func supply(_ numbers: [Int64], _ outlierRule: OutlierRule, _ head: Head) throws -> TrackSupply {
        let condition = GridSchema.fingerprint(calendar, rule, outlierRule).first64
        guard let help = resources.help, let build = try help.build(numbers, source, condition: condition) else {
            return TrackSupply(numbers)
        }
        return try TrackSupply(build) { [source] in Set(try source.tracksChanged(since: head.revision)) }
    }

    /// Rewrites the tiles that get or lose fragments; returns them, and the changes of histograms.
    private func rewrite(
        _ added: MergedRuns<CellDeltas>, removed: [UInt64], _ pass: TilePass, written report: (Int) -> Void
    ) throws -> (tiles: [UInt64], histograms: [Int64: CountHistogram]) {
        let isEmpty = try session.integer("SELECT 1 FROM tiles LIMIT 1") == nil
        let writer = isEmpty ? GridWriter(ofEmptyTablesIn: session) : writer
        var run = added
        var removedTiles = removed[...]
        var tiles: [UInt64] = []
        var histograms: [Int64: CountHistogram] = [:]
        var written = 0
        var pipeline = Prefetcher<[TileRowsChange]>()
        while true {
            let tasks = try gather(&run, &removedTiles, pass, gridIsEmpty: isEmpty)
            if !tasks.isEmpty { pipeline.prepare { pass.outcomes(of: tasks) } }
            guard let outcomes = pipeline.advance() else {
                if tasks.isEmpty { return (tiles, histograms) }
                continue
            }
            for outcome in outcomes {
                let known = try complete(outcome, pass)
                try writer.write(known, layers: pass.layers(in: known.tile))
                histograms.add(known.histograms, of: known.tile)
                tiles.append(known.tile)
                written += known.byteCount
            }
            try writer.finish()
            report(written)
        }
    }

    /// The next tasks in the order of tiles: tiles that get fragments, and tiles that lose fragments.
    private func gather(
        _ run: inout MergedRuns<CellDeltas>, _ removed: inout ArraySlice<UInt64>, _ pass: TilePass, gridIsEmpty: Bool
    ) throws -> [TileTask] {
        var tasks: [TileTask] = []
        var bytes = 0
        while tasks.count < Self.batchTiles, bytes < Self.batchBytes {
            let next = run.nextTile
            guard let tile = [next, removed.first].compactMap({ $0 }).min() else { break }
            if tile == removed.first { removed.removeFirst() }
            let added = tile == next ? try run.takeLog() : nil
            // While a grid is built from nothing, no tile has rows to be looked up.
            let stored = gridIsEmpty ? .nothing : try stored(tile, added: added, pass)
            // A line also touches tiles in which it has no cell.
            if added == nil, case .nothing = stored { continue }
            tasks.append(TileTask(tile: tile, stored: stored, added: added))
            bytes += tasks[tasks.count - 1].byteCount
        }
        return tasks
    }

    /// The stored rows that a change of a tile needs.
    private func stored(_ tile: UInt64, added: [UInt8]?, _ pass: TilePass) throws -> TileTask.Stored {
        guard let head = try reader.head(of: tile) else { return .nothing }
        guard head.isDense else { return .log(head.data) }
        let changing = pass.removedMonths.union(added.map { LogMonths.periods(of: $0) } ?? [])
        var dense = DenseTile(digest: head.digest, data: head.data)
        for period in dense.monthsNeeded(changing: changing, addedBytes: added?.count ?? 0, rule: rule) {
            guard let log = try reader.monthLog(of: tile, period: period) else { continue }
            dense.months.append(MonthLog(period: period, log: log))
        }
        dense.allTimeSums = try reader.allTimeSums(of: tile)
        dense.layers = try pass.layers(in: tile).flatMap { try reader.layerHeadAndSum(of: tile, layer: $0) }
        return .dense(dense, changing: changing)
    }

    /// The outcome itself; if it needs more rows than were read, the outcome computed from the whole log.
    private func complete(_ outcome: TileRowsChange, _ pass: TilePass) throws -> TileRowsChange {
        guard case .unknown(let task) = outcome.rows else { return outcome }
        var builder = TileBuilder(rule: rule)
        return pass.outcome(of: task.tile, old: try reader.log(of: task.tile), added: task.added, &builder)
    }

    private func known(_ numbers: [Int64]) throws -> Known {
        var known = Known()
        for number in numbers {
            guard let stored = try reader.tilesAndMonths(ofTrack: number) else { continue }
            known.numbers.insert(number)
            known.tiles += stored.tiles
            known.months.formUnion(stored.months)
        }
        var sorter = CodeSorter()
        sorter.sortDistinct(&known.tiles)
        return known
    }
}
