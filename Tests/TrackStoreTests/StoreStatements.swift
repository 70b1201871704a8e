import Database
import Files
import Foundation
import Pins
import SQLiteStorage
import TestSupport
import Testing

@testable import GridStorage
@testable import PrimaryStore

/// The databases of an empty library, and temporary ones, with a session of each.
struct EmptyDatabases {
    let sessions: [(name: String, session: any Session)]
    private let folder: TemporaryFolder
    private let owners: [Any]

    init() throws {
        folder = try TemporaryFolder()
        let storage = SQLiteStorage(folder: folder.path)
        let tracks = try TrackDatabase(storage)
        let grid = try GridStore(storage)
        let run = try storage.temporaryDatabase(.run)
        let block = try storage.temporaryDatabase(.block)
        owners = [tracks, grid, run, block]
        sessions = [
            ("tracks", try tracks.database.writer()), ("grid", try grid.database.writer()),
            ("run", try run.session()), ("block", try block.session()),
        ]
    }
}

/// All statements of the store, as they are written in the sources.
struct StoreStatements {
    struct Statement: Hashable {
        var file: String
        var sql: String
    }

    private(set) var statements: [Statement] = []
    /// Texts with words or parameters of SQL that are in none of the statements, or that are joined with others by `+`:
    /// such a statement would not be among these.
    private(set) var unknownParts: [String] = []

    /// The statements, with what SQLite has for the SQL that differs between database systems.
    static func all() throws -> StoreStatements {
        try found.get()
    }

    private static let found = Result {
        let databases = try EmptyDatabases()
        return try StoreStatements(StoreSources(session: databases.sessions[0].session))
    }

    private init(_ sources: StoreSources) throws {
        var parts: [(file: String, literal: SwiftLiteral)] = []
        for source in sources.sources {
            for literal in SwiftLiteral.all(in: source.text) {
                let isStatement = literal.pieces[0].firstMatch(of: /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s/) != nil
                if isStatement && !literal.isConcatenated {
                    statements += try sources.texts(of: literal, in: source).map {
                        Statement(file: source.file, sql: $0)
                    }
                } else if isStatement || literal.pieces.contains(where: Self.hasSQL) {
                    parts.append((source.file, literal))
                }
            }
        }
        // Several values may make the same statement.
        var known: Set<Statement> = []
        statements.removeAll { !known.insert($0).inserted }
        let texts = statements.map { Self.joined($0.sql) }
        for (file, literal) in parts {
            let isPart = texts.contains { Self.contains(literal.pieces, in: $0) }
            if isPart && !literal.isConcatenated { continue }
            unknownParts.append("\(file): \(literal.pieces.joined(separator: "\\(…)"))")
        }
    }

    private static func hasSQL(_ piece: String) -> Bool {
        piece.firstMatch(
            of:
                /\$\d|\b(SELECT|FROM|WHERE|JOIN|ORDER BY|GROUP BY|LIMIT|VALUES|RETURNING|CONFLICT|EXISTS|BETWEEN|AND|OR|NOT|NULL|IN|IS|SET|AS|DESC)\b/
        ) != nil
    }

