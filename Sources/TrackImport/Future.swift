import Dispatch
import Locking

/// A value that is computed on another queue and can be taken once.
final class Future<Value: Sendable>: Sendable {
    private let value: Locked<Value?>
    private let done = DispatchSemaphore(value: 0)

    /// A value that is available at once.
    init(_ made: Value) {
        value = Locked(made)
        done.signal()
    }

    /// Computes the value on `queue`.
    init(on queue: DispatchQueue, _ make: @escaping @Sendable () -> Value) {
        value = Locked(nil)
        queue.async { [self] in
            let made = make()
            value.withLock { $0 = made }
            done.signal()
        }
    }

    /// Waits for the value and takes it.
    func get() -> Value {
        done.wait()
        let taken = value.withLock { held -> Value? in
            defer { held = nil }
            return held
        }
        guard let taken else { preconditionFailure("a future's value can be taken only once") }
        return taken
    }
}
