import Locking

/// A request to end the command, with actions to run when it is made.
public final class StopRequest: Sendable {
    private struct State: Sendable {
        var isMade = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Not requested yet.
    public init() {}

    /// Whether the stop was requested.
    public var isMade: Bool { state.withLock { $0.isMade } }

    /// Requests the stop; false if it was requested before.
    @discardableResult
    public func make() -> Bool {
        let (isFirst, actions) = state.withLock { state in
            defer { state = State(isMade: true) }
            return (!state.isMade, state.actions)
        }
        for action in actions { action() }
        return isFirst
    }

    /// Runs `action` once when the stop is requested; at once if it was requested before.
    func whenMade(_ action: @escaping @Sendable () -> Void) {
        let isMade = state.withLock { state in
            if !state.isMade { state.actions.append(action) }
            return state.isMade
        }
        if isMade { action() }
    }
}
