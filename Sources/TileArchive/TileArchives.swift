internal import Files

/// Archives by their content.
public enum TileArchives {
    private static let sqliteMagic = Array("SQLite format 3\0".utf8)

    /// Opens an archive of PMTiles or MBTiles, which is recognised by its first bytes. The file must not be changed while
    /// it is open; another one may take its name. Throws an `ArchiveError` or a `FileError`.
    public static func open(_ path: String) throws -> any TileArchiveReader {
        let file = try RandomAccessFile(reading: path)
        let start = try file.read(at: 0, count: PMTilesHeader.byteCount)
        if start.starts(with: sqliteMagic) { return try MBTilesReader(path: path) }
        if start.starts(with: PMTilesHeader.magic.prefix(2)) { return try PMTilesReader(file, name: path) }
        throw ArchiveError(path, "it is neither MBTiles nor PMTiles", "give an archive of one of these formats")
    }
}
