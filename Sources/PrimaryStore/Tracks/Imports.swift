import Database

extension TrackDatabase {
    /// Begins an import and returns its number.
    public func beginImportRun(_ given: [String]) throws -> Int64 {
        try write { writer in
            try writer.session.inserted(
                "INSERT INTO import (time, given) VALUES ($1, $2) RETURNING number",
                [.integer(now()), .text(RowCoding.text(of: given))])
        }
    }

    /// Stores receipts of files, and which files they are.
    public func storeReceipts(_ receipts: [StoredReceipt], ofImport number: Int64) throws {
        guard !receipts.isEmpty else { return }
        try write { writer in
            try writer.session.transaction {
                for receipt in receipts {
                    try writer.session.run(
                        """
                        INSERT INTO import_file SELECT $1, coalesce(max(ordinal), 0) + 1, $2 FROM import_file
                        WHERE import = $1
                        """, [.integer(number), .text(receipt.json)])
                    if let file = receipt.file { try writer.put(file, ofImport: number) }
                }
            }
        }
    }

    /// Deletes an import that has added nothing; returns false if it has added something.
    @discardableResult
    public func deleteEmptyImport(_ number: Int64) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction {
                let origins = ImportOrigin.all(ofImport: number)
                let used = try writer.session.integer(
                    """
                    SELECT 1 FROM source WHERE import BETWEEN $1 AND $2 UNION ALL
                    SELECT 1 FROM stream_source WHERE import BETWEEN $1 AND $2 UNION ALL
                    SELECT 1 FROM pin_origin WHERE origin BETWEEN $1 AND $2 LIMIT 1
                    """, [.integer(origins.lowerBound), .integer(origins.upperBound)])
                guard used == nil else { return false }
                try writer.deleteImport(number)
                return true
            }
        }
    }

    /// Ends a failed import: its unwritten recordings are discarded, and if nothing of it was stored, it is deleted.
    /// Returns the import, or nil if it was deleted.
    public func endFailedImport(_ number: Int64) throws -> ImportRecord? {
        try write { $0.discardPending(ofImport: number) }
        return try deleteEmptyImport(number) ? nil : importRecord(number)
    }

    /// Imports, newest first: at most `limit`, with numbers below `number`.
    public func imports(before number: Int64 = .max, limit: Int = .max) throws -> [ImportRecord] {
        try read { try $0.imports("i.number < $1", number, limit: limit) }
    }

    /// The import with a number; nil if there is none.
    public func importRecord(_ number: Int64) throws -> ImportRecord? {
        try read { try $0.imports("i.number = $1", number, limit: 1).first }
    }

    /// The receipts of an import's files, in order of processing: at most `limit` after the first `skipped`.
    public func receipts(ofImport number: Int64, skipping skipped: Int = 0, limit: Int = .max) throws -> [String] {
        try read { snapshot in
            // Ordinals count from 1 without gaps, because receipts are only deleted with their import.
            try snapshot.session.rows(
                "SELECT receipt FROM import_file WHERE import = $1 AND ordinal > $2 ORDER BY ordinal LIMIT $3",
                [.integer(number), .integer(Int64(skipped)), .integer(Int64(limit))]
            ) { $0.text(0) }
        }
    }

    /// A transaction of an undo takes about this long, twice with its commit.
    public static let undoStepTime = Duration.milliseconds(40)

    /// Undoes an import: removes what only this import added. Returns what it has removed, and the revision that records
    /// it.
    ///
    /// Uses many short transactions, between which others may write. If interrupted, it continues when called again,
    /// because the import is listed until the end. The points stay on disk until `eraseRemoved()`. A transaction starts
    /// no further step after `stepTime`; `isStopped` is checked between transactions.
    public func undoImport(
        importNumber number: Int64, stepTime: Duration = undoStepTime, isStopped: () -> Bool = { false }
    ) throws -> UndoneContent {
        try write { try $0.flush() }
        var undo = ImportUndo(origins: ImportOrigin.all(ofImport: number), stepTime: stepTime)
        var undone = UndoneContent(revision: 0)
        if try undoAll(&undo, isStopped: isStopped) {
            undone.revision = try write { writer in
                try writer.session.transaction { try writer.deleteImport(number) }
                return try ChangeLog.head(writer.session).revision
            }
        } else {
            undone.revision = try head().revision
        }
        (undone.tracks, undone.points, undone.pins) = (undo.tracks, undo.points, undo.pins)
        return undone
    }

    /// Takes all steps of an undo; returns false if it was stopped before the last.
    func undoAll(_ undo: inout ImportUndo, isStopped: () -> Bool) throws -> Bool {
        // Before the first step: if this process is killed, the next one overwrites what the steps have removed.
        try write { try $0.requestErasure() }
        while !isStopped() {
            try measure(&undo)
            guard try write({ try $0.undoStep(&undo) }) else { return true }
            Self.letOthersWrite()
        }
        return false
    }
}

