package import Database
package import Digest
import TileMath

/// The tile cache on disk: prerendered pictures, each with the digest of what it was drawn from, so that no outdated
/// picture is served.
///
/// It is a database file, or tables in the database of the library.
package final class PictureCache: Sendable {
    /// A picture to store.
    package struct Entry: Sendable {
        package var key: PictureKey
        package var digest: ContentDigest
        /// The PNG; may be empty if the cache only records what was written to a folder.
        package var bytes: [UInt8]

        /// An entry with these parts.
        package init(key: PictureKey, digest: ContentDigest, bytes: [UInt8]) {
            self.key = key
            self.digest = digest
            self.bytes = bytes
        }
    }

    private let tables: any PictureTables

    /// Opens or creates the cache at `path`; a file that is not our cache is replaced.
    package init(path: String) throws {
        tables = try PictureFile(path: path)
    }

    /// The cache in the database of a library.
    package init(_ tables: any PictureTables) {
        self.tables = tables
    }

    /// The stored picture, if it was drawn from what `digest` identifies.
    package func picture(_ picture: PictureKey, digest: ContentDigest) throws -> [UInt8]? {
        try tables.bytes(of: picture.stored, digest: digest.bytes)
    }

    /// The query with which `picture(_:digest:in:)` asks a session that reads the grid; nil if it does not ask it.
    package func query(of picture: PictureKey) -> Query? {
        tables.query(of: picture.stored)
    }

    /// As `picture(_:digest:)`, with a session that reads the grid, which may have the answer already.
    package func picture(
        _ picture: PictureKey, digest: ContentDigest, in session: any Session
    ) throws -> [UInt8]? {
        guard let query = query(of: picture) else { return try self.picture(picture, digest: digest) }
        return try session.first(query.sql, query.values) { $0.blob(0) == digest.bytes ? $0.blob(1) : nil } ?? nil
    }

    /// Whether a picture is stored that was drawn from what `digest` identifies.
    package func holds(_ picture: PictureKey, digest: ContentDigest) throws -> Bool {
        try tables.contains(picture.stored, digest: digest.bytes)
    }

    /// How often pictures were dropped because the library changed, by any process. To be read before drawing a picture
    /// that will be stored.
    package func generation() throws -> Int64 {
        try tables.generation()
    }

    /// Stores all pictures in one transaction. If pictures were dropped since `generation`, stores none and returns
    /// false, because these may show what was since removed from the library.
    @discardableResult
    package func store(_ entries: [Entry], drawnIn generation: Int64) throws -> Bool {
        let pictures = entries.map {
            StoredPicture(key: $0.key.stored, digest: $0.digest.bytes, bytes: $0.bytes)
        }
        return try tables.store(pictures, drawnIn: generation)
    }

    /// Drops the entries that `fits` accepts and erases them as far as the database system can. Pictures drawn before this
    /// call cannot be kept any more: the generation ends.
    package func dropEndingGeneration(where fits: (PictureKey) -> Bool) throws {
        // A key that names no picture is dropped, too.
        _ = try tables.remove(endingGeneration: true) { PictureKey($0).map(fits) ?? true }
    }

    /// Drops the entries whose request matches, and returns these requests.
    @discardableResult
    package func drop(where fits: (PictureKey) -> Bool) throws -> [PictureKey] {
        try tables.remove(endingGeneration: false) { PictureKey($0).map(fits) ?? true }.compactMap { PictureKey($0) }
    }

    /// The number of pictures, and their total bytes.
    package func totals() throws -> (pictures: Int, bytes: Int) {
        try tables.totals()
    }

    /// Moves a cache to another path, unless there is one already; the old file is removed in any case. Does nothing if
    /// there is none.
    package static func move(from old: String, to new: String) throws {
        try PictureFile.move(from: old, to: new)
    }
}

extension PictureKey {
    // A cell: a bit for the double scale, 5 bits of zoom level, 44 bits of Morton code.
    private static let scaleShift: Int64 = 49
    private static let zoomShift: Int64 = 44

    fileprivate var stored: StoredPictureKey {
        StoredPictureKey(
            style: style, layer: layer,
            cell: (scale == .double ? 1 : 0) << Self.scaleShift | Int64(tile.zoom.number) << Self.zoomShift
                | Int64(tile.morton))
    }

    fileprivate init?(_ stored: StoredPictureKey) {
        guard let zoom = ZoomLevel(Int(stored.cell >> Self.zoomShift & 31)),
            let tile = TileCoordinate(zoom: zoom, morton: UInt64(stored.cell & (1 << Self.zoomShift - 1)))
        else { return nil }
        self.init(
            style: stored.style, layer: stored.layer, tile: tile,
            scale: stored.cell >> Self.scaleShift & 1 == 1 ? .double : .single)
    }
}
