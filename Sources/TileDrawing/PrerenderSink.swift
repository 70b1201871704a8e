import Digest
import Files
import PictureStore
import TileArchive
import TileMath

/// Where a run of `Prerender` puts its pictures.
protocol PrerenderSink: Sendable {
    /// To be read before pictures are drawn that will be stored.
    func generation() throws -> Int64

    /// Whether a picture is there that was drawn from what `digest` identifies.
    func holds(_ picture: PictureKey, digest: ContentDigest) throws -> Bool

    /// Called for each picture when it is drawn, by the thread that has drawn it.
    func add(_ picture: PictureKey, _ bytes: [UInt8]) throws

    /// Stores a batch, by one thread at a time. If the generation has ended, stores nothing and returns false.
    func store(_ entries: [PictureCache.Entry], drawnIn generation: Int64) throws -> Bool

    /// Removes the pictures of earlier runs whose tiles are now empty, and returns their number. `isLeftover` says which
    /// they are among those that a run like this one has drawn; `isCurrent`, which pictures belong to this run.
    func removeLeftovers(where isLeftover: (PictureKey) -> Bool, isCurrent: (TileCoordinate) -> Bool) throws -> Int
}

/// The disk cache that `serve` reads.
struct CacheSink: PrerenderSink {
    let cache: PictureCache

    func generation() throws -> Int64 { try cache.generation() }

    func holds(_ picture: PictureKey, digest: ContentDigest) throws -> Bool { try cache.holds(picture, digest: digest) }

    func add(_ picture: PictureKey, _ bytes: [UInt8]) {}

    func store(_ entries: [PictureCache.Entry], drawnIn generation: Int64) throws -> Bool {
        try cache.store(entries, drawnIn: generation)
    }

    func removeLeftovers(where isLeftover: (PictureKey) -> Bool, isCurrent: (TileCoordinate) -> Bool) throws -> Int {
        try cache.drop(where: isLeftover).count
    }
}

/// Files below a folder, and the digests of what they were drawn from in a database elsewhere.
struct FolderSink: PrerenderSink {
    private let folder: String
    private let index: PictureCache

    /// The index of earlier versions, in the folder itself.
    private static let formerIndexName = ".tileserve.sqlite"

    /// Creates the folder if it does not exist.
    init(folder: String, index path: String) throws {
        self.folder = folder
        try Folder.make(folder)
        try PictureCache.move(from: folder + "/" + Self.formerIndexName, to: path)
        index = try PictureCache(path: path)
    }

    func generation() throws -> Int64 { try index.generation() }

    func holds(_ picture: PictureKey, digest: ContentDigest) throws -> Bool {
        try index.holds(picture, digest: digest) && FileStatus.ifExists(of: path(of: picture)) != nil
    }

    func add(_ picture: PictureKey, _ bytes: [UInt8]) throws {
        let path = path(of: picture)
        try Folder.make(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)]), durability: .cached)
        try AtomicFile.write(bytes, to: path, durability: .cached, access: .shared)
    }

    func store(_ entries: [PictureCache.Entry], drawnIn generation: Int64) throws -> Bool {
        var entries = entries
        // The pictures are files of their own.
        for index in entries.indices { entries[index].bytes = [] }
        return try index.store(entries, drawnIn: generation)
    }

    func removeLeftovers(where isLeftover: (PictureKey) -> Bool, isCurrent: (TileCoordinate) -> Bool) throws -> Int {
        let gone = try index.drop(where: isLeftover)
        for key in gone { try AtomicFile.remove(path(of: key)) }
        return gone.count
    }

    private func path(of key: PictureKey) -> String {
        let suffix = key.scale == .double ? "@2x.png" : ".png"
        return "\(folder)/\(key.tile.zoom)/\(key.tile.x)/\(key.tile.y)\(suffix)"
    }
}

/// The tiles of an archive, which is written from them when the run has ended.
struct SpoolSink: PrerenderSink {
    let spool: TileSpool

    /// Nothing else writes to the spool.
    func generation() -> Int64 { 0 }

    func holds(_ picture: PictureKey, digest: ContentDigest) -> Bool { spool.holds(picture.tile, source: digest) }

    func add(_ picture: PictureKey, _ bytes: [UInt8]) {}

    func store(_ entries: [PictureCache.Entry], drawnIn generation: Int64) throws -> Bool {
        try spool.store(entries.map { TileSpool.Tile(tile: $0.key.tile, source: $0.digest, bytes: $0.bytes) })
        return true
    }

    /// An interrupted run may have drawn other zoom levels and boxes. They are not of this archive.
    func removeLeftovers(where isLeftover: (PictureKey) -> Bool, isCurrent: (TileCoordinate) -> Bool) -> Int {
        spool.drop { !isCurrent($0) }
    }
}
