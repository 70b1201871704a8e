internal import Database
internal import SQLite
internal import TileMath

/// Writes SQLite as OsmAnd reads it (`.sqlitedb`), in the numbering of BigPlanet: zoom level z is stored as 17 − z.
///
/// The format has no table of pictures, so equal ones are stored for each tile.
enum OsmAndWriter {
    /// The zoom level that is stored as 0.
    private static let zeroZoom = 17

    static func write(_ spool: TileSpool, _ metadata: ArchiveMetadata, to path: String) throws {
        let tiles = spool.tiles(by: \.orderInMBTiles)
        let pictures = spool.pictures()
        let zooms = tiles.zooms ?? 0...0
        try ArchiveDatabase.write(to: path) { connection in
            // `timecolumn` no: tiles do not expire. Without `url`, nothing is downloaded.
            try connection.execute(
                """
                CREATE TABLE tiles (x INTEGER NOT NULL, y INTEGER NOT NULL, z INTEGER NOT NULL, s INTEGER NOT NULL, image BLOB NOT NULL);
                CREATE TABLE info (minzoom INTEGER, maxzoom INTEGER, url TEXT, tilenumbering TEXT, timecolumn TEXT, ellipsoid INTEGER, inverted_y INTEGER, tilesize INTEGER);
                """)
            try connection.run(
                "INSERT INTO info VALUES ($1, $2, '', 'BigPlanet', 'no', 0, 0, $3)",
                [
                    .integer(Int64(zeroZoom - zooms.upperBound)), .integer(Int64(zeroZoom - zooms.lowerBound)),
                    .integer(Int64(metadata.tilePixels)),
                ])
            try connection.load(into: "tiles") { add in
                for tile in tiles {
                    let place = tile.tile
                    try add([
                        .integer(Int64(place.x)), .integer(Int64(place.y)),
                        .integer(Int64(zeroZoom - place.zoom.number)), .integer(0),
                        .blob(try spool.bytes(of: pictures[tile.picture])),
                    ])
                }
            }
            try connection.execute("CREATE UNIQUE INDEX tiles_index ON tiles (x, y, z, s)")
        }
    }
}
