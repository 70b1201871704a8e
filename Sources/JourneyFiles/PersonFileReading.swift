import Database
import JPEG
import Journeys
package import PrimaryStore
import SQLite
import Text
import TileMath
import TrackQuery

/// Why the file of a person cannot be read, as one sentence.
package struct PersonFileError: Error, Equatable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension PersonFile {
    /// Rows of each table: more than a person makes in a life.
    private static let rowLimit = 1_000_000
    /// Bytes of a picture, which is at most 512 pixels wide.
    private static let pictureLimit = 2 << 20
    private static let pictureSide = 512

    /// Reads the content of a file that anybody may have made. Throws a `PersonFileError`.
    package static func read(_ path: String) throws -> PersonContent {
        do {
            let database = try UntrustedDatabase(path: path)
            var (application, version): (Int64, Int64) = (0, 0)
            try database.forEach("PRAGMA application_id") { application = $0.integer(0) }
            try database.forEach("PRAGMA user_version") { version = $0.integer(0) }
            guard application == applicationID else {
                throw PersonFileError("it is not a file of a person's journeys")
            }
            guard version == Self.version else {
                throw PersonFileError("version \(version) of the file is not known; \(Self.version) is")
            }
            return try read(database)
        } catch let error as StoreError {
            throw PersonFileError("it is not a valid SQLite database (\(error.message))")
        }
    }

    private static func read(_ database: UntrustedDatabase) throws -> PersonContent {
        var content = PersonContent(person: nil)
        var persons = 0
        try each("SELECT name, display_name, picture FROM person", database) { row in
            persons += 1
            let name = row.text(0)
            content.person = name == "owner" ? nil : try checked(name, "the name of the person")
            content.displayName = try row.textOrNil(1).map { try checked($0, "the name that is shown") }
            content.picture = try picture(row, 2)
        }
        guard persons == 1 else { throw PersonFileError("it has \(persons) persons instead of one") }
        content.routes = try routes(database)
        try each(
            "SELECT id, route, driven_by, condition, factors, since, until, added, active, team FROM journey", database
        ) { row in
            let factors: [JourneyFactor]
            let condition: TrackCondition?
            do {
                factors = try row.textOrNil(4).map { try JourneyFactor.list($0) } ?? []
                condition = try row.textOrNil(3).map { try TrackCondition(parsing: $0) }
            } catch {
                throw PersonFileError("the condition of a journey cannot be read")
            }
            guard let drive = ["focus": JourneyDrive.focus, "metres": .metres(condition, factors)][row.text(2)] else {
                throw PersonFileError("a journey is driven by '\(row.text(2).prefix(40))'")
            }
            guard factors.allSatisfy({ JourneyFactor.factors.contains($0.factor) }) else {
                throw PersonFileError(
                    "a factor is not \(JourneyFactor.factors.lowerBound) to \(JourneyFactor.factors.upperBound)")
            }
            let journey = NewJourney(
                route: try id(row.text(1)), drive: drive,
                since: try row.textOrNil(5).map(instant), until: try row.textOrNil(6).map(instant),
                members: [content.person])
            content.journeys.append(
                PersonContent.Journey(
                    id: try id(row.text(0)), journey: journey, time: try instant(row.text(7)),
                    isActive: row.integer(8) != 0, isOfTeam: row.integer(9) != 0))
        }
        try each("SELECT id, journey, start, seconds, place, cancelled FROM session", database) { row in
            let seconds = row.integer(3)
            guard seconds >= JourneyLimits.seconds.lowerBound, seconds <= JourneyLimits.seconds.upperBound else {
                throw PersonFileError("a session has \(seconds) seconds")
            }
            let session = FocusSession(
                id: try id(row.text(0)), person: content.person, start: try instant(row.text(2)),
                seconds: Int(seconds), isCancelled: row.integer(5) != 0)
            content.sessions.append(
                PersonContent.Session(
                    session, journey: try id(row.text(1)), place: try row.textOrNil(4).map(id)))
        }
        try each("SELECT id, hours, name, granted, seen, picture FROM reward", database) { row in
            let hours = row.integer(1)
            guard hours >= StoredReward.hours.lowerBound, hours <= StoredReward.hours.upperBound else {
                throw PersonFileError("a reward has \(hours) hours")
            }
            let reward = FocusReward(hours: Int(hours), name: try checked(row.text(2), "the name of a reward"))
            content.rewards.append(
                PersonContent.Reward(
                    id: try id(row.text(0)), reward: reward, granted: try instant(row.text(3)),
                    isSeen: row.integer(4) != 0, picture: try picture(row, 5)))
        }
        return content
    }

    private static func routes(_ database: UntrustedDatabase) throws -> [PersonContent.Route] {
        struct Row {
            var id: String
            var place: JourneyPlace
            var picture: [UInt8]?
        }
        var places: [String: [Row]] = [:]
        try each(
            """
            SELECT id, route, name, longitude, latitude, description, tags, credit, seconds, picture FROM place
            ORDER BY route, position
            """, database
        ) { row in
            guard let point = GeoPoint(longitude: row.real(3), latitude: row.real(4)) else {
                throw PersonFileError("a place is not on Earth")
            }
            let tags = (try? JSONReader.value(Array(row.text(6).utf8)))?.elements.compactMap(\.text) ?? []
            let place = JourneyPlace(
                row.text(2), at: point, description: row.textOrNil(5), tags: tags, credit: row.textOrNil(7),
                seconds: row.integerOrNil(8).map { Int(clamping: $0) })
            places[row.text(1), default: []].append(
                Row(id: try id(row.text(0)), place: place, picture: try picture(row, 9)))
        }
        var routes: [PersonContent.Route] = []
        try each("SELECT id, name, level_seconds, single, line, picture FROM route", database) { row in
            guard case .list(let positions)? = try? JSONReader.value(Array(row.text(4).utf8)) else {
                throw PersonFileError("the line of a route is not a JSON list")
            }
            let line = try positions.map { position -> GeoPoint in
                let numbers = position.elements.compactMap { $0.decimal?.double }
                guard numbers.count == 2, let point = GeoPoint(longitude: numbers[0], latitude: numbers[1]) else {
                    throw PersonFileError("a point of a line is not on Earth")
                }
                return point
            }
            let id = try id(row.text(0))
            let own = places[id] ?? []
            let route: JourneyRoute
            do throws(JourneyError) {
                route = try JourneyRoute(
                    row.text(1), level: Int(clamping: row.integer(2)), isSingle: row.integer(3) != 0, line: line,
                    places: own.map(\.place))
            } catch {
                throw PersonFileError("the route \(id) cannot be: \(error.reason)")
            }
            let pictures = own.compactMap { row in row.picture.map { (row.id, $0) } }
            routes.append(
                PersonContent.Route(
                    id: id, route: route, placeIDs: own.map(\.id), picture: try picture(row, 5),
                    placePictures: Dictionary(pictures) { first, _ in first }))
        }
        return routes
    }

    private static func each(
        _ sql: String, _ database: UntrustedDatabase, _ body: (Statement) throws -> Void
    ) throws {
        var count = 0
        try database.forEach(sql) { row in
            count += 1
            guard count <= rowLimit else { throw PersonFileError("a table has more than \(rowLimit) rows") }
            try body(row)
        }
    }

    private static func checked(_ text: String, _ what: String) throws -> String {
        guard JourneyLimits.isName(text) else {
            throw PersonFileError("\(what) has to have 1 to \(JourneyLimits.name) characters")
        }
        return text
    }

    /// Ids are used in paths.
    private static func id(_ text: String) throws -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard isPlain, (1...64).contains(text.utf8.count) else {
            throw PersonFileError("an id has to have 1 to 64 digits, small letters and hyphens")
        }
        return text
    }

    private static func instant(_ text: String) throws -> Int64 {
        guard let instant = DateText.instant(in: text) else {
            throw PersonFileError("'\(text.prefix(40))' is not an instant")
        }
        return instant
    }

    private static func picture(_ row: Statement, _ column: Int) throws -> [UInt8]? {
        guard !row.isNull(column) else { return nil }
        let bytes = row.blob(column)
        // As pictures are stored. What looks like one only in its first bytes would not be drawn.
        guard bytes.count <= pictureLimit,
            (try? JPEGCodec.decode(bytes, side: pictureSide, pixelLimit: pictureSide * pictureSide)) != nil
        else {
            throw PersonFileError("a picture is not a JPEG file of at most \(pictureLimit) bytes")
        }
        return bytes
    }
}
