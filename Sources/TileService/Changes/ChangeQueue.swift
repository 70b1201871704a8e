import Dispatch
import HTTPCore
import Locking
import TrackStore

/// Runs the changes that clients request: one at a time, in order of arrival, apart from drawing and listening.
final class ChangeQueue: Sendable {
    private struct Entry: Sendable {
        var work: @Sendable () -> Void
        var refuse: @Sendable () -> Void
    }

    private struct State: Sendable {
        var waiting: [UInt64: Entry] = [:]
        var next: UInt64 = 0
    }

    private let queue: DispatchQueue
    private let timeoutSeconds: Double
    private let state = Locked(State())

    /// No legitimate use queues more changes.
    private static let waitingLimit = 64
    private static let retryAfterSeconds = 10

    /// A queue in which work that has not begun after `timeoutSeconds` is refused.
    init(_ label: String, timeoutSeconds: Double) {
        queue = DispatchQueue(label: label, qos: .utility)
        self.timeoutSeconds = timeoutSeconds
    }

    /// Answers with the result of `make`, or with a `503` if its turn does not come soon. Work that has begun is
    /// finished even if the client disconnects.
    func answer(_ make: @escaping @Sendable () throws -> OutgoingResponse) -> HandlerResult {
        .deferred(
            Deferred { [self] completion in
                let entry = Entry(
                    work: {
                        do {
                            completion(try make())
                        } catch {
                            completion(.response(Self.response(to: error)))
                        }
                    },
                    refuse: { completion(.response(Self.busy.response)) })
                guard let number = add(entry) else {
                    entry.refuse()
                    return .none
                }
                queue.async { [self] in take(number)?.work() }
                DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + timeoutSeconds) { [weak self] in
                    self?.take(number)?.refuse()
                }
                return Cancellation { [self] in _ = take(number) }
            })
    }

    private static func response(to error: any Error) -> Response {
        guard let error = error as? LibraryError, error.isDiskError else { return Problem.response(to: error) }
        return Problem(
            .insufficientStorage,
            "the library's disk is full or failing, and the change was not finished; free disk space and try again"
        ).response
    }

    private static let busy = Problem.unavailable(
        "another change of this kind is under way", retryAfterSeconds: retryAfterSeconds)

    private func add(_ entry: Entry) -> UInt64? {
        state.withLock { state in
            guard state.waiting.count < Self.waitingLimit else { return nil }
            state.next += 1
            state.waiting[state.next] = entry
            return state.next
        }
    }

    private func take(_ number: UInt64) -> Entry? {
        state.withLock { $0.waiting.removeValue(forKey: number) }
    }
}
