import Database
import HeatGrid
import LineGrid
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
    func rewrite(
        _ added: MergedRuns<LineRuns>, removed: [UInt64], written: (Int) -> Void
    ) throws -> [UInt64] {
        let isEmpty = try session.integer("SELECT 1 FROM lines LIMIT 1") == nil
        var run = added
        var removedTiles = removed[...]
        var tiles: [UInt64] = []
        var bytes = 0
        while true {
            let next = run.nextTile
            guard let tile = [next, removedTiles.first].compactMap({ $0 }).min() else { return tiles }
            if tile == removedTiles.first { removedTiles.removeFirst() }
            let log = tile == next ? try run.takeLog() : nil
            guard try change(tile, adding: log, gridIsEmpty: isEmpty) else { continue }
            tiles.append(tile)
            bytes += log?.count ?? 0
            if tiles.count % Self.reportTiles == 0 { written(bytes) }
        }
    }

    private static let reportTiles = 1024

    /// Changes one tile; returns false if it had no lines and gets none.
    private func change(_ tile: UInt64, adding added: [UInt8]?, gridIsEmpty: Bool) throws -> Bool {
        let stored = gridIsEmpty ? nil : try reader.lineHead(of: tile)
        guard let stored else {
            guard let added else { return false }
            try write(LineRow(log: added, tracks: pass.newTracks, rule: pass.rule), of: tile)
            return true
        }
        if stored.log.isEmpty {
            try changeMonths(of: tile, stored.head, adding: added)
        } else {
            let log = changed(stored.log, adding: added)
            try write(LineRow(log: log, tracks: pass.newTracks, rule: pass.rule), of: tile)
        }
        return true
    }

    /// Writes the lines of a tile that had no logs by month, and their rasters.
    private func write(_ row: LineRow, of tile: UInt64) throws {
        try writer.write(row, ofLinesIn: tile, replacingMonths: false)
        if !row.months.isEmpty { try rasters(of: tile).build(row.months) }
    }

    private func rasters(of tile: UInt64) -> LineRasterUpdate {
        LineRasterUpdate(session: session, tile: tile, rule: pass.rule)
    }

    /// Changes a tile whose lines are stored by month; reads only the months that may change.
    private func changeMonths(of tile: UInt64, _ stored: LineRow.Head, adding added: [UInt8]?) throws {
        var addedMonths: [UInt16: [UInt8]] = [:]
        for month in added.map({ TileLog<LineRuns>.months(of: $0) }) ?? [] { addedMonths[month.period] = month.log }
        var head = stored
        var changes: [UInt16: [UInt8]?] = [:]
        for period in pass.removedMonths.union(addedMonths.keys).sorted() {
            let old = try reader.lineLog(of: tile, period: period) ?? []
            let new = changed(old, adding: addedMonths[period])
            // Also if the bytes are equal: the activity of a track may have changed.
            head.add(old, tracks: pass.oldTracks, sign: -1)
            head.add(new, tracks: pass.newTracks, sign: 1)
            if new != old {
                try writer.write(new, ofLinesIn: tile, period: period)
                changes[period] = .some(pass.removedMonths.contains(period) ? nil : addedMonths[period])
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

    /// A log without the fragments of removed tracks, and with the added ones.
    private func changed(_ log: [UInt8], adding added: [UInt8]?) -> [UInt8] {
        let kept =
            log.isEmpty || pass.removed.isEmpty ? log : TileLog<LineRuns>.removing(pass.removed, from: log) ?? log
        return TileLog<LineRuns>.merged([kept, added ?? []].filter { !$0.isEmpty })
    }
}
