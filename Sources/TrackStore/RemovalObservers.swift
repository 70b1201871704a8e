internal import Locking

/// What a server in this process does at once for whoever forgets something: those of other processes look for themselves.
package final class RemovalObservers: Sendable {
    private struct Calls {
        var flush: (@Sendable () -> Void)?
        var look: (@Sendable () -> Void)?
    }

    private let calls = Locked(Calls())

    /// Sets what moves buffered points into the library; nil where there is no server any more.
    package func whenFlushing(_ call: (@Sendable () -> Void)?) {
        calls.withLock { $0.flush = call }
    }

    /// Sets what takes up changes of the library and says so; nil where there is no server any more.
    package func whenLooking(_ call: (@Sendable () -> Void)?) {
        calls.withLock { $0.look = call }
    }

    func flush() {
        calls.withLock { $0.flush }?()
    }

    func look() {
        calls.withLock { $0.look }?()
    }
}
