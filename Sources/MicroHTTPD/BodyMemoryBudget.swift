import Locking

/// The bytes of request bodies in memory, over all event loops.
final class BodyMemoryBudget: Sendable {
    private let used = Locked(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Reserves memory; false if the limit would be exceeded.
    func reserve(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
    }

    /// Releases reserved memory.
    func release(_ bytes: Int) {
        used.withLock { $0 -= bytes }
    }
}