/// What undoing an import has removed. If an earlier undo of the import was interrupted, without what that removed.
public struct UndoneContent: Sendable, Equatable {
    /// The revision that records it.
    public var revision: Int64
    /// Tracks that do not exist any more. Negative if the points that were removed divided a track of a stream.
    public var tracks = 0
    public var points = 0
    /// The numbers of the pins that were removed, or that are when the pins of waypoints are next updated; some may stay,
    /// because others contributed them, too.
    var pins: Set<Int64> = []
}

extension TrackSnapshot {
    /// The number of the pins of an undone import that do not exist any more.
    package func removedPins(of undone: UndoneContent) throws -> Int {
        try undone.pins.count { number in
            try session.integer("SELECT 1 FROM pin WHERE number = $1 AND state = 0", [.integer(number)]) == nil
        }
    }
}

extension TrackWriter {
    fileprivate func deleteImport(_ number: Int64) throws {
        let origins = ImportOrigin.all(ofImport: number)
        try session.run(
            "DELETE FROM file WHERE origin BETWEEN $1 AND $2",
            [.integer(origins.lowerBound), .integer(origins.upperBound)])
        try session.run("DELETE FROM import_file WHERE import = $1", [.integer(number)])
        try session.run("DELETE FROM import WHERE number = $1", [.integer(number)])
    }
}

extension TrackSnapshot {
    fileprivate func imports(_ condition: String, _ number: Int64, limit: Int) throws -> [ImportRecord] {
        try session.rows(
            """
            SELECT i.number, i.time, i.given, (SELECT count(*) FROM import_file WHERE import = i.number),
            (SELECT count(DISTINCT s.track) FROM source s JOIN track t ON t.number = s.track
            WHERE s.import BETWEEN i.first AND i.last AND t.state = 0),
            (SELECT count(DISTINCT stream) FROM stream_source WHERE import BETWEEN i.first AND i.last),
            (SELECT count(DISTINCT pin) FROM pin_origin WHERE origin BETWEEN i.first AND i.last)
            FROM (SELECT number, time, given, number << \(LibraryTables.originFileBits) AS first,
            ((number + 1) << \(LibraryTables.originFileBits)) - 1 AS last FROM import) AS i
            WHERE \(condition) ORDER BY i.number DESC LIMIT $2
            """, [.integer(number), .integer(Int64(limit))]
        ) { row in
            ImportRecord(
                number: row.integer(0), time: row.integer(1), given: RowCoding.texts(row.text(2)),
                files: Int(row.integer(3)), recordings: Int(row.integer(4)), streams: Int(row.integer(5)),
                pins: Int(row.integer(6)))
        }
    }

    /// The problems of the rows of imports, one sentence each.
    func importProblems() throws -> [String] {
        var problems = CountedProblems(session)
        try problems.count(
            "SELECT count(*) FROM track WHERE state = 0 AND stream IS NULL AND number NOT IN (SELECT track FROM source)",
            "tracks belong to no import")
        try problems.count(
            """
            SELECT count(*) FROM source s LEFT JOIN track t ON t.number = s.track
            WHERE t.number IS NULL OR t.stream IS NOT NULL
            """, "tracks of imports are missing")
        try problems.count(
            """
            SELECT count(DISTINCT s.stream) FROM stream_source s
            JOIN stream_source_range r ON r.stream = s.stream AND r.import = s.import
            JOIN stream_source_range o ON o.stream = r.stream AND o.import <> r.import
            AND o.last_time >= r.first_time AND o.first_time <= r.last_time WHERE s.content IS NULL
            """, "streams do not separate the points of their imports")
        try problems.count(
            """
            SELECT count(*) FROM stream_chunk WHERE stream < 0 AND -stream NOT IN (SELECT number FROM content)
            """, "chunks belong to no import")
        return problems.sentences
    }
}
