import Dispatch
import Locking

/// A value that another queue is making; it can be had once.
final class Future<Value: Sendable>: Sendable {
    private let value: Locked<Value?>
    private let done = DispatchSemaphore(value: 0)

    /// Makes the value at once.
    init(_ made: Value) {
        value = Locked(made)
        done.signal()
    }

    /// Has `queue` make the value.
    init(on queue: DispatchQueue, _ make: @escaping @Sendable () -> Value) {
        value = Locked(nil)
        queue.async { [self] in
            let made = make()
            value.withLock { $0 = made }
            done.signal()
        }
    }

    /// Waits for the value.
    func get() -> Value {
        done.wait()
        let taken = value.withLock { held -> Value? in
            defer { held = nil }
            return held
        }
        guard let taken else { preconditionFailure("an awaited value is had once") }
        return taken
    }
}
