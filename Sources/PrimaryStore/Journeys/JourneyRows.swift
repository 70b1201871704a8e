import Database
import Text
public import TrackQuery

// The tables `journey` and `journey_member` of the primary store.

/// What moves a journey on.
public enum JourneyDrive: Sendable, Equatable {
    /// Time of focus.
    case focus
    /// The recorded metres of tracks that satisfy a condition, all of them without one.
    case metres(TrackCondition?, [JourneyFactor])
}

/// How much the metres of some tracks count.
public struct JourneyFactor: Sendable, Equatable {
    /// Of the tracks; of several factors the first counts whose condition a track satisfies.
    public let condition: TrackCondition
    public let factor: Double

    public static let factors = 0.001...1000.0
    /// Factors of one journey.
    public static let limit = 20

    public init(_ condition: TrackCondition, factor: Double) {
        self.condition = condition
        self.factor = factor
    }
}

/// What a new journey is.
public struct NewJourney: Sendable, Equatable {
    /// The id of the route.
    public var route: String
    public var drive: JourneyDrive
    /// The instant from which metres count; nil for all. In milliseconds since 1970.
    public var since: Int64?
    /// The instant at which its members want to arrive; nil for none.
    public var until: Int64?
    /// The names of its members; nil for the owner.
    public var members: [String?]

    public init(
        route: String, drive: JourneyDrive, since: Int64? = nil, until: Int64? = nil, members: [String?]
    ) {
        self.route = route
        self.drive = drive
        self.since = since
        self.until = until
        self.members = members
    }
}

/// A stored journey.
public struct StoredJourney: Sendable, Equatable {
    public struct Member: Sendable, Equatable {
        public let number: Int64
        /// nil for the owner.
        public let name: String?
    }

    package let number: Int64
    public let id: String
    public let route: RouteStamp
    /// The name of the route.
    public let name: String
    public let drive: JourneyDrive
    public let since: Int64?
    public let until: Int64?
    /// When it was added, in milliseconds since 1970.
    public let time: Int64
    /// In the order of their names, the owner first.
    public let members: [Member]

    /// The journey of a row: its number and id; id, revision and name of the route; what moves it on; three instants.
    fileprivate init(_ row: any Row, members: [Member], in database: String) throws {
        number = row.integer(0)
        id = row.text(1)
        route = RouteStamp(id: row.text(2), revision: row.integer(3))
        name = row.text(4)
        do {
            let condition = try row.textOrNil(6).map { try TrackCondition(parsing: $0) }
            drive = row.integer(5) == 0 ? .focus : .metres(condition, try JourneyFactor.list(row.text(7)))
        } catch {
            throw LibraryError.damaged(
                path: database, what: "the condition of the journey \(row.text(1)) cannot be read")
        }
        since = row.integerOrNil(8)
        until = row.integerOrNil(9)
        time = row.integer(10)
        self.members = members
    }

    /// Whether a person, nil for the owner, takes part.
    public func has(_ person: String?) -> Bool { members.contains { $0.name == person } }

    /// Journeys of one person.
    public static let limit = 200
    /// Members of one journey.
    public static let memberLimit = 200
}

extension TrackSnapshot {
    /// The journeys of a person, nil for the owner, the newest first.
    public func journeys(of person: String?) throws -> [StoredJourney] {
        guard let number = try personNumber(orOwner: person) else { return [] }
        let ids = try session.rows(
            """
            SELECT j.id FROM journey j JOIN journey_member m ON m.journey = j.number WHERE m.person = $1
            ORDER BY j.number DESC
            """, [.integer(number)]
        ) { $0.text(0) }
        return try ids.compactMap { try journey(id: $0) }
    }

    /// All journeys, the newest first.
    public func journeys() throws -> [StoredJourney] {
        try session.rows("SELECT id FROM journey ORDER BY number DESC") { $0.text(0) }.compactMap {
            try journey(id: $0)
        }
    }

    /// The journey with this id; nil if there is none.
    public func journey(id: String) throws -> StoredJourney? {
        let members = try session.rows(
            """
            SELECT p.number, p.name FROM journey_member m JOIN journey j ON j.number = m.journey
            JOIN person p ON p.number = m.person WHERE j.id = $1 ORDER BY coalesce(p.name, ''), p.number
            """, [.text(id)]
        ) { StoredJourney.Member(number: $0.integer(0), name: $0.textOrNil(1)) }
        return try session.first(
            """
            SELECT j.number, j.id, r.id, r.revision, r.name, j.metres, j.condition, j.factors, j.since, j.until, j.time
            FROM journey j JOIN route r ON r.number = j.route WHERE j.id = $1
            """, [.text(id)]
        ) { row in
            try StoredJourney(row, members: members, in: session.databaseName)
        }
    }
}

