import Dispatch
import HeatGrid
import Locking
import Parallelism
import TileLog
import Tracks

/// The common input for all tiles of one update.
struct TilePass: Sendable {
    /// Tracks whose fragments are removed.
    let removed: Set<Int64>
    /// The months in which these have person-days.
    let removedMonths: Set<UInt16>
    /// The properties of tracks before the update.
    let oldTracks: GridTracks
    /// The properties of tracks after the update.
    let newTracks: GridTracks
    /// The rule that says when tiles store sums.
    let rule: SumRule
    let layers: [GridLayer]

    /// The numbers of the operator's layers that are built for a tile, ascending.
    func layers(in tile: UInt64) -> [UInt8] {
        layers.filter { $0.includes(tile) }.map(\.number)
    }
}

/// The change of one tile: the stored rows and the added log.
struct TileTask: Sendable {
    /// The stored rows of the tile that its change needs.
    enum Stored: Sendable {
        case nothing
        case log([UInt8])
        case dense(DenseTile, changing: Set<UInt16>)
    }

    /// The packed key.
    var tile: UInt64
    var stored: Stored
    var added: [UInt8]?

    /// Approximate size in bytes.
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

/// The result of a task.
struct TileRowsChange: Sendable {
    /// How the stored rows change.
    enum Rows: Sendable {
        case removed
        case replaced(TileRow)
        case changed(DenseChange)
        /// The rows that were read do not suffice: the tile must be built from its whole log.
        case unknown(TileTask)
    }

    var tile: UInt64
    var rows: Rows
    var histograms = LayerHistograms()

    /// Approximate bytes of rows to write.
    var byteCount: Int {
        switch rows {
        case .removed, .unknown: 0
        case .replaced(let row): row.data.count + row.months.reduce(0) { $0 + $1.log.count }
        case .changed(let change): change.row.data.count + change.months.reduce(0) { $0 + ($1.log?.count ?? 0) }
        }
    }
}

extension TilePass {
    /// The outcomes of tasks, computed on all cores, in the order of the tasks.
    func outcomes(of tasks: [TileTask]) -> [TileRowsChange] {
        tasks.parallelMap(state: { TileBuilder(rule: rule) }) { builder, task in outcome(of: task, &builder) }
            .sorted { $0.tile < $1.tile }
    }

    private func outcome(of task: TileTask, _ builder: inout TileBuilder) -> TileRowsChange {
        switch task.stored {
        case .nothing:
            return outcome(of: task.tile, old: nil, added: task.added, &builder)
        case .log(let log):
            return outcome(of: task.tile, old: log, added: task.added, &builder)
        case .dense(let tile, let changing):
            let change = builder.change(
                of: tile, removing: removed, changing: changing, adding: task.added, oldTracks: oldTracks,
                newTracks: newTracks, layers: layers(in: task.tile))
            guard let change else { return TileRowsChange(tile: task.tile, rows: .unknown(task)) }
            return TileRowsChange(tile: task.tile, rows: .changed(change), histograms: change.histograms)
        }
    }

    /// The outcome of a tile whose whole log is known.
    func outcome(of tile: UInt64, old: [UInt8]?, added: [UInt8]?, _ builder: inout TileBuilder) -> TileRowsChange {
        var outcome = TileRowsChange(tile: tile, rows: .removed)
        let layers = layers(in: tile)
        var logs: [[UInt8]] = []
        if let old {
            outcome.histograms.subtract(builder.row(log: old, tracks: oldTracks, layers: layers).histograms)
            let kept = removed.isEmpty ? old : TileLog<CellDeltas>.removing(removed, from: old) ?? old
            if !kept.isEmpty { logs.append(kept) }
        }
        if let added { logs.append(added) }
        guard !logs.isEmpty else { return outcome }
        let (row, histograms) = builder.row(
            log: TileLog<CellDeltas>.merged(logs), tracks: newTracks, layers: layers)
        outcome.rows = .replaced(row)
        outcome.histograms.add(histograms)
        return outcome
    }
}

/// Computes one batch in the background while the caller collects the next and writes the previous one.
struct Prefetcher<Result: Sendable> {
    private let queue = DispatchQueue(label: "tileserve.grid", qos: .utility)
    private var next: (@Sendable () -> Result)?
    private var running: (group: DispatchGroup, result: Locked<Result?>)?

    /// Sets the work that the next call of `advance` starts.
    mutating func prepare(_ work: @escaping @Sendable () -> Result) {
        next = work
    }

    /// Waits for the work started by the previous call, starts the prepared work, and returns the result of the former;
    /// nil if there was none.
    mutating func advance() -> Result? {
        let finished = running
        running = nil
        finished?.group.wait()
        if let work = next {
            next = nil
            let group = DispatchGroup()
            let result = Locked<Result?>(nil)
            queue.async(group: group) {
                let value = work()
                result.withLock { $0 = value }
            }
            running = (group, result)
        }
        return finished?.result.withLock { $0 }
    }
}
