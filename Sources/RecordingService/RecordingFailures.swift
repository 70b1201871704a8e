import Locking
import PrimaryStore
import RequestHandling

/// Failures of recording, for `/health`.
final class RecordingFailures: Sendable {
    private struct State: Sendable {
        var flush: String?
        var storing: String?
        var lastStoring = ContinuousClock.now
        /// The last error of a flush.
        var lastError = LastError()
    }

    private let state = Locked(State())

    /// How long a failure to store points is shown, because only the next points will show whether storing works again.
    private static let storingTime = Duration.seconds(60)

    /// A flush has failed; false if the previous one failed with the same error.
    @discardableResult
    func flushFailed(_ error: any Error) -> Bool {
        state.withLock { state in
            state.flush = "recorded points cannot be moved into the library: \(LibraryError.cause(of: error))"
            return state.lastError.isNew(error)
        }
    }

    /// A flush has succeeded.
    func flushed() {
        state.withLock { state in
            state.flush = nil
            state.lastError.clear()
        }
    }

    /// Storing points has succeeded or failed.
    func stored(_ error: (any Error)?) {
        state.withLock { state in
            state.storing = error.map { "points cannot be recorded: \(LibraryError.cause(of: $0))" }
            state.lastStoring = .now
        }
    }

    /// What fails; nil if nothing does.
    var summary: String? {
        state.withLock { state in
            if let flush = state.flush { return flush }
            return ContinuousClock.now - state.lastStoring < Self.storingTime ? state.storing : nil
        }
    }
}
