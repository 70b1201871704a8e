import Locking

/// A request to end the command, with actions to run when it is requested.
public final class StopRequest: Sendable {
    private struct State: Sendable {
        var isRequested = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Not requested yet.
    public init() {}

    /// Whether the stop was requested.
    public var isRequested: Bool { state.withLock { $0.isRequested } }

    /// Requests the stop; false if it was requested before.
    @discardableResult
    public func request() -> Bool {
        let (isFirst, actions) = state.withLock { state in
            defer { state = State(isRequested: true) }
            return (!state.isRequested, state.actions)
        }
        for action in actions { action() }
        return isFirst
    }

    /// Runs `action` once when the stop is requested; at once if it was requested before.
    func onRequest(_ action: @escaping @Sendable () -> Void) {
        let isRequested = state.withLock { state in
            if !state.isRequested { state.actions.append(action) }
            return state.isRequested
        }
        if isRequested { action() }
    }
}
