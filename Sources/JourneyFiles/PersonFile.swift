import Database
import Files
import Journeys
package import PrimaryStore
import SQLite
import Text
import TileMath
import TrackQuery

/// The SQLite file of a person: routes, places, journeys, sessions, visited places and rewards, in tables that any program
/// for SQLite can read. The manual's page *journeys* has the schema.
package enum PersonFile {
    /// "tsjr" in ASCII: tells that a database is such a file.
    static let applicationID: Int64 = 0x7473_6A72
    static let version: Int64 = 1

    /// Writes the content into a new file. `visited` has the instants at which places were reached, by journey.
    package static func write(
        _ content: PersonContent, visited: [Visit], to path: String
    ) throws {
        var options = OpenOptions(mode: .create)
        options.durability = .off
        let connection = try Connection(path: path, options: options)
        // One file, without a log beside it.
        try connection.execute("PRAGMA journal_mode = DELETE")
        try connection.execute("PRAGMA application_id = \(applicationID)")
        try connection.execute("PRAGMA user_version = \(version)")
        try connection.transaction {
            for table in tables { try connection.run(table) }
            try connection.run(
                "INSERT INTO person VALUES ($1, $2, $3)",
                [.text(content.person ?? "owner"), .text(orNull: content.displayName), blob(content.picture)])
            for route in content.routes { try write(route, connection) }
            for journey in content.journeys { try write(journey, connection) }
            for session in content.sessions { try write(session, connection) }
            for visit in visited {
                try connection.run(
                    "INSERT INTO visited VALUES ($1, $2, $3)",
                    [.text(visit.journey), .text(visit.place), .text(orNull: visit.instant.map(InstantFormatter.utc))])
            }
            for reward in content.rewards {
                try connection.run(
                    "INSERT INTO reward VALUES ($1, $2, $3, $4, $5, $6)",
                    [
                        .text(reward.id), .integer(reward.reward.hours), .text(reward.reward.name),
                        .text(InstantFormatter.utc(reward.granted)), .integer(reward.isSeen ? 1 : 0),
                        blob(reward.picture),
                    ])
            }
        }
    }

    /// A place that a journey has reached.
    package struct Visit: Sendable {
        let journey: String
        let place: String
        let instant: Int64?

        package init(journey: String, place: String, instant: Int64?) {
            self.journey = journey
            self.place = place
            self.instant = instant
        }
    }

    private static let tables = [
        "CREATE TABLE person (name TEXT NOT NULL, display_name TEXT, picture BLOB)",
        """
        CREATE TABLE route (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, level_seconds INTEGER NOT NULL, single INTEGER NOT NULL,
            line TEXT NOT NULL, picture BLOB)
        """,
        """
        CREATE TABLE place (
            id TEXT PRIMARY KEY, route TEXT NOT NULL, position INTEGER NOT NULL, name TEXT NOT NULL,
            longitude REAL NOT NULL, latitude REAL NOT NULL, description TEXT, tags TEXT NOT NULL, credit TEXT,
            seconds INTEGER, picture BLOB)
        """,
        """
        CREATE TABLE journey (
            id TEXT PRIMARY KEY, route TEXT NOT NULL, driven_by TEXT NOT NULL, condition TEXT, factors TEXT,
            since TEXT, until TEXT, added TEXT NOT NULL, active INTEGER NOT NULL, team INTEGER NOT NULL)
        """,
        """
        CREATE TABLE session (
            id TEXT PRIMARY KEY, journey TEXT NOT NULL, start TEXT NOT NULL, seconds INTEGER NOT NULL, place TEXT,
            cancelled INTEGER NOT NULL)
        """,
        "CREATE TABLE visited (journey TEXT NOT NULL, place TEXT NOT NULL, time TEXT)",
        """
        CREATE TABLE reward (
            id TEXT PRIMARY KEY, hours INTEGER NOT NULL, name TEXT NOT NULL, granted TEXT NOT NULL,
            seen INTEGER NOT NULL, picture BLOB)
        """,
    ]

    /// Texts as a JSON list.
    private static func list(_ texts: [String]) -> String {
        var object = JSONObject()
        object.add("list", texts)
        return String(object.text.dropFirst(#"{"list":"#.count).dropLast())
    }

    private static func blob(_ bytes: [UInt8]?) -> Value { bytes.map { .blob($0) } ?? .null }

    private static func write(_ route: PersonContent.Route, _ connection: Connection) throws {
        let line = route.route.line.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
        try connection.run(
            "INSERT INTO route VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(route.id), .text(route.route.name), .integer(route.route.level),
                .integer(route.route.isSingle ? 1 : 0), .text("[\(line)]"), blob(route.picture),
            ])
        for (position, (id, place)) in zip(route.placeIDs, route.route.places).enumerated() {
            try connection.run(
                "INSERT INTO place VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
                [
                    .text(id), .text(route.id), .integer(position), .text(place.name), .real(place.point.longitude),
                    .real(place.point.latitude), .text(orNull: place.description), .text(list(place.tags)),
                    .text(orNull: place.credit), .integer(orNull: place.seconds.map { Int64($0) }),
                    blob(route.placePictures[id]),
                ])
        }
    }

    private static func write(_ journey: PersonContent.Journey, _ connection: Connection) throws {
        var (by, condition, factors) = ("focus", String?.none, String?.none)
        if case .metres(let given, let list) = journey.journey.drive {
            by = "metres"
            condition = given?.text
            factors = JourneyFactor.text(list)
        }
        try connection.run(
            "INSERT INTO journey VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            [
                .text(journey.id), .text(journey.journey.route), .text(by), .text(orNull: condition),
                .text(orNull: factors), .text(orNull: journey.journey.since.map(InstantFormatter.utc)),
                .text(orNull: journey.journey.until.map(InstantFormatter.utc)),
                .text(InstantFormatter.utc(journey.time)), .integer(journey.isActive ? 1 : 0),
                .integer(journey.isOfTeam ? 1 : 0),
            ])
    }

    private static func write(_ focus: PersonContent.Session, _ connection: Connection) throws {
        try connection.run(
            "INSERT INTO session VALUES ($1, $2, $3, $4, $5, $6)",
            [
                .text(focus.session.id), .text(focus.journey), .text(InstantFormatter.utc(focus.session.start)),
                .integer(focus.session.seconds), .text(orNull: focus.place),
                .integer(focus.session.isCancelled ? 1 : 0),
            ])
    }
}
