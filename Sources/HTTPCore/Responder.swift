internal import Locking

/// The function from request to answer; called on the listening queue, where nothing may wait.
public protocol Responder: Sendable {
    /// What to answer: at once if it is ready, else what has to be done first.
    func answer(_ request: Request) -> Answer

    /// Whether the body that a request announces is taken; asked once, between headers and body.
    func admission(of request: Request) -> BodyAdmission
}

extension Responder {
    /// Without a word about bodies, none are taken.
    public func admission(of request: Request) -> BodyAdmission {
        .refused(.response(BodyRule.nothing.excess.response))
    }
}

/// A reply, or the promise of one.
public enum Answer: Sendable {
    /// Goes out at once.
    case ready(Reply)
    /// The connection waits until the work is done.
    case deferred(Deferred)

    /// An answer that goes out at once.
    public static func response(_ response: Response) -> Answer { .ready(.response(response)) }

    /// The answer with every reply changed, now or when it comes.
    public func map(_ transform: @escaping @Sendable (Reply) -> Reply) -> Answer {
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

/// Work that ends with a reply.
public struct Deferred: Sendable {
    /// Begins the work. `Completion` takes its reply from any thread; the `Cancellation` returned is called when the
    /// reader has gone.
    public let begin: @Sendable (Completion) -> Cancellation

    /// Work that `begin` begins.
    public init(_ begin: @escaping @Sendable (Completion) -> Cancellation) {
        self.begin = begin
    }
}

/// Tells work that nobody waits for its reply any more; does nothing once the reply was given.
public struct Cancellation: Sendable {
    private let cancelWork: @Sendable () -> Void

    /// A cancellation that does `cancelWork`.
    public init(_ cancelWork: @escaping @Sendable () -> Void) {
        self.cancelWork = cancelWork
    }

    /// For work that cannot be stopped.
    public static let none = Cancellation {}

    /// Nobody waits any more.
    public func callAsFunction() { cancelWork() }
}

/// Takes the reply of deferred work, once: later replies are dropped, and one that is never given is a `500`.
public final class Completion: Sendable {
    private let send: Locked<(@Sendable (Reply) -> Void)?>

    /// A completion that hands its reply to `send`.
    public init(_ send: @escaping @Sendable (Reply) -> Void) {
        self.send = Locked(send)
    }

    /// Gives the reply.
    public func callAsFunction(_ reply: Reply) {
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
