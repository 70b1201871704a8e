internal import Database
internal import Locking
internal import PostgreSQL

/// What has to hold for the locks that a database object holds, before something is committed.
final class Fences: Sendable {
    private let held = Locked<Set<String>>([])

    /// Statements that change a row each if the locks are still held by their holders.
    var checks: [String] { held.withLock { $0.sorted() } }

    func add(_ check: String) {
        _ = held.withLock { $0.insert(check) }
    }

    func remove(_ check: String) {
        _ = held.withLock { $0.remove(check) }
    }
}

/// A lock of a row whose loss prevents the commits that rely on it.
final class FencedLock: HeldLock {
    private let lock: RowLock
    private let check: String
    private let fences: Fences

    init(_ lock: RowLock, _ name: String, holder: Int64, _ fences: Fences) {
        self.lock = lock
        let quoted = PostgreSQLSession.quoted(name, "'")
        check = "UPDATE library_fence SET holders = holders WHERE name = \(quoted) AND holders = \(holder)"
        self.fences = fences
        fences.add(check)
    }

    deinit {
        fences.remove(check)
    }
}
