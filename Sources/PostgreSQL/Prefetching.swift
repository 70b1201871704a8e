public import Database

extension PostgreSQLSession {
    /// Runs the statements in one message with the beginning of the snapshot, if it has not begun. Without pipelines nothing
    /// is gained by it, so nothing is done. In a writing transaction, the next change forgets the answers.
    public func prefetch(_ queries: @autoclosure () throws -> [Query]) throws {
        guard options.accelerations.usesPipelines, isInTransaction else { return }
        // A list may name the same twice, or what is there.
        var new: [Query] = []
        for query in try queries() where prefetched[query] == nil && !new.contains(query) {
            precondition(!Self.isWriting(query.sql), "only statements that read can be run ahead")
            new.append(query)
        }
        guard !new.isEmpty else { return }
        do {
            let answers = try retrying(true) { () throws(StoreError) in try self.answers(to: new) }
            for (query, answer) in zip(new, answers) { prefetched[query] = answer }
        } catch {
            // What was wanted may be done in part: it must not be committed.
            if case .writing = state { queue.fail() }
            throw error
        }
    }

    /// Forgets the answers if a statement may change them.
    func forgetPrefetched(before sql: String) {
        if !prefetched.isEmpty, Self.isWriting(sql) { prefetched = [:] }
    }

    private func answers(to queries: [Query]) throws(StoreError) -> [[QueryResult]] {
        let link = try connected()
        var all: [Command] = []
        // Finding types is a message of its own, with which the snapshot begins.
        for query in queries { try types(of: query.sql, link) }
        // Of each statement, the index of the command that has its rows.
        var ends: [Int] = []
        do throws(StoreError) {
            for query in queries {
                let needed = try commands(query.sql, query.values, link).commands
                // Only the first begins the snapshot.
                all += all.isEmpty || !isWaiting ? needed : Array(needed.dropFirst(beginning.count))
                ends.append(all.count - 1)
            }
            options.roundTrips.add()
            let results = try link.results(of: all, pipelined: true, statement: nil)
            if isWaiting { state = .snapshot }
            return ends.map { results[$0] }
        } catch {
            // Which of them are prepared is not known.
            for query in queries { prepared.remove(query.sql) }
            throw error
        }
    }
}