extension JourneyFactor {
    /// Factors as one text: a JSON list.
    package static func text(_ factors: [JourneyFactor]) -> String {
        var object = JSONObject()
        object.add(
            "factors",
            objects: factors.map {
                var object = JSONObject()
                object.add("where", $0.condition.text)
                object.add("factor", number: $0.factor)
                return object
            })
        return object.text
    }

    package static func list(_ text: String) throws -> [JourneyFactor] {
        try (try JSONReader.value(Array(text.utf8)))["factors"]?.elements.map { element in
            JourneyFactor(
                try TrackCondition(parsing: element["where"]?.text ?? ""),
                factor: element["factor"]?.decimal?.double ?? 1)
        } ?? []
    }
}

/// What became of a new journey.
public enum JourneyAddition: Sendable, Equatable {
    /// With its id.
    case added(String)
    case noRoute
    /// A member has as many as are kept: `StoredJourney.limit`.
    case tooMany
}

extension TrackDatabase {
    /// Adds a journey. It becomes the active one of members that have none.
    public func add(_ journey: NewJourney) throws -> JourneyAddition {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.add(journey, id: RandomID.text()) }
        }
    }

    /// Changes the instant of arrival of a journey; false if there is none with this id.
    public func setArrival(_ until: Int64?, ofJourney id: String) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                try writer.session.run(
                    "UPDATE journey SET until = $1 WHERE id = $2", [.integer(orNull: until), .text(id)])
                return writer.session.changedRows > 0
            }
        }
    }

    /// Removes a journey with its sessions, and overwrites them on the disk; false if there is none with this id. Rewards
    /// that its sessions have brought are kept.
    public func removeJourney(_ id: String, at now: Int64) throws -> Bool {
        let isRemoved = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                let session = writer.session
                guard let journey = try TrackSnapshot(session: session).journey(id: id) else { return false }
                let number: [Value] = [.integer(journey.number)]
                for person in try session.rows(
                    "SELECT DISTINCT person FROM focus_session WHERE journey = $1", number, { $0.integer(0) })
                {
                    try writer.keepRewards(of: person, at: now)
                }
                try session.run("DELETE FROM focus_session WHERE journey = $1", number)
                try session.run("DELETE FROM journey_member WHERE journey = $1", number)
                try session.run("UPDATE profile SET journey = NULL WHERE journey = $1", number)
                try session.run("DELETE FROM journey WHERE number = $1", number)
                try writer.requestErasure()
                return true
            }
        }
        if isRemoved { try eraseRemoved() }
        return isRemoved
    }
}

extension TrackWriter {
    func add(_ journey: NewJourney, id: String) throws -> JourneyAddition {
        guard let route = try session.integer("SELECT number FROM route WHERE id = $1", [.text(journey.route)]) else {
            return .noRoute
        }
        let members = try journey.members.map { try person($0) }
        for member in members {
            let count = try session.integer(
                "SELECT count(*) FROM journey_member WHERE person = $1", [.integer(member)])
            guard count ?? 0 < Int64(StoredJourney.limit) else { return .tooMany }
        }
        var (isByMetres, condition, factors) = (false, TrackCondition?.none, [JourneyFactor]())
        if case .metres(let given, let list) = journey.drive { (isByMetres, condition, factors) = (true, given, list) }
        let number = try session.inserted(
            """
            INSERT INTO journey (id, route, metres, condition, factors, since, until, time)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING number
            """,
            [
                .text(id), .integer(route), .integer(isByMetres ? 1 : 0), .text(orNull: condition?.text),
                .text(JourneyFactor.text(factors)), .integer(orNull: journey.since), .integer(orNull: journey.until),
                .integer(now()),
            ])
        for member in Set(members).sorted() {
            try session.run("INSERT INTO journey_member VALUES ($1, $2)", [.integer(number), .integer(member)])
            try session.run(
                """
                INSERT INTO profile (person, journey) VALUES ($1, $2)
                ON CONFLICT (person) DO UPDATE SET journey = coalesce(profile.journey, excluded.journey)
                """, [.integer(member), .integer(number)])
        }
        return .added(id)
    }
}
