import Database
import HeatGrid
import LineGrid
import Parallelism
import PrimaryStore
import TileLog

/// Updates the lines of tiles from one revision to another, within the transaction of a `GridUpdate`.
struct LineUpdate {
    let session: any Session
    let pass: TilePass

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Rewrites the tiles that get fragments, and those of `removed` (packed keys, ascending) that lose fragments;
    /// returns the tiles that had or have lines, ascending. `written` gets the bytes done so far.
    ///
    /// While this thread writes one batch of tiles, the others compute the next.
    func rewrite(
        _ added: MergedRuns<LineRuns>, removed: [UInt64], written: (Int) -> Void
    ) throws -> [UInt64] {
        let isEmpty = try session.integer("SELECT 1 FROM lines LIMIT 1") == nil
        let writer = isEmpty ? GridWriter(ofEmptyTablesIn: session) : writer
        var run = added
        var removedTiles = removed[...]
        var tiles: [UInt64] = []
        var bytes = 0
        var pipeline = Prefetcher<[LineChange]>()
        while true {
            let tasks = try gather(&run, &removedTiles, gridIsEmpty: isEmpty)
            if !tasks.isEmpty { pipeline.prepare { [pass] in pass.lineChanges(of: tasks) } }
            guard let changes = pipeline.advance() else {
                if tasks.isEmpty { return tiles }
                continue
            }
            for change in changes {
                try write(change, writer)
                tiles.append(change.task.tile)
                bytes += change.task.added?.count ?? 0
            }
            try writer.finish()
            written(bytes)
        }
    }

    /// Bytes of logs and number of tiles of a batch: dense tiles take longest, and there should be some for each core.
    private static let batchBytes = 4 << 20
    private static let batchTiles = 4096

    /// The next tasks in the order of tiles; tiles without lines that get none are left out.
    private func gather(
        _ run: inout MergedRuns<LineRuns>, _ removed: inout ArraySlice<UInt64>, gridIsEmpty: Bool
    ) throws -> [LineTask] {
        var tasks: [LineTask] = []
        var bytes = 0
        while tasks.count < Self.batchTiles, bytes < Self.batchBytes {
            let next = run.nextTile
            guard let tile = [next, removed.first].compactMap({ $0 }).min() else { break }
            if tile == removed.first { removed.removeFirst() }
            let added = tile == next ? try run.takeLog() : nil
            // While a grid is built from nothing, no tile has rows to be looked up.
            let stored = gridIsEmpty ? nil : try reader.lineHead(of: tile)
            if added == nil, stored == nil { continue }
            tasks.append(LineTask(tile: tile, stored: stored.map { LineTask.Stored($0.head, $0.log) }, added: added))
            bytes += (added?.count ?? 0) + (stored?.log.count ?? 0)
        }
        return tasks
    }

    private func write(_ change: LineChange, _ writer: GridWriter) throws {
        let tile = change.task.tile
        guard let row = change.row else {
            guard let stored = change.task.stored else { return }
            return try changeMonths(of: tile, stored.head, adding: change.task.added)
        }
        try writer.write(row, ofLinesIn: tile, replacingMonths: false)
        for kind in LineRasterDrawing.Kind.allCases {
            for (period, bytes) in (change.derived[kind] ?? [:]).sorted(by: { $0.key < $1.key }) {
                try writer.write(bytes, kind.table, GridSchema.logNumber(tile, period: period))
            }
        }
    }

    private func rasters(of tile: UInt64) -> LineRasterUpdate {
        LineRasterUpdate(session: session, tile: tile, rule: pass.rule, tracks: pass.newTracks)
    }

