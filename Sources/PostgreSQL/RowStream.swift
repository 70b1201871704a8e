internal import CPostgreSQL
internal import Database

/// The rows of a statement, as they arrive; when the link is needed for another statement, those that are still to come
/// are kept in memory.
final class RowStream {
    /// nil for rows that have come already.
    private let link: ServerLink?
    /// Whether the results of other commands, and of a sync, belong to the same message.
    private let isPipelined: Bool
    private let sql: String?
    /// Whether results are still to be read.
    private(set) var isReading: Bool
    private var kept: [QueryResult] = []
    private var nextKept = 0
    private var failure: StoreError?
    /// The number of rows that the statement has changed; nil if it changes none.
    private(set) var changedRows: Int?

    init(_ link: ServerLink, isPipelined: Bool, sql: String?) {
        self.link = link
        self.isPipelined = isPipelined
        self.sql = sql
        isReading = true
    }

    /// Rows that have come already.
    init(_ results: [QueryResult]) {
        kept = results.filter { $0.rowCount > 0 }
        link = nil
        isPipelined = false
        sql = nil
        isReading = false
    }

    /// The next result, which has at least one row; nil after the last.
    func next() throws(StoreError) -> QueryResult? {
        while true {
            if nextKept < kept.count {
                defer { nextKept += 1 }
                return kept[nextKept]
            }
            if !kept.isEmpty {
                kept = []
                nextKept = 0
            }
            guard isReading else {
                if let failure { throw failure }
                return nil
            }
            if let result = read() { return result }
        }
    }

    /// Reads what is still to come, so that the link can run another statement.
    func keepRest() {
        while isReading {
            if let result = read() { kept.append(result) }
        }
    }

    /// Reads what is still to come and forgets it. An error of these rows is none of the caller's, who has what it wanted,
    /// except that the next statement of the transaction fails.
    func discardRest() {
        kept = []
        nextKept = 0
        while isReading { _ = read() }
    }

    /// Reads one result; nil if it has no rows.
    private func read() -> QueryResult? {
        guard let result = link?.next() else {
            isReading = false
            if isPipelined { link?.endPipeline() }
            return nil
        }
        if let error = result.error {
            failure = failure ?? .server(state: error.state, message: error.message, statement: sql)
            return nil
        }
        if let changed = result.changedRows { changedRows = changed }
        return result.rowCount > 0 ? result : nil
    }
}

extension ServerLink {
    /// Runs commands one after the other, in one message if `pipelined`; returns the last result of each.
    ///
    /// If one fails, those after it are not run, and the error has its text, or `statement`.
    func perform(
        _ commands: [Command], pipelined: Bool, statement: String? = nil
    ) throws(StoreError) -> [QueryResult] {
        try results(of: commands, pipelined: pipelined, statement: statement).compactMap(\.last)
    }

    /// As `perform`, with all results of each command. One has all rows, or each row of the first command has one of its own:
    /// libpq 15 keeps the mode in which a statement before the pipeline was read.
    func results(
        of commands: [Command], pipelined: Bool, statement: String?
    ) throws(StoreError) -> [[QueryResult]] {
        var found: [[QueryResult]] = []
        guard commands.count > 1 && pipelined else {
            for (index, command) in commands.enumerated() {
                try send(command)
                found.append(try results(of: command, at: index, statement))
            }
            return found
        }
        try sendPipeline(commands)
        return try pipelineResults(of: commands, statement: statement)
    }

    /// Sends commands in one message, without waiting for their results.
    func sendPipeline(_ commands: some Sequence<Command>) throws(StoreError) {
        try enterPipeline()
        for command in commands { try send(command) }
        try sync()
    }

    /// The results of commands that were sent in one message.
    func pipelineResults(of commands: [Command], statement: String?) throws(StoreError) -> [[QueryResult]] {
        var found: [[QueryResult]] = []
        var failure: StoreError?
        for (index, command) in commands.enumerated() {
            do throws(StoreError) {
                found.append(try results(of: command, at: index, statement))
            } catch {
                failure = failure ?? error
            }
        }
        endPipeline()
        if let failure { throw failure }
        return found
    }

    /// Runs commands; the rows of the last one are left to the stream that is returned.
    func stream(
        _ commands: [Command], pipelined: Bool, statement: String?
    ) throws(StoreError) -> RowStream {
        let isPipelined = commands.count > 1 && pipelined
        if isPipelined {
            try sendPipeline(commands)
            var failure: StoreError?
            for (index, command) in commands.dropLast().enumerated() {
                do throws(StoreError) {
                    _ = try results(of: command, at: index, statement)
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure {
                while next() != nil {}
                endPipeline()
                throw failure
            }
        } else {
            _ = try perform(commands.dropLast(), pipelined: false, statement: statement)
            if let last = commands.last { try send(last) }
        }
        failedCommand = commands.count - 1
        useSingleRows()
        return RowStream(self, isPipelined: isPipelined, sql: statement)
    }

    /// The results of the command that is being answered; none if one before it has failed.
    private func results(
        of command: Command, at index: Int, _ statement: String?
    ) throws(StoreError) -> [QueryResult] {
        var found: [QueryResult] = []
        var failure: StoreError?
        while let result = next() {
            if let error = result.error {
                failedCommand = index
                failure =
                    failure
                    ?? .server(state: error.state, message: error.message, statement: command.sql ?? statement)
            }
            if result.status != PGRES_PIPELINE_ABORTED { found.append(result) }
        }
        if let failure { throw failure }
        return found
    }

    /// Reads the answer to `sync`. Without one, the connection is lost, as the next command reports.
    func endPipeline() {
        _ = next()
        if !isLost { try? leavePipeline() }
    }
}
