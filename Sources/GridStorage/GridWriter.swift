import Countries
import Database
import Digest
import HeatGrid
import Statistics
import TileLog
import Tracks

/// Writes rows of a grid, within a transaction of the caller.
struct GridWriter {
    let session: any Session
    /// Of a grid that is built from nothing; its rows are written by `finish()`.
    private(set) var newRows: NewRows?

    init(session: any Session) {
        self.session = session
    }

    /// A writer of tables that have no rows.
    init(ofEmptyTablesIn session: any Session) {
        self.session = session
        newRows = NewRows()
    }

    /// Writes what was collected.
    func finish() throws {
        try newRows?.load(into: session)
    }

    /// Inserts a row, or replaces it by `statement`.
    func insert(_ values: [Value], into table: String, _ statement: String) throws {
        guard let newRows else { return try session.run(statement, values) }
        newRows.add(values, to: table)
        if newRows.isFull { try finish() }
    }

    /// Empties every table.
    func removeAll() throws {
        try session.deleteAll(from: LibraryTables.grid)
    }

    /// Writes the new rows of a tile; `layers` are the operator's layers that are built for it.
    func write(_ outcome: TileRowsChange, layers: [UInt8]) throws {
        let tile = outcome.tile
        switch outcome.rows {
        case .removed:
            try removeRows(of: tile, layers: layers)
            try session.run("DELETE FROM tiles WHERE key = $1", [.integer(Int64(tile))])
        case .replaced(let row):
            try removeRows(of: tile, layers: layers)
            try write(head: row, of: tile, isDense: row.isDense)
            for month in row.months { try write(month.log, of: tile, period: month.period) }
            for sum in row.sums { try write(sum.data, of: tile, layer: sum.layer, period: sum.period) }
            for sum in row.layers { try write(layerRow: sum.data, of: tile, layer: sum.layer, period: sum.period) }
        case .changed(let change):
            try write(head: change.row, of: tile, isDense: true)
            for (period, log) in change.months { try write(log, of: tile, period: period) }
            for sum in change.sums { try write(sum.data, of: tile, layer: sum.layer, period: sum.period) }
            for sum in change.layers { try write(layerRow: sum.data, of: tile, layer: sum.layer, period: sum.period) }
        case .unknown:
            preconditionFailure("an unknown outcome cannot be written")
        }
    }

    /// Applies changes of histograms, keyed by `zoom << 8 | layer`.
    func write(_ changes: [Int64: CountHistogram]) throws {
        for (key, change) in changes {
            let checksum = GridRowChecksum(.histograms, key: key)
            let stored = try session.first("SELECT data FROM histograms WHERE key = $1", [.integer(key)]) {
                try $0.checkedBlob(0, checksum)
            }
            var histogram = stored.map { GridSchema.decodedHistogram($0) } ?? CountHistogram()
            histogram.add(change)
            // An updated grid has to equal a rebuilt one, which has no row of an empty histogram.
            if histogram.isEmpty {
                try session.run("DELETE FROM histograms WHERE key = $1", [.integer(key)])
            } else {
                try session.run(
                    "INSERT INTO histograms VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET data = excluded.data",
                    [.integer(key), checksum.blobWithChecksum(GridSchema.encoded(histogram))])
            }
        }
    }

    /// Writes the rows of tracks, after deleting those of removed tracks.
    func write(_ rasterised: [RasterisedTrack], _ rows: GatheredTrackRows, removed: Set<Int64>) throws {
        for number in removed {
            try session.run("DELETE FROM tracks WHERE number = $1", [.integer(number)])
            for table in TrackRows.tables { try write(nil, table, number) }
        }
        let entries = Dictionary(uniqueKeysWithValues: rasterised.map { ($0.track.number, $0) })
        try rows.takeEach { number, rows in
            guard let entry = entries[number] else { return }
            try write(entry, tiles: rows.tiles)
            for (table, bytes) in zip(TrackRows.tables, rows.rows) where !bytes.isEmpty {
                try write(bytes, table, number)
            }
            guard entry.track.activityNumber != 0, let name = entry.track.activity else { return }
            try session.run(
                "INSERT INTO activities VALUES ($1, $2) ON CONFLICT (number) DO UPDATE SET name = excluded.name",
                [.integer(Int(entry.track.activityNumber)), .text(name)])
        }
        // The tracks have to be there.
        try finish()
        try session.run("DELETE FROM activities WHERE number NOT IN (SELECT DISTINCT activity FROM tracks)")
    }

