internal import Decompression
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

    /// The largest tile that is read, in bytes, as it is stored and decompressed.
    public static let byteLimit = 16 << 20

    /// A tile with these bytes.
    public init(bytes: [UInt8], isGzipped: Bool) {
        self.bytes = bytes
        self.isGzipped = isGzipped
    }

    /// The bytes without compression. Throws a `DecompressionError` if they are damaged, or too many.
    public func decompressed() throws -> [UInt8] {
        isGzipped ? try Gzip.decompressed(bytes, limit: Self.byteLimit) : bytes
    }
}
