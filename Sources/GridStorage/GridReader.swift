package import Database
internal import Digest
public import HeatGrid
public import TileLog
public import TileMath

/// An activity with a layer of its own.
public struct GridActivity: Sendable, Equatable {
    /// The number of the layer in tiles and histograms, 1–254.
    public var number: UInt8
    /// The name of the activity and of the layer.
    public var name: String
}

/// Reads a snapshot of a grid; valid only within the closure that gets it.
public final class GridReader {
    package let session: any Session

    init(_ session: any Session) {
        self.session = session
    }

    /// The state of the grid; nil if it was never built.
    public func state() throws -> GridState? {
        var values: [[UInt8]] = []
        // In order of name: digest, fingerprint, layers, revision. One statement, because every tile request reads the
        // state.
        try session.forEach(Self.stateRows) { values.append($0.blob(0)) }
        guard values.count == 4, let digest = ContentDigest(bytes: values[0]),
            let fingerprint = ContentDigest(bytes: values[1]), let layers = ContentDigest(bytes: values[2]),
            let revision = Self.number(values[3])
        else { return nil }
        return GridState(revision: revision, digest: digest, fingerprint: fingerprint, layers: layers)
    }

    /// The digest of a tile's content; 0 for an empty tile.
    public func contentDigest(of tile: TileKey) throws -> UInt64 {
        let stored = try session.integer("SELECT digest FROM tiles WHERE key = $1", [.integer(Int64(tile.packed))])
        return UInt64(bitPattern: stored ?? 0)
    }

    /// The digests of tiles, in their order; 0 for tiles without content, and for those that are nil.
    public func contentDigests(of tiles: [TileKey?]) throws -> [UInt64] {
        var digests = [UInt64](repeating: 0, count: tiles.count)
        for (query, first) in zip(
            Self.digestQueries(of: tiles), stride(from: 0, to: tiles.count, by: Self.digestsPerQuery))
        {
            let end = min(first + Self.digestsPerQuery, tiles.count)
            try session.forEach(query.sql, query.values) { row in
                for index in first..<end where tiles[index].map({ Int64($0.packed) }) == row.integer(0) {
                    digests[index] = UInt64(bitPattern: row.integer(1))
                }
            }
        }
        return digests
    }

    /// The queries of `contentDigests`.
    static func digestQueries(of tiles: [TileKey?]) -> [Query] {
        stride(from: 0, to: tiles.count, by: digestsPerQuery).map { first in
            let keys = tiles[first..<min(first + digestsPerQuery, tiles.count)].map {
                $0.map { Int64($0.packed) } ?? noTile
            }
            return Query(digestRows, values(of: keys, count: digestsPerQuery))
        }
    }

    /// Keys as the values of a statement with `count` parameters.
    static func values(of keys: [Int64], count: Int) -> [Value] {
        (0..<count).map { .integer($0 < keys.count ? keys[$0] : noTile) }
    }

    /// A tile and its neighbours. Shorter lists are padded, so that one prepared statement serves all of them.
    private static let digestsPerQuery = 9
    /// No tile has this key.
    private static let noTile: Int64 = -1
    static let stateRows = "SELECT value FROM meta ORDER BY name"
    private static let digestRows = "SELECT key, digest FROM tiles WHERE key IN ($1, $2, $3, $4, $5, $6, $7, $8, $9)"

    /// The packed keys of all tiles touched since a state; nil if this is no longer known, so that any tile may have
    /// changed.
    public func tilesTouched(since state: GridState) throws -> Set<UInt64>? {
        guard let now = try self.state(), now.fingerprint == state.fingerprint else { return nil }
        var revision = now.revision
        var tiles: Set<UInt64> = []
        while revision > state.revision {
            let row = try session.first("SELECT since, tiles FROM touched WHERE revision = $1", [.integer(revision)]) {
                row in
                let checksum = GridRowChecksum(.touched, key: revision).adding(row.integer(0))
                return (since: row.integer(0), tiles: GridSchema.decoded(ascending: try row.checkedBlob(1, checksum)))
            }
            // A row that does not lead to an earlier revision would never end the loop.
            guard let row, row.since < revision else { return nil }
            tiles.formUnion(row.tiles)
            revision = row.since
        }
        return revision == state.revision ? tiles : nil
    }

