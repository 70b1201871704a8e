public import Dispatch
import Foundation
import Locking

/// Calls a function again and again, from `start` until `stop`.
public final class PollingTimer: Sendable {
    private let source = Locked<(any DispatchSourceTimer)?>(nil)

    public init() {}

    deinit { stop() }

    /// Calls `poll` on a queue, at once and then in every period. Calls that would begin during another one are left out.
    public func start(periodMilliseconds: Int, on queue: DispatchQueue, _ poll: @escaping @Sendable () -> Void) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(periodMilliseconds))
        timer.setEventHandler(handler: poll)
        source.withLock { source in
            source?.cancel()
            source = timer
        }
        timer.resume()
    }

    /// Begins no more calls; does not wait for one under way.
    public func stop() {
        source.withLock { source in
            source?.cancel()
            source = nil
        }
    }
}

/// Waits until `isDone` returns true, which is asked at least once; false if it has not within `limit`. Sleeps between
/// two questions, so it is for threads that may wait.
public func pollUntil<Failure: Error>(
    within limit: Duration, periodSeconds: Double, _ isDone: () throws(Failure) -> Bool
) throws(Failure) -> Bool {
    let deadline = ContinuousClock.now + limit
    while try !isDone() {
        if ContinuousClock.now >= deadline { return false }
        Thread.sleep(forTimeInterval: periodSeconds)
    }
    return true
}
