/// When a transaction takes its lock.
public enum TransactionKind: Sendable {
    /// All its reads see the same state; it does not write.
    case snapshot
    /// It is the only writer, from its begin.
    case writing
}

/// A statement with its values.
public struct Query: Sendable, Hashable {
    public var sql: String
    public var values: [Value]

    public init(_ sql: String, _ values: [Value] = []) {
        self.sql = sql
        self.values = values
    }
}

/// A connection to a database; used by one thread at a time.
///
/// SQL is the subset that SQLite 3.40 and PostgreSQL 15 share. Parameters are `$1`, `$2` …, numbered in the order of
/// their first appearance, so that values have the same order in both. The number of values must match.
/// `ARCHITECTURE.md` has the rules, and says how tests check them.
public protocol Session: AnyObject {
    /// Names the database in messages: the path of its file.
    var databaseName: String { get }

    /// Calls `body` for each row until it returns false.
    func forEachWhile(_ sql: String, _ values: [Value], _ body: (any Row) throws -> Bool) throws

    /// Runs a statement to completion; rows are discarded. Within a writing transaction, a remote database may do it together
    /// with the next statement that has a result, and throw its error then, at the latest in `commit()`.
    func run(_ sql: String, _ values: [Value]) throws

    /// Runs a statement with RETURNING to completion; returns the first column of its first row as INTEGER, nil for no
    /// row or NULL.
    func returning(_ sql: String, _ values: [Value]) throws -> Int64?

    /// The number of rows changed by the last INSERT, UPDATE or DELETE.
    var changedRows: Int { get }

    /// Runs statements one after the other; a remote database gets them in one message.
    func batch(_ queries: [Query]) throws

    /// Inserts rows into a table, all with a value for each column. `body` gets the function that adds a row, and must
    /// not use the session in any other way.
    func load(into table: String, _ body: (_ add: ([Value]) throws -> Void) throws -> Void) throws

    /// Begins a transaction, to be ended by `commit()` or `rollBack()`.
    func begin(_ kind: TransactionKind) throws

    /// Commits; if that fails, the transaction is still open.
    func commit() throws

    /// Rolls the transaction back; does nothing if none is open.
    func rollBack()

    /// Names statements that are going to be run in this transaction. A remote database answers all of them in one message, and
    /// the session keeps the answers until the snapshot ends, in a writing transaction until the next change: a statement with
    /// the same text and values then waits for nothing. Naming too few or too many costs time only. Elsewhere it does nothing,
    /// and makes no list.
    func prefetch(_ queries: @autoclosure () throws -> [Query]) throws

    /// The SQL expression that joins the texts of a column of several rows, one on each line; NULL without rows.
    func lines(of column: String) -> String

    /// Overwrites what deleted rows have left, as far as the database system can. Not within a transaction.
    func eraseDeleted() throws -> Erasure

    // MARK: Checks

    /// Deletes all rows of tables, without the cost of keeping the sum of each block.
    func deleteAll(from tables: [String]) throws

    /// The blocks of rows of these tables (of all if nil) that do not match their sums, table by table. Reads all rows
    /// of the tables: 1 GB/s.
    func alteredBlocks(of tables: [String]?) throws -> [AlteredBlock]

    /// Whether some blocks of rows have not been summed yet.
    func hasUnsummedRows() throws -> Bool

    /// Sums blocks that have no sum yet, in one transaction, until `shouldStop` returns true. Returns the position at
    /// which to continue, nil if nothing is left.
    func checksumRows(from start: ChecksumPosition, until shouldStop: () -> Bool) throws -> ChecksumPosition?

    /// The errors found by a check of the whole database; empty if there are none.
    func integrityProblems() throws -> [String]
}

/// What has become of the bytes of deleted rows.
public enum Erasure: Sendable, Equatable {
    /// They are overwritten.
    case overwritten
    /// No statement finds them, but they stay in files, logs and backups of the database system until these are used
    /// again.
    case deleted
    /// A reader has prevented that they are overwritten; it has to be tried again.
    case prevented
}

/// A position in the blocks of rows that are summed.
public struct ChecksumPosition: Sendable {
    /// The index of the table.
    public var table: Int
    public var block: Int64

    public init(table: Int, block: Int64) {
        self.table = table
        self.block = block
    }

    /// Before all blocks.
    public static let beginning = ChecksumPosition(table: 0, block: .min)
}

/// A block whose rows do not match its stored sum.
public struct AlteredBlock: Sendable, Equatable {
    public var table: String
    /// The block's number; 0 for sums of a table that is not summed.
    public var block: Int64
    /// The number of rows according to the sum; nil if there is no sum.
    public var written: Int64?
    /// The number of rows found.
    public var found: Int64

    public init(table: String, block: Int64, written: Int64?, found: Int64) {
        self.table = table
        self.block = block
        self.written = written
        self.found = found
    }
}

extension Session {
    /// Runs a statement without parameters to completion.
    @inlinable
    public func run(_ sql: String) throws {
        try run(sql, [])
    }

    /// Inserts a row; returns the number that RETURNING gives, its first column.
    @inlinable
    public func inserted(_ sql: String, _ values: [Value] = []) throws -> Int64 {
        if let number = try returning(sql, values) { return number }
        throw StoreError(.other, code: "no row", message: "the statement has returned no number", statement: sql)
    }

    /// Calls `body` for each row.
    @inlinable
    public func forEach(_ sql: String, _ values: [Value] = [], _ body: (any Row) throws -> Void) throws {
        try forEachWhile(sql, values) { row in
            try body(row)
            return true
        }
    }

    /// The result of `body` for each row.
    @inlinable
    public func rows<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (any Row) throws -> Element
    ) throws -> [Element] {
        var result: [Element] = []
        try forEachWhile(sql, values) { row in
            result.append(try body(row))
            return true
        }
        return result
    }

    /// The result of `body` for the first row; nil if there is none.
    @inlinable
    public func first<Element>(
        _ sql: String, _ values: [Value] = [], _ body: (any Row) throws -> Element
    ) throws -> Element? {
        var result: Element?
        try forEachWhile(sql, values) { row in
            result = try body(row)
            return false
        }
        return result
    }

    /// Does nothing, as is right where a statement costs no message.
    @inlinable
    public func prefetch(_ queries: @autoclosure () throws -> [Query]) throws {}

    /// The first column of the first row as INTEGER; nil for no row or NULL.
    @inlinable
    public func integer(_ sql: String, _ values: [Value] = []) throws -> Int64? {
        try first(sql, values) { $0.integerOrNil(0) } ?? nil
    }

    /// Runs `body` in a transaction: committed when it returns, rolled back if it throws.
    @inlinable
    public func transaction<Result>(_ kind: TransactionKind = .writing, _ body: () throws -> Result) throws -> Result {
        try begin(kind)
        do {
            let result = try body()
            try commit()
            return result
        } catch {
            rollBack()
            throw error
        }
    }
}
