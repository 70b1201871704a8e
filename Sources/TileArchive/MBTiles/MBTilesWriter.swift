internal import Database
internal import Digest
internal import Parallelism
internal import SQLite
internal import Text
internal import TileMath

/// Writes MBTiles 1.3 with a table of pictures and one of tiles, so that equal pictures are stored once.
///
/// The id of a picture is its MD5, and `agg_tiles_hash` is that of all tiles, as Martin's `mbtiles validate` computes them:
/// the file can be proved to be complete.
enum MBTilesWriter {
    /// "MPBX": the application id that SQLite's `magic.txt` lists for MBTiles.
    private static let applicationID: Int32 = 0x4D50_4258
    /// Tiles read at once.
    private static let batchTiles = 1024

    static func write(_ spool: TileSpool, _ metadata: ArchiveMetadata, to path: String) throws {
        let tiles = spool.tiles(by: \.orderInMBTiles)
        let pictures = spool.pictures()
        try ArchiveDatabase.write(to: path) { connection in
            try connection.setApplicationID(applicationID)
            try connection.execute(
                """
                CREATE TABLE metadata (name TEXT NOT NULL PRIMARY KEY, value TEXT);
                CREATE TABLE map (zoom_level INTEGER NOT NULL, tile_column INTEGER NOT NULL, tile_row INTEGER NOT NULL, tile_id TEXT NOT NULL);
                CREATE TABLE images (tile_id TEXT NOT NULL, tile_data BLOB NOT NULL);
                CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column, map.tile_row AS tile_row, images.tile_data AS tile_data FROM map JOIN images ON images.tile_id = map.tile_id;
                """)
            let hash = try insert(tiles, pictures, of: spool, into: connection)
            // After the rows: an index that is made at once is sorted, and takes fewer pages.
            try connection.execute(
                """
                CREATE UNIQUE INDEX map_index ON map (zoom_level, tile_column, tile_row);
                CREATE UNIQUE INDEX images_index ON images (tile_id);
                """)
            for (name, value) in rows(metadata, zooms: tiles.zooms ?? 0...0) + [("agg_tiles_hash", hash)] {
                try connection.run("INSERT INTO metadata VALUES ($1, $2)", [.text(name), .text(value)])
            }
        }
    }

    /// Inserts all tiles; returns the digest of all.
    private static func insert(
        _ tiles: [OrderedTile], _ pictures: [TileSpool.Picture], of spool: TileSpool, into connection: Connection
    ) throws -> String {
        var all = MD5()
        var ids = [String?](repeating: nil, count: pictures.count)
        for start in stride(from: 0, to: tiles.count, by: batchTiles) {
            let batch = Array(tiles[start..<min(start + batchTiles, tiles.count)])
            let read = try batch.parallelMap(run: 16) { tile throws -> (id: String, bytes: [UInt8]) in
                let bytes = try spool.bytes(of: pictures[tile.picture])
                return (hexadecimal(MD5.digest(of: bytes)), bytes)
            }
            try connection.load(into: "images") { add in
                for (tile, picture) in zip(batch, read) where ids[tile.picture] == nil {
                    ids[tile.picture] = picture.id
                    try add([.text(picture.id), .blob(picture.bytes)])
                }
            }
            try connection.load(into: "map") { add in
                for (tile, picture) in zip(batch, read) {
                    let place = (tile.tile.zoom.number, tile.tile.x, tile.tile.rowFromSouth)
                    try add([
                        .integer(Int64(place.0)), .integer(Int64(place.1)), .integer(Int64(place.2)),
                        .text(picture.id),
                    ])
                    all.update(Array("\(place.0)\(place.1)\(place.2)".utf8))
                    all.update(picture.bytes)
                }
            }
        }
        return hexadecimal(all.finish())
    }

    /// Upper case, as SQLite's `hex()` and Martin write it.
    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        var digits: [UInt8] = []
        for byte in bytes { HexDigits.append(byte, uppercase: true, to: &digits) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func rows(_ metadata: ArchiveMetadata, zooms: ClosedRange<Int>) -> [(String, String)] {
        let center = metadata.center.limited(to: zooms)
        let bounds = metadata.bounds
        return metadata.texts.map { ($0.name, $0.value) } + [
            ("format", metadata.format.nameInMBTiles),
            ("bounds", [bounds.west, bounds.south, bounds.east, bounds.north].map(degrees).joined(separator: ",")),
            ("center", "\(degrees(center.longitude)),\(degrees(center.latitude)),\(center.zoom)"),
            ("minzoom", "\(zooms.lowerBound)"), ("maxzoom", "\(zooms.upperBound)"),
        ]
    }

    private static func degrees(_ number: Double) -> String {
        // Seven decimals are about a centimetre; a Double's own text may have an exponent.
        var json = JSONWriter()
        json.add(Int64((number * 1e7).rounded()), places: 7)
        return json.text
    }
}
