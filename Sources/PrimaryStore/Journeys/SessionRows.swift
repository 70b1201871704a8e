import Database
public import Journeys

// The table `focus_session` of the primary store: times of focus, each a row that is written when it begins.

/// A stored session of focus.
public struct StoredSession: Sendable, Equatable {
    /// The id of the journey.
    public let journey: String
    /// The id of the place to which it leads; nil for the next one that is not reached.
    public let place: String?
    /// The destination is a position among the places of the route as it is now.
    public let session: FocusSession
}

/// What became of the begin of a session.
public enum SessionStart: Sendable, Equatable {
    case started(StoredSession)
    /// There is no journey with this id that the person takes part in.
    case noJourney
    /// The route has no place with this id.
    case noPlace
    /// The place is reached already.
    case isReached
    /// All places are reached.
    case isDone
    /// The journey is driven by recorded metres.
    case isByMetres
    /// Another session of the person runs until an instant.
    case running(until: Int64)
}

/// What became of the cancellation of a session.
public enum SessionCancellation: Sendable, Equatable {
    case done
    case missing
    /// It could be cancelled up to an instant, which has passed.
    case tooLate(Int64)
}

/// What the sessions of a journey depend on: as long as it is the same, so are they.
public struct SessionStamp: Sendable, Hashable {
    private let journey: Int64
    /// Sessions that led to a place that was removed lead to another one.
    private let route: RouteStamp
    /// The number of sessions, the last one, and how many were cancelled: nothing else of them changes.
    private let count: Int64
    private let last: Int64
    private let cancelled: Int64

    fileprivate init(_ journey: StoredJourney, count: Int64, last: Int64, cancelled: Int64) {
        self.journey = journey.number
        route = journey.route
        (self.count, self.last, self.cancelled) = (count, last, cancelled)
    }
}

extension TrackSnapshot {
    /// The stamp of the sessions of a journey; costs a hundredth of reading them.
    public func sessionStamp(of journey: StoredJourney) throws -> SessionStamp {
        let found = try session.first(
            """
            SELECT count(*), coalesce(max(number), 0), CAST(coalesce(sum(cancelled), 0) AS BIGINT) FROM focus_session
            WHERE journey = $1
            """, [.integer(journey.number)]
        ) { SessionStamp(journey, count: $0.integer(0), last: $0.integer(1), cancelled: $0.integer(2)) }
        return found ?? SessionStamp(journey, count: 0, last: 0, cancelled: 0)
    }

    /// The sessions of a journey, by their begin.
    public func sessions(ofJourney id: String) throws -> [StoredSession] {
        try session.rows(
            "SELECT \(Self.sessionRows) WHERE j.id = $1 ORDER BY s.start, s.id", [.text(id)], Self.session)
    }

    /// The sessions of a person, nil for the owner, in all journeys, by their begin.
    public func sessions(of person: String?) throws -> [StoredSession] {
        guard let number = try personNumber(orOwner: person) else { return [] }
        return try sessions(ofPerson: number)
    }

    func sessions(ofPerson number: Int64) throws -> [StoredSession] {
        try session.rows(
            "SELECT \(Self.sessionRows) WHERE s.person = $1 ORDER BY s.start, s.id", [.integer(number)], Self.session)
    }

    /// Columns and tables of sessions, with the position of the destination among the places.
    private static let sessionRows = """
        s.id, p.name, s.start, s.seconds, s.cancelled, r.id,
        (SELECT count(*) FROM route_place o WHERE o.route = r.route
         AND (o.position < r.position OR o.position = r.position AND o.number < r.number)), j.id
        FROM focus_session s JOIN journey j ON j.number = s.journey JOIN person p ON p.number = s.person
        LEFT JOIN route_place r ON r.number = s.place
        """

    private static func session(_ row: any Row) -> StoredSession {
        let place = row.textOrNil(5)
        return StoredSession(
            journey: row.text(7), place: place,
            session: FocusSession(
                id: row.text(0), person: row.textOrNil(1), start: row.integer(2), seconds: Int(row.integer(3)),
                destination: place.map { _ in Int(row.integer(6)) }, isCancelled: row.integer(4) != 0))
    }

    /// The session of a person that has begun and not ended; nil if there is none. `now` is in milliseconds since 1970.
    public func runningSession(of person: String?, at now: Int64) throws -> StoredSession? {
        try sessions(of: person).last { $0.session.isRunning(at: now) }
    }
}

extension TrackDatabase {
    /// Begins a session of a person, nil for the owner; durable when it returns. `now` is asked for when no other change is
    /// waited for any more, so that the session and the time to cancel it are not shorter for it.
    public func startSession(
        inJourney id: String, of person: String?, seconds: Int, place: String?, now: () -> Int64
    ) throws -> SessionStart {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> SessionStart in
                let now = now()
                let snapshot = TrackSnapshot(session: writer.session)
                guard let journey = try snapshot.journey(id: id), journey.has(person),
                    let number = try snapshot.personNumber(orOwner: person),
                    let route = try snapshot.route(id: journey.route.id)
                else { return .noJourney }
                guard case .focus = journey.drive else { return .isByMetres }
                if let running = try snapshot.runningSession(of: person, at: now) {
                    return .running(until: running.session.end)
                }
                let sessions = try snapshot.sessions(ofJourney: id).map(\.session)
                let reached = FocusFold(route.route, sessions).reachedCount(at: now)
                guard reached < route.placeIDs.count else { return .isDone }
                var destination: Int?
                if let place {
                    guard let position = route.place(id: place) else { return .noPlace }
                    guard position >= reached else { return .isReached }
                    destination = position
                }
                try writer.keepRewards(of: number, at: now)
                let session = FocusSession(
                    id: RandomID.text(), person: person, start: now, seconds: seconds, destination: destination)
                try writer.insert(
                    session, journey: journey.number, person: number, place: destination.map { route.placeNumbers[$0] })
                return .started(StoredSession(journey: id, place: place, session: session))
            }
        }
    }

    /// Cancels a session of a person, nil for the owner, by a request that arrived at an instant.
    public func cancelSession(
        _ id: String, inJourney journey: String, of person: String?, at instant: Int64
    ) throws -> SessionCancellation {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> SessionCancellation in
                let stored = try TrackSnapshot(session: writer.session).sessions(of: person).first {
                    $0.session.id == id && $0.journey == journey
                }
                guard let session = stored?.session else { return .missing }
                // A request that is repeated finds what it wanted.
                if session.isCancelled { return .done }
                guard session.canCancel(at: instant) else { return .tooLate(session.cancelUntil) }
                try writer.session.run("UPDATE focus_session SET cancelled = 1 WHERE id = $1", [.text(id)])
                return .done
            }
        }
    }
}

extension TrackWriter {
    func insert(_ focus: FocusSession, journey: Int64, person: Int64, place: Int64?) throws {
        try session.run(
            """
            INSERT INTO focus_session (id, journey, person, start, seconds, place, cancelled)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .text(focus.id), .integer(journey), .integer(person), .integer(focus.start), .integer(focus.seconds),
                .integer(orNull: place), .integer(focus.isCancelled ? 1 : 0),
            ])
    }
}
