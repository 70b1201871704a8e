/// One of the databases of a library.
public enum DatabaseKind: Sendable {
    /// The primary store.
    case tracks
    /// The grid, which is derived from the tracks.
    case grid
}

/// The tables of a database in relation to those that this program uses.
public enum SchemaState: Sendable, Equatable {
    /// They are those of this program.
    case current
    /// The database has no tables.
    case empty
    /// They have an older version.
    case older(Int64)
    /// They have a newer version.
    case newer(Int64)
    /// They have the version of this program, but differ.
    case altered
    /// No release has used this version.
    case invalid(Int64)
    /// A copy of another database has been begun, but not ended.
    case incomplete
    /// The database belongs to another program.
    case foreign
}

/// Tables that cannot be upgraded.
public struct SchemaMismatch: Error, Sendable {
    public let state: SchemaState

    public init(_ state: SchemaState) {
        self.state = state
    }
}

/// A database of a library: readers with a snapshot each, and writers that wait for each other. May be used from any
/// thread, and by several processes.
public protocol Database: Sendable {
    /// Names the database in messages: the path of its file.
    var name: String { get }

    /// Whether it is opened without ever being changed by this process.
    var isReadOnly: Bool { get }

    /// Whether rows have sums, with which altered rows are found: see `Session.alteredBlocks`.
    var hasRowSums: Bool { get }

    /// Whether the database exists now.
    func exists() -> Bool

    /// Runs `body` in a transaction in which all reads see the same state. The session must not be used after `body`
    /// returns.
    func snapshot<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// Closes the sessions of readers that are not in use. A writer that is the last to close empties its log.
    func closeIdleReaders()

    /// A new session that may write.
    func writer() throws -> any Session

    /// Runs `body` with a session that writes so much into a nearly empty database that its log would be as large as the
    /// database. If nobody else has the database open, there is no log, and others wait for `body`.
    func fill<Result>(_ body: (any Session) throws -> Result) throws -> Result

    /// How often this object's sessions have waited for an answer of a server; 0 without a server.
    var roundTrips: Int { get }

    /// A number that changes with every commit of this process or another: cheap enough to be read many times a second.
    /// It is meaningful only in this process and for the lifetime of this object.
    func changeToken() throws -> Int64

    /// Takes a lock, and waits until it is released if it is held.
    func lock(_ name: LockName) throws -> any HeldLock

    /// Takes a lock; nil if it is held.
    func lockIfFree(_ name: LockName) throws -> (any HeldLock)?

    /// Whether a lock is held.
    func isLocked(_ name: LockName) throws -> Bool

    /// Removes what killed processes have left of their locks.
    func removeAbandonedLocks() throws

    // MARK: Tables

    /// Compares the tables with those that this program uses.
    func schemaState(in session: any Session) throws -> SchemaState

    /// Creates the tables, or upgrades them from older versions, each step in one transaction.
    ///
    /// Throws `SchemaMismatch` if that is not possible.
    func upgradeTables(in writer: any Session) throws

    /// Replaces the database, however damaged it is, by one with empty tables. Others see it as a normal change.
    func recreate() throws

    // MARK: Copies

    /// As `recreate`, but the state of the tables is `incomplete` until `endCopy`, so that nobody can use them.
    func beginCopy() throws

    /// Ends a copy, within the writing transaction of a session. `numbers` are the highest that were given in tables
    /// that never give one twice.
    func endCopy(numbers: [String: Int64], in writer: any Session) throws

    /// The highest numbers that were ever given in the tables that never give one twice.
    func highestNumbers(in session: any Session) throws -> [String: Int64]

    /// Lets later snapshots read the database that exists now, if it was replaced; false if it does not exist.
    func refresh() -> Bool
}

extension Database {
    public var roundTrips: Int { 0 }
}

/// A table of temporary data.
public enum TemporaryTable: Sendable {
    /// `run (key, data)`, ordered by key.
    case run
    /// `block (number, kind, before, data)`.
    case block
}

/// A database with one table for data that does not fit in memory; it is deleted with this object. Nothing in it
/// survives a crash.
public protocol TemporaryDatabase: AnyObject, Sendable {
    /// A new session.
    func session() throws -> any Session
}

/// Where the databases of a library are stored.
public protocol LibraryStorage: Sendable {
    /// Whether this process cannot write to the library: it is on a read-only disk, or belongs to another user.
    var isReadOnly: Bool { get }

    /// Names a database in messages: the path of its file.
    func name(of kind: DatabaseKind) -> String

    /// Whether a database exists, even if it is empty.
    func exists(_ kind: DatabaseKind) -> Bool

    /// Whether a database has content.
    func hasContent(_ kind: DatabaseKind) -> Bool

    /// Whether something is left of a database that is missing or empty.
    func hasRemains(_ kind: DatabaseKind) -> Bool

    /// The bytes that a database takes on its disk; 0 if it does not exist.
    func byteCount(_ kind: DatabaseKind) throws -> Int64

    /// Opens a database. If it is not read-only, it is created with its first writer.
    func database(_ kind: DatabaseKind, isReadOnly: Bool) throws -> any Database

    /// The tables of prerendered pictures in the database of the library, created if they are missing; nil if the pictures
    /// are in a file of their own.
    func pictureTables() throws -> (any PictureTables)?

    /// A database for temporary data, on the disk of the library.
    func temporaryDatabase(_ table: TemporaryTable) throws -> any TemporaryDatabase

    /// What the processes of the library share besides its content; nil if they use files for that, because all of them are
    /// on the machine of the library.
    var shared: (any SharedDatabase)? { get }

    /// Work on the grid that its processes do together; nil if all of them are on one machine.
    var jobs: (any JobTable)? { get }

    /// Empty storage that is deleted when it is no longer used.
    func temporaryStorage() throws -> any LibraryStorage
}
