public import Database

/// A session of a PostgreSQL server; used by one thread at a time.
///
/// It connects when it is first used. A connection that was lost is made anew, unless that happened within a transaction,
/// which then fails. Rows arrive one by one, so that a large result does not fill the memory.
public final class PostgreSQLSession: Session {
    let options: SessionOptions
    let catalog: StatementCatalog
    private var link: ServerLink?
    /// The connection, if there is one.
    var current: ServerLink? { link }
    var prepared = PreparedStatements()
    /// The rows of the statement that is being read.
    private var stream: RowStream?
    /// The answers to statements that were named before they are run, until the snapshot ends or something is changed.
    var prefetched: [Query: [QueryResult]] = [:]
    var state = TransactionState.none
    /// Whether the transaction has changed something.
    var hasChanged = false
    /// The number of rows changed by the last statement that has been sent.
    var lastChangedRows = 0
    /// Changes of this transaction that have not been sent yet.
    var queue = WriteQueue()
    /// Changes of this transaction that the server is doing.
    var sent: SentMessage?

    enum TransactionState {
        case none
        /// A snapshot that begins with its first statement.
        case waiting
        case snapshot
        case writing
    }

    public init(_ options: SessionOptions, catalog: StatementCatalog = StatementCatalog()) {
        self.options = options
        self.catalog = catalog
    }

    public var databaseName: String { options.name }

    /// Whether a transaction is open.
    public var isInTransaction: Bool {
        if case .none = state { return false }
        return true
    }

    // MARK: The connection

    /// The connection, free for another statement; what was queued has been done.
    func connected() throws(StoreError) -> ServerLink {
        try finishQueue()
        stream?.keepRest()
        stream = nil
        link?.finishPending()
        if let link, !link.isLost && !link.isInPipeline || isInTransaction && !isWaiting { return link }
        disconnect()
        let new = try ServerLink(options.location)
        try PoolerCheck.check(new, options.location)
        _ = try new.perform([.plain(settings)], pipelined: false)
        link = new
        return new
    }

    var isWaiting: Bool {
        if case .waiting = state { return true }
        return false
    }

    private func disconnect() {
        link = nil
        prepared.removeAll()
    }

    /// Sets what statements depend on, whatever the settings of the role and the database are.
    private var settings: String {
        var settings = [
            "lock_timeout": "\(options.lockMilliseconds)", "idle_in_transaction_session_timeout": "0",
            "client_min_messages": "warning",
        ]
        if let schema = options.schema { settings["search_path"] = Self.quoted(schema, "\"") }
        let calls = settings.sorted { $0.key < $1.key }.map { name, value in
            "set_config('\(name)', \(Self.quoted(value, "'")), false)"
        }
        let durable = """
            set_config('synchronous_commit', CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply'
            ELSE 'on' END, false)
            """
        return "SELECT " + (calls + (options.isDurable ? [durable] : [])).joined(separator: ", ")
    }

    /// A name or a text as SQL has them.
    public static func quoted(_ text: String, _ quote: String) -> String {
        quote + text.replacing(quote, with: quote + quote) + quote
    }

    /// Runs `body` again with a new connection if the first one was lost, or was given another server by a pooler, and
    /// nothing of a transaction is lost with it.
    func retrying<Result>(
        _ isReading: Bool, _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        do {
            return try body()
        } catch {
            guard !isInTransaction || isWaiting, isReading && error.isLostConnection || error.isForgottenStatement
            else { throw error }
            stream = nil
            disconnect()
            if error.isForgottenStatement { catalog.removeAll() }
            return try body()
        }
    }

    // MARK: Statements

    /// The commands that run a statement, after those that begin a waiting snapshot and prepare the statement.
    func commands(
        _ sql: String, _ values: [Value], _ link: ServerLink
    ) throws(StoreError) -> (commands: [Command], preparing: Int?) {
        // Finding the types can begin the snapshot.
        let types = try types(of: sql, link)
        let begin = beginning
        // Checked first: nothing is prepared for values that do not fit.
        let parameters = try Parameters(values, types: types, statement: sql)
        guard options.accelerations.preparesStatements else {
            return (begin + [.run(sql, parameters, types: types)], nil)
        }
        if let name = prepared.name(of: sql) {
            return (begin + [.execute(name: name, parameters)], nil)
        }
        let (name, forgotten) = prepared.add(sql)
        var commands = begin
        if let forgotten { commands.append(.plain("DEALLOCATE \(forgotten)")) }
        commands.append(.prepare(name: name, sql, types: types))
        return (commands + [.execute(name: name, parameters)], commands.count - 1)
    }

