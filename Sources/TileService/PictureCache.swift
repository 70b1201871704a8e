package import Digest
import HeatGrid
import Locking
import SQLite
import TileMath
import TileRendering
package import TrackStore

/// The pictures on disk: prerendered, each with the digest of what it was drawn from, so that none is served stale.
///
/// One file; a lost or damaged one costs only that pictures are drawn again.
package final class PictureCache: Sendable {
    /// A picture to keep.
    package struct Entry: Sendable {
        package var request: TileRequest
        package var digest: ContentDigest
        /// The PNG; may be empty where the cache only notes what was written elsewhere.
        package var bytes: [UInt8]
    }

    private let path: String
    private let readers: ReaderPool
    private let writer: Locked<Connection>
    /// Numbers of (style, layer), given as they come.
    private let sets = Locked<[PictureSet: Int64]>([:])

    private struct PictureSet: Hashable {
        var style: String
        var layer: String
    }

    /// "tspc": whose database it is.
    private static let applicationID: Int32 = 0x7473_7063

    /// Opens the cache at `path`, or makes it; what is no cache of ours is replaced.
    package init(path: String) throws {
        self.path = path
        writer = Locked(try Self.open(path))
        readers = ReaderPool(path: path, idleLimit: 8)
    }

    /// The picture of a request, if it is there and was drawn from what `digest` stands for.
    package func picture(_ request: TileRequest, digest: ContentDigest) throws -> [UInt8]? {
        guard let key = try key(of: request, making: false) else { return nil }
        return try readers.read { connection in
            try connection.first(
                "SELECT bytes FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest.bytes)]
            ) { $0.blob(0) }
        }
    }

    /// Whether there is an entry for a request that was drawn from what `digest` stands for.
    package func holds(_ request: TileRequest, digest: ContentDigest) throws -> Bool {
        guard let key = try key(of: request, making: false) else { return false }
        return try readers.read { connection in
            try connection.integer(
                "SELECT 1 FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest.bytes)]) != nil
        }
    }

    /// Keeps pictures, all of them or none.
    package func keep(_ entries: [Entry]) throws {
        let keyed = try entries.map { (key: try key(of: $0.request, making: true), entry: $0) }
        try writer.withLock { connection in
            try connection.transaction {
                for (key, entry) in keyed {
                    guard let key else { continue }
                    try connection.run(
                        "INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)",
                        [.integer(key), .blob(entry.digest.bytes), .blob(entry.bytes)])
                }
            }
        }
    }

    /// Drops what may show a change of the grid, and wipes it from the file; everything, where the change is nil or has
    /// no list of tiles.
    package func drop(_ change: GridChange?) throws {
        let touched = change?.tiles.map { Set($0) }
        try drop { request in
            guard let touched else { return true }
            return request.tilesWithinReach.contains { TileKey($0).map { touched.contains($0.packed) } ?? true }
        }
        _ = try writer.withLock { try $0.checkpointTruncating() }
    }

    /// Drops the entries whose request fits; gives these.
    @discardableResult
    package func drop(where fits: (TileRequest) -> Bool) throws -> [TileRequest] {
        try writer.withLock { connection in
            var dropped: [TileRequest] = []
            try connection.transaction {
                let sets = try Self.sets(connection)
                var keys: [Int64] = []
                try connection.forEach("SELECT key FROM pictures") { row in
                    let key = row.integer(0)
                    guard let set = sets[key >> Self.setShift], let request = Self.request(key, set) else {
                        keys.append(key)
                        return
                    }
                    guard fits(request) else { return }
                    keys.append(key)
                    dropped.append(request)
                }
                for key in keys { try connection.run("DELETE FROM pictures WHERE key = ?", [.integer(key)]) }
            }
            return dropped
        }
    }

    /// How many pictures there are, and their bytes.
    package func totals() throws -> (pictures: Int, bytes: Int) {
        try readers.read { connection in
            try connection.first("SELECT count(*), coalesce(sum(length(bytes)), 0) FROM pictures") {
                (Int($0.integer(0)), Int($0.integer(1)))
            } ?? (0, 0)
        }
    }

    // A key: the set's number, a bit for the double scale, 5 bits of zoom level, 44 of the Morton curve.
    private static let setShift: Int64 = 50
    private static let scaleShift: Int64 = 49
    private static let zoomShift: Int64 = 44

    private func key(of request: TileRequest, making: Bool) throws -> Int64? {
        // Windows and looks of the moment are drawn as they are asked for.
        guard request.isPlain else { return nil }
        guard let number = try number(of: PictureSet(style: request.style, layer: request.layer), making: making) else {
            return nil
        }
        return number << Self.setShift | (request.scale == .double ? 1 : 0) << Self.scaleShift
            | Int64(request.tile.zoom.number) << Self.zoomShift | Int64(request.tile.morton)
    }

    private func number(of set: PictureSet, making: Bool) throws -> Int64? {
        if let known = sets.withLock({ $0[set] }) { return known }
        let found = try writer.withLock { connection -> Int64? in
            if making {
                try connection.run(
                    "INSERT OR IGNORE INTO sets (style, layer) VALUES (?, ?)", [.text(set.style), .text(set.layer)])
            }
            return try connection.integer(
                "SELECT number FROM sets WHERE style = ? AND layer = ?", [.text(set.style), .text(set.layer)])
        }
        if let found { sets.withLock { $0[set] = found } }
        return found
    }

    private static func sets(_ connection: Connection) throws -> [Int64: PictureSet] {
        var sets: [Int64: PictureSet] = [:]
        try connection.forEach("SELECT number, style, layer FROM sets") { row in
            sets[row.integer(0)] = PictureSet(style: row.text(1), layer: row.text(2))
        }
        return sets
    }

    private static func request(_ key: Int64, _ set: PictureSet) -> TileRequest? {
        guard let zoom = ZoomLevel(Int(key >> zoomShift & 31)),
            let tile = TileCoordinate(zoom: zoom, morton: UInt64(key & (1 << zoomShift - 1)))
        else { return nil }
        return TileRequest(
            style: set.style, layer: set.layer, tile: tile, scale: key >> scaleShift & 1 == 1 ? .double : .single)
    }

    private static func open(_ path: String) throws -> Connection {
        var options = OpenOptions(mode: .create)
        options.durability = .normal
        options.secureDelete = true
        options.busyMilliseconds = 30_000
        let connection = try Connection(path: path, options: options)
        try connection.transaction(.immediate) {
            guard try connection.applicationID() != Int64(applicationID) else { return }
            try connection.execute("DROP TABLE IF EXISTS pictures; DROP TABLE IF EXISTS sets")
            try connection.execute(
                """
                CREATE TABLE pictures (key INTEGER PRIMARY KEY, digest BLOB NOT NULL, bytes BLOB NOT NULL);
                CREATE TABLE sets (number INTEGER PRIMARY KEY, style TEXT NOT NULL, layer TEXT NOT NULL, UNIQUE (style, layer));
                """)
            try connection.setApplicationID(applicationID)
        }
        return connection
    }
}
