import Dispatch
import GridStorage
import Locking
import Parallelism
import RequestHandling
import TrackStore

/// Applies the rules for old points at the start of each day of the library. Of several processes, one does.
final class RetentionWorker: Sendable {
    private struct State: Sendable {
        var lastError = LastError()
        var isStopped = false
    }

    private let library: Library
    private let now: @Sendable () -> Int64
    private let drop: @Sendable (GridChange) throws -> Void
    private let report: @Sendable (any Error) -> Void
    private let queue = DispatchQueue(label: "tileserve.retention", qos: .utility)
    private let timer = PollingTimer()
    private let state = Locked(State())

    /// Reads a few rows each time.
    private static let periodMilliseconds = 30_000

    /// `now` is in milliseconds since 1970; `drop` deletes pictures that show what was removed; `report` gets each new error once.
    init(
        _ library: Library, now: @escaping @Sendable () -> Int64, drop: @escaping @Sendable (GridChange) throws -> Void,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.library = library
        self.now = now
        self.drop = drop
        self.report = report
    }

    func start() {
        queue.async { [weak self] in self?.applyIfDue() }
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.applyIfDue() }
    }

    /// Stops after the present track; the next run goes on.
    func stop() {
        state.withLock { $0.isStopped = true }
        timer.stop()
        queue.sync {}
    }

    /// Applies the rules if that was not done on the present day.
    func applyIfDue() {
        do {
            let time = now()
            guard try library.isRetentionDue(at: time) else { return }
            let outcome = try library.applyRetention(
                at: time, isStopped: { [state] in state.withLock { $0.isStopped } }, drop: drop)
            if let failure = outcome?.failure { throw failure }
            state.withLock { $0.lastError.clear() }
        } catch {
            if state.withLock({ $0.lastError.isNew(error) }) { report(error) }
        }
    }
}
