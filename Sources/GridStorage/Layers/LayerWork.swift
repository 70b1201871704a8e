import Database
import Foundation
import HeatGrid
import Parallelism
import TileLog

/// Builds the rows of new layers and deletes those of removed layers, in steps of one short transaction each.
///
/// A layer is built tile by tile in key order, and its progress is stored with it: a change of a tile before that
/// position updates the layer's rows there, and after a crash the work continues from there.
package final class LayerWork {
    private let session: any Session
    private let database: any Database
    private let rule: SumRule
    /// Only one process builds layers: two would take turns and be no faster.
    private let layerLock: any HeldLock
    private let stepTiles: Int
    /// The grid's tracks and the state at which they were read; reading them takes as long as a step.
    private var known: (state: GridState, tracks: GridTracks)?

    /// The limits of a step in bytes and tiles: about 20 ms of counting.
    private static let stepBytes = 8 << 20
    static let defaultStepTiles = 4096
    /// Rows deleted in one step.
    private static let stepRows = 5000
    /// The cost of a tile besides its visits, in visits.
    private static let tileVisits: Int64 = 100

    init(
        session: any Session, database: any Database, rule: SumRule, layerLock: any HeldLock, stepTiles: Int
    ) {
        self.session = session
        self.database = database
        self.rule = rule
        self.layerLock = layerLock
        self.stepTiles = stepTiles
    }

    private var reader: GridReader { GridReader(session) }
    private var writer: GridWriter { GridWriter(session: session) }

    /// Does one step and returns the layer it worked on, as it is now; nil if nothing is left to do.
    package func step() throws -> GridLayer? {
        guard try reader.hasLayerWork() else { return nil }
        let work = try totalWork()
        let lock = try database.lock(.grid)
        defer { withExtendedLifetime(lock) {} }
        return try session.transaction {
            guard let state = try reader.state(), let next = try next() else { return nil }
            if next.isBeingDeleted {
                try delete(next.layer.number)
            } else {
                try build(next, state, work: work)
            }
            return try reader.layers().first { $0.number == next.layer.number } ?? next.layer
        }
    }

    private struct Next {
        var layer: GridLayer
        var isBeingDeleted: Bool
        var cursor: Int64
    }

    private func next() throws -> Next? {
        // Deletion (state 2) comes first: it frees the number, which a new layer may be waiting for.
        try session.first(
            "SELECT number, name, condition, state, cursor FROM layers WHERE state > 0 ORDER BY state DESC, number DESC LIMIT 1"
        ) { row in
            let layer = GridLayer(
                number: UInt8(truncatingIfNeeded: row.integer(0)), name: row.text(1), condition: row.text(2),
                progress: .building(before: UInt64(bitPattern: row.integer(4)), share: 0))
            return Next(
                layer: layer, isBeingDeleted: row.integer(3) == LayerState.beingDeleted.rawValue, cursor: row.integer(4)
            )
        }
    }

    /// The total work of a layer that is about to be started; read before the lock is taken because it reads all tiles.
    private func totalWork() throws -> Int64? {
        guard try session.integer("SELECT 1 FROM layers WHERE state = 1 AND work = 0 LIMIT 1") != nil else {
            return nil
        }
        return try session.integer("SELECT CAST(sum(visits + $1) AS BIGINT) FROM tiles", [.integer(Self.tileVisits)])
            ?? 0
    }

    // MARK: Building

    private struct Task: Sendable {
        var tile: UInt64
        var isDense: Bool
        var data: [UInt8]
        var stored: StoredTile
    }

    private func build(_ next: Next, _ state: GridState, work: Int64?) throws {
        let (tasks, visits) = try gather(from: next.cursor)
        guard let last = tasks.last else { return try finish(next.layer.number, state) }
        let tracks = try tracks(at: state)
        var histograms: [Int64: CountHistogram] = [:]
        for built in Self.rows(of: next.layer.number, in: tasks, tracks: tracks, rule: rule) {
            for row in built.rows {
                try writer.write(layerRow: row.data, of: built.tile, layer: row.layer, period: row.period)
            }
            histograms.add(built.histograms, of: built.tile)
        }
        try writer.write(histograms)
        try session.run(
            "UPDATE layers SET cursor = $1, done = done + $2, work = coalesce($3, work) WHERE number = $4",
            [
                .integer(Int64(last.tile) + 1), .integer(visits), .integer(orNull: next.cursor == 0 ? work : nil),
                .integer(Int(next.layer.number)),
            ])
    }

    /// The next tiles with all their stored rows, and the visits they count for.
    private func gather(from cursor: Int64) throws -> (tasks: [Task], visits: Int64) {
        var tasks: [Task] = []
        var visits: Int64 = 0
        var bytes = 0
        try session.forEachWhile(
            "SELECT dense, data, digest, visits, cells, key FROM tiles WHERE key >= $1 ORDER BY key", [.integer(cursor)]
        ) { row in
            let tile = UInt64(bitPattern: row.integer(5))
            let data = try row.checkedBlob(1, row.tileChecksum(tile))
            tasks.append(Task(tile: tile, isDense: row.integer(0) != 0, data: data, stored: .log(data)))
            visits += row.integer(3) + Self.tileVisits
            // The months of a dense tile are stored elsewhere; a visit takes one or two bytes there.
            bytes += data.count + (row.integer(0) != 0 ? Int(row.integer(3)) : 0)
            return bytes < Self.stepBytes && tasks.count < stepTiles
        }
        for index in tasks.indices where tasks[index].isDense {
            tasks[index].stored = .dense(
                data: tasks[index].data, months: try reader.monthLogs(of: tasks[index].tile))
        }
        return (tasks, visits)
    }

    private func tracks(at state: GridState) throws -> GridTracks {
        if let known, known.state == state { return known.tracks }
        let tracks = try reader.tracks()
        known = (state, tracks)
        return tracks
    }

    private func finish(_ layer: UInt8, _ state: GridState) throws {
        try session.run(
            "UPDATE layers SET state = $1, cursor = 0, done = 0, work = 0 WHERE number = $2",
            [.integer(LayerState.ready.rawValue), .integer(Int(layer))])
        var after = state
        after.layers = try reader.layersDigest()
        try writer.write(after)
    }

    private typealias BuiltRows = (tile: UInt64, rows: [TileRow.Sum], histograms: LayerHistograms)

    /// A layer's rows in some tiles, computed on all cores.
    private static func rows(of layer: UInt8, in tasks: [Task], tracks: GridTracks, rule: SumRule) -> [BuiltRows] {
        tasks.parallelMap(state: { TileBuilder(rule: rule) }) { builder, task -> BuiltRows in
            let built = builder.rows(of: layer, in: task.stored, tracks: tracks)
            return (task.tile, built.rows, built.histograms)
        }.sorted { $0.tile < $1.tile }
    }

    // MARK: Deleting

    private func delete(_ layer: UInt8) throws {
        let keys = GridSchema.layerRowKeys(of: layer)
        try session.run(
            "DELETE FROM layer_rows WHERE key IN (SELECT key FROM layer_rows WHERE key >= $1 AND key <= $2 LIMIT $3)",
            [.integer(keys.lowerBound), .integer(keys.upperBound), .integer(Self.stepRows)])
        let left = try session.integer(
            "SELECT 1 FROM layer_rows WHERE key >= $1 AND key <= $2 LIMIT 1",
            [.integer(keys.lowerBound), .integer(keys.upperBound)])
        if left == nil { try session.run("DELETE FROM layers WHERE number = $1", [.integer(Int(layer))]) }
    }
}

extension GridStore {
    /// The exclusive right to build layers; nil if there is nothing to do or, unless `waiting`, another process has it.
    package func layerWork(waiting: Bool, stepTiles: Int = LayerWork.defaultStepTiles) throws -> LayerWork? {
        guard !isReadOnly, try read({ try $0.hasLayerWork() }) else { return nil }
        guard let layerLock = try waiting ? database.lock(.layers) : database.lockIfFree(.layers) else { return nil }
        return LayerWork(
            session: try database.writer(), database: database, rule: rule, layerLock: layerLock,
            stepTiles: stepTiles)
    }
}

extension [Int64: CountHistogram] {
    /// Adds the histograms of a tile, by their keys in the grid.
    mutating func add(_ histograms: LayerHistograms, of tile: UInt64) {
        for (layer, histogram) in histograms.byLayer {
            let key = GridSchema.histogramKey(zoom: Int(tile >> 32), layer: layer)
            self[key, default: CountHistogram()].add(histogram)
        }
    }
}
