internal import Database
internal import PostgreSQL

/// Prerendered pictures in the schema of the grid, in tables of their own: they stay when the grid is made again.
///
/// Stored pictures hold a lock of the generation until they are committed, which is shared; removing takes it alone. So no
/// picture is stored after a removal that was drawn before it. Removed pictures are deleted, not overwritten.
final class PostgreSQLPictures: PictureTables {
    private let sessions: SessionPool

    /// The statements of each upgrade: `steps[n]` from version n to n + 1. Earlier steps are never changed.
    ///
    /// PNG is compressed already. Set numbers are below 2^13, see `StoredPictureKey`.
    private static let steps = [
        [
            """
            CREATE TABLE library_picture_set (number BIGINT PRIMARY KEY CHECK (number BETWEEN 0 AND 8191),
                style TEXT COLLATE "C" NOT NULL, layer TEXT COLLATE "C" NOT NULL, UNIQUE (style, layer))
            """,
            """
            CREATE TABLE library_picture (key BIGINT PRIMARY KEY, digest BYTEA NOT NULL, bytes BYTEA NOT NULL)
            WITH (toast_tuple_target = 8160)
            """,
            "ALTER TABLE library_picture ALTER digest SET STORAGE EXTERNAL, ALTER bytes SET STORAGE EXTERNAL",
        ]
    ]

    /// The names of the tables begin with this.
    static let prefix = "library_picture"

    private static let setShift: Int64 = 50

    /// Creates or upgrades the tables in the schema of the sessions.
    init(_ options: SessionOptions) throws {
        sessions = SessionPool(options, catalog: StatementCatalog())
        try sessions.withSession { session in
            if try Self.version(session) == Self.steps.count { return }
            do {
                try session.transaction { try Self.upgrade(session) }
            } catch let error as StoreError {
                // Of several that create the tables, one succeeds.
                guard try Self.version(session) == Self.steps.count else { throw error }
            }
        }
    }

    /// The version of the tables; 0 if there are none.
    private static func version(_ session: PostgreSQLSession) throws -> Int {
        let isCreated = try session.integer("SELECT CAST(to_regclass('library_picture_state') AS BIGINT)") != nil
        return try isCreated ? Int(session.integer("SELECT version FROM library_picture_state") ?? 0) : 0
    }

    private static func upgrade(_ session: PostgreSQLSession) throws {
        if try session.integer("SELECT CAST(to_regclass('library_picture_state') AS BIGINT)") == nil {
            try session.execute([
                """
                CREATE TABLE library_picture_state (one BOOLEAN PRIMARY KEY CHECK (one), version BIGINT NOT NULL,
                    generation BIGINT NOT NULL)
                """, "INSERT INTO library_picture_state VALUES (true, 0, 0)",
            ])
        }
        let found = Int(try session.integer("SELECT version FROM library_picture_state FOR UPDATE") ?? 0)
        guard found <= steps.count else {
            throw StoreError(
                .schemaMismatch, code: "version \(found)",
                message: "the tables of prerendered tiles were made by a newer tileserve", statement: nil)
        }
        guard found < steps.count else { return }
        try session.execute(Array(steps[found...].joined()))
        try session.run("UPDATE library_picture_state SET version = $1", [.integer(steps.count)])
    }

    // MARK: Reading

    func query(of key: StoredPictureKey) -> Query? {
        // The sum is NULL for a style and layer without a picture.
        Query(
            """
            SELECT digest, bytes FROM library_picture
            WHERE key = ((SELECT number FROM library_picture_set WHERE style = $1 AND layer = $2) << 50) + $3
            """, [.text(key.style), .text(key.layer), .integer(key.cell)])
    }

    func bytes(of key: StoredPictureKey, digest: [UInt8]) throws -> [UInt8]? {
        guard let query = query(of: key) else { return nil }
        return try sessions.withSession { session in
            try session.first(query.sql, query.values) { $0.blob(0) == digest ? $0.blob(1) : nil } ?? nil
        }
    }

    func contains(_ key: StoredPictureKey, digest: [UInt8]) throws -> Bool {
        try sessions.withSession { session in
            try session.integer(
                """
                SELECT 1 FROM library_picture WHERE digest = $1 AND key =
                ((SELECT number FROM library_picture_set WHERE style = $2 AND layer = $3) << 50) + $4
                """, Self.values(key, digest)) != nil
        }
    }

