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

/// A file of an import whose format is read by another version of its reader now.
public struct OutdatedFile: Sendable, Hashable {
    /// The number of the import.
    public var importNumber: Int64
    /// The path in its receipt.
    public var name: String
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
    /// The files of imports that were read by an earlier version of a reader than the current one, the newest imports
    /// first; `readers` has the current versions, by the names of the formats.
    ///
    /// Of imports before files were stored, these are the files whose receipts say that they were of such a format.
    public func outdatedFiles(
        ofImports numbers: ClosedRange<Int64>, readers: [String: Int]
    ) throws -> [OutdatedFile] {
        try read { snapshot in
            let stored = try snapshot.session.rows(
                """
                SELECT origin, name, format, reader FROM file
                WHERE origin BETWEEN $1 AND $2 AND replacement IS NULL ORDER BY origin
                """,
                [
                    .integer(ImportOrigin.all(ofImport: numbers.lowerBound).lowerBound),
                    .integer(ImportOrigin.all(ofImport: numbers.upperBound).upperBound),
                ]
            ) { (origin: ImportOrigin(rawValue: $0.integer(0)), name: $0.text(1), format: $0.text(2), $0.integer(3)) }
            let known = Set(stored.map { OutdatedFile(importNumber: $0.origin.importNumber, name: $0.name) })
            var found = stored.filter { $0.3 != ReadFile.noReader && $0.3 < readers[$0.format] ?? 0 }.map {
                OutdatedFile(importNumber: $0.origin.importNumber, name: $0.name)
            }
            for receipt in try snapshot.receiptsWithoutOrigins(ofImports: numbers).joined() where receipt.hasPoints {
                let file = OutdatedFile(importNumber: receipt.number, name: receipt.file)
                guard ReadFile.firstReader < readers[receipt.format ?? ""] ?? 0, !known.contains(file) else { continue }
                found.append(file)
            }
            return found.sorted { ($1.importNumber, $0.name) < ($0.importNumber, $1.name) }
        }
    }
}
