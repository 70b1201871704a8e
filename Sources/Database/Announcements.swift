internal import Locking

/// What the processes of a library announce to each other after it is committed.
public enum Announcement: String, CaseIterable, Sendable {
    /// A change of the primary store or of the grid.
    case content
    /// A change of a document.
    case document
    /// Something appended to a log, or asked of the holder of a lease.
    case log
}

/// Announcements make a change known sooner and save questions; nothing depends on them: who waits for a change asks at
/// least once a second whether there is one.
public protocol AnnouncementTable: Sendable {
    /// A number that changes with each announcement of this kind, by this process or another; nil as long as announcements
    /// do not arrive. The first call begins to listen.
    func announcements(of kind: Announcement) -> Int?

    /// Calls `body` after each announcement, as long as this object exists; `body` must not wait.
    func onAnnouncement(_ body: @escaping @Sendable (Announcement) -> Void)
}

/// The last answer to a question that is asked several times a second; the database is asked again after an announcement,
/// and after a second.
public final class ObservedAnswer<Answer: Sendable, Moment: InstantProtocol>: Sendable
where Moment.Duration == Duration {
    private struct Known {
        var answer: Answer
        var heard: Int?
        var asked: Moment
    }

    private let kind: Announcement
    /// Each question is a round trip: within this time, one is enough in any case.
    private let pause: Duration
    private let known = Locked<Known?>(nil)

    public init(_ kind: Announcement, pause: Duration = .zero) {
        self.kind = kind
        self.pause = pause
    }

    /// The last answer, or what `ask` returns.
    public func answer(_ table: any AnnouncementTable, now: Moment, ask: () throws -> Answer) rethrows -> Answer {
        // Before the question: what is announced meanwhile is asked for again.
        let heard = table.announcements(of: kind)
        if let known = known.withLock({ $0 }) {
            if now < known.asked.advanced(by: pause) { return known.answer }
            if let heard, heard == known.heard, now < known.asked.advanced(by: .seconds(1)) { return known.answer }
        }
        let answer = try ask()
        known.withLock { $0 = Known(answer: answer, heard: heard, asked: now) }
        return answer
    }

    /// Lets the next question be asked in any case.
    public func forget() {
        known.withLock { $0 = nil }
    }
}
