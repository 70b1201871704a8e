/// A reward for hours of focus.
public struct FocusReward: Sendable, Hashable {
    /// After which it is granted.
    public let hours: Int
    public let name: String

    public init(hours: Int, name: String) {
        self.hours = hours
        self.name = name
    }

    /// What there is from the beginning.
    public static let builtIn = [
        FocusReward(hours: 1, name: "First hour"), FocusReward(hours: 10, name: "Ten hours"),
        FocusReward(hours: 20, name: "Twenty hours"), FocusReward(hours: 50, name: "Fifty hours"),
        FocusReward(hours: 200, name: "Two hundred hours"),
    ]
}

/// The focus time of a person over all journeys.
public struct FocusTime: Sendable {
    private let sessions: [FocusSession]

    /// Creates the time of the sessions of one person.
    public init(_ sessions: [FocusSession]) {
        self.sessions = sessions.filter { !$0.isCancelled }.sorted()
    }

    /// Milliseconds of focus up to an instant; a session that may still be cancelled counts none.
    public func milliseconds(at now: Int64) -> Int64 { sessions.reduce(0) { $0 + $1.focus(at: now) } }

    /// The instant at which hours of focus are full, if that is not after `now`: to the millisecond, but not before a session
    /// can be cancelled no more.
    public func instant(ofHours hours: Int, now: Int64) -> Int64? {
        let wanted = Int64(hours) * 3_600_000
        var sum: Int64 = 0
        for session in sessions where session.start <= now {
            let length = session.end - session.start
            if sum + length >= wanted {
                let instant = max(session.start + wanted - sum, session.cancelUntil)
                return instant <= now ? instant : nil
            }
            sum += length
        }
        return nil
    }
}