    /// The bounding box of all occupied tiles of zoom level 16 (half a kilometre wide), or of zoom level 12 (10 km) if
    /// those are many. It crosses 180° if that is the shorter way round; nil if no tile is occupied.
    public func occupiedBounds() throws -> BoundingBox? {
        guard let coarse = ZoomLevel(12) else { return nil }
        // Each has at most 256 tiles below it; this many are read in a few milliseconds.
        let isSmall = try occupiedCount(zoom: coarse) <= 64
        return try occupiedBounds(at: isSmall ? .deepestGrid : coarse)
    }

    private func occupiedBounds(at level: ZoomLevel) throws -> BoundingBox? {
        // Shifts bind tighter than sums in Swift: below, `start + 1 << 32` is the first key of the next zoom level.
        let start = Int64(level.number) << 32
        let codes = try session.rows(
            "SELECT key FROM tiles WHERE key >= $1 AND key < $2", [.integer(start), .integer(start + 1 << 32)]
        ) { UInt64($0.integer(0)) & 0xFFFF_FFFF }
        guard !codes.isEmpty else { return nil }
        let columns = Set(codes.map { Int(Morton.x(of: $0)) }).sorted()
        let rows = codes.map { Int(Morton.y(of: $0)) }
        let side = level.tilesPerSide
        // The widest gap between occupied columns is left outside: a library near 180° gets a box that crosses it.
        var best = (
            gap: columns[0] + side - columns[columns.count - 1], west: columns[0], east: columns[columns.count - 1]
        )
        for (left, right) in zip(columns, columns.dropFirst()) where right - left > best.gap {
            best = (right - left, right, left)
        }
        guard let north = rows.min(), let south = rows.max(),
            let northWest = TileCoordinate(zoom: level, x: best.west, y: north),
            let southEast = TileCoordinate(zoom: level, x: best.east, y: south)
        else { return nil }
        let first = BoundingBox(of: northWest)
        let last = BoundingBox(of: southEast)
        return BoundingBox(west: first.west, south: last.south, east: last.east, north: first.north)
    }

    /// The counts of a query in a tile; empty if there are none.
    public func counts(of tile: TileKey, _ query: CountQuery, using reader: inout TileReader) throws -> CellCounts {
        let found = try session.first(
            Self.tileRow, [.integer(Int64(tile.packed))]
        ) { row in
            try row.withTile(tile.packed) { data in
                guard row.integer(0) != 0 else { return reader.counts(log: data, query) }
                return try reader.counts(
                    dense: data, rows: StoredRows(tile: tile.packed, session: session), query)
            }
        }
        return found ?? CellCounts()
    }

    /// The distribution of a query's counts in a tile.
    public func distribution(
        of tile: TileKey, _ query: CountQuery, using reader: inout TileReader
    ) throws -> CountDistribution {
        let found = try session.first(
            Self.tileRow, [.integer(Int64(tile.packed))]
        ) { row in
            try row.withTile(tile.packed) { data in
                guard row.integer(0) != 0 else { return CountDistribution(reader.counts(log: data, query)) }
                return try reader.distribution(
                    dense: data, rows: StoredRows(tile: tile.packed, session: session), query)
            }
        }
        return found ?? CountDistribution()
    }

    /// The fragments of a day in a tile that pass a filter, in order; the fragments of one person are adjacent.
    public func fragments(of tile: TileKey, day: Int32, _ filter: FragmentFilter) throws -> [FragmentOrder] {
        let key = Int64(tile.packed)
        return try session.first(Self.tileRow, [.integer(key)]) { row in
            try row.withTile(tile.packed) { data in
                guard row.integer(0) != 0 else { return DayFragments.of(day, in: data, filter) }
                var found: [FragmentOrder] = []
                let rows = StoredRows(tile: tile.packed, session: session)
                try rows.withMonthLog(period: LogMonths.period(ofDay: day)) {
                    found = DayFragments.of(day, in: $0, filter)
                }
                return found
            }
        } ?? []
    }

