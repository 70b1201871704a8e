import Locking

/// Whether somebody wants the command to end, and what is to be done then.
public final class StopRequest: Sendable {
    private struct State: Sendable {
        var isMade = false
        var actions: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Nobody wants it yet.
    public init() {}

    /// Whether it has been asked for.
    public var isMade: Bool { state.withLock { $0.isMade } }

    /// Asks; false where somebody had done so before.
    @discardableResult
    public func make() -> Bool {
        let (isFirst, actions) = state.withLock { state in
            defer { state = State(isMade: true) }
            return (!state.isMade, state.actions)
        }
        for action in actions { action() }
        return isFirst
    }

    /// Calls `action` once when it is asked for; at once if it has been.
    func whenMade(_ action: @escaping @Sendable () -> Void) {
        let isMade = state.withLock { state in
            if !state.isMade { state.actions.append(action) }
            return state.isMade
        }
        if isMade { action() }
    }
}
