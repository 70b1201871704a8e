import Foundation

/// A value that only one thread at a time can access.
///
/// Uses `NSLock`, not `Synchronization.Mutex`: the thread sanitizer understands its locking, but reports false races
/// with the other.
public final class Locked<Value>: @unchecked Sendable {
    // `@unchecked Sendable`: `value` is only used between `lock()` and `unlock()` below.
    private let lock = NSLock()
    private var value: Value

    /// Protects `value` with a lock.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with the lock held; `body` must not lock the same value again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
