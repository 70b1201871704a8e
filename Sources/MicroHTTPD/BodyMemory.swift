import Locking

/// How many bytes of bodies are in memory, over all shards.
final class BodyMemory: Sendable {
    private let used = Locked(0)
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes room for bytes; false where there is none.
    func take(_ bytes: Int) -> Bool {
        used.withLock { used in
            guard used + bytes <= limit else { return false }
            used += bytes
            return true
        }
    }

    /// Gives room back.
    func giveBack(_ bytes: Int) {
        used.withLock { $0 -= bytes }
    }
}
