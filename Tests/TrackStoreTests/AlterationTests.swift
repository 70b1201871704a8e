import Database
import Files
import Foundation
import SQLite
import Testing

@testable import PrimaryStore
@testable import SQLiteStorage
@testable import TrackStore

/// Libraries in which a single value, row or byte was altered from outside.
@Suite struct AlterationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A library with rows in every table.
    private func filled(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        try makeFilledLibrary(path)
        return path
    }

    private func tables(_ connection: Connection) throws -> [String] {
        try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
    }

    private func columns(_ table: String, _ connection: Connection) throws -> [String] {
        try connection.rows("PRAGMA table_info(\(table))") { $0.text(1) }
    }

    /// An SQL condition for the row of a table with an index.
    private func row(_ table: String, _ index: Int, _ connection: Connection) throws -> String {
        let keys = try connection.rows("PRAGMA table_info(\(table))") { ($0.text(1), $0.integer(5)) }
            .filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }.map(\.0)
        let isWithoutRowID =
            try connection.integer(
                "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%WITHOUT ROWID%'", [.text(table)]) != nil
        let key = isWithoutRowID ? "(\(keys.joined(separator: ", ")))" : "rowid"
        let selected = isWithoutRowID ? keys.joined(separator: ", ") : "rowid"
        return "\(key) = (SELECT \(selected) FROM \(table) ORDER BY 1 LIMIT 1 OFFSET \(index))"
    }

    /// Copies the library, alters a file of the copy, and returns the problems that `verify` reports.
    private func problems(
        _ library: String, _ file: String, alter: (Connection) throws -> Void
    ) throws -> [String] {
        let copy = "\(folder.path)/copy-\(UUID().uuidString)"
        defer { try? Folder.remove(copy) }
        try FileManager.default.copyItem(atPath: library, toPath: copy)
        do {
            let connection = try Connection(path: "\(copy)/\(file)")
            try alter(connection)
            _ = try connection.checkpointTruncating()
        }
        do {
            let altered = try Library(folder: copy)
            // As the command does: an update must not replace altered rows before they are reported.
            return try altered.verify { try altered.catchUp() }
        } catch let error as LibraryError {
            return [error.description]
        }
    }

    @Test(arguments: ["tracks.sqlite", "grid.sqlite"])
    func `every value of every table that is altered is reported`(file: String) throws {
        let library = try filled("library")
        #expect(try Library(folder: library).verify() == [])
        let reading = try Connection(path: "\(library)/\(file)")
        for table in try tables(reading) {
            let count = try #require(try reading.integer("SELECT count(*) FROM \(table)"))
            // Rows of some tables exist only for tiles with thousands of visits, those of one only in libraries of earlier
            // versions, those of another one while something is erased.
            let maybeEmpty = [
                "logs", "sums", "line_logs", "line_rasters", "line_codes", "layer_rows", "activity", "visits",
                "unused_original",
            ]
            #expect(count > 0 || maybeEmpty.contains(table), "\(table) has no row")
            guard count > 0 else { continue }
            for column in try columns(table, reading) {
                let row = try row(table, Int(count) - 1, reading)
                let found = try problems(library, file) { connection in
                    try connection.run(
                        """
                        UPDATE \(table) SET \(column) = CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 1000003
                        WHEN 'real' THEN \(column) + 0.5 WHEN 'text' THEN \(column) || 'x'
                        WHEN 'blob' THEN CAST(\(column) || x'00' AS BLOB) ELSE 1 END WHERE \(row)
                        """)
                    #expect(connection.changedRows == 1)
                }
                #expect(!found.isEmpty, "\(table).\(column)")
            }
        }
    }

    @Test(arguments: ["tracks.sqlite", "grid.sqlite"])
    func `every deleted or added row is reported`(file: String) throws {
        let library = try filled("library")
        let reading = try Connection(path: "\(library)/\(file)")
        for table in try tables(reading) where try reading.integer("SELECT 1 FROM \(table)") != nil {
            let row = try row(table, 0, reading)
            let found = try problems(library, file) { try $0.run("DELETE FROM \(table) WHERE \(row)") }
            #expect(!found.isEmpty, "\(table)")
            let emptied = try problems(library, file) { try $0.run("DELETE FROM \(table)") }
            #expect(!emptied.isEmpty, "\(table)")
        }
        let doubled = try problems(library, file) { connection in
            try connection.run(
                file == "grid.sqlite"
                    ? "INSERT INTO logs VALUES (77, x'00')" : "INSERT INTO person (name) VALUES ('nobody')")
        }
        #expect(!doubled.isEmpty)
    }

    @Test func `a bit flipped anywhere in points, lines and cells is reported`() throws {
        let library = try filled("library")
        for (file, table, column) in [
            ("tracks.sqlite", "chunk", "bytes"), ("tracks.sqlite", "stream_chunk", "bytes"),
            ("tracks.sqlite", "change", "tracks"), ("grid.sqlite", "tiles", "data"), ("grid.sqlite", "lines", "data"),
        ] {
            let reading = try Connection(path: "\(library)/\(file)")
            let row = try row(table, 0, reading)
            let blob = try #require(try reading.first("SELECT \(column) FROM \(table) WHERE \(row)") { $0.blob(0) })
            for place in stride(from: 0, to: blob.count, by: max(1, blob.count / 12)) {
                let found = try problems(library, file) { connection in
                    var flipped = blob
                    flipped[place] ^= 1 << UInt8(place % 8)
                    try connection.run("UPDATE \(table) SET \(column) = ? WHERE \(row)", [.blob(flipped)])
                }
                #expect(!found.isEmpty, "\(table).\(column), byte \(place)")
            }
        }
    }

    @Test func `an altered track is reported, one that this program edited, merged or removed is not`() throws {
        let library = try filled("library")
        let store = try Library(folder: library)
        let track = try #require(try store.database.allTracks().first { $0.source == "c.gpx" })
        let found = try problems(library, "tracks.sqlite") {
            try $0.run("UPDATE track SET name = 'Other' WHERE id = ?", [.text(track.id)])
        }
        #expect(found == ["track \(track.id) (c.gpx): its row is altered"])
        _ = try store.remove([track.id]) { _ in }
        _ = try store.database.undoImport(importNumber: 2)
        try store.catchUp()
        #expect(try store.verify() == [])
        _ = try store.database.undoImport(importNumber: 1)
        try store.catchUp()
        #expect(try store.verify() == [])
    }

    @Test func `a library of an earlier version gets its sums when it is opened, in several transactions`() throws {
        let library = try filled("library")
        do {
            let connection = try Connection(path: "\(library)/tracks.sqlite")
            try connection.execute("DELETE FROM row_sum; \(ChecksummedTable.pendingRowSQL)")
            connection.maintainSums(of: TrackTables.definition.summed)
            // Rows written meanwhile get their sums at once.
            try connection.run("UPDATE meta SET value = value WHERE name = 'zone'")
            var next: ChecksumPosition? = .beginning
            var batches = 0
            while let start = next, batches < 5 {
                var blocks = 0
                next = try connection.checksumRows(from: start) {
                    blocks += 1
                    return blocks > 2
                }
                batches += 1
            }
            #expect(next != nil)
        }
        let store = try Library(folder: library)
        #expect(try store.verify() == [])
        #expect(try store.database.read { try $0.session.hasUnsummedRows() } == false)
        let found = try problems(library, "tracks.sqlite") { try $0.run("UPDATE edit SET name = 'Thine'") }
        #expect(found.count == 1)
    }
}
