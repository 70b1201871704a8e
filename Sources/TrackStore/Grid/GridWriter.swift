import Digest
import HeatGrid
import SQLite
import TileMath
import Tracks

/// Writes rows of a grid, within a transaction of the caller.
struct GridWriter {
    let connection: Connection

    /// Empties every table.
    func removeAll() throws {
        try connection.deleteAll(from: GridSchema.tableNames)
    }

    /// Writes the new rows of a tile; `layers` are the operator's layers that are built for it.
    func write(_ outcome: TileOutcome, layers: [UInt8]) throws {
        let tile = outcome.tile
        switch outcome.rows {
        case .removed:
            try removeRows(of: tile, layers: layers)
            try connection.run("DELETE FROM tiles WHERE key = ?", [.integer(Int64(tile))])
        case .replaced(let row):
            try removeRows(of: tile, layers: layers)
            try write(head: row, of: tile, isDense: row.isDense)
            for month in row.months { try write(month.log, of: tile, period: month.period) }
            for sum in row.sums { try write(sum.data, of: tile, layer: sum.layer, period: sum.period) }
            for sum in row.layers { try write(layerRow: sum.data, of: tile, layer: sum.layer, period: sum.period) }
        case .changed(let change):
            try write(head: change.row, of: tile, isDense: true)
            for (period, log) in change.months { try write(log, of: tile, period: period) }
            for (layer, period, data) in change.sums { try write(data, of: tile, layer: layer, period: period) }
            for (layer, period, data) in change.layers {
                try write(layerRow: data, of: tile, layer: layer, period: period)
            }
        case .unknown:
            preconditionFailure("an unknown outcome cannot be written")
        }
    }

    /// Applies changes of histograms, keyed by `zoom << 8 | layer`.
    func write(_ changes: [Int64: CountHistogram]) throws {
        for (key, change) in changes {
            let checksum = GridRowChecksum(.histograms, key: key)
            let stored = try connection.first("SELECT data FROM histograms WHERE key = ?", [.integer(key)]) {
                try $0.checkedBlob(0, checksum)
            }
            var histogram = stored.map { GridSchema.decodedHistogram($0) } ?? CountHistogram()
            histogram.add(change)
            if histogram.isEmpty {
                try connection.run("DELETE FROM histograms WHERE key = ?", [.integer(key)])
            } else {
                try connection.run(
                    "INSERT OR REPLACE INTO histograms VALUES (?, ?)",
                    [.integer(key), checksum.blobWithChecksum(GridSchema.encoded(histogram))])
            }
        }
    }

    /// Writes the rows of tracks, after deleting those of removed tracks.
    func write(_ rasterised: [RasterisedTrack], removed: Set<Int64>) throws {
        for number in removed { try connection.run("DELETE FROM tracks WHERE number = ?", [.integer(number)]) }
        for entry in rasterised {
            try write(entry)
            guard entry.track.activityNumber != 0, let name = entry.track.activity else { continue }
            try connection.run(
                "INSERT OR REPLACE INTO activities VALUES (?, ?)",
                [.integer(Int(entry.track.activityNumber)), .text(name)])
        }
        try connection.run("DELETE FROM activities WHERE number NOT IN (SELECT DISTINCT activity FROM tracks)")
    }

