import Glibc

/// A value that only one thread at a time can access.
///
/// Uses a mutex of POSIX threads, not `Synchronization.Mutex`: the thread sanitizer understands its locking, but reports
/// false races with the other.
@safe public final class Locked<Value>: @unchecked Sendable {
    // `@unchecked Sendable`: `value` is only used between locking and unlocking below.
    /// Allocated separately, because a mutex must not move.
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    /// Protects `value` with a lock.
    public init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        var attributes = pthread_mutexattr_t()
        unsafe pthread_mutexattr_init(&attributes)
        // Most locks are held for less than 1 µs. A thread that sleeps until such a lock is free loses some 50 µs, so it
        // first looks again up to 100 times.
        unsafe pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
        unsafe pthread_mutex_init(mutex, &attributes)
        unsafe pthread_mutexattr_destroy(&attributes)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the lock held; `body` must not lock the same value again.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
