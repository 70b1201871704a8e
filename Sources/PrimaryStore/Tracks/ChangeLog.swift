package import Database
internal import Digest
import Text

/// The log of changes: one row for each revision, with a digest over it and the digest of the previous revision.
package enum ChangeLog {
    /// The changes of one transaction, collected until it commits.
    package struct Draft {
        var added: [Int64] = []
        var changed: Set<Int64> = []
        var removed: Set<Int64> = []
        package var metadataChanged: Set<Int64> = []
        var layers: Set<Int64> = []
        var pins: Set<Int64> = []

        /// Creates a draft without changes.
        package init() {}

        var isEmpty: Bool {
            added.isEmpty && changed.isEmpty && removed.isEmpty && metadataChanged.isEmpty && layers.isEmpty
                && pins.isEmpty
        }
    }

    package static func head(_ session: any Session) throws -> Head {
        let newest = try session.first("SELECT revision, digest FROM change ORDER BY revision DESC LIMIT 1") {
            try head(of: $0, in: session)
        }
        if let newest { return newest }
        guard let library = try Meta.text("library", session) else {
            throw LibraryError.damaged(path: session.databaseName, what: "the library's id is missing")
        }
        return Head(revision: 0, digest: ContentDigest(of: Array(library.utf8)))
    }

    /// Writes the changes as the next revision, as the last step of a transaction, and returns it. An empty draft
    /// writes nothing and returns the current revision.
    @discardableResult
    package static func append(_ draft: Draft, time: Int64, _ session: any Session) throws -> Int64 {
        let head = try head(session)
        guard !draft.isEmpty else { return head.revision }
        let added = Set(draft.added).subtracting(draft.removed)
        let changed = draft.changed.subtracting(added).subtracting(draft.removed)
        var lists = [
            added.sorted(), changed.sorted(), draft.removed.subtracting(draft.added).sorted(),
            draft.metadataChanged.subtracting(changed).subtracting(added).subtracting(draft.removed).sorted(),
        ]
        if !draft.layers.isEmpty || !draft.pins.isEmpty { lists.append(draft.layers.sorted()) }
        if !draft.pins.isEmpty { lists.append(draft.pins.sorted()) }
        let bytes = encode(lists)
        let revision = head.revision + 1
        let digest = digest(after: head.digest, revision: revision, time: time, bytes)
        try session.run(
            "INSERT INTO change VALUES ($1, $2, $3, $4)",
            [.integer(revision), .integer(time), .blob(bytes), .blob(digest.bytes)])
        return revision
    }

    static func change(of row: any Row, in session: any Session) throws -> Change {
        guard let lists = decode(row.blob(2)), let digest = ContentDigest(bytes: row.blob(3)) else {
            throw LibraryError.damaged(path: session.databaseName, what: "revision \(row.integer(0)) cannot be read")
        }
        var change = Change(revision: row.integer(0), time: row.integer(1), digest: digest)
        (change.added, change.changed, change.removed, change.metadataChanged) = (
            lists[0], lists[1], lists[2], lists[3]
        )
        (change.layers, change.pins) = (lists[4], lists[5])
        return change
    }

    static func digest(after previous: ContentDigest, revision: Int64, time: Int64, _ bytes: [UInt8]) -> ContentDigest {
        var digester = Digester()
        digester.update(previous)
        digester.update(revision)
        digester.update(time)
        digester.update(bytes.count)
        digester.update(bytes: bytes)
        return digester.finish()
    }

    private static func head(of row: any Row, in session: any Session) throws -> Head {
        guard let digest = ContentDigest(bytes: row.blob(1)) else {
            throw LibraryError.damaged(path: session.databaseName, what: "the change log's head cannot be read")
        }
        return Head(revision: row.integer(0), digest: digest)
    }

    /// Encodes lists of ascending numbers: the count, then the differences, as varints. There are four lists, a
    /// fifth if layers or pins change, and a sixth if pins change.
    private static func encode(_ lists: [[Int64]]) -> [UInt8] {
        var bytes: [UInt8] = []
        for list in lists {
            Varint.append(UInt64(list.count), to: &bytes)
            var last: Int64 = 0
            for number in list {
                Varint.append(UInt64(number - last), to: &bytes)
                last = number
            }
        }
        return bytes
    }

    private static func decode(_ bytes: [UInt8]) -> [[Int64]]? {
        var position = 0
        func take() -> Int64? {
            (try? Varint.read(bytes.span, &position, end: bytes.count)).flatMap { Int64(exactly: $0) }
        }
        var lists: [[Int64]] = []
        for index in 0..<6 {
            // Versions without layers and pins wrote four lists.
            if index >= 4, position == bytes.count {
                lists.append([])
                continue
            }
            // Each number takes at least a byte.
            guard let count = take(), count <= bytes.count else { return nil }
            var list: [Int64] = []
            var last: Int64 = 0
            for _ in 0..<count {
                guard let step = take() else { return nil }
                last &+= step
                list.append(last)
            }
            lists.append(list)
        }
        return position == bytes.count ? lists : nil
    }
}

/// The values of the table `meta`.
package enum Meta {
    package static func text(_ name: String, _ session: any Session) throws -> String? {
        try session.first("SELECT value FROM meta WHERE name = $1", [.text(name)]) { $0.textOrNil(0) } ?? nil
    }

    package static func integer(_ name: String, _ session: any Session) throws -> Int64? {
        try session.integer("SELECT value FROM meta WHERE name = $1", [.text(name)])
    }

    /// Whether a value that may look like an integer is a text; PostgreSQL stores integers as texts, too.
    package static func isText(_ name: String) -> Bool {
        name == "plausible_times" || name == "address_tracks"
    }

    package static func set(_ name: String, to value: Value, _ session: any Session) throws {
        try session.run(
            "INSERT INTO meta VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            [.text(name), value])
    }
}