    /// The fragments of a query's days and tracks in a tile that pass through one of the given cells (ascending), in
    /// order.
    public func fragments(of tile: TileKey, through cells: [UInt16], _ query: CountQuery) throws -> [FragmentOrder] {
        guard let days = query.window.isAllTime ? Int32.min...Int32.max : query.window.days else { return [] }
        let dayFilter = query.window.isAllTime ? nil : days
        let key = [Value.integer(Int64(tile.packed))]
        var found: [FragmentOrder] = []
        let isDense = try session.first(Self.tileRow, key) { row in
            guard row.integer(0) == 0 else { return true }
            found = try row.withTile(tile.packed) {
                PassingFragments.of($0, through: cells, days: dayFilter, query.filter)
            }
            return false
        }
        guard isDense == true else { return found }
        let months = [
            GridSchema.logKey(tile.packed, period: LogMonths.period(ofDay: days.lowerBound)),
            GridSchema.logKey(tile.packed, period: LogMonths.period(ofDay: days.upperBound)),
        ]
        try session.forEach("SELECT data, key FROM logs WHERE key >= $1 AND key <= $2 ORDER BY key", months) { row in
            found += try row.withCheckedBlob(0, GridRowChecksum(.logs, key: row.integer(1))) {
                PassingFragments.of($0, through: cells, days: dayFilter, query.filter)
            }
        }
        return found
    }

    /// The number of cells of a zoom level for each count, over all time.
    public func histogram(zoom: ZoomLevel, layer: UInt8) throws -> CountHistogram {
        let key = GridSchema.histogramKey(zoom: zoom.number, layer: layer)
        let data = try session.first("SELECT data FROM histograms WHERE key = $1", [.integer(key)]) {
            try $0.checkedBlob(0, GridRowChecksum(.histograms, key: key))
        }
        return data.map { GridSchema.decodedHistogram($0) } ?? CountHistogram()
    }

    /// Up to `limit` occupied tiles of a zoom level after `last` (from the first if nil), in Morton order.
    public func occupiedTiles(zoom: ZoomLevel, after last: TileKey?, limit: Int) throws -> [TileKey] {
        try tiles(in: "tiles", zoom: zoom, after: last, limit: limit)
    }

    /// Up to `limit` tiles of a zoom level that a table has a row for, after `last`, in Morton order.
    func tiles(in name: String, zoom: ZoomLevel, after last: TileKey?, limit: Int) throws -> [TileKey] {
        let level = Int64(zoom.number) << 32
        return try session.rows(
            "SELECT key FROM \(name) WHERE key > $1 AND key < $2 ORDER BY key LIMIT $3",
            [.integer(last.map { Int64($0.packed) } ?? level - 1), .integer(level + 1 << 32), .integer(limit)]
        ) { $0.integer(0) }.compactMap { TileKey(packed: UInt64($0)) }
    }

    /// The number of occupied tiles of a zoom level.
    public func occupiedCount(zoom: ZoomLevel) throws -> Int {
        try tileCount(in: "tiles", zoom: zoom)
    }

    /// The number of tiles of a zoom level that a table has a row for.
    func tileCount(in name: String, zoom: ZoomLevel) throws -> Int {
        let level = Int64(zoom.number) << 32
        let count = try session.integer(
            "SELECT count(*) FROM \(name) WHERE key >= $1 AND key < $2",
            [.integer(level), .integer(level + 1 << 32)])
        return Int(count ?? 0)
    }

    /// The activities that have layers, by number.
    public func activities() throws -> [GridActivity] {
        try session.rows("SELECT number, name FROM activities ORDER BY number") { row in
            GridActivity(number: UInt8(truncatingIfNeeded: row.integer(0)), name: row.text(1))
        }
    }

    /// The header row of a tile: digest, and log or directory and sum; nil if the tile is empty.
    func head(of tile: UInt64) throws -> (digest: UInt64, isDense: Bool, data: [UInt8])? {
        try session.first(Self.tileRow, [.integer(Int64(tile))]) { row in
            (UInt64(bitPattern: row.integer(2)), row.integer(0) != 0, try row.checkedBlob(1, row.tileChecksum(tile)))
        }
    }

