import Database
import Files
import Locking
import SQLite

/// Prerendered pictures in a SQLite database of their own. If it is lost or damaged, they are only drawn again.
final class PictureFile: PictureTables {
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

    /// Opens or creates the database at `path`; a file that is not one of ours is replaced.
    init(path: String) throws {
        writer = Locked(try Self.open(path))
        readers = ReaderPool(path: path, idleLimit: 8)
    }

    func query(of picture: StoredPictureKey) -> Query? { nil }

    func bytes(of picture: StoredPictureKey, digest: [UInt8]) throws -> [UInt8]? {
        guard let key = try key(of: picture, making: false) else { return nil }
        return try readers.read { connection in
            try connection.first(
                "SELECT bytes FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest)]
            ) { $0.blob(0) }
        }
    }

    func contains(_ picture: StoredPictureKey, digest: [UInt8]) throws -> Bool {
        guard let key = try key(of: picture, making: false) else { return false }
        return try readers.read { connection in
            try connection.integer(
                "SELECT 1 FROM pictures WHERE key = ? AND digest = ?", [.integer(key), .blob(digest)]) != nil
        }
    }

    func generation() throws -> Int64 {
        try readers.read { try $0.userVersion() }
    }

    func store(_ pictures: [StoredPicture], drawnIn generation: Int64) throws -> Bool {
        let keyed = try pictures.map { (key: try key(of: $0.key, making: true), picture: $0) }
        return try writer.withLock { connection in
            try connection.transaction {
                guard try connection.userVersion() == generation else { return false }
                for (key, picture) in keyed {
                    guard let key else { continue }
                    try connection.run(
                        "INSERT OR REPLACE INTO pictures VALUES (?, ?, ?)",
                        [.integer(key), .blob(picture.digest), .blob(picture.bytes)])
                }
                return true
            }
        }
    }

    func remove(endingGeneration: Bool, where fits: (StoredPictureKey) -> Bool) throws -> [StoredPictureKey] {
        let removed = try delete(endingGeneration: endingGeneration, where: fits)
        if endingGeneration { _ = try writer.withLock { try $0.eraseDeleted() } }
        return removed
    }

    private func delete(endingGeneration: Bool, where fits: (StoredPictureKey) -> Bool) throws -> [StoredPictureKey] {
        try writer.withLock { connection in
            var removed: [StoredPictureKey] = []
            try connection.transaction {
                if endingGeneration {
                    // SQLite's user_version has 32 bits. It may wrap: generations are only compared for equality.
                    try connection.setUserVersion(Int32(truncatingIfNeeded: try connection.userVersion() &+ 1))
                }
                let sets = try Self.sets(connection)
                var keys: [Int64] = []
                try connection.forEach("SELECT key FROM pictures") { row in
                    let key = row.integer(0)
                    guard let set = sets[key >> Self.setShift] else {
                        keys.append(key)
                        return
                    }
                    let picture = StoredPictureKey(
                        style: set.style, layer: set.layer, cell: key & (1 << Self.setShift - 1))
                    guard fits(picture) else { return }
                    keys.append(key)
                    removed.append(picture)
                }
                // After the loop: SQLite leaves open whether a query sees rows that its own connection changes
                // meanwhile.
                for key in keys { try connection.run("DELETE FROM pictures WHERE key = ?", [.integer(key)]) }
            }
            return removed
        }
    }

    func totals() throws -> (pictures: Int, bytes: Int) {
        try readers.read { connection in
            try connection.first("SELECT count(*), coalesce(sum(length(bytes)), 0) FROM pictures") {
                (Int($0.integer(0)), Int($0.integer(1)))
            } ?? (0, 0)
        }
    }

    // MARK: Styles and layers

    /// A key: the number of the set, and below it the cell.
    private static let setShift: Int64 = 50

    private func key(of picture: StoredPictureKey, making: Bool) throws -> Int64? {
        let number = try number(of: PictureSet(style: picture.style, layer: picture.layer), making: making)
        return number.map { $0 << Self.setShift | picture.cell }
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

    // MARK: The file

    /// Moves a database to another path, unless there is one already; the old file is removed in any case. Does nothing
    /// if there is none.
    static func move(from old: String, to new: String) throws {
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
