import Database
import Files
import Foundation
import Pins
import SQLiteStorage
import Testing

@testable import GridStorage
@testable import PrimaryStore

/// All SQL of the store, as it is written in the sources.
struct SharedSQLTests {
    private struct Statement {
        var file: String
        var sql: String
    }

    /// A text literal of Swift that is one statement.
    private static var literal: Regex<(Substring, lines: Substring?, line: Substring?)> {
        /"""\n(?<lines>(?s:.*?))\n *"""|"(?<line>(?:[^"\\\n]|\\.)*)"/
    }
    private static var interpolation: Regex<(Substring, name: Substring)> {
        /\\\((?<name>[^()]*(?:\([a-z.]*\))?)\)/
    }

    /// Values for the parts of statements that are made when the program runs. Constants of a file are looked up there.
    private static func values(of name: String, in file: String, session: any Session) -> [String] {
        switch (file, name) {
        case (_, "Track.columns(session)"), (_, "Track.columns(snapshot.session)"): [Track.columns(session)]
        case (_, "StoredTrack.columns"): [TrackWriter.StoredTrack.columns]
        case (_, "Track.tagList(session)"): [Track.tagList(session)]
        case (_, "Track.tables"): [Track.tables]
        case (_, "Pin.columns"): [Pin.columns]
        case (_, "Pin.factColumns"): [Pin.factColumns]
        case (_, "Pin.tables"): [Pin.tables]
        case (_, "PhotoRows.columns"): [PhotoRows.columns]
        case (_, "PhotoRows.isUsed"): [PhotoRows.isUsed]
        case ("TrackReplay.swift", "comparison"):
            ["t.start >= $3", "t.start >= $3 AND (t.start, t.digest, t.number) > ($3, $4, $5)"]
        case ("Imports.swift", "condition"): ["i.number < $1", "i.number = $1"]
        case ("DryRun.swift", "name"): ["person"]
        case ("DryRun.swift", "list"): ["number"]
        case ("DryRun.swift", "parameters"): ["$1"]
        case ("DryRun.swift", "condition"): ["number = $1"]
        case ("TrackEdit.swift", "column"): ["name", "activity"]
        case ("TrackEdit.swift", "$0"): ["tag", "edit"]
        case ("BlobTable.swift", "name"): ["logs", "sums", "line_logs", "layer_rows"]
        case ("BlobTable.swift", "column"): ["data"]
        case ("GridReader.swift", "name"): ["tiles", "lines"]
        case ("GridReader.swift", "table.name"): ["logs", "line_logs"]
        case ("TrackRows.swift", "table"): ["totals", "visits", "ledger", "minutes", "stays"]
        default: []
        }
    }

    private static func statements(_ session: any Session) throws -> [Statement] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let files = ["PrimaryStore", "GridStorage", "RecordingStore", "TrackStore"].flatMap { target in
            FileManager.default.enumerator(at: root.appendingPathComponent(target), includingPropertiesForKeys: nil)?
                .allObjects ?? []
        }
        var statements: [Statement] = []
        for case let url as URL in files where url.pathExtension == "swift" {
            let file = url.lastPathComponent
            let text = try String(contentsOf: url, encoding: .utf8)
            let literals = text.matches(of: literal).map { String($0.lines ?? $0.line ?? "") }
            for literal in literals where literal.firstMatch(of: /^\s*(SELECT|INSERT|UPDATE|DELETE)\b/) != nil {
                var sqls = [literal]
                while let part = sqls[0].firstMatch(of: interpolation) {
                    let (name, whole) = (String(part.name), String(part.0))
                    var values = values(of: name, in: file, session: session)
                    if values.isEmpty, let constant = try constant(name, in: text) { values = [constant] }
                    try #require(!values.isEmpty, "\(file): what is \(name) in \(literal)?")
                    sqls = sqls.flatMap { sql in values.map { sql.replacingOccurrences(of: whole, with: $0) } }
                }
                statements += sqls.map { Statement(file: file, sql: $0) }
            }
        }
        return statements
    }

    private static func constant(_ name: String, in text: String) throws -> String? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let found = try Regex("let \(NSRegularExpression.escapedPattern(for: last)) = ").firstMatch(in: text)
        guard let found, let value = text[found.range.upperBound...].prefixMatch(of: literal) else { return nil }
        return String(value.lines ?? value.line ?? "")
    }

    private static func numbers(of sql: String) -> [Int] {
        sql.matches(of: /\$(\d+)/).compactMap { Int($0.1) }
    }

    /// What one of the two databases does not know, or does otherwise.
    private static let refused = [
        "\\?", "\\bOR +(REPLACE|IGNORE)\\b", "\\bREPLACE INTO\\b", "(?i)\\browid\\b", "(?i)pragma", "(?i)sqlite_",
        "(?i)\\b(ifnull|total|typeof|randomblob|zeroblob|last_insert_rowid|char|glob|instr|printf)\\b *\\(",
        "(?i)\\b(autoincrement|without)\\b", "\\bFROM *\\([^()]*\\)(?! *AS\\b)", "==",
    ]

    @Test func `all statements are in the SQL that SQLite and PostgreSQL share`() throws {
        let folder = try TemporaryFolder()
        let storage = SQLiteStorage(folder: folder.path)
        let tracks = try TrackDatabase(storage)
        let grid = try GridStore(storage)
        let sessions = [
            try tracks.database.writer(), try grid.database.writer(),
            try storage.temporaryDatabase(.run).session(), try storage.temporaryDatabase(.block).session(),
        ]
        let statements = try Self.statements(sessions[0])
        #expect(statements.count > 200)
        for statement in statements {
            let numbers = Self.numbers(of: statement.sql)
            let count = Set(numbers).count
            var seen = 0
            for number in numbers where number > seen {
                #expect(number == seen + 1, "\(statement.file): parameters out of order: \(statement.sql)")
                seen = number
            }
            // `group_concat` is what this session gives for `lines(of:)`.
            let text = statement.sql.replacingOccurrences(of: sessions[0].lines(of: "name"), with: "lines")
            for refused in Self.refused {
                #expect(
                    try Regex(refused).firstMatch(in: text) == nil, "\(statement.file): \(refused) in \(statement.sql)")
            }
            let errors = sessions.compactMap { Self.error(of: statement.sql, values: count, $0) }
            #expect(errors.count < sessions.count, "\(statement.file): \(errors) in \(statement.sql)")
        }
    }

    /// Why a statement cannot be prepared; nil if it can.
    private static func error(of sql: String, values: Int, _ session: any Session) -> String? {
        do {
            try session.forEach("EXPLAIN " + sql, [Value](repeating: .null, count: values)) { _ in }
            return nil
        } catch {
            return "\(error)"
        }
    }
}
