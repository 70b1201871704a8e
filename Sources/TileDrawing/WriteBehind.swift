import Dispatch
import Locking

/// Writes one batch while the next is drawn.
final class WriteBehind: Sendable {
    private let queue = DispatchQueue(label: "tileserve.prerender.write", qos: .utility)
    private let failure = Locked<(any Error)?>(nil)

    /// Waits for the previous batch and begins another; throws the error of the previous one.
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

    /// Waits for the current batch; throws its error.
    func finish() throws {
        // The queue is serial: an empty block returns when the batch before it is written.
        queue.sync {}
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
