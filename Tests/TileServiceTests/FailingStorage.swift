import Database
import Files
import Locking

@testable import TrackStore

/// Statements that fail as on a full disk while a test says so.
final class DiskFailures: Sendable {
    private let fails = Locked<@Sendable (DatabaseKind, _ sql: String) -> Bool>({ _, _ in false })

    /// From now on, statements fail for which `fails` is true; `BEGIN` is the begin of a transaction that writes.
    func begin(_ fails: @escaping @Sendable (DatabaseKind, _ sql: String) -> Bool) {
        self.fails.withLock { $0 = fails }
    }

    /// From now on, no statement fails.
    func end() { begin { _, _ in false } }

    /// A library whose statements may fail.
    func library(in folder: TemporaryFolder) throws -> Library {
        let path = folder.path + "/library"
        return try Library(
            FailingStorage(base: Library.storage(in: path), failures: self), coordination: .files(in: path),
            zoneIfNew: "Europe/Berlin")
    }

    fileprivate func check(_ kind: DatabaseKind, _ sql: String) throws {
        guard fails.withLock({ $0 })(kind, sql) else { return }
        throw StoreError(.disk, code: "test", message: "database or disk is full", statement: sql)
    }
}

/// The storage of a library whose statements may fail.
private struct FailingStorage: LibraryStorage {
    let base: any LibraryStorage
    let failures: DiskFailures

    var isReadOnly: Bool { base.isReadOnly }
    var shared: (any SharedDatabase)? { base.shared }
    var jobs: (any JobTable)? { base.jobs }

    func name(of kind: DatabaseKind) -> String { base.name(of: kind) }
    func exists(_ kind: DatabaseKind) -> Bool { base.exists(kind) }
    func hasContent(_ kind: DatabaseKind) -> Bool { base.hasContent(kind) }
    func hasRemains(_ kind: DatabaseKind) -> Bool { base.hasRemains(kind) }
    func byteCount(_ kind: DatabaseKind) throws -> Int64 { try base.byteCount(kind) }
    func database(_ kind: DatabaseKind, isReadOnly: Bool) throws -> any Database {
        FailingDatabase(base: try base.database(kind, isReadOnly: isReadOnly), kind: kind, failures: failures)
    }
    func pictureTables() throws -> (any PictureTables)? { try base.pictureTables() }
    func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase {
        try base.temporaryDatabase(table)
    }
    func temporaryStorage() throws -> any LibraryStorage { try base.temporaryStorage() }
}

private struct FailingDatabase: Database {
    let base: any Database
    let kind: DatabaseKind
    let failures: DiskFailures

    var name: String { base.name }
    var isReadOnly: Bool { base.isReadOnly }
    var hasRowSums: Bool { base.hasRowSums }

    func exists() -> Bool { base.exists() }
    func snapshot<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try base.snapshot { try body(FailingSession($0, kind, failures)) }
    }
    func closeIdleReaders() { base.closeIdleReaders() }
    func writer() throws -> any Session { FailingSession(try base.writer(), kind, failures) }
    func fill<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try base.fill { try body(FailingSession($0, kind, failures)) }
    }
    func changeToken() throws -> Int64 { try base.changeToken() }
    func lock(_ name: LockName) throws -> any HeldLock { try base.lock(name) }
    func lockIfFree(_ name: LockName) throws -> (any HeldLock)? { try base.lockIfFree(name) }
    func isLocked(_ name: LockName) throws -> Bool { try base.isLocked(name) }
    func removeAbandonedLocks() throws { try base.removeAbandonedLocks() }
    func schemaState(in session: any Session) throws -> SchemaState { try base.schemaState(in: session) }
    func upgradeTables(in writer: any Session) throws { try base.upgradeTables(in: writer) }
    func recreate() throws { try base.recreate() }
    func beginCopy() throws { try base.beginCopy() }
    func endCopy(numbers: [String: Int64], in writer: any Session) throws {
        try base.endCopy(numbers: numbers, in: writer)
    }
    func highestNumbers(in session: any Session) throws -> [String: Int64] { try base.highestNumbers(in: session) }
    func refresh() -> Bool { base.refresh() }
}

private final class FailingSession: Session {
    private let base: any Session
    private let kind: DatabaseKind
    private let failures: DiskFailures

    init(_ base: any Session, _ kind: DatabaseKind, _ failures: DiskFailures) {
        self.base = base
        self.kind = kind
        self.failures = failures
    }

    private func checked(_ sql: String) throws -> any Session {
        try failures.check(kind, sql)
        return base
    }

    var databaseName: String { base.databaseName }
    var changedRows: Int { base.changedRows }

    func forEachWhile(_ sql: String, _ values: [Value], _ body: (any Row) throws -> Bool) throws {
        try checked(sql).forEachWhile(sql, values, body)
    }
    func run(_ sql: String, _ values: [Value]) throws { try checked(sql).run(sql, values) }
    func returning(_ sql: String, _ values: [Value]) throws -> Int64? { try checked(sql).returning(sql, values) }
    func batch(_ queries: [Query]) throws {
        for query in queries { try failures.check(kind, query.sql) }
        try base.batch(queries)
    }
    func load(into table: String, _ body: (_ add: ([Value]) throws -> Void) throws -> Void) throws {
        try checked("INSERT INTO \(table)").load(into: table, body)
    }
    func begin(_ transaction: TransactionKind) throws {
        if case .writing = transaction { try failures.check(kind, "BEGIN") }
        try base.begin(transaction)
    }
    func commit() throws { try base.commit() }
    func rollBack() { base.rollBack() }
    func lines(of column: String) -> String { base.lines(of: column) }
    func eraseDeleted() throws -> Erasure { try base.eraseDeleted() }
    func deleteAll(from tables: [String]) throws { try base.deleteAll(from: tables) }
    func alteredBlocks(of tables: [String]?) throws -> [AlteredBlock] { try base.alteredBlocks(of: tables) }
    func hasUnsummedRows() throws -> Bool { try base.hasUnsummedRows() }
    func checksumRows(from start: ChecksumPosition, until shouldStop: () -> Bool) throws -> ChecksumPosition? {
        try base.checksumRows(from: start, until: shouldStop)
    }
    func integrityProblems() throws -> [String] { try base.integrityProblems() }
}
