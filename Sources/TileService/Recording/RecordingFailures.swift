import Locking

/// What fails of recording, for `/health`.
final class RecordingFailures: Sendable {
    private struct State: Sendable {
        var flush: String?
        var storing: String?
        var lastStoring = ContinuousClock.now
        /// What was reported last of flushes; the same is told once.
        var told: String?
    }

    private let state = Locked(State())

    /// Points that could not be stored are told of for this time: whether they could be now is only known with the next.
    private static let storingTime = Duration.seconds(60)

    /// A flush has failed; false where the one before failed alike.
    @discardableResult
    func flushFailed(_ error: any Error) -> Bool {
        let text = "\(error)"
        return state.withLock { state in
            defer { state.told = text }
            state.flush = "recorded points cannot be moved into the library: \(Health.cause(error))"
            return state.told != text
        }
    }

    /// A flush has worked.
    func flushed() {
        state.withLock { state in
            state.flush = nil
            state.told = nil
        }
    }

    /// Points were made durable, or could not be.
    func stored(_ error: (any Error)?) {
        state.withLock { state in
            state.storing = error.map { "points cannot be recorded: \(Health.cause($0))" }
            state.lastStoring = .now
        }
    }

    /// What fails; nil where nothing does.
    var sentence: String? {
        state.withLock { state in
            if let flush = state.flush { return flush }
            return ContinuousClock.now - state.lastStoring < Self.storingTime ? state.storing : nil
        }
    }
}
