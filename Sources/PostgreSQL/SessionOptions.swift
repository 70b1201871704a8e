internal import Database
internal import Locking
internal import Synchronization

/// What makes a session faster, and can be turned off, for servers and poolers that lack it.
public struct Accelerations: Sendable {
    /// Statements are prepared once and run by their names.
    public var preparesStatements = true
    /// Several statements are sent in one message.
    public var usesPipelines = true
    /// Rows are loaded by COPY in its binary format.
    public var copies = true
    /// Changes are announced to sessions that listen.
    public var announces = true

    public init() {}

    /// Only what every server that speaks the protocol has.
    public static let none = {
        var none = Accelerations()
        none.preparesStatements = false
        none.usesPipelines = false
        none.copies = false
        none.announces = false
        return none
    }()
}

/// How a session connects, and what it does at the beginning and the end of transactions.
public struct SessionOptions: Sendable {
    /// A URI or a list of keywords, as libpq reads them.
    public var location: String
    /// Names the database in messages.
    public var name: String
    /// The schema in which tables are looked up; nil for that of the server's settings.
    public var schema: String?
    /// How long a statement waits for another session's lock.
    public var lockMilliseconds = 10_000
    public var accelerations = Accelerations()
    /// Whether a commit waits until it is on the disk of the server, and of its synchronous standbys if it has some, even if
    /// the settings of the role or the database say otherwise.
    public var isDurable = false
    /// The statement with which a writing transaction becomes the only one; nil if it need not.
    public var writerLock: String?
    /// Counts the waits of all sessions with these options.
    public var roundTrips = RoundTripCounter()
    /// The statement that announces each transaction that has changed something, after its commit; nil for none.
    public var announcement: String?
    /// What is run before a transaction that has changed something is committed. If one of these statements changes no row,
    /// the transaction may not be committed: a lock that its process holds was lost.
    public var beforeCommit: @Sendable () -> [String] = { [] }

    public init(location: String, name: String) {
        self.location = location
        self.name = name
    }
}

/// Counts how often sessions have waited for an answer of the server: each takes at least the time that a message needs to
/// the server and back.
public final class RoundTripCounter: Sendable {
    private let value = Atomic<Int>(0)

    public init() {}

    public var count: Int { value.load(ordering: .relaxed) }

    func add(_ waits: Int = 1) {
        value.add(waits, ordering: .relaxed)
    }
}

/// The types of parameters and columns that the server has found in statements; shared by the sessions of a database.
public final class StatementCatalog: Sendable {
    private let types = Locked<[String: [UInt32]]>([:])
    /// More than the program has different statements.
    private static let limit = 2000

    public init() {}

    func types(of text: String) -> [UInt32]? {
        types.withLock { $0[text] }
    }

    func add(_ found: [UInt32], of text: String) {
        types.withLock { types in
            // Statements that are made at run time must not accumulate.
            if types.count >= Self.limit { types.removeAll() }
            types[text] = found
        }
    }

    func removeAll() {
        types.withLock { $0.removeAll() }
    }
}

/// The names of the statements that a session has prepared, of which the least recently used is forgotten.
struct PreparedStatements {
    private var entries: [String: (name: String, use: Int)] = [:]
    private var uses = 0
    private var names = 0
    /// A prepared statement takes some tens of KiB of the server.
    static let limit = 200

    mutating func name(of sql: String) -> String? {
        guard let name = entries[sql]?.name else { return nil }
        uses += 1
        entries[sql]?.use = uses
        return name
    }

    /// A new name for a statement, and the name that is to be forgotten for it.
    mutating func add(_ sql: String) -> (name: String, forgotten: String?) {
        var forgotten: String?
        if entries.count >= Self.limit, let oldest = entries.min(by: { $0.value.use < $1.value.use }) {
            forgotten = oldest.value.name
            entries[oldest.key] = nil
        }
        names += 1
        uses += 1
        let name = "s\(names)"
        entries[sql] = (name, uses)
        return (name, forgotten)
    }

    mutating func remove(_ sql: String) {
        entries[sql] = nil
    }

    mutating func removeAll() {
        entries = [:]
    }
}