    private func write(_ entry: RasterisedTrack, tiles: [UInt8]) throws {
        let (number, digest) = (entry.track.number, Int64(bitPattern: entry.digest))
        let activity = Int64(entry.track.activityNumber)
        let start = entry.track.start == PointColumns.untimed ? nil : entry.track.start
        let days = (first: entry.days.map { Int64($0.lowerBound) }, last: entry.days.map { Int64($0.upperBound) })
        let months = GridSchema.encoded(ascending: entry.months.sorted().map { UInt64($0) })
        try insert(
            [
                .integer(number), .integer(digest), .integer(activity), .integer(orNull: start),
                .integer(orNull: days.first), .integer(orNull: days.last),
                GridRowChecksum.track(number, digest: digest, activity: activity, start: start, days: days)
                    .blobWithChecksum(months),
                GridRowChecksum(.trackTiles, key: number).blobWithChecksum(tiles),
            ], into: "tracks", "INSERT INTO tracks VALUES ($1, $2, $3, $4, $5, $6, $7, $8)")
    }

    /// The number of changes whose tiles are stored, for processes that have drawn from the grid and ask what changed
    /// since.
    private static let maxTouchedRevisions = 64
    /// A change of more tiles than this is treated as a change of all tiles.
    private static let maxTouchedTiles = 200_000

    /// Stores which tiles a change touched.
    func write(touched tiles: [UInt64], since: Int64, revision: Int64) throws {
        guard tiles.count <= Self.maxTouchedTiles else { return try session.run("DELETE FROM touched") }
        try session.run(
            """
            INSERT INTO touched VALUES ($1, $2, $3)
            ON CONFLICT (revision) DO UPDATE SET since = excluded.since, tiles = excluded.tiles
            """,
            [
                .integer(revision), .integer(since),
                GridRowChecksum(.touched, key: revision).adding(since).blobWithChecksum(
                    GridSchema.encoded(ascending: tiles)),
            ])
        try session.run(
            "DELETE FROM touched WHERE revision NOT IN (SELECT revision FROM touched ORDER BY revision DESC LIMIT $1)",
            [.integer(Self.maxTouchedRevisions)])
    }

    /// Writes the state of the grid.
    func write(_ state: GridState) throws {
        let values: [(String, [UInt8])] = [
            ("revision", Array("\(state.revision)".utf8)), ("digest", state.digest.bytes),
            ("fingerprint", state.fingerprint.bytes), ("layers", state.layers.bytes),
        ]
        for (name, value) in values {
            try session.run(
                "INSERT INTO meta VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
                [.text(name), .blob(value)])
        }
    }

    private func removeRows(of tile: UInt64, layers: [UInt8]) throws {
        guard newRows == nil else { return }
        for layer in layers {
            try session.run(
                "DELETE FROM layer_rows WHERE key >= $1 AND key <= $2",
                [
                    GridSchema.layerRowKey(tile, layer: layer, period: 0),
                    GridSchema.layerRowKey(tile, layer: layer, period: .max),
                ])
        }
        try session.run(
            "DELETE FROM logs WHERE key >= $1 AND key <= $2",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)])
        try session.run(
            "DELETE FROM sums WHERE key >= $1 AND key <= $2",
            [GridSchema.sumKey(tile, layer: 0, period: 0), GridSchema.sumKey(tile, layer: .max, period: .max)])
    }

    private func write(head row: TileRow, of tile: UInt64, isDense: Bool) throws {
        let checksum = GridRowChecksum.tile(
            tile, digest: Int64(bitPattern: row.digest), visits: Int64(row.visits), cells: Int64(row.cells),
            dense: isDense ? 1 : 0)
        try insert(
            [
                .integer(Int64(tile)), .integer(Int64(bitPattern: row.digest)), .integer(row.visits),
                .integer(row.cells), .integer(isDense ? 1 : 0), checksum.blobWithChecksum(row.data),
            ], into: "tiles",
            """
            INSERT INTO tiles VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, visits = excluded.visits, cells = excluded.cells,
            dense = excluded.dense, data = excluded.data
            """)
    }

    private func write(_ log: [UInt8]?, of tile: UInt64, period: UInt16) throws {
        try write(log, .logs, GridSchema.logNumber(tile, period: period))
    }

    /// Writes a header or a sum of an operator's layer; nil deletes it.
    func write(layerRow data: [UInt8]?, of tile: UInt64, layer: UInt8, period: UInt16) throws {
        try write(data, .layerRows, GridSchema.layerRowNumber(tile, layer: layer, period: period))
    }

    private func write(_ sum: [UInt8]?, of tile: UInt64, layer: UInt8, period: UInt16) throws {
        try write(sum, .sums, GridSchema.sumNumber(tile, layer: layer, period: period))
    }

    /// Writes a row with a key and a blob; nil deletes it.
    func write(_ data: [UInt8]?, _ table: BlobTable, _ key: Int64) throws {
        guard let data else {
            guard newRows == nil else { return }
            return try session.run(table.deletion, [.integer(key)])
        }
        try insert(
            [.integer(key), GridRowChecksum(table.checksum, key: key).blobWithChecksum(data)], into: table.name,
            table.insertion)
    }
}
