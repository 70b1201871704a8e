import Dispatch
package import HTTPCore
import Locking

/// The queues for requests that read the disk. Each has threads of its own, so that no kind of request waits for
/// another kind: tiles do not wait for lists, and lists not for exports.
package struct RequestQueues: Sendable {
    /// Tiles, newest first; as wide as the machine has cores, unless configured.
    package let drawing: WorkQueue
    /// Answers that read some rows: lists, single tracks, positions, legends, the beginning of a replay. As wide as
    /// `drawing`.
    package let reading: WorkQueue
    /// Answers that read whole years of points: manifests, exports, calendars. One at a time, so that at most one core
    /// is taken from the others.
    package let long: WorkQueue
    /// Posters. One at a time, as each can take hundreds of megabytes; apart from `long`, because a large one takes
    /// minutes, while the web page waits for a manifest or a calendar.
    package let posters: WorkQueue

    /// At a few milliseconds each, the last one waits about a second. More where more event streams are permitted: each
    /// begins with such an answer, and browsers do not repeat the request for a stream that was refused.
    private static let readingLimit = 256
    /// Each may take seconds.
    private static let longLimit = 32
    /// Each may take minutes.
    private static let posterLimit = 8

    /// The queues of a server with a limit of waiting drawings and of event streams; `workers` draw at once, nil for one
    /// per core.
    package init(workers: Int?, drawingLimit: Int, eventStreams: Int) {
        drawing = WorkQueue(workers: workers, waitingLimit: drawingLimit)
        reading = WorkQueue(
            "tileserve.reading", workers: workers, waitingLimit: max(Self.readingLimit, eventStreams),
            order: .oldestFirst)
        long = WorkQueue("tileserve.long", workers: 1, waitingLimit: Self.longLimit, order: .oldestFirst)
        posters = WorkQueue("tileserve.posters", workers: 1, waitingLimit: Self.posterLimit, order: .oldestFirst)
    }
}

extension WorkQueue {
    /// Whether the client has disconnected.
    package typealias DisconnectCheck = @Sendable () -> Bool

    /// Seconds after which a refused client may try again.
    private static let retryAfterSeconds = 5
    private static let tooMany = Problem.unavailable(
        "too many requests wait for an answer", retryAfterSeconds: retryAfterSeconds)

    /// An answer that reads the disk: made on the queue, or a `503` if too many are waiting.
    package func answer(_ make: @escaping @Sendable () throws -> OutgoingResponse) -> HandlerResult {
        answerCancellably { _ in try make() }
    }

    /// As `answer`, for work that takes seconds: it should throw `CancellationError` when the client has disconnected.
    package func answerCancellably(_ make: @escaping @Sendable (@escaping DisconnectCheck) throws -> OutgoingResponse)
        -> HandlerResult
    {
        answer(
            refusal: Self.tooMany, make)
    }

    /// As `answerCancellably`, with `refusal` if too many are waiting, or if the work has not begun after
    /// `timeoutSeconds`.
    package func answer(
        refusal: Problem, timeoutSeconds: Double? = nil,
        _ make: @escaping @Sendable (@escaping DisconnectCheck) throws -> OutgoingResponse
    ) -> HandlerResult {
        .deferred(
            Deferred { [self] completion in
                let isDisconnected = Locked(false)
                let ticket = add(
                    work: {
                        do {
                            completion(try make { isDisconnected.withLock { $0 } })
                        } catch {
                            completion(.response(Problem.response(to: error)))
                        }
                    },
                    refuse: { completion(.response(refusal.response)) })
                if let timeoutSeconds {
                    DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + timeoutSeconds) { [weak self] in
                        self?.refuse(ticket)
                    }
                }
                return Cancellation { [self] in
                    isDisconnected.withLock { $0 = true }
                    cancel(ticket)
                }
            })
    }

    /// As `answer`, for work after which something else may have to be waited for, without a thread.
    package func answerLater(_ make: @escaping @Sendable () throws -> HandlerResult) -> HandlerResult {
        .deferred(
            Deferred { [self] completion in
                // What cancels the second part, once that has begun.
                let second = Locked<(cancellation: Cancellation?, isDisconnected: Bool)>((nil, false))
                let ticket = add(
                    work: {
                        do {
                            let cancellation = try make().begin(completion)
                            let isDisconnected = second.withLock { second in
                                second.cancellation = cancellation
                                return second.isDisconnected
                            }
                            if isDisconnected { cancellation() }
                        } catch {
                            completion(.response(Problem.response(to: error)))
                        }
                    },
                    refuse: { completion(.response(Self.tooMany.response)) })
                return Cancellation { [self] in
                    cancel(ticket)
                    let cancellation = second.withLock { second in
                        second.isDisconnected = true
                        return second.cancellation
                    }
                    cancellation?()
                }
            })
    }
}
