public import Database

extension PostgreSQLSession {
    /// Runs `body`; in a writing transaction of its own if the statement may change rows and none is open.
    func changing<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
        guard !isInTransaction, Self.isWriting(sql), options.writerLock != nil else { return try body() }
        return try transaction(.writing, body)
    }

    /// In a writing transaction, statements without a result are queued, and sent together before the next one with a
    /// result: a message for each would take ten times as long. While the server does them, the caller makes the next
    /// ones; their results are read before another message is sent. An error of one of them is thrown then, at the latest
    /// by `commit()`; the transaction has failed in any case.
    public func run(_ sql: String, _ values: [Value]) throws {
        guard case .writing = state, options.accelerations.usesPipelines, Self.isWriting(sql) else {
            return try forEachWhile(sql, values) { _ in true }
        }
        prefetched = [:]
        queue.add(Query(sql, values))
        if queue.isFull { try sendQueue() }
    }

    public func batch(_ queries: [Query]) throws {
        for query in queries { try run(query.sql, query.values) }
    }

    public func returning(_ sql: String, _ values: [Value]) throws -> Int64? {
        var found: Int64?
        var isFirst = true
        try forEachWhile(sql, values) { row in
            if isFirst { found = row.integerOrNil(0) }
            isFirst = false
            return true
        }
        return found
    }

    public var changedRows: Int {
        do throws(StoreError) {
            try finishQueue()
        } catch {
            // The next statement throws it, or the commit.
            queue.keep(error)
        }
        return lastChangedRows
    }

    /// Does what is queued, and waits for the results.
    func finishQueue() throws(StoreError) {
        try sendQueue()
        try finishSent()
    }

    /// Sends what is queued, after the results of the message before; does not wait for its own.
    private func sendQueue() throws(StoreError) {
        if let failure = queue.takeFailure() { throw failure }
        guard !queue.queries.isEmpty else { return }
        let queries = queue.take()
        do throws(StoreError) {
            let link = try connected()
            var message = SentMessage(link: link)
            for query in queries {
                let new = try commands(query.sql, query.values, link).commands
                message.commands += new
                message.statements += new.map { _ in query.sql }
            }
            options.roundTrips.add()
            try link.sendPipeline(message.commands)
            sent = message
        } catch {
            fail(queries.map(\.sql))
            throw error
        }
    }

    /// Reads the results of the message that was sent, if there is one.
    func finishSent() throws(StoreError) {
        guard let message = sent else { return }
        sent = nil
        do throws(StoreError) {
            for changed in try message.link.pipelineResults(of: message.commands, statement: nil)
                .compactMap(\.last?.changedRows)
            {
                lastChangedRows = changed
                if changed > 0 { hasChanged = true }
            }
        } catch {
            fail(message.statements)
            let index = message.link.failedCommand
            let failed = message.statements.indices.contains(index) ? message.statements[index] : nil
            throw StoreError(error.kind, code: error.code, message: error.message, statement: error.statement ?? failed)
        }
    }

    private func fail(_ statements: [String]) {
        queue.fail()
        // Which of them are prepared is not known.
        for statement in statements { prepared.remove(statement) }
    }

    /// Runs statements without parameters, which are not prepared: those that change tables.
    public func execute(_ statements: [String]) throws {
        prefetched = [:]
        try changing(statements.first ?? "SELECT") {
            for start in stride(from: 0, to: statements.count, by: WriteQueue.limit) {
                let part = statements[start..<min(start + WriteQueue.limit, statements.count)]
                _ = try perform(part.map { .plain($0) }, try connected(), statement: nil)
            }
            if !statements.isEmpty { hasChanged = true }
        }
    }
}
