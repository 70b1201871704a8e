internal import CPostgreSQL
internal import Database
internal import Locking

/// Refuses poolers that give each transaction another session of the server.
///
/// Sessions have settings, prepared statements and channels, and locks last as long as their connection. Without these,
/// tables would be searched in the wrong schema, or two processes would hold the same lock.
enum PoolerCheck {
    /// The locations that were checked.
    private static let checked = Locked<Set<String>>([])
    /// Another client of the pooler can get the session in between, so one try is not enough.
    private static let tries = 5

    /// Checks the pooler of a new connection, if there is one and it was not checked yet.
    static func check(_ link: ServerLink, _ location: String) throws(StoreError) {
        guard !checked.withLock({ $0.contains(location) }) else { return }
        // A pooler answers with a process number of its own.
        if try processNumber(link) != link.processNumber {
            let other = try ServerLink(location)
            for _ in 0..<tries {
                // The session of a connection that waits must not be used by another one.
                let own = try processNumber(link)
                _ = try other.perform([.plain("BEGIN")], pipelined: false, statement: nil)
                let isShared = try processNumber(other) == own
                _ = try other.perform([.plain("COMMIT")], pipelined: false, statement: nil)
                guard !isShared, try processNumber(link) == own else { throw StoreError.sharedSession }
            }
        }
        checked.withLock { _ = $0.insert(location) }
    }

    private static func processNumber(_ link: ServerLink) throws(StoreError) -> Int64? {
        let sql = "SELECT CAST(pg_backend_pid() AS BIGINT)"
        let parameters = try Parameters([], types: [], statement: sql)
        let results = try link.perform([.run(sql, parameters, types: [])], pipelined: false, statement: sql)
        return results.last.map { result in
            let row = ResultRow(result)
            row.move(to: result, row: 0)
            return row.integer(0)
        }
    }
}

extension ServerLink {
    /// The number of the server's process, as the connection was told it.
    fileprivate var processNumber: Int64 { unsafe Int64(PQbackendPID(handle)) }
}
