/// A time for which a person focuses: a function of its start, its duration and the present instant, so that nothing has to be
/// done while it runs.
public struct FocusSession: Sendable, Hashable {
    /// What a session is at an instant.
    public enum State: String, Sendable {
        /// It has begun, and may still be cancelled.
        case running
        /// It was cancelled in time, and never counted.
        case cancelled
        /// It runs to its end: there is no way out.
        case committed
        case done
    }

    /// Milliseconds after its start up to which a session can be cancelled.
    public static let cancelMilliseconds: Int64 = 10_000

    public let id: String
    /// The person's name; nil for the owner of the library.
    public let person: String?
    /// In milliseconds since 1970.
    public let start: Int64
    public let seconds: Int
    /// The position of the place to which it leads, in the route's list; nil for the next one that is not reached.
    public let destination: Int?
    /// Whether it was cancelled, at an instant at which it could be.
    public var isCancelled: Bool

    public init(
        id: String, person: String?, start: Int64, seconds: Int, destination: Int? = nil, isCancelled: Bool = false
    ) {
        self.id = id
        self.person = person
        self.start = start
        self.seconds = seconds
        self.destination = destination
        self.isCancelled = isCancelled
    }

    /// In milliseconds since 1970.
    public var end: Int64 { start + Int64(seconds) * 1000 }

    /// The last instant at which it can be cancelled: ten seconds after its start, or its end if that is earlier.
    public var cancelUntil: Int64 { min(start + Self.cancelMilliseconds, end) }

    /// Whether a request to cancel that arrives at an instant is accepted.
    public func canCancel(at instant: Int64) -> Bool { !isCancelled && instant <= cancelUntil }

    public func state(at now: Int64) -> State {
        if isCancelled { return .cancelled }
        if now >= end { return .done }
        return now <= cancelUntil ? .running : .committed
    }

    /// Whether it has begun, and neither ended nor been cancelled.
    public func isRunning(at now: Int64) -> Bool { !isCancelled && start <= now && now < end }

    /// The milliseconds of it that have passed.
    public func elapsed(at now: Int64) -> Int64 { min(max(0, now - start), end - start) }

    /// The milliseconds of focus that it counts: none while it may still be cancelled.
    public func focus(at now: Int64) -> Int64 {
        switch state(at: now) {
        case .running, .cancelled: 0
        case .committed, .done: elapsed(at: now)
        }
    }
}

extension FocusSession: Comparable {
    /// By start, then by id.
    public static func < (one: FocusSession, other: FocusSession) -> Bool {
        (one.start, one.id) < (other.start, other.id)
    }
}
