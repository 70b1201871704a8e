public import Database
internal import Foundation
internal import Locking
internal import PostgreSQL
internal import PostgreSQLStorage
internal import SQLiteStorage
internal import TestPostgreSQL
public import Testing
internal import TrackStore

/// The kinds of storage with which the tests of the store run.
public enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgresql
    /// Without what only makes it faster: all of it, or one part. Only if it is named.
    case plainPostgresql = "postgresql-plain"
    case unpreparedPostgresql = "postgresql-without-prepared"
    case unpipelinedPostgresql = "postgresql-without-pipelines"
    case uncopiedPostgresql = "postgresql-without-copy"
    case unannouncedPostgresql = "postgresql-without-announcements"

    /// Those that can run here. `TILESERVE_TEST_STORE` names the only one.
    public static let installed: [StoreKind] = {
        let only = ProcessInfo.processInfo.environment["TILESERVE_TEST_STORE"]
        return allCases.filter { kind in
            (kind == .sqlite || PostgreSQLServer.isInstalled)
                && (only.map { $0 == kind.rawValue } ?? (kind == .sqlite || kind == .postgresql))
        }
    }()

    public var testDescription: String { rawValue }

    fileprivate var accelerations: Accelerations {
        var accelerations = Accelerations()
        switch self {
        case .sqlite, .postgresql: break
        case .plainPostgresql: accelerations = .none
        case .unpreparedPostgresql: accelerations.preparesStatements = false
        case .unpipelinedPostgresql: accelerations.usesPipelines = false
        case .uncopiedPostgresql: accelerations.copies = false
        case .unannouncedPostgresql: accelerations.announces = false
        }
        return accelerations
    }
}

/// Runs each test once with each kind of storage: what a folder is for the library becomes a database of the private server.
public struct EachStore: SuiteTrait, TestTrait, TestScoping {
    public let isRecursive = true

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        let isOnlySQLite = test.traits.contains { $0 is OnlySQLite }
        for kind in StoreKind.installed where kind == .sqlite || !isOnlySQLite {
            let named = IssueHandlingTrait.compactMapIssues { issue in
                var issue = issue
                issue.comments.append("with \(kind.rawValue)")
                return issue
            }
            try await named.provideScope(for: test, testCase: testCase) {
                try await kind.run(function)
            }
        }
    }
}

extension Trait where Self == EachStore {
    /// Runs each test once with each kind of storage.
    public static var eachStore: EachStore { EachStore() }
}

/// Marks a test of what only libraries in SQLite have.
public struct OnlySQLite: TestTrait {
    let reason: String
}

extension Trait where Self == OnlySQLite {
    /// Runs the test only with SQLite, for this reason.
    public static func onlySQLite(_ reason: String) -> OnlySQLite { OnlySQLite(reason: reason) }
}

extension StoreKind {
    /// Runs `body` with libraries of this kind.
    public func run(_ body: () async throws -> Void) async throws {
        guard self != .sqlite else { return try await body() }
        let databases = LibraryDatabases(accelerations)
        defer { databases.removeAll() }
        try await FolderStorage { StorageOfFolder(folder: $0, databases: databases) }.use(body)
    }
}

/// The folder of a library that was opened in one, whatever the kind of its storage.
public func folderOfTest(_ storage: any LibraryStorage) -> String {
    (storage as? SQLiteStorage)?.folder ?? (storage as? StorageOfFolder)?.folder ?? ""
}

/// The databases of the libraries of one test, by their folders.
private final class LibraryDatabases: Sendable {
    private let known = Locked<[String: (database: String, storage: PostgreSQLStorage)]>([:])
    private let accelerations: Accelerations

    init(_ accelerations: Accelerations) {
        self.accelerations = accelerations
    }

    /// The storage of the library in a folder; nil if it was not created.
    func storage(_ folder: String) -> PostgreSQLStorage? {
        known.withLock { $0[folder] }?.storage
    }

    /// The storage of the library in a folder, with empty tables if it is new.
    func create(_ folder: String) throws -> PostgreSQLStorage {
        try known.withLock { known in
            if let found = known[folder] { return found.storage }
            let database = try EmptyDatabases.take()
            let storage = PostgreSQLStorage(try EmptyDatabases.location(database), accelerations: accelerations)
            known[folder] = (database, storage)
            return storage
        }
    }

    func removeAll() {
        for database in known.withLock({ $0.values.map(\.database) }) { EmptyDatabases.giveBack(database) }
    }
}

/// Storage in PostgreSQL that is named by a folder, and does not exist before a database of it is opened to be written.
private struct StorageOfFolder: LibraryStorage {
    let folder: String
    let databases: LibraryDatabases

    private var known: PostgreSQLStorage? { databases.storage(folder) }

    var isReadOnly: Bool { known?.isReadOnly ?? false }
    func name(of kind: DatabaseKind) -> String {
        // The tests look for these names in messages.
        switch kind {
        case .tracks: folder + "/tracks.sqlite"
        case .grid: folder + "/grid.sqlite"
        }
    }
    func exists(_ kind: DatabaseKind) -> Bool { known?.exists(kind) ?? false }
    func hasContent(_ kind: DatabaseKind) -> Bool { known?.hasContent(kind) ?? false }
    func hasRemains(_ kind: DatabaseKind) -> Bool { known?.hasRemains(kind) ?? false }
    func byteCount(_ kind: DatabaseKind) throws -> Int64 { try known?.byteCount(kind) ?? 0 }
    func database(_ kind: DatabaseKind, isReadOnly: Bool) throws -> any Database {
        if isReadOnly {
            guard let known else {
                throw StoreError(.cannotOpen, code: "test", message: "there is no library", statement: nil)
            }
            return try known.database(kind, isReadOnly: true)
        }
        return try databases.create(folder).database(kind, isReadOnly: false)
    }
    var shared: (any SharedDatabase)? { try? databases.create(folder).shared }
    var jobs: (any JobTable)? { try? databases.create(folder).jobs }
    func pictureTables() throws -> (any PictureTables)? { try databases.create(folder).pictureTables() }
    func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase {
        try SQLiteStorage.temporaryDatabase(table)
    }
    func temporaryStorage() throws -> any LibraryStorage {
        try SQLiteStorage.temporary()
    }
}
