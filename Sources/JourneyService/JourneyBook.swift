import Caching
import HTTPCore
import Journeys
import PrimaryStore
import RequestHandling
package import TrackStore

/// What members have recorded for journeys by metres.
typealias MetresLedgers = QueryCache<MetresQuery, MetresLedger>

extension MetresLedgers {
    /// Creates a cache for the ledgers of some persons. A credit takes 32 bytes; a year of daily walks has some 50,000.
    convenience init(_ context: HandlerContext) {
        self.init(
            context, costLimit: 64 << 20, cost: { 32 * ($0.count + 1) }, compute: { try $0.metresLedger($1) })
    }
}

/// A journey at an instant.
struct JourneyState: Sendable {
    let journey: StoredJourney
    let known: KnownRoute
    /// Of a journey by focus: the sessions of all members.
    let sessions: [StoredSession]
    /// Of a journey by metres: the ledgers of the members, in their order.
    let ledgers: [MetresLedger]
    /// In milliseconds since 1970.
    let now: Int64
    let progress: JourneyProgress

    /// Whether all places are reached.
    var isDone: Bool { progress.isDone(on: known.route) }

    /// The session of a person that has begun and not ended.
    func running(of person: String?) -> StoredSession? {
        sessions.last { stored in
            PersonNames.areSame(stored.session.person, person) && stored.session.isRunning(at: now)
        }
    }
}

/// Reads journeys: what they are at an instant, and what they have unlocked for persons.
package struct JourneyBook: Sendable {
    let library: Library
    let routes: KnownRoutes
    /// The sessions of journeys: a map asks for them with each of its tiles.
    private let sessions = SharedCache<SessionStamp, [StoredSession]>(costLimit: 16 << 20)
    private let ledger: @Sendable (MetresQuery) throws -> MetresLedger
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    /// A book that keeps what members have recorded as long as there is room.
    init(_ context: HandlerContext, now: @escaping @Sendable () -> Int64) {
        library = context.library
        routes = KnownRoutes(of: context.library)
        let ledgers = MetresLedgers(context)
        ledger = { try ledgers.answer(to: $0) }
        self.now = now
    }

    /// A book that is read once.
    package init(_ library: Library) {
        self.library = library
        routes = KnownRoutes(of: library)
        ledger = { [library] in try library.metresLedger($0) }
        now = TrackDatabase.systemClock
    }

    /// A journey that a person takes part in, or any for the owner. Throws a `404` for any other id.
    func journey(_ id: String, for person: LibraryPerson) throws -> StoredJourney {
        let found = try library.database.read { try $0.journey(id: id) }
        guard let found, person == .owner || found.has(person.name) else { throw JourneyProblem.noJourney }
        return found
    }

    /// The state of a journey at an instant.
    func state(_ journey: StoredJourney, at now: Int64) throws -> JourneyState {
        guard journey.drive == .focus else { return try state(journey, [], at: now) }
        let stamp = try library.database.read { try $0.sessionStamp(of: journey) }
        let sessions = try sessions.value(for: stamp, cost: { Self.bytesPerSession * ($0.count + 1) }) {
            try library.database.read { try $0.sessions(ofJourney: journey.id) }
        }
        return try state(journey, sessions, at: now)
    }

    private static let bytesPerSession = 200

    /// The state of a journey whose sessions were read.
    func state(_ journey: StoredJourney, _ sessions: [StoredSession], at now: Int64) throws -> JourneyState {
        guard let known = try routes.route(journey.route) else { throw JourneyProblem.noJourney }
        guard journey.drive != .focus else {
            let progress = FocusFold(known.route, sessions.map(\.session)).progress(at: now, on: known.measure)
            return JourneyState(
                journey: journey, known: known, sessions: sessions, ledgers: [], now: now, progress: progress)
        }
        let ledgers = try journey.members.compactMap { MetresQuery(journey, member: $0) }.map(ledger)
        let metres = ledgers.reduce(0) { $0 + $1.metres(at: now) }
        return JourneyState(
            journey: journey, known: known, sessions: [], ledgers: ledgers, now: now,
            progress: JourneyProgress(metres: metres, on: known.measure))
    }

    /// What a caller has unlocked at an instant; of one who is no person, the first place of each route.
    func passport(of person: LibraryPerson?, at now: Int64) throws -> Passport {
        guard let person else { return Passport() }
        var passport = Passport()
        for journey in try library.database.read({ try $0.journeys(of: person.name) }) {
            passport.unlock(try state(journey, at: now).progress.unlocked.count, ofRoute: journey.route.id)
        }
        return passport
    }
}

/// Which places somebody has reached.
struct Passport: Sendable, Equatable {
    private var counts: [String: Int] = [:]

    /// Adds a journey that has reached some places.
    mutating func unlock(_ count: Int, ofRoute id: String) {
        counts[id] = max(counts[id] ?? 0, count)
    }

    /// How many places of a route are open, from the first on, where each journey starts.
    func count(ofRoute id: String) -> Int { max(1, counts[id] ?? 1) }

    /// The routes on which there are journeys.
    var routes: [String] { counts.keys.sorted() }
}

/// Problems that several routes have.
enum JourneyProblem {
    static let noJourney = Problem.notFound("there is no journey with this id")
    static let noRoute = Problem.notFound("there is no route with this id")
    static let noPlace = Problem.notFound("the route has no place with this id")
    static let noPerson = Problem.notFound("there is no person with this name")
    static let noPicture = Problem.notFound("there is no picture")

    /// A `400` for a route that cannot be.
    static func invalid(_ error: JourneyError) -> Problem { Problem.badRequest(error.reason) }

    /// What persons have, for the `403` of callers who are none.
    static let things = "journeys and a profile"
}
