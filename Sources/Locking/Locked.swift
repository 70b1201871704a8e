import Foundation

/// A value that only one thread at a time can reach.
///
/// `NSLock` rather than `Synchronization.Mutex`: the thread sanitizer understands its locking, and reports races in
/// correct programs with the other.
public final class Locked<Value>: @unchecked Sendable {
    // Sendable by hand: `value` is touched only between `lock()` and `unlock()` below.
    private let lock = NSLock()
    private var value: Value

    /// Guards `value` from here on.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` with the value while no one else can; `body` must not lock the same value again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
