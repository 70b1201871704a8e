package import HTTPCore

/// Runs the changes that clients request: one at a time, in order of arrival, apart from drawing and listening.
package struct ChangeQueue: Sendable {
    private let queue: WorkQueue
    private let timeoutSeconds: Double

    /// No legitimate use queues more changes.
    private static let waitingLimit = 64
    private static let retryAfterSeconds = 10

    /// A queue in which work that has not begun after `timeoutSeconds` is refused.
    package init(_ label: String, timeoutSeconds: Double) {
        queue = WorkQueue(label, workers: 1, waitingLimit: Self.waitingLimit, order: .oldestFirst)
        self.timeoutSeconds = timeoutSeconds
    }

    /// Answers with the result of `make`, or with a `503` if its turn does not come soon. Work that has begun is
    /// finished even if the client disconnects.
    package func answer(_ make: @escaping @Sendable () throws -> OutgoingResponse) -> HandlerResult {
        queue.answer(refusal: Self.busy, timeoutSeconds: timeoutSeconds) { _ in try make() }
    }

    private static let busy = Problem.unavailable(
        "another change of this kind is under way", retryAfterSeconds: retryAfterSeconds)
}
