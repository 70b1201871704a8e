import Locking

/// Something that may happen several times, each time to be answered.
public final class Bell: Sendable {
    private let action = Locked<(@Sendable () -> Void)?>(nil)

    /// Nobody answers yet.
    public init() {}

    /// It happens.
    func ring() {
        action.withLock { $0 }?()
    }

    /// Calls `action` whenever it happens, in place of what was called before; nil: nothing.
    func answer(with action: (@Sendable () -> Void)?) {
        self.action.withLock { $0 = action }
    }
}
