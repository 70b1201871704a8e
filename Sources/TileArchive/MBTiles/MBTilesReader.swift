internal import Database
internal import Decompression
internal import Files
internal import SQLite
internal import Text
package import TileMath

/// Reads MBTiles; the schema and the content of the file are not trusted.
package final class MBTilesReader: TileArchiveReader {
    package let description: ArchiveDescription

    private let pool: UntrustedPool
    private let path: String

    /// More rows are not metadata.
    private static let rowLimit = 1000
    private static let select =
        "SELECT tile_data FROM tiles WHERE zoom_level = $1 AND tile_column = $2 AND tile_row = $3 LIMIT 1"

    /// Opens the file and reads its metadata.
    package init(path: String) throws {
        self.path = path
        pool = UntrustedPool(path: path)
        try Self.checkLength(path)
        do {
            description = try pool.read { try Self.description(of: $0, path) }
        } catch let error as StoreError {
            throw Self.error(of: error, path)
        }
    }

    package func tile(_ tile: TileCoordinate) throws -> StoredTile? {
        let place: [Value] = [
            .integer(Int64(tile.zoom.number)), .integer(Int64(tile.x)), .integer(Int64(tile.rowFromSouth)),
        ]
        do {
            guard let bytes = try pool.read({ try Self.blob($0, Self.select, place) }) else { return nil }
            guard Gzip.recognises(bytes) else { return StoredTile(bytes: bytes, isGzipped: false) }
            guard description.format.isRaster else { return StoredTile(bytes: bytes, isGzipped: true) }
            return StoredTile(
                bytes: try Gzip.decompressed(bytes, limit: StoredTile.byteLimit), isGzipped: false)
        } catch let error as StoreError {
            throw Self.error(of: error, path)
        } catch is DecompressionError {
            throw ArchiveError.damaged(path, "tile \(tile) cannot be decompressed")
        }
    }

    // MARK: Opening

    /// SQLite notices a missing end only when it reads it. The header has the number of pages, which is valid if the
    /// number of changes at which it was written is that of the file (https://sqlite.org/fileformat.html, 1.3.8).
    private static func checkLength(_ path: String) throws {
        let file = try RandomAccessFile(reading: path)
        let header = try file.read(at: 0, count: 100)
        guard header.count == 100 else { throw ArchiveError.damaged(path, "its header is incomplete") }
        func number(_ offset: Int, _ count: Int) -> UInt64 {
            header[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
        }
        guard number(24, 4) == number(92, 4), number(28, 4) > 0 else { return }
        let pageBytes = number(16, 2) == 1 ? 65_536 : number(16, 2)
        guard number(28, 4) * pageBytes <= UInt64(try file.byteCount) else {
            throw ArchiveError.damaged(path, "it ends before its header says")
        }
    }

    private static func error(of error: StoreError, _ path: String) -> ArchiveError {
        error.kind == .schemaMismatch
            ? notMBTiles(path) : .damaged(path, "SQLite cannot read it (\(error.message))")
    }

    private static func notMBTiles(_ path: String) -> ArchiveError {
        ArchiveError(
            path, "it is a database of SQLite, but not MBTiles: it has no tables metadata and tiles",
            "give an archive of MBTiles or PMTiles")
    }

    private static func description(of database: UntrustedDatabase, _ path: String) throws -> ArchiveDescription {
        let named = try hasView("metadata", database) && hasView("tiles", database)
        guard named else { throw notMBTiles(path) }
        var texts: [(name: String, value: String)] = []
        try database.forEach("SELECT name, value FROM metadata LIMIT \(rowLimit)") { row in
            texts.append((row.text(0), row.text(1)))
        }
        func text(_ name: String) -> String? { texts.first { $0.name == name }?.value }
        guard let zooms = try zooms(text, database) else {
            throw ArchiveError(path, "it has no tiles of zoom levels 0 to 22", "give an archive that has tiles")
        }
        guard let format = try text("format").flatMap(TileFormat.init(named:)) ?? formatOfTiles(database) else {
            throw ArchiveError(
                path, "its tiles are of an unknown format (\(text("format") ?? "none named"))",
                "use PNG, JPEG, WebP or vector tiles")
        }
        var description = ArchiveDescription(format: format, zooms: zooms)
        for (name, value) in texts { description.set(name, value) }
        description.bounds = text("bounds").flatMap { BoundingBox(text: $0) }
        if let center = text("center").flatMap({ MapCenter($0) }), zooms.contains(center.zoom) {
            description.center = center
        }
        if let json = text("json"), let value = try? JSONReader.value(Array(json.utf8)) {
            description.setVectorLayers(of: value)
        }
        return description
    }

    /// Whether there is a table or a view of a name.
    private static func hasView(_ name: String, _ database: UntrustedDatabase) throws -> Bool {
        var found = false
        try database.forEach(
            "SELECT 1 FROM sqlite_schema WHERE type IN ('table', 'view') AND name = $1 COLLATE NOCASE", [.text(name)]
        ) { _ in found = true }
        return found
    }

    /// The zoom levels that metadata names, if there are such tiles; else those of the tiles.
    private static func zooms(
        _ text: (String) -> String?, _ database: UntrustedDatabase
    ) throws -> ClosedRange<Int>? {
        func hasTiles(_ zoom: Int) throws -> Bool {
            var found = false
            // One query a level is answered from the index; `min` and `max` of a view read all of its rows.
            try database.forEach("SELECT 1 FROM tiles WHERE zoom_level = $1 LIMIT 1", [.integer(Int64(zoom))]) { _ in
                found = true
            }
            return found
        }
        if let lowest = text("minzoom").flatMap({ Int($0) }), let deepest = text("maxzoom").flatMap({ Int($0) }),
            let zooms = ArchiveDescription.zooms(lowest, deepest),
            try hasTiles(zooms.lowerBound) || hasTiles(zooms.upperBound)
        {
            return zooms
        }
        let levels = try (0...ZoomLevel.deepest.number).filter(hasTiles)
        guard let first = levels.first, let last = levels.last else { return nil }
        return first...last
    }

    private static func formatOfTiles(_ database: UntrustedDatabase) throws -> TileFormat? {
        guard let bytes = try blob(database, "SELECT tile_data FROM tiles LIMIT 1", []) else { return nil }
        return TileFormat(pictureBytes: bytes) ?? (Gzip.recognises(bytes) ? .mvt : nil)
    }

    /// The first column of the first row; nil if there is no row, or no bytes in it.
    private static func blob(_ database: UntrustedDatabase, _ sql: String, _ values: [Value]) throws -> [UInt8]? {
        var bytes: [UInt8]?
        try database.forEach(sql, values) { bytes = $0.blob(0) }
        return bytes?.isEmpty == true ? nil : bytes
    }
}
