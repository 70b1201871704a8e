import Locking

/// An event that can occur several times, with a handler that is called each time.
public final class Notifier: Sendable {
    private let action = Locked<(@Sendable () -> Void)?>(nil)

    /// An event without a handler.
    public init() {}

    /// Calls the handler.
    func notify() {
        action.withLock { $0 }?()
    }

    /// Sets the handler, replacing an earlier one; nil removes it.
    func handle(with action: (@Sendable () -> Void)?) {
        self.action.withLock { $0 = action }
    }
}
