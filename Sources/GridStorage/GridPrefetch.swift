package import Database
public import HeatGrid
import LineGrid
public import TileMath

/// What is going to be read from a snapshot of the grid, so that a remote database answers all of it in one message. What
/// is missing here is asked for when it is needed.
public struct GridPrefetch: Sendable {
    /// Tiles whose content digests are read together.
    public var digests: [TileKey?] = []
    /// Tiles whose counts are read.
    public var tiles: [TileKey] = []
    /// Rows that are read of each of these tiles if it is dense.
    public var denseRows: [DenseTileRow] = []
    /// Tiles whose lines are read, with the long steps near them.
    public var lines: [TileKey] = []
    /// Tiles of whose lines the stored rasters are listed, and whether those with codes of a property are meant.
    public var rasters: (tiles: [TileKey], haveCodes: Bool) = ([], false)
    /// Statements for other tables of the same database.
    package var others: [Query] = []

    /// Only the state of the grid.
    public init() {}

    fileprivate var queries: [Query] {
        var queries = [Query(GridReader.stateRows)]
        if !digests.isEmpty { queries += GridReader.digestQueries(of: digests) }
        for tile in tiles {
            queries.append(Query(GridReader.tileRow, [.integer(Int64(tile.packed))]))
            queries += denseRows.map { StoredRows.query(for: $0, of: tile.packed) }
        }
        if !lines.isEmpty { queries.append(GridReader.firstOfLongSteps) }
        for tile in lines {
            queries.append(Query(GridReader.lineRow, [.integer(Int64(tile.packed))]))
            if tile.zoom > 0 { queries.append(GridReader.longStepRows(above: tile)) }
        }
        let table = rasters.haveCodes ? BlobTable.lineCodes : .lineRasters
        queries += rasters.tiles.map { GridReader.linePeriods(in: table, of: $0.packed) }
        return queries + others
    }
}

extension GridReader {
    /// Asks a remote database for all that is named; does nothing with a database on this machine.
    public func prefetch(_ prefetch: @autoclosure () throws -> GridPrefetch) throws {
        try session.prefetch(prefetch().queries)
    }

    /// Asks a remote database for the rows of tiles and, in one more message, for the further rows of those that are dense
    /// that `counts(of:_:using:)` reads.
    public func prefetchCounts(
        of tiles: @autoclosure () -> [TileKey], _ queries: @autoclosure () -> [CountQuery]
    ) throws {
        // The closure runs only where it makes reading faster.
        try session.prefetch(
            {
                let (tiles, queries) = (tiles(), queries())
                var prefetch = GridPrefetch()
                prefetch.tiles = tiles
                try self.prefetch(prefetch)
                return try tiles.flatMap { tile in try queries.flatMap { try denseQueries(of: tile, $0) } }
            }())
    }

    private func denseQueries(of tile: TileKey, _ query: CountQuery) throws -> [Query] {
        let rows = StoredRows(tile: tile.packed, session: session)
        return try session.first(Self.tileRow, [.integer(Int64(tile.packed))]) { row in
            guard row.integer(0) != 0 else { return [] }
            return try row.withTile(tile.packed) { data in
                try TileReader.rowsNeeded(dense: data, rows: rows, query).map {
                    StoredRows.query(for: $0, of: tile.packed)
                }
            }
        } ?? []
    }
}
