internal import Files
public import TileMath

/// An archive that tiles are read from, by any number of threads. The whole file is never in memory.
public protocol TileArchiveReader: Sendable {
    var description: ArchiveDescription { get }

    /// The bytes of a tile; nil if the archive has none there. Throws an `ArchiveError` if the file is damaged.
    func tile(_ tile: TileCoordinate) throws -> StoredTile?
}

/// A tile as it is stored.
public struct StoredTile: Sendable, Equatable {
    public var bytes: [UInt8]
    /// Whether the bytes are compressed with gzip. Pictures are not.
    public var isGzipped: Bool

    /// A tile with these bytes.
    public init(bytes: [UInt8], isGzipped: Bool) {
        self.bytes = bytes
        self.isGzipped = isGzipped
    }
}

/// Archives by their content.
public enum TileArchives {
    /// The largest tile that is read, in bytes, as it is stored and decompressed.
    public static let tileLimit = 16 << 20

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