    private func write(_ entry: RasterisedTrack) throws {
        let (number, seed) = (entry.track.number, Int64(bitPattern: entry.seed))
        let activity = Int64(entry.track.activityNumber)
        let start = entry.track.start == PointChunk.untimed ? nil : entry.track.start
        let days = (first: entry.days.map { Int64($0.lowerBound) }, last: entry.days.map { Int64($0.upperBound) })
        let months = GridSchema.encoded(ascending: entry.months.sorted().map { UInt64($0) })
        try connection.run(
            "INSERT INTO tracks VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                .integer(number), .integer(seed), .integer(activity), .integer(orNull: start),
                .integer(orNull: days.first), .integer(orNull: days.last),
                GridRowChecksum.track(number, seed: seed, activity: activity, start: start, days: days)
                    .blobWithChecksum(months),
                GridRowChecksum(.trackTiles, key: number).blobWithChecksum(GridSchema.encoded(ascending: entry.tiles)),
            ])
    }

    /// The number of changes whose tiles are stored, for processes that have drawn from the grid and ask what changed
    /// since.
    private static let maxTouchedRevisions = 64
    /// A change of more tiles than this is treated as a change of all tiles.
    private static let maxTouchedTiles = 200_000

    /// Stores which tiles a change touched.
    func write(touched tiles: [UInt64], since: Int64, revision: Int64) throws {
        guard tiles.count <= Self.maxTouchedTiles else { return try connection.run("DELETE FROM touched") }
        try connection.run(
            "INSERT OR REPLACE INTO touched VALUES (?, ?, ?)",
            [
                .integer(revision), .integer(since),
                GridRowChecksum(.touched, key: revision).adding(since).blobWithChecksum(
                    GridSchema.encoded(ascending: tiles)),
            ])
        try connection.run(
            "DELETE FROM touched WHERE revision NOT IN (SELECT revision FROM touched ORDER BY revision DESC LIMIT ?)",
            [.integer(Self.maxTouchedRevisions)])
    }

    /// Writes the state of the grid.
    func write(_ state: GridState) throws {
        let values: [(String, [UInt8])] = [
            ("revision", Array("\(state.revision)".utf8)), ("digest", state.digest.bytes),
            ("fingerprint", state.fingerprint.bytes), ("layers", state.layers.bytes),
        ]
        for (name, value) in values {
            try connection.run("INSERT OR REPLACE INTO meta VALUES (?, ?)", [.text(name), .blob(value)])
        }
    }

    private func removeRows(of tile: UInt64, layers: [UInt8]) throws {
        for layer in layers {
            try connection.run(
                "DELETE FROM layer_rows WHERE key >= ? AND key <= ?",
                [
                    GridSchema.layerRowKey(tile, layer: layer, period: 0),
                    GridSchema.layerRowKey(tile, layer: layer, period: .max),
                ])
        }
        try connection.run(
            "DELETE FROM logs WHERE key >= ? AND key <= ?",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
        try connection.run(
            "DELETE FROM sums WHERE key >= ? AND key <= ?",
            [GridSchema.sumKey(tile, layer: 0, period: 0), GridSchema.sumKey(tile, layer: .max, period: .max)])
    }

    private func write(head row: TileRow, of tile: UInt64, isDense: Bool) throws {
        let checksum = GridRowChecksum.tile(
            tile, digest: Int64(bitPattern: row.digest), visits: Int64(row.visits), cells: Int64(row.cells),
            dense: isDense ? 1 : 0)
        try connection.run(
            "INSERT OR REPLACE INTO tiles VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(Int64(tile)), .integer(Int64(bitPattern: row.digest)), .integer(row.visits),
                .integer(row.cells), .integer(isDense ? 1 : 0), checksum.blobWithChecksum(row.data),
            ])
    }

    private func write(_ log: [UInt8]?, of tile: UInt64, period: UInt16) throws {
        try write(log, "logs", .logs, GridSchema.logNumber(tile, period: period))
    }

    /// Writes a header or a sum of an operator's layer; nil deletes it.
    func write(layerRow data: [UInt8]?, of tile: UInt64, layer: UInt8, period: UInt16) throws {
        try write(data, "layer_rows", .layerRows, GridSchema.layerRowNumber(tile, layer: layer, period: period))
    }

    private func write(_ sum: [UInt8]?, of tile: UInt64, layer: UInt8, period: UInt16) throws {
        try write(sum, "sums", .sums, GridSchema.sumNumber(tile, layer: layer, period: period))
    }

    /// Writes a row with a key and a blob; nil deletes it.
    func write(_ data: [UInt8]?, _ name: String, _ table: GridRowChecksum.Table, _ key: Int64) throws {
        guard let data else { return try connection.run("DELETE FROM \(name) WHERE key = ?", [.integer(key)]) }
        try connection.run(
            "INSERT OR REPLACE INTO \(name) VALUES (?, ?)",
            [.integer(key), GridRowChecksum(table, key: key).blobWithChecksum(data)])
    }
}