    private static func values(_ key: StoredPictureKey, _ digest: [UInt8]) -> [Value] {
        [.blob(digest), .text(key.style), .text(key.layer), .integer(key.cell)]
    }

    func generation() throws -> Int64 {
        try sessions.withSession { try $0.integer("SELECT generation FROM library_picture_state") ?? 0 }
    }

    func totals() throws -> (pictures: Int, bytes: Int) {
        try sessions.withSession { session in
            try session.first(
                "SELECT count(*), CAST(coalesce(sum(length(bytes)), 0) AS BIGINT) FROM library_picture"
            ) { (Int($0.integer(0)), Int($0.integer(1))) } ?? (0, 0)
        }
    }

    // MARK: Writing

    func store(_ pictures: [StoredPicture], drawnIn generation: Int64) throws -> Bool {
        try sessions.withSession { session in
            let sets = try numbers(of: Set(pictures.map { PictureSet($0.key) }), session)
            let rows = pictures.compactMap { picture in
                sets[PictureSet(picture.key)].map { (key: $0 << Self.setShift + picture.key.cell, picture) }
            }
            return try session.transaction {
                let current = try session.integer("SELECT generation FROM library_picture_state FOR SHARE")
                guard current == generation else { return false }
                // In the order of keys: two that store the same pictures in another order would wait for each other.
                for (key, picture) in rows.sorted(by: { $0.key < $1.key }) {
                    try session.run(
                        """
                        INSERT INTO library_picture VALUES ($1, $2, $3)
                        ON CONFLICT (key) DO UPDATE SET digest = excluded.digest, bytes = excluded.bytes
                        """, [.integer(key), .blob(picture.digest), .blob(picture.bytes)])
                }
                return true
            }
        }
    }

    func remove(endingGeneration: Bool, where fits: (StoredPictureKey) -> Bool) throws -> [StoredPictureKey] {
        try sessions.withSession { session in
            try session.transaction {
                // Waits for those that are storing; what they have stored is seen below.
                if endingGeneration {
                    try session.run("UPDATE library_picture_state SET generation = generation + 1")
                }
                let sets = try Self.sets(session)
                var keys: [Int64] = []
                var removed: [StoredPictureKey] = []
                try session.forEach("SELECT key FROM library_picture") { row in
                    let key = row.integer(0)
                    guard let set = sets[key >> Self.setShift] else { return }
                    let named = StoredPictureKey(
                        style: set.style, layer: set.layer, cell: key & (1 << Self.setShift - 1))
                    guard fits(named) else { return }
                    keys.append(key)
                    removed.append(named)
                }
                for key in keys.sorted() {
                    try session.run("DELETE FROM library_picture WHERE key = $1", [.integer(key)])
                }
                return removed
            }
        }
    }

    // MARK: Styles and layers

    private struct PictureSet: Hashable {
        var style: String
        var layer: String

        init(style: String, layer: String) {
            self.style = style
            self.layer = layer
        }

        init(_ key: StoredPictureKey) {
            self.init(style: key.style, layer: key.layer)
        }
    }

    private static func sets(_ session: PostgreSQLSession) throws -> [Int64: PictureSet] {
        let found = try session.rows("SELECT number, style, layer FROM library_picture_set") { row in
            (row.integer(0), PictureSet(style: row.text(1), layer: row.text(2)))
        }
        return Dictionary(uniqueKeysWithValues: found)
    }

    /// The numbers of sets, which get one if they have none. Numbers are given in a transaction of their own, which waits
    /// for those that are storing, and is rare.
    private func numbers(of sets: Set<PictureSet>, _ session: PostgreSQLSession) throws -> [PictureSet: Int64] {
        func known() throws -> [PictureSet: Int64] {
            Dictionary(try Self.sets(session).map { ($0.value, $0.key) }) { first, _ in first }
        }
        let found = try known()
        let new = sets.filter { found[$0] == nil }
        if new.isEmpty { return found }
        try session.transaction {
            _ = try session.integer("SELECT generation FROM library_picture_state FOR UPDATE")
            for set in new {
                try session.run(
                    """
                    INSERT INTO library_picture_set SELECT coalesce(max(number) + 1, 1), $1, $2 FROM library_picture_set
                    ON CONFLICT (style, layer) DO NOTHING
                    """, [.text(set.style), .text(set.layer)])
            }
        }
        return try known()
    }
}