    /// The command that begins a waiting snapshot.
    var beginning: [Command] { isWaiting ? [.plain(Self.snapshotBegin)] : [] }

    /// The types of the parameters of a statement.
    @discardableResult
    func types(of sql: String, _ link: ServerLink) throws(StoreError) -> [UInt32] {
        if let known = catalog.types(of: sql) { return known }
        let results = try perform(
            beginning + [.prepare(name: "", sql, types: []), .describe(name: "")], link, statement: sql)
        if isWaiting { state = .snapshot }
        let types = results.last?.parameterTypes ?? []
        catalog.add(types, of: sql)
        return types
    }

    func perform(
        _ commands: [Command], _ link: ServerLink, statement: String?
    ) throws(StoreError) -> [QueryResult] {
        options.roundTrips.add(options.accelerations.usesPipelines ? 1 : commands.count)
        return try link.perform(commands, pipelined: options.accelerations.usesPipelines, statement: statement)
    }

    private static let snapshotBegin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

    /// Starts a statement, whose rows are read from the stream.
    private func start(_ sql: String, _ values: [Value]) throws(StoreError) -> RowStream {
        let link = try connected()
        let (commands, preparing) = try commands(sql, values, link)
        options.roundTrips.add(options.accelerations.usesPipelines ? 1 : commands.count)
        do throws(StoreError) {
            let opened = try link.stream(
                commands, pipelined: options.accelerations.usesPipelines, statement: sql)
            stream = opened
            return opened
        } catch {
            if let preparing, link.failedCommand <= preparing { prepared.remove(sql) }
            throw error
        }
    }

    /// Whether a statement may change rows.
    static func isWriting(_ sql: String) -> Bool {
        let first = sql.drop(while: \.isWhitespace).prefix(6).uppercased()
        if first == "SELECT" { return false }
        guard first.hasPrefix("WITH") else { return true }
        return ["INSERT INTO ", "UPDATE ", "DELETE FROM "].contains { sql.contains($0) }
    }

    public func forEachWhile(_ sql: String, _ values: [Value], _ body: (any Row) throws -> Bool) throws {
        forgetPrefetched(before: sql)
        try changing(sql) {
            let rows = try firstRow(sql, values)
            defer { end(rows.stream, sql) }
            guard var result = rows.first else { return }
            let row = ResultRow(result)
            if let column = row.unreadableColumn {
                throw Parameters.mismatch(type: result.columnTypes[column], statement: sql)
            }
            while true {
                for index in 0..<result.rowCount {
                    row.move(to: result, row: index)
                    guard try body(row) else { return }
                }
                guard let next = try rows.stream.next() else { return }
                result = next
            }
        }
    }

    /// Starts a statement and waits for its first row; until then, it can be started again.
    private func firstRow(
        _ sql: String, _ values: [Value]
    ) throws(StoreError) -> (stream: RowStream, first: QueryResult?) {
        if !prefetched.isEmpty, let answer = prefetched[Query(sql, values)] {
            let rows = RowStream(answer)
            return (rows, try rows.next())
        }
        do throws(StoreError) {
            return try startedRows(sql, values)
        } catch {
            // Also an error that the server does not know of: a part of what was wanted must not be committed.
            if case .writing = state { queue.fail() }
            throw error
        }
    }

    private func startedRows(
        _ sql: String, _ values: [Value]
    ) throws(StoreError) -> (stream: RowStream, first: QueryResult?) {
        try retrying(!Self.isWriting(sql)) { () throws(StoreError) in
            let stream = try start(sql, values)
            do throws(StoreError) {
                let first = try stream.next()
                if isWaiting { state = .snapshot }
                return (stream, first)
            } catch {
                end(stream, sql)
                throw error
            }
        }
    }

