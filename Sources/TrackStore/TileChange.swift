import Dispatch
import Foundation
import HeatGrid
import Locking
import TileLog
import Tracks

/// What all tiles of one update have in common.
struct TilePass: Sendable {
    /// Tracks whose parts go.
    let removed: Set<Int64>
    /// The months these have pieces in.
    let removedMonths: Set<UInt16>
    /// What the tracks were before.
    let oldTracks: GridTracks
    /// What they are afterwards.
    let newTracks: GridTracks
    /// When tiles store sums.
    let rule: SumRule
    /// The operator's layers.
    let layers: [GridLayer]

    /// The numbers of the operator's layers that a tile holds something of, ascending.
    func layers(in tile: UInt64) -> [UInt8] {
        layers.filter { $0.holds(tile) }.map(\.number)
    }
}

/// One tile's change: what is stored, and what is added.
struct TileTask: Sendable {
    /// What is stored of the tile, as far as its change needs it.
    enum Stored: Sendable {
        case nothing
        case log([UInt8])
        case dense(DenseTile, changing: Set<UInt16>)
    }

    /// The packed key.
    var tile: UInt64
    var stored: Stored
    var added: [UInt8]?

    /// Bytes that it holds, roughly.
    var byteCount: Int {
        let storedBytes =
            switch stored {
            case .nothing: 0
            case .log(let log): log.count
            case .dense(let tile, _): tile.data.count + tile.months.reduce(0) { $0 + $1.log.count }
            }
        return storedBytes + (added?.count ?? 0)
    }
}

/// What a task comes to.
struct TileOutcome: Sendable {
    /// How the stored rows change.
    enum Rows: Sendable {
        case removed
        case replaced(TileRow)
        case changed(DenseChange)
        /// What was read does not suffice: the tile must be made from its whole log.
        case unknown(TileTask)
    }

    var tile: UInt64
    var rows: Rows
    var histograms = LayerHistograms()

    /// Bytes of rows to write, roughly.
    var byteCount: Int {
        switch rows {
        case .removed, .unknown: 0
        case .replaced(let row): row.data.count + row.months.reduce(0) { $0 + $1.log.count }
        case .changed(let change): change.row.data.count + change.months.reduce(0) { $0 + ($1.log?.count ?? 0) }
        }
    }
}

extension TilePass {
    /// The outcomes of tasks, worked out on all cores, in the tasks' order.
    func outcomes(of tasks: [TileTask]) -> [TileOutcome] {
        let workers = min(tasks.count, ProcessInfo.processInfo.activeProcessorCount)
        let results = Locked<[TileOutcome]>([])
        // One after the other to whoever is free: a dense tile takes as long as a thousand of the others.
        let next = Locked(0)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            var maker = TileBuilder(rule: rule)
            var mine: [TileOutcome] = []
            while true {
                let index = next.withLock { index in
                    defer { index += 1 }
                    return index
                }
                guard index < tasks.count else { break }
                mine.append(outcome(of: tasks[index], &maker))
            }
            let finished = mine
            results.withLock { $0 += finished }
        }
        return results.withLock { $0 }.sorted { $0.tile < $1.tile }
    }

    private func outcome(of task: TileTask, _ maker: inout TileBuilder) -> TileOutcome {
        switch task.stored {
        case .nothing:
            return outcome(of: task.tile, old: nil, added: task.added, &maker)
        case .log(let log):
            return outcome(of: task.tile, old: log, added: task.added, &maker)
        case .dense(let tile, let changing):
            let change = maker.change(
                of: tile, removing: removed, changing: changing, adding: task.added, oldTracks: oldTracks,
                newTracks: newTracks, layers: layers(in: task.tile))
            guard let change else { return TileOutcome(tile: task.tile, rows: .unknown(task)) }
            return TileOutcome(tile: task.tile, rows: .changed(change), histograms: change.histograms)
        }
    }

    /// The outcome of a tile of which the whole log is known.
    func outcome(of tile: UInt64, old: [UInt8]?, added: [UInt8]?, _ maker: inout TileBuilder) -> TileOutcome {
        var outcome = TileOutcome(tile: tile, rows: .removed)
        let layers = layers(in: tile)
        var logs: [[UInt8]] = []
        if let old {
            outcome.histograms.subtract(maker.row(log: old, tracks: oldTracks, layers: layers).histograms)
            let kept = removed.isEmpty ? old : TileLog<CellDeltas>.removing(removed, from: old) ?? old
            if !kept.isEmpty { logs.append(kept) }
        }
        if let added { logs.append(added) }
        guard !logs.isEmpty else { return outcome }
        let (row, histograms) = maker.row(
            log: TileLog<CellDeltas>.merged(logs), tracks: newTracks, layers: layers)
        outcome.rows = .replaced(row)
        outcome.histograms.add(histograms)
        return outcome
    }
}

/// Works on one batch in the background while the caller gathers the next and writes the last.
struct Prefetcher<Result: Sendable> {
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
