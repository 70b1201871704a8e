import Digest
import Dispatch
import Foundation
import HeatGrid
import Locking
import SQLite
import TileMath
import Tracks

/// Brings a grid from one revision to the next in one transaction.
struct GridUpdate {
    let connection: Connection
    let source: any GridSource
    let calendar: DayCalendar
    let folder: String
    let memoryBytes: Int
    let report: @Sendable (GridProgress) -> Void

    /// Logs gathered before a batch is worked through: enough to keep all cores at it, little beside the arenas.
    private static let batchBytes = 8 << 20
    private static let batchTiles = 4096

    /// One tile's change: the log as it stands, and what is added.
    private struct Task: Sendable {
        var tile: UInt64
        var old: [UInt8]?
        var added: [UInt8]?
    }

    /// What a task comes to.
    private struct Outcome: Sendable {
        var tile: UInt64
        var wasThere: Bool
        var row: TileRow?
        var histograms = LayerHistograms()
    }

    /// Applies what the log has beyond the grid; nil where there is nothing to do.
    func run(anew: Bool) throws -> GridChange? {
        try connection.begin(.immediate)
        do {
            let change = try apply(anew: anew)
            try connection.commit()
            return change
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func apply(anew: Bool) throws -> GridChange? {
        let reader = GridReader(connection)
        let before = try reader.state()
        let head = try source.head()
        let fingerprint = GridSchema.fingerprint(calendar)
        let after = GridState(revision: head.revision, digest: head.digest, fingerprint: fingerprint)
        if let before, !anew, before.fingerprint == fingerprint, try source.digest(at: before.revision) == before.digest
        {
            guard before != after else { return nil }
            let tiles = try update(try source.tracksChanged(since: before.revision), reader: reader)
            try write(after)
            return GridChange(before: before, after: after, tiles: tiles)
        }
        for name in GridSchema.tableNames { try connection.execute("DELETE FROM \(name)") }
        _ = try update(try source.trackNumbers(), reader: reader)
        try write(after)
        return GridChange(before: before, after: after, tiles: nil)
    }

    /// Takes the tracks out as they were and in as they are; gives the tiles that changed, ascending.
    private func update(_ numbers: [Int64], reader: GridReader) throws -> [UInt64] {
        let oldTracks = try reader.tracks()
        let known = try knownTiles(of: numbers)
        let build = GridBuild(
            source: source, calendar: calendar, memoryBytes: memoryBytes, spill: GridSpill(below: folder),
            report: report)
        let (rasterised, added, logBytes) = try build.rasterise(numbers)
        var newTracks = oldTracks
        for track in rasterised {
            newTracks.set(track.track.number, seed: track.track.seed, activity: track.track.activityNumber)
        }
        let pass = TilePass(removed: Set(known.keys), oldTracks: oldTracks, newTracks: newTracks)
        let isEmpty = try connection.integer("SELECT 1 FROM tiles LIMIT 1") == nil
        var removedTiles = Self.withAncestors(known.values.flatMap { $0 })[...]
        var run = added
        var histograms = HistogramChanges()
        var changed: [UInt64] = []
        var written = 0
        var pipeline = OneAhead<[Outcome]>()
        while true {
            let tasks = try gather(&run, &removedTiles, reader: isEmpty ? nil : reader)
            if !tasks.isEmpty { pipeline.prepare { GridUpdate.work(tasks, pass) } }
            if let outcomes = pipeline.advance() {
                for outcome in outcomes {
                    try write(outcome)
                    histograms.add(outcome.histograms, zoom: Int(outcome.tile >> 32))
                    changed.append(outcome.tile)
                    written +=
                        (outcome.row?.data.count ?? 0) + (outcome.row?.months.reduce(0) { $0 + $1.log.count } ?? 0)
                }
                let done = min(1, Double(written) / Double(max(1, logBytes)))
                let points = rasterised.reduce(0) { $0 + $1.track.points }
                report(GridProgress(fraction: 0.5 + 0.5 * done, points: points, pointsInAll: points))
            } else if tasks.isEmpty {
                break
            }
        }
        try write(histograms, reader: reader)
        try writeTracks(rasterised, removed: Set(known.keys))
        return changed
    }

    /// The next tasks in order of their tiles: those with parts to add, and those with parts to remove.
    private func gather(_ run: inout MergedRuns, _ removed: inout ArraySlice<UInt64>, reader: GridReader?) throws
        -> [Task]
    {
        var tasks: [Task] = []
        var bytes = 0
        while tasks.count < Self.batchTiles, bytes < Self.batchBytes {
            let next = run.nextTile
            guard let tile = [next, removed.first].compactMap({ $0 }).min() else { break }
            if tile == removed.first { removed.removeFirst() }
            let added = tile == next ? try run.takeLog() : nil
            let old = try reader?.log(of: tile)
            bytes += (added?.count ?? 0) + (old?.count ?? 0)
            tasks.append(Task(tile: tile, old: old, added: added))
        }
        return tasks
    }

    private static func work(_ tasks: [Task], _ pass: TilePass) -> [Outcome] {
        let workers = min(tasks.count, ProcessInfo.processInfo.activeProcessorCount)
        let results = Locked<[[Outcome]]>(Array(repeating: [], count: workers))
        DispatchQueue.concurrentPerform(iterations: workers) { worker in
            var maker = TileMaker()
            var mine: [Outcome] = []
            for index in stride(from: worker, to: tasks.count, by: workers) {
                mine.append(outcome(of: tasks[index], pass, &maker))
            }
            let finished = mine
            results.withLock { $0[worker] = finished }
        }
        return results.withLock { $0 }.flatMap { $0 }.sorted { $0.tile < $1.tile }
    }

    private static func outcome(of task: Task, _ pass: TilePass, _ maker: inout TileMaker) -> Outcome {
        var outcome = Outcome(tile: task.tile, wasThere: task.old != nil)
        var logs: [[UInt8]] = []
        if let old = task.old {
            let (_, histograms) = maker.row(log: old, tracks: pass.oldTracks)
            outcome.histograms.subtract(histograms)
            let kept = pass.removed.isEmpty ? old : TileLog.removing(pass.removed, from: old) ?? old
            if !kept.isEmpty { logs.append(kept) }
        }
        if let added = task.added { logs.append(added) }
        guard !logs.isEmpty else { return outcome }
        let (row, histograms) = maker.row(log: TileLog.merged(logs), tracks: pass.newTracks)
        outcome.row = row
        outcome.histograms.add(histograms)
        return outcome
    }

    private func write(_ outcome: Outcome) throws {
        let tile = outcome.tile
        if outcome.wasThere {
            try connection.run(
                "DELETE FROM logs WHERE key >= ? AND key <= ?",
                [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
            try connection.run(
                "DELETE FROM sums WHERE key >= ? AND key <= ?",
                [GridSchema.sumKey(tile, layer: 0, period: 0), GridSchema.sumKey(tile, layer: .max, period: .max)])
        }
        guard let row = outcome.row else {
            try connection.run("DELETE FROM tiles WHERE key = ?", [.integer(Int64(tile))])
            return
        }
        try connection.run(
            "INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(Int64(tile)), .integer(Int64(bitPattern: row.digest)), .integer(row.visits),
                .integer(row.cells),
                .integer(row.isDense ? 1 : 0), .blob(row.data),
            ])
        for month in row.months {
            try connection.run(
                "INSERT INTO logs VALUES (?, ?)", [GridSchema.logKey(tile, period: month.period), .blob(month.log)])
        }
        for sum in row.sums {
            try connection.run(
                "INSERT INTO sums VALUES (?, ?)",
                [GridSchema.sumKey(tile, layer: sum.layer, period: sum.period), .blob(sum.data)])
        }
    }

    private func write(_ changes: HistogramChanges, reader: GridReader) throws {
        for ((zoom, layer), change) in changes.byLevel.map({ ((Int($0.key >> 8), UInt8($0.key & 0xFF)), $0.value) }) {
            let key = GridSchema.histogramKey(zoom: zoom, layer: layer)
            guard let level = ZoomLevel(zoom) else { continue }
            var histogram = try reader.histogram(zoom: level, layer: layer)
            histogram.add(change)
            if histogram.isEmpty {
                try connection.run("DELETE FROM histograms WHERE key = ?", [.integer(key)])
            } else {
                try connection.run(
                    "INSERT OR REPLACE INTO histograms VALUES (?, ?)",
                    [.integer(key), .blob(GridSchema.encoded(histogram))])
            }
        }
    }

    private func writeTracks(_ rasterised: [RasterisedTrack], removed: Set<Int64>) throws {
        for number in removed { try connection.run("DELETE FROM tracks WHERE number = ?", [.integer(number)]) }
        for entry in rasterised {
            try connection.run(
                "INSERT INTO tracks VALUES (?, ?, ?, ?)",
                [
                    .integer(entry.track.number), .integer(Int64(bitPattern: entry.track.seed)),
                    .integer(Int(entry.track.activityNumber)), .blob(GridSchema.encoded(ascending: entry.tiles)),
                ])
            guard entry.track.activityNumber != 0, let name = entry.track.activity else { continue }
            try connection.run(
                "INSERT OR REPLACE INTO activities VALUES (?, ?)",
                [.integer(Int(entry.track.activityNumber)), .text(name)])
        }
        try connection.run("DELETE FROM activities WHERE number NOT IN (SELECT DISTINCT activity FROM tracks)")
    }

    private func write(_ state: GridState) throws {
        let values: [(String, [UInt8])] = [
            ("revision", Array("\(state.revision)".utf8)), ("digest", state.digest.bytes),
            ("fingerprint", state.fingerprint.bytes),
        ]
        for (name, value) in values {
            try connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [.text(name), .blob(value)])
        }
    }

    /// The tiles of zoom level 16 of those of the tracks that the grid holds.
    private func knownTiles(of numbers: [Int64]) throws -> [Int64: [UInt64]] {
        var known: [Int64: [UInt64]] = [:]
        for number in numbers {
            known[number] = try connection.first("SELECT tiles FROM tracks WHERE number = ?", [.integer(number)]) {
                GridSchema.decoded(ascending: $0.blob(0))
            }
        }
        return known
    }

    /// The packed keys of tiles of zoom level 16 and of all that hold them, ascending.
    private static func withAncestors(_ deepest: [UInt64]) -> [UInt64] {
        var codes = deepest
        var sorter = CodeSorter()
        var levels: [[UInt64]] = []
        for zoom in stride(from: UInt64(16), through: 0, by: -1) {
            sorter.sortDistinct(&codes)
            levels.append(codes.map { zoom << 32 | $0 })
            codes = codes.map { $0 >> 2 }
        }
        return levels.reversed().flatMap { $0 }
    }
}

/// What all tiles of one update have in common.
private struct TilePass: Sendable {
    /// Tracks whose parts go.
    let removed: Set<Int64>
    let oldTracks: GridTracks
    let newTracks: GridTracks
}

/// Changes of histograms by zoom level and layer.
private struct HistogramChanges {
    /// By `zoom << 8 | layer`.
    private(set) var byLevel: [Int: CountHistogram] = [:]

    mutating func add(_ histograms: LayerHistograms, zoom: Int) {
        for (layer, histogram) in histograms.byLayer {
            byLevel[zoom << 8 | Int(layer), default: CountHistogram()].add(histogram)
        }
    }
}

/// Works on one batch in the background while the caller gathers the next and writes the last.
private struct OneAhead<Result: Sendable> {
    private let queue = DispatchQueue(label: "tileserve.grid", qos: .utility)
    private var next: (@Sendable () -> Result)?
    private var under: (group: DispatchGroup, result: Locked<Result?>)?

    /// Says what the next call of `advance` begins.
    mutating func prepare(_ work: @escaping @Sendable () -> Result) {
        next = work
    }

    /// Waits for what the call before began, begins what was prepared, and gives the former; nil where there was none.
    mutating func advance() -> Result? {
        let finished = under
        under = nil
        finished?.group.wait()
        if let work = next {
            next = nil
            let group = DispatchGroup()
            let result = Locked<Result?>(nil)
            queue.async(group: group) {
                let value = work()
                result.withLock { $0 = value }
            }
            under = (group, result)
        }
        return finished?.result.withLock { $0 }
    }
}
