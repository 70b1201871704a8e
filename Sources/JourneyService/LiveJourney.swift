import HTTPCore
import Journeys
import PrimaryStore
import Replay
import Text
import TrackStore

/// The events of a journey as it goes on: `journey` first and after each change, `figure` every second while a session
/// runs, `session` when one is committed or done, and `unlock`, `reward` and `done` at their instants.
///
/// The state is read only when an event is due, so a session costs nothing while nobody looks.
struct LiveJourney: PlayedEvents {
    private let book: JourneyBook
    private let id: String
    private let person: LibraryPerson

    /// The instant of the last event, in milliseconds since 1970.
    private var time: Int64
    private var timeBefore: Int64
    /// Events of the same instant that are still to be sent.
    private var pending: [(name: ReplayEvent.Name, json: String)] = []
    /// What the journey was when it was last sent, without what changes with the clock.
    private var sent: String?
    /// The places that were reached when it was last sent.
    private var reached = Int.max
    private var isOver = false

    private static let step: Int64 = 1000
    /// While no session runs, changes by other processes are noticed after this time.
    private static let idleStep: Int64 = 5000

    init(_ book: JourneyBook, _ id: String, for person: LibraryPerson) {
        self.book = book
        self.id = id
        self.person = person
        time = book.now()
        timeBefore = time
    }

    /// A change: an event that is not due yet is made anew.
    mutating func recheck() -> Bool {
        guard time > book.now() else { return false }
        time = timeBefore
        pending = []
        return true
    }

    mutating func next() throws -> ReplayEvent? {
        guard !isOver else { return nil }
        if let event = pending.first {
            pending.removeFirst()
            return ReplayEvent(live: event.name, json: event.json, advanceMilliseconds: 0)
        }
        let journey: StoredJourney
        do { journey = try book.journey(id, for: person) } catch let problem as Problem
            where problem == JourneyProblem.noJourney
        {
            isOver = true
            return ReplayEvent(live: .end, json: #"{"why":"removed"}"#, advanceMilliseconds: 0)
        }
        let now = book.now()
        let state = try book.state(journey, at: max(now, time))
        let facts = try facts(of: state)
        if facts != sent {
            sent = facts
            if journey.drive != .focus { announce(state) }
            let json = try book.json(journey, for: person, at: state.now).text
            return event(.journey, json, at: max(now, time))
        }
        let isRunning = state.sessions.contains { $0.session.isRunning(at: state.now) }
        let due = max(time + (isRunning ? Self.step : Self.idleStep), now)
        let later = try book.state(journey, state.sessions, at: due)
        // What happens first, until then.
        let happenings = try happenings(later, after: time).filter { $0.instant <= due }
        guard let first = happenings.map(\.instant).min() else {
            return event(.figure, JourneyEvents.figure(later), at: due)
        }
        let at = happenings.filter { $0.instant == first }
        pending = at.dropFirst().map { ($0.name, $0.json) }
        return event(at[0].name, at[0].json, at: first)
    }

    private mutating func event(_ name: ReplayEvent.Name, _ json: String, at instant: Int64) -> ReplayEvent {
        defer { (timeBefore, time) = (time, instant) }
        return ReplayEvent(live: name, json: json, advanceMilliseconds: max(0, instant - time))
    }

    /// Tells, after the journey, what an import has reached: recorded metres come at once, whenever they were recorded.
    private mutating func announce(_ state: JourneyState) {
        let places = state.known.route.places
        let new = state.progress.unlocked.dropFirst(min(reached, state.progress.unlocked.count))
        pending += new.map { unlock in
            let id = state.known.stored.placeIDs[unlock.place]
            return (.unlock, JourneyEvents.unlock(id, places[unlock.place].name, state.now))
        }
        if state.isDone, !new.isEmpty { pending.append((.done, JourneyEvents.done(state.now))) }
        reached = state.progress.unlocked.count
    }

    /// What of the journey does not change with the clock alone.
    private func facts(of state: JourneyState) throws -> String {
        let journey = state.journey
        let profiles = try book.library.database.read { snapshot in
            try journey.members.map { try snapshot.profile(of: $0.name) }
        }
        let sessions = state.sessions.map { "\($0.session)" }
        return "\(journey) \(sessions) \(profiles) \(state.ledgers.map(\.metres))"
    }

    private typealias Happening = (instant: Int64, name: ReplayEvent.Name, json: String)

    /// What happens after an instant and up to that of the state.
    private func happenings(_ state: JourneyState, after instant: Int64) throws -> [Happening] {
        var found: [Happening] = []
        for stored in state.sessions
        where PersonNames.areSame(stored.session.person, person.name) && !stored.session.isCancelled {
            let session = stored.session
            if session.cancelUntil < session.end {
                found.append((session.cancelUntil + 1, .session, stored.json(at: session.cancelUntil + 1).text))
            }
            found.append((session.end, .session, stored.json(at: session.end).text))
        }
        for unlock in state.progress.unlocked {
            guard let reached = unlock.instant else { continue }
            let name = state.known.route.places[unlock.place].name
            found.append(
                (reached, .unlock, JourneyEvents.unlock(state.known.stored.placeIDs[unlock.place], name, reached)))
        }
        let rewards = try book.library.database.read { try $0.rewards(of: person.name, at: state.now) }
        for reward in rewards {
            guard let granted = reward.granted else { continue }
            found.append((granted, .reward, JourneyEvents.reward(reward, granted)))
        }
        if state.isDone, let last = state.progress.unlocked.last?.instant {
            found.append((last, .done, JourneyEvents.done(last)))
        }
        return found.filter { $0.instant > instant && $0.instant <= state.now }
    }
}
