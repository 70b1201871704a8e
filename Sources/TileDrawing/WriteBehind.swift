import Dispatch
import Locking

/// Writes one batch while the next is drawn.
final class WriteBehind: Sendable {
    private let queue = DispatchQueue(label: "tileserve.prerender.write", qos: .utility)
    private let failure = Locked<(any Error)?>(nil)

    /// Waits for the batch before and begins another; throws what that one failed with.
    func begin(_ write: @escaping @Sendable () throws -> Void) throws {
        try finish()
        queue.async { [failure] in
            do {
                try write()
            } catch {
                failure.withLock { $0 = error }
            }
        }
    }

    /// Waits for the batch under way; throws what it failed with.
    func finish() throws {
        queue.sync {}
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
