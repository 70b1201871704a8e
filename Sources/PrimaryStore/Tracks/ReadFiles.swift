internal import Database
public import Digest

/// A file, or a member of an archive, that an import has read.
public struct ReadFile: Sendable, Equatable {
    /// Its number in the import, by which its tracks and pins name it as their origin.
    public var number: Int
    /// The path in its receipt.
    public var name: String
    /// The digest of its bytes, after decompression; nil if it was not read to its end.
    public var digest: ContentDigest?
    /// The name of its format.
    public var format: String
    /// The version of the reader of the format that read it.
    public var reader: Int

    /// The version of all readers before their versions were stored.
    public static let firstReader = 1
    /// The version of a file of which nothing is stored, because it was read anew.
    static let noReader = 0

    /// Creates a file.
    public init(number: Int, name: String, digest: ContentDigest?, format: String, reader: Int) {
        self.number = number
        self.name = name
        self.digest = digest
        self.format = format
        self.reader = reader
    }
}

/// The files of an import whose format is read by another version of its reader now.
public struct OutdatedFiles: Sendable, Equatable {
    /// The number of all of them.
    public var count = 0
    /// The paths in their receipts, in order; not all, if fewer were asked for.
    public var names: [String] = []
}

/// A receipt to be stored with an import.
public struct StoredReceipt: Sendable {
    /// The receipt, a JSON object.
    public var json: String
    /// The file, if it can be read anew.
    public var file: ReadFile?

    /// Creates a receipt; without a file, it is that of a photo or of a file that contains no tracks.
    public init(json: String, file: ReadFile? = nil) {
        self.json = json
        self.file = file
    }
}

extension TrackWriter {
    /// Stores which file it is that a number of an import stands for.
    func put(_ file: ReadFile, ofImport number: Int64) throws {
        try session.run(
            """
            INSERT INTO file (origin, digest, name, format, reader) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (origin) DO UPDATE SET digest = excluded.digest, name = excluded.name, format = excluded.format,
            reader = excluded.reader
            """,
            [
                .integer(ImportOrigin(import: number, file: file.number).rawValue),
                file.digest.map { .blob($0.bytes) } ?? .null, .text(file.name), .text(file.format),
                .integer(file.reader),
            ])
    }
}

extension TrackDatabase {
    /// The files of an import that were read by an earlier version of a reader than the current one; `readers` has the
    /// current versions, by the names of the formats. Names are given in order, up to `limit` after the first `passed`.
    ///
    /// Of imports before files were stored, these are the files whose receipts say that they were of such a format.
    public func outdatedFiles(
        ofImport number: Int64, readers: [String: Int], skipping passed: Int = 0, limit: Int = .max
    ) throws -> OutdatedFiles {
        try read { try $0.outdatedFiles(ofImport: number, readers: readers, skipping: passed, limit: limit) }
    }
}

extension TrackSnapshot {
    fileprivate func outdatedFiles(
        ofImport number: Int64, readers: [String: Int], skipping passed: Int, limit: Int
    ) throws -> OutdatedFiles {
        let origins = ImportOrigin.all(ofImport: number)
        let mine: [Value] = [.integer(origins.lowerBound), .integer(origins.upperBound)]
        func isOutdated(_ format: String, _ reader: Int) -> Bool {
            reader != ReadFile.noReader && reader < readers[format] ?? 0
        }
        let kinds = try session.rows(
            """
            SELECT format, reader, count(*) FROM file WHERE origin BETWEEN $1 AND $2 AND replacement IS NULL
            GROUP BY format, reader
            """, mine
        ) { (isOutdated: isOutdated($0.text(0), Int($0.integer(1))), count: Int($0.integer(2))) }
        let count = kinds.filter(\.isOutdated).reduce(0) { $0 + $1.count }
        let receipts = try receiptsWithoutOrigins(ofImports: number...number).joined().filter {
            $0.hasPoints && isOutdated($0.format ?? "", ReadFile.firstReader)
        }
        // Of an import before files were stored, those that have been read anew have rows.
        let isEarlier = !receipts.isEmpty
        var names: [String] = []
        var skipped = 0
        if count > 0, isEarlier || count > passed && limit > 0 {
            try session.forEachWhile(
                """
                SELECT name, format, reader FROM file WHERE origin BETWEEN $1 AND $2 AND replacement IS NULL
                ORDER BY name, origin
                """, mine
            ) { row in
                guard isOutdated(row.text(1), Int(row.integer(2))) else { return true }
                if !isEarlier, skipped < passed { skipped += 1 } else { names.append(row.text(0)) }
                return isEarlier || names.count < limit
            }
        }
        guard isEarlier else { return OutdatedFiles(count: count, names: names) }
        let known = Set(try session.rows("SELECT name FROM file WHERE origin BETWEEN $1 AND $2", mine) { $0.text(0) })
        names = (names + receipts.map(\.file).filter { !known.contains($0) }).sorted()
        return OutdatedFiles(count: names.count, names: Array(names.dropFirst(passed).prefix(limit)))
    }
}
