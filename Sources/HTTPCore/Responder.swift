internal import Locking

/// Answers requests; called on the listening queue, so it must not block.
public protocol Responder: Sendable {
    /// The response if it is ready, else the work that produces it.
    func answer(_ request: Request) -> HandlerResult

    /// Whether the body that a request announces is accepted; called once, between headers and body.
    func bodyDecision(of request: Request) -> BodyDecision
}

extension Responder {
    /// By default, bodies are rejected.
    public func bodyDecision(of request: Request) -> BodyDecision {
        .refused(.response(BodyPolicy.nothing.tooLongProblem.response))
    }
}

/// A reply, or work that will produce one.
public enum HandlerResult: Sendable {
    /// Sent at once.
    case ready(OutgoingResponse)
    /// The connection is suspended until the work is done.
    case deferred(Deferred)

    /// An answer that is sent at once.
    public static func response(_ response: Response) -> HandlerResult { .ready(.response(response)) }

    /// Gives the reply to `completion`, now or when it is ready. The returned `Cancellation` is called when nobody needs it any
    /// more.
    public func begin(_ completion: Completion) -> Cancellation {
        switch self {
        case .ready(let reply):
            completion(reply)
            return .none
        case .deferred(let deferred): return deferred.begin(completion)
        }
    }

    /// Applies `transform` to the reply, now or when it is ready.
    public func map(_ transform: @escaping @Sendable (OutgoingResponse) -> OutgoingResponse) -> HandlerResult {
        switch self {
        case .ready(let reply):
            return .ready(transform(reply))
        case .deferred(let deferred):
            return .deferred(
                Deferred { completion in
                    deferred.begin(Completion { completion(transform($0)) })
                })
        }
    }
}

/// Work that produces a reply.
public struct Deferred: Sendable {
    /// Starts the work. The `Completion` accepts the reply on any thread; the returned `Cancellation` is called when
    /// the client has disconnected.
    public let begin: @Sendable (Completion) -> Cancellation

    /// Work that `begin` starts.
    public init(_ begin: @escaping @Sendable (Completion) -> Cancellation) {
        self.begin = begin
    }
}

/// Cancels work whose reply is no longer needed; has no effect after the reply was given.
public struct Cancellation: Sendable {
    private let cancelWork: @Sendable () -> Void

    /// A cancellation that calls `cancelWork`.
    public init(_ cancelWork: @escaping @Sendable () -> Void) {
        self.cancelWork = cancelWork
    }

    /// For work that cannot be cancelled.
    public static let none = Cancellation {}

    /// Cancels the work.
    public func callAsFunction() { cancelWork() }
}

/// Accepts the reply of deferred work. Only the first reply counts; if none is given before it is released, the reply
/// is a `500`.
public final class Completion: Sendable {
    private let send: Locked<(@Sendable (OutgoingResponse) -> Void)?>

    /// A completion that passes its reply to `send`.
    public init(_ send: @escaping @Sendable (OutgoingResponse) -> Void) {
        self.send = Locked(send)
    }

    /// Gives the reply.
    public func callAsFunction(_ reply: OutgoingResponse) {
        let send = send.withLock { send in
            let taken = send
            send = nil
            return taken
        }
        send?(reply)
    }

    deinit {
        callAsFunction(.response(Problem.internalServerError.response))
    }
}
