import Dispatch
import HeatGrid
import Parallelism
import TileLog

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