    /// The log of one month of a dense tile; nil if it has none.
    func monthLog(of tile: UInt64, period: UInt16) throws -> [UInt8]? {
        try session.first("SELECT data, key FROM logs WHERE key = $1", [GridSchema.logKey(tile, period: period)]) {
            try $0.checkedBlob(0, GridRowChecksum(.logs, key: $0.integer(1)))
        }
    }

    /// The month logs of a tile in `logs` or `line_logs`, ascending; none if the tile is not stored by month.
    func monthLogs(of tile: UInt64, in table: BlobTable = .logs) throws -> [MonthLog] {
        try session.rows(
            "SELECT key, data FROM \(table.name) WHERE key >= $1 AND key <= $2 ORDER BY key",
            [GridSchema.logKey(tile, period: 0), GridSchema.logKey(tile, period: .max)]
        ) { row in
            MonthLog(
                period: UInt16(truncatingIfNeeded: row.integer(0)),
                log: try row.checkedBlob(1, GridRowChecksum(table.checksum, key: row.integer(0))))
        }
    }

    /// The all-time sums of the activities in a dense tile.
    func allTimeSums(of tile: UInt64) throws -> [TileRow.Sum] {
        try session.rows(
            "SELECT key, data FROM sums WHERE key >= $1 AND key <= $2 AND key & 65535 = 65535 ORDER BY key",
            [GridSchema.sumKey(tile, layer: 0, period: 0), GridSchema.sumKey(tile, layer: .max, period: .max)]
        ) { row in
            TileRow.Sum(
                layer: UInt8(truncatingIfNeeded: row.integer(0) >> 16), period: .max,
                data: try row.checkedBlob(1, GridRowChecksum(.sums, key: row.integer(0))))
        }
    }

    /// The whole log of a tile, however it is stored; nil if the tile is empty.
    package func log(of tile: UInt64) throws -> [UInt8]? {
        guard let row = try head(of: tile) else { return nil }
        return row.isDense ? TileRow.log(data: [], months: try monthLogs(of: tile).map(\.log)) : row.data
    }

    /// All stored rows of a tile, as `TileBuilder` returns them; nil if the tile is empty.
    package func row(of tile: UInt64) throws -> TileRow? {
        guard
            var row = try session.first(
                Self.tileRow, [.integer(Int64(tile))],
                { stored in
                    TileRow(
                        digest: UInt64(bitPattern: stored.integer(2)), visits: Int(stored.integer(3)),
                        cells: Int(stored.integer(4)), data: try stored.checkedBlob(1, stored.tileChecksum(tile)),
                        months: [],
                        sums: [])
                })
        else { return nil }
        row.months = try monthLogs(of: tile)
        row.sums = try session.rows(
            "SELECT key, data FROM sums WHERE key >= $1 AND key <= $2 ORDER BY key",
            [GridSchema.sumKey(tile, layer: 0, period: 0), GridSchema.sumKey(tile, layer: .max, period: .max)]
        ) { stored in
            let key = stored.integer(0)
            return TileRow.Sum(
                layer: UInt8(truncatingIfNeeded: key >> 16), period: UInt16(truncatingIfNeeded: key),
                data: try stored.checkedBlob(1, GridRowChecksum(.sums, key: key)))
        }
        row.layers = try layers().flatMap { try layerRows(of: tile, layer: $0.number) }
        return row
    }

    private static func number(_ bytes: [UInt8]) -> Int64? {
        Int64(String(decoding: bytes, as: UTF8.self))
    }
}

extension GridReader {
    /// The columns that `withTile` reads.
    static let tileRow = "SELECT dense, data, digest, visits, cells FROM tiles WHERE key = $1"
}

extension Row {
    /// The checksum of a row of `GridReader.tileRow`.
    func tileChecksum(_ tile: UInt64) -> GridRowChecksum {
        GridRowChecksum.tile(tile, digest: integer(2), visits: integer(3), cells: integer(4), dense: integer(0))
    }

    /// Calls `body` with the data of a row of `GridReader.tileRow`, in the database's memory.
    func withTile<Result>(_ tile: UInt64, _ body: (borrowing Span<UInt8>) throws -> Result) throws -> Result {
        try withCheckedBlob(1, tileChecksum(tile), body)
    }
}
