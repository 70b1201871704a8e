internal import Database
package import Digest

/// A file that is read anew.
package struct EarlierFile: Sendable {
    /// Its name in its tracks: without folders, and for a member of an archive, the archive and the path in it.
    package var source: String
    /// Its size in bytes, before decompression.
    package var byteCount: Int
    /// The digest of its bytes, after decompression.
    package var digest: ContentDigest

    /// Creates a file.
    package init(source: String, byteCount: Int, digest: ContentDigest) {
        self.source = source
        self.byteCount = byteCount
        self.digest = digest
    }
}

/// What earlier imports contributed from a file.
package struct EarlierContribution: Sendable {
    package var origins: [ImportOrigin]
    package var content: Contribution
}

extension TrackDatabase {
    /// What imports before `number` contributed from each of these files; nil for a file that none has read. Of two
    /// equal files, the first gets it.
    ///
    /// Files that an earlier version has imported get origins of their own, unless `isDryRun`.
    package func earlierContributions(
        of files: [EarlierFile], beforeImport number: Int64, isDryRun: Bool
    ) throws -> [EarlierContribution?] {
        if isReadOnly { return try read { try $0.earlierContributions(of: files, beforeImport: number) } }
        do {
            return try write { writer in
                try writer.flush()
                return try writer.session.transaction {
                    try writer.giveOrigins(to: files, beforeImport: number)
                    let found = try TrackSnapshot(session: writer.session).earlierContributions(
                        of: files, beforeImport: number)
                    // What is thrown rolls the transaction back.
                    if isDryRun { throw Found(contributions: found) }
                    return found
                }
            }
        } catch let found as Found {
            return found.contributions
        }
    }
}

/// What a transaction has found that is rolled back.
private struct Found: Error {
    let contributions: [EarlierContribution?]
}

extension TrackSnapshot {
    fileprivate func earlierContributions(
        of files: [EarlierFile], beforeImport number: Int64
    ) throws -> [EarlierContribution?] {
        let limit = number == .max ? Int64.max : ImportOrigin(import: number).rawValue
        var taken: Set<ImportOrigin> = []
        return try files.map { file in
            let origins = try session.rows(
                "SELECT origin FROM file WHERE digest = $1 AND origin < $2 ORDER BY origin",
                [.blob(file.digest.bytes), .integer(limit)]
            ) { ImportOrigin(rawValue: $0.integer(0)) }.filter { taken.insert($0).inserted }
            return origins.isEmpty
                ? nil : EarlierContribution(origins: origins, content: try contribution(of: origins))
        }
    }
}

extension TrackWriter {
    /// Gives files that an earlier version has imported origins of their own, as far as it is known what they
    /// contributed: that version stored only which import contributed something.
    ///
    /// A file is recognised by name and size in the import's receipts. Its tracks are those with its name, if no other
    /// file of the import has the same; points in streams and pins are its own if no other file of the import can have
    /// contributed any.
    fileprivate func giveOrigins(to files: [EarlierFile], beforeImport number: Int64) throws {
        let wanted = Dictionary(files.map { ($0.source, $0) }, uniquingKeysWith: { first, _ in first })
        let imports = ImportRecord.none...max(ImportRecord.none, number - 1)
        for receipts in try TrackSnapshot(session: session).receiptsWithoutOrigins(ofImports: imports) {
            let isAlone = receipts.count { $0.hasPoints } <= 1
            for receipt in receipts {
                guard let file = receipt.names.lazy.compactMap({ wanted[$0] }).first, file.byteCount == receipt.bytes,
                    receipts.count(where: { $0.names.contains(file.source) }) == 1
                else { continue }
                try giveOrigin(to: file, receipt, withStreams: isAlone)
            }
        }
    }

    /// Gives a file an origin of its own, to which what it contributed belongs from now on.
    private func giveOrigin(to file: EarlierFile, _ receipt: EarlierReceipt, withStreams: Bool) throws {
        let whole = ImportOrigin(import: receipt.number)
        let own = ImportOrigin(import: receipt.number, file: Int(receipt.ordinal))
        let values: [Value] = [.integer(own.rawValue), .integer(whole.rawValue)]
        try session.run(
            """
            UPDATE source_beginning SET import = $1 WHERE import = $2
            AND track IN (SELECT track FROM source WHERE import = $2 AND source = $3)
            """, values + [.text(file.source)])
        try session.run(
            "UPDATE source SET import = $1 WHERE import = $2 AND source = $3", values + [.text(file.source)])
        if withStreams {
            try session.batch([
                Query("UPDATE stream_source SET import = $1 WHERE import = $2", values),
                Query("UPDATE stream_source_range SET import = $1 WHERE import = $2", values),
                Query("UPDATE pin_origin SET origin = $1 WHERE origin = $2", values),
                Query("UPDATE photo_origin SET origin = $1 WHERE origin = $2", values),
            ])
        }
        let read = ReadFile(
            number: Int(receipt.ordinal), name: receipt.file, digest: file.digest, format: receipt.format ?? "",
            reader: ReadFile.firstReader)
        try put(read, ofImport: receipt.number)
    }
}
