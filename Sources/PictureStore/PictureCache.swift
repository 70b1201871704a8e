import Database
package import Digest
import Files
import Locking
import SQLite
import TileMath

/// The tile cache on disk: prerendered pictures, each with the digest of what it was drawn from, so that no outdated
/// picture is served.
///
/// One database file. If it is lost or damaged, pictures are only drawn again.
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

    private let readers: ReaderPool
    private let writer: Locked<Connection>
    /// Numbers of (style, layer), assigned in order of first use.
    private let sets = Locked<[PictureSet: Int64]>([:])

    private struct PictureSet: Hashable {
        var style: String
        var layer: String
    }

    /// "tspc": identifies our database.
    private static let applicationID: Int32 = 0x7473_7063

    /// Opens or creates the cache at `path`; a file that is not our cache is replaced.
    package init(path: String) throws {
        writer = Locked(try Self.open(path))
        readers = ReaderPool(path: path, idleLimit: 8)
    }

    /// The stored picture, if it was drawn from what `digest` identifies.
    package func picture(_ picture: PictureKey, digest: ContentDigest) throws -> [UInt8]? {
        guard let key = try key(of: picture, making: false) else { return nil }
        return try readers.read { connection in
            try connection.first(
                "SELECT bytes FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest.bytes)]
            ) { $0.blob(0) }
        }
    }

    /// Whether a picture is stored that was drawn from what `digest` identifies.
    package func holds(_ picture: PictureKey, digest: ContentDigest) throws -> Bool {
        guard let key = try key(of: picture, making: false) else { return false }
        return try readers.read { connection in
            try connection.integer(
                "SELECT 1 FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest.bytes)]) != nil
        }
    }

    /// How often pictures were dropped because the library changed, by any process. To be read before drawing a picture
    /// that will be stored.
    package func generation() throws -> Int64 {
        try readers.read { try $0.userVersion() }
    }

    /// Stores all pictures in one transaction. If pictures were dropped since `generation`, stores none and returns
    /// false, because these may show what was since removed from the library.
    @discardableResult
    package func store(_ entries: [Entry], drawnIn generation: Int64) throws -> Bool {
        let keyed = try entries.map { (key: try key(of: $0.key, making: true), entry: $0) }
        return try writer.withLock { connection in
            try connection.transaction {
                guard try connection.userVersion() == generation else { return false }
                for (key, entry) in keyed {
                    guard let key else { continue }
                    try connection.run(
                        "INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)",
                        [.integer(key), .blob(entry.digest.bytes), .blob(entry.bytes)])
                }
                return true
            }
        }
    }

    /// Drops the entries that `fits` accepts and erases them from the file. Pictures drawn before this call cannot be kept any
    /// more: the generation ends.
    package func dropEndingGeneration(where fits: (PictureKey) -> Bool) throws {
        try drop(endingGeneration: true, where: fits)
        _ = try writer.withLock { try $0.eraseDeleted() }
    }

    /// Drops the entries whose request matches, and returns these requests.
    @discardableResult
    package func drop(where fits: (PictureKey) -> Bool) throws -> [PictureKey] {
        try drop(endingGeneration: false, where: fits)
    }

    @discardableResult
    private func drop(endingGeneration: Bool, where fits: (PictureKey) -> Bool) throws -> [PictureKey] {
        try writer.withLock { connection in
            var dropped: [PictureKey] = []
            try connection.transaction {
                if endingGeneration {
                    // SQLite's user_version has 32 bits. It may wrap: generations are only compared for equality.
                    try connection.setUserVersion(Int32(truncatingIfNeeded: try connection.userVersion() &+ 1))
                }
                let sets = try Self.sets(connection)
                var keys: [Int64] = []
                try connection.forEach("SELECT key FROM pictures") { row in
                    let key = row.integer(0)
                    guard let set = sets[key >> Self.setShift], let picture = Self.picture(key, set) else {
                        keys.append(key)
                        return
                    }
                    guard fits(picture) else { return }
                    keys.append(key)
                    dropped.append(picture)
                }
                // After the loop: SQLite leaves open whether a query sees rows that its own connection changes
                // meanwhile.
                for key in keys { try connection.run("DELETE FROM pictures WHERE key = ?", [.integer(key)]) }
            }
            return dropped
        }
    }

    /// The number of pictures, and their total bytes.
    package func totals() throws -> (pictures: Int, bytes: Int) {
        try readers.read { connection in
            try connection.first("SELECT count(*), coalesce(sum(length(bytes)), 0) FROM pictures") {
                (Int($0.integer(0)), Int($0.integer(1)))
            } ?? (0, 0)
        }
    }

    // A key: the number of the set, a bit for the double scale, 5 bits of zoom level, 44 bits of Morton code.
    private static let setShift: Int64 = 50
    private static let scaleShift: Int64 = 49
    private static let zoomShift: Int64 = 44

    private func key(of picture: PictureKey, making: Bool) throws -> Int64? {
        guard let number = try number(of: PictureSet(style: picture.style, layer: picture.layer), making: making) else {
            return nil
        }
        return number << Self.setShift | (picture.scale == .double ? 1 : 0) << Self.scaleShift
            | Int64(picture.tile.zoom.number) << Self.zoomShift | Int64(picture.tile.morton)
    }

    /// The number of a set; nil if it has none and `making` is false.
    ///
    /// Drawing must not wait for the writer, which a removal may hold for seconds. That a set has no number is not
    /// cached: another process may assign one, and to find that out costs as much as to look it up.
    private func number(of set: PictureSet, making: Bool) throws -> Int64? {
        if let known = sets.withLock({ $0[set] }) { return known }
        let found =
            if making {
                try writer.withLock { connection -> Int64? in
                    try connection.run(
                        "INSERT OR IGNORE INTO sets (style, layer) VALUES (?, ?)", [.text(set.style), .text(set.layer)])
                    return try Self.number(of: set, connection)
                }
            } else {
                try readers.read { try Self.number(of: set, $0) }
            }
        if let found { sets.withLock { $0[set] = found } }
        return found
    }

    private static func number(of set: PictureSet, _ connection: Connection) throws -> Int64? {
        try connection.integer(
            "SELECT number FROM sets WHERE style = ? AND layer = ?", [.text(set.style), .text(set.layer)])
    }

    private static func sets(_ connection: Connection) throws -> [Int64: PictureSet] {
        var sets: [Int64: PictureSet] = [:]
        try connection.forEach("SELECT number, style, layer FROM sets") { row in
            sets[row.integer(0)] = PictureSet(style: row.text(1), layer: row.text(2))
        }
        return sets
    }

    private static func picture(_ key: Int64, _ set: PictureSet) -> PictureKey? {
        guard let zoom = ZoomLevel(Int(key >> zoomShift & 31)),
            let tile = TileCoordinate(zoom: zoom, morton: UInt64(key & (1 << zoomShift - 1)))
        else { return nil }
        return PictureKey(
            style: set.style, layer: set.layer, tile: tile, scale: key >> scaleShift & 1 == 1 ? .double : .single)
    }

    /// Moves a cache to another path, unless there is one already; the old file is removed in any case. Does nothing if
    /// there is none.
    package static func move(from old: String, to new: String) throws {
        guard FileStatus.ifExists(of: old) != nil else { return }
        if FileStatus.ifExists(of: new) == nil {
            // A copy, because the paths may be on different disks.
            try open(old).run("VACUUM INTO ?", [.text(new)])
        }
        for suffix in ["", "-wal", "-shm"] { try AtomicFile.remove(old + suffix) }
    }

    private static func open(_ path: String) throws -> Connection {
        do {
            return try opened(path)
        } catch let error as StoreError where error.kind == .damaged {
            // The pictures will be drawn again.
            for suffix in ["", "-wal", "-shm"] { try AtomicFile.remove(path + suffix) }
            return try opened(path)
        }
    }

    private static func opened(_ path: String) throws -> Connection {
        try OwnerOnly.prepareDatabase(path)
        var options = OpenOptions(mode: .create)
        // A lost commit costs only drawing again. What was removed from the library must not stay in free pages, so
        // deleted content is overwritten; other processes wait for that.
        options.durability = .normal
        options.secureDelete = true
        options.busyMilliseconds = 30_000
        let connection = try Connection(path: path, options: options)
        try connection.transaction {
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
