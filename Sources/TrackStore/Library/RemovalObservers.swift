internal import Locking

/// The calls with which a removal notifies the server of this process; servers of other processes poll for changes.
package final class RemovalObservers: Sendable {
    private struct Calls {
        var flush: (@Sendable () -> Void)?
        var poll: (@Sendable () -> Void)?
    }

    private let calls = Locked(Calls())

    /// Sets the call that moves buffered points into the library; nil when the server has stopped.
    package func whenFlushing(_ call: (@Sendable () -> Void)?) {
        calls.withLock { $0.flush = call }
    }

    /// Sets the call that reads changes of the library and publishes that it has done so; nil when the server has
    /// stopped.
    package func whenPolling(_ call: (@Sendable () -> Void)?) {
        calls.withLock { $0.poll = call }
    }

    func flush() {
        calls.withLock { $0.flush }?()
    }

    func poll() {
        calls.withLock { $0.poll }?()
    }
}