    private func end(_ ended: RowStream, _ sql: String) {
        ended.discardRest()
        if stream === ended { stream = nil }
        guard Self.isWriting(sql) else { return }
        lastChangedRows = ended.changedRows ?? lastChangedRows
        if ended.changedRows != 0 { hasChanged = true }
    }

    // MARK: Transactions

    public func begin(_ kind: TransactionKind) throws {
        precondition(!isInTransaction, "transactions are not nested")
        queue = WriteQueue()
        hasChanged = false
        switch kind {
        case .snapshot:
            stream?.keepRest()
            stream = nil
            state = .waiting
        case .writing:
            var commands: [Command] = [.plain("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE")]
            if let lock = options.writerLock { commands.append(.plain(lock)) }
            try retrying(true) { () throws(StoreError) in
                let link = try connected()
                do throws(StoreError) {
                    _ = try perform(commands, link, statement: nil)
                } catch {
                    _ = try? link.perform([.plain("ROLLBACK")], pipelined: false)
                    throw error
                }
            }
            state = .writing
        }
    }

    public func commit() throws {
        guard !isWaiting, isInTransaction else {
            state = .none
            return
        }
        let link = try connected()
        guard !queue.hasFailed else {
            throw StoreError(
                .other, code: "PostgreSQL 25P02", message: "the transaction has failed before it was committed",
                statement: "COMMIT")
        }
        prefetched = [:]
        if case .snapshot = state, options.accelerations.usesPipelines {
            // Nobody waits for the end of a snapshot, whose result says nothing: it is read before the next statement.
            state = .none
            do throws(StoreError) {
                try link.sendPending(.plain("COMMIT"))
            } catch {
                // What was read is right; the transaction ends with the connection.
                disconnect()
            }
            return
        }
        var commands: [Command] = []
        if hasChanged { commands = try checkedCommands(link) }
        _ = link.takeNotices()
        let results: [QueryResult]
        do {
            results = try perform(commands + [.plain("COMMIT")], link, statement: "COMMIT")
        } catch {
            if link.isLost || !link.isInTransaction { state = .none }
            throw error
        }
        let isSnapshot = if case .snapshot = state { true } else { false }
        state = .none
        if isSnapshot { return }
        // A transaction that has failed before is rolled back by COMMIT, which is no error.
        guard results.last?.commandTag == "COMMIT" else {
            throw StoreError(
                .other, code: "PostgreSQL 25P02", message: "the transaction has failed before it was committed",
                statement: "COMMIT")
        }
        if let notice = link.takeNotices().first(where: { $0.contains("synchronous replication") }) {
            throw StoreError(.other, code: "PostgreSQL 01000", message: notice, statement: "COMMIT")
        }
        if hasChanged, let announcement = options.announcement { announce(announcement) }
    }

    /// What is still to be run with COMMIT.
    private func checkedCommands(_ link: ServerLink) throws(StoreError) -> [Command] {
        let statements = options.beforeCommit()
        // The last one, which counts the commits, is sent together with COMMIT.
        guard let last = statements.last else { return [] }
        let checks: [Command] = statements.dropLast().map { .plain($0) }
        for result in try perform(checks, link, statement: nil) where result.changedRows == 0 {
            throw StoreError(
                .busy, code: "lock lost", message: "the connection that held a lock was lost; try again", statement: nil
            )
        }
        return [.plain(last)]
    }

    public func rollBack() {
        state = .none
        // What has failed is undone, too.
        try? finishSent()
        queue = WriteQueue()
        hasChanged = false
        prefetched = [:]
        stream?.keepRest()
        stream = nil
        link?.finishPending()
        // The server rolls back what was begun on a connection that ends.
        guard let link, !link.isLost, !link.isInPipeline else { return disconnect() }
        guard link.isInTransaction else { return }
        do {
            _ = try link.perform([.plain("ROLLBACK")], pipelined: false)
        } catch {
            disconnect()
        }
    }

    public func lines(of column: String) -> String {
        "string_agg(\(column), chr(10) ORDER BY \(column))"
    }

    /// What stops the statement that this session runs; nil if it is not connected.
    public func cancellation() -> Cancellation? {
        link?.cancellation()
    }
}