    /// Changes a tile whose lines are stored by month; reads only the months that may change.
    private func changeMonths(of tile: UInt64, _ stored: LineRow.Head, adding added: [UInt8]?) throws {
        var addedMonths: [UInt16: [UInt8]] = [:]
        for month in added.map({ TileLog<LineRuns>.months(of: $0) }) ?? [] { addedMonths[month.period] = month.log }
        var head = stored
        var changes: [UInt16: [UInt8]?] = [:]
        for period in pass.removedMonths.union(addedMonths.keys).sorted() {
            let old = try reader.lineLog(of: tile, period: period) ?? []
            let new = pass.changed(old, adding: addedMonths[period])
            // Also if the bytes are equal: the activity of a track may have changed.
            head.add(old, tracks: pass.oldTracks, sign: -1)
            head.add(new, tracks: pass.newTracks, sign: 1)
            if new != old {
                try writer.write(new, ofLinesIn: tile, period: period)
                changes[period] = .some(pass.removedMonths.contains(period) ? nil : addedMonths[period])
            } else if pass.hasOtherActivities(new) {
                changes[period] = .some(nil)
            }
        }
        if head.bytes > pass.rule.lineLogBytes {
            try writer.write(head, log: [], ofLinesIn: tile)
            try rasters(of: tile).update(changes)
        } else {
            // Too few bytes for logs by month: the months, some of which were just written, are read and become one
            // log.
            var row = LineRow(head: stored, log: [], months: [])
            row.months = try reader.lineRow(of: tile)?.months ?? []
            let log = row.wholeLog
            try writer.write(LineRow(head: head, log: log, months: []), ofLinesIn: tile, replacingMonths: true)
            try rasters(of: tile).removeAll()
        }
    }
}

/// The change of one tile's lines: what is stored, and the added log.
struct LineTask: Sendable {
    /// The stored lines of a tile.
    struct Stored: Sendable {
        let head: LineRow.Head
        /// The log; empty if it is stored by month.
        let log: [UInt8]

        init(_ head: LineRow.Head, _ log: [UInt8]) {
            self.head = head
            self.log = log
        }
    }

    /// The packed key.
    let tile: UInt64
    /// Nil if the tile has no lines.
    let stored: Stored?
    let added: [UInt8]?
}

/// The result of a task.
struct LineChange: Sendable {
    let task: LineTask
    /// The new row; nil if the tile's months must be read first.
    let row: LineRow?
    /// The rows that are derived from logs by month, by period.
    let derived: [LineRasterDrawing.Kind: [UInt16: [UInt8]]]
}

extension TilePass {
    /// The results of tasks, computed on all cores, in the order of the tasks.
    func lineChanges(of tasks: [LineTask]) -> [LineChange] {
        tasks.parallelMap(state: { LineRasterDrawing(tracks: newTracks) }) { drawing, task in
            if let stored = task.stored, stored.log.isEmpty { return LineChange(task: task, row: nil, derived: [:]) }
            let row = LineRow(
                log: changed(task.stored?.log ?? [], adding: task.added), tracks: newTracks, rule: rule)
            var derived: [LineRasterDrawing.Kind: [UInt16: [UInt8]]] = [:]
            for kind in LineRasterDrawing.Kind.allCases where !row.months.isEmpty {
                derived[kind] = drawing.rows(kind, of: row.months, rule: rule)
            }
            return LineChange(task: task, row: row, derived: derived)
        }
    }

    /// Whether a log has tracks whose activity changes: its bytes do not.
    fileprivate func hasOtherActivities(_ log: [UInt8]) -> Bool {
        var reader = LogReader(log.span)
        while let fragment = reader.nextFragment(in: log.span) {
            let track = fragment.order.track
            if removed.contains(track), oldTracks.activity(of: track) != newTracks.activity(of: track) { return true }
        }
        return false
    }

    /// A log without the fragments of removed tracks, and with the added ones.
    fileprivate func changed(_ log: [UInt8], adding added: [UInt8]?) -> [UInt8] {
        let kept = log.isEmpty || removed.isEmpty ? log : TileLog<LineRuns>.removing(removed, from: log) ?? log
        return TileLog<LineRuns>.merged([kept, added ?? []].filter { !$0.isEmpty })
    }
}