    private static func joined(_ text: some StringProtocol) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether a text contains the pieces, in their order.
    private static func contains(_ pieces: [String], in text: String) -> Bool {
        var rest = text[...]
        for piece in pieces.map(joined) where !piece.isEmpty {
            guard let found = rest.firstRange(of: piece) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

/// The sources with statements, and the values of the interpolations in these.
private struct StoreSources {
    struct Source {
        var file: String
        var text: String
    }

    let sources: [Source]
    private let session: any Session

    /// Targets whose SQL is for SQLite only: the databases and their tables, a cache, files of other programs.
    private static let otherTargets: Set = [
        "PostgreSQL", "PostgreSQLStorage", "SQLite", "SQLiteStorage", "PictureStore", "TileArchive", "TrackImport",
        "JourneyFiles",
    ]

    /// `session` gives the SQL that differs between database systems.
    init(session: any Session) throws {
        self.session = session
        sources = try Self.read()
    }

    /// The sources that use a database, or have statements for those that do.
    private static func read() throws -> [Source] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Sources")
        let targets = try FileManager.default.contentsOfDirectory(atPath: root.path).filter {
            !otherTargets.contains($0)
        }
        return try targets.sorted().flatMap { target in
            let files = FileManager.default.enumerator(
                at: root.appendingPathComponent(target), includingPropertiesForKeys: nil)
            return try (files?.allObjects ?? []).compactMap { file -> Source? in
                guard let url = file as? URL, url.pathExtension == "swift" else { return nil }
                let text = try String(contentsOf: url, encoding: .utf8)
                let isUsed = ["import Database", "SELECT ", "INSERT ", "UPDATE ", "DELETE "].contains(
                    where: text.contains)
                return isUsed ? Source(file: url.lastPathComponent, text: text) : nil
            }
        }
    }

    // MARK: Interpolations

    /// The texts that a literal has when the program runs.
    func texts(of literal: SwiftLiteral, in source: Source) throws -> [String] {
        try assignments(of: literal, in: source).map { values in
            zip(literal.pieces, literal.interpolations + [""]).reduce(into: "") { text, part in
                text += part.0 + (values[part.1] ?? "")
            }
        }
    }

    /// The values of interpolations that belong together.
    private func assignments(of literal: SwiftLiteral, in source: Source) throws -> [[String: String]] {
        switch source.file {
        case _ where literal.interpolations.isEmpty: return [[:]]
        case "BlobTable.swift": return blobTables
        case "DryRun.swift": return try copies(in: source)
        default: break
        }
        var result: [[String: String]] = [[:]]
        for name in Set(literal.interpolations) {
            var values = values(of: name, in: source)
            if values.isEmpty, let constant = try constant(name, in: source) {
                values = try texts(of: constant, in: source)
            }
            try #require(!values.isEmpty, "\(source.file): what is \(name) in \(literal.pieces)?")
            result = result.flatMap { known in values.map { known.merging([name: $0]) { $1 } } }
        }
        return result
    }

    /// Values for the parts of statements that are made when the program runs.
    private func values(of name: String, in source: Source) -> [String] {
        switch (source.file, name) {
        case (_, "Track.columns(session)"), (_, "Track.columns(snapshot.session)"): [Track.columns(session)]
        case (_, "StoredTrack.columns"): [TrackWriter.StoredTrack.columns]
        case (_, "Track.tagList(session)"): [Track.tagList(session)]
        case (_, "Track.tables"): [Track.tables]
        case (_, "Pin.columns"): [Pin.columns]
        case (_, "LibraryTables.originFileBits"): ["\(LibraryTables.originFileBits)"]
        case (_, "Pin.factColumns"): [Pin.factColumns]
        case (_, "Pin.tables"): [Pin.tables]
        case (_, "PhotoRows.columns"): [PhotoRows.columns]
        case (_, "PhotoRows.isUsed"): [PhotoRows.isUsed]
        case ("TrackReplay.swift", "comparison"):
            ["t.start >= $3", "t.start >= $3 AND (t.start, t.digest, t.number) > ($3, $4, $5)"]
        case ("Imports.swift", "condition"): captures(/\bimports\("(?<value>[^"]+)"/, in: [source])
        case ("DatabaseCopy.swift", "table"): LibraryTables.tracks + LibraryTables.grid
        case ("LibraryMigration.swift", "table"): LibraryTables.tracks
        case ("GridReader.swift", "name"): captures(/\b(?:tiles|tileCount)\(in: "(?<value>\w+)"/, in: sources)
        case ("GridReader.swift", "table.name"), ("TrackRows.swift", "table"):
            blobTables.filter { $0["column"] == "data" }.compactMap { $0["name"] }
        default: []
        }
    }

    private func captures(_ pattern: Regex<(Substring, value: Substring)>, in sources: [Source]) -> [String] {
        Set(sources.flatMap { $0.text.matches(of: pattern).map { String($0.value) } }).sorted()
    }

    /// The literal of a constant of the same file.
    private func constant(_ name: String, in source: Source) throws -> SwiftLiteral? {
        let last = name.split(separator: ".").last.map(String.init) ?? name
        let pattern = try Regex("let \(NSRegularExpression.escapedPattern(for: last)) =\\s*(?=\")")
        guard let found = source.text.firstMatch(of: pattern) else { return nil }
        return SwiftLiteral.all(in: source.text[found.range.upperBound...].prefix(2000)).first
    }

    /// The tables of `BlobTable.swift`: their `name` and the `column` of their blobs.
    private var blobTables: [[String: String]] {
        let text = sources.first { $0.file == "BlobTable.swift" }?.text ?? ""
        return text.matches(of: /BlobTable\("(?<name>\w+)", \.\w+(?:, column: "(?<column>\w+)")?\)/).map {
            ["name": String($0.name), "column": String($0.column ?? "data")]
        }
    }

    /// What a dry run copies: each condition, with its table.
    private func copies(in source: Source) throws -> [[String: String]] {
        let conditions = source.text.matches(of: /Self\.(?<table>\w+)\.copy\(\s*"(?<condition>[^"]+)"/)
        return try conditions.map { copy in
            let pattern = try Regex("let \(copy.table) = CopiedTable\\([^)]*\\)")
            let found = try #require(source.text.firstMatch(of: pattern), "\(source.file): what is \(copy.table)?")
            let words = SwiftLiteral.all(in: source.text[found.range]).map { $0.pieces[0] }
            let columns = words.dropFirst()
            return [
                "name": words[0], "list": columns.joined(separator: ", "), "condition": String(copy.condition),
                "parameters": (1...columns.count).map { "$\($0)" }.joined(separator: ", "),
            ]
        }
    }
}
