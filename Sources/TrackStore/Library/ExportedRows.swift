internal import Database
internal import PrimaryStore
internal import RecordingStore
package import Text

/// Rows of the primary store that are written to no file of an open format elsewhere: each kind becomes a list of JSON
/// objects. Numbers of persons, tracks and so on are replaced by their names and ids, which other lists have, too.
package enum ExportedRows: String, CaseIterable, Sendable {
    case aliases
    case closures
    case comments
    case commentVotes
    case directions
    case edits
    case favourites
    case headings
    case hiddenPins
    case layers
    case persons
    case reports
    case rewards
    case grantedRewards
    case settings
    case stayNames
    case votes

    /// What the rows are.
    package var about: String {
        switch self {
        case .aliases: "former ids of tracks, which still name them"
        case .closures: "what is closed in venues; `opens` in milliseconds since 1970"
        case .comments: "comments on pins; times in milliseconds since 1970"
        case .commentVotes: "votes for comments"
        case .directions: "the ways that persons asked for in venues"
        case .edits: "names and activities that were given to tracks, beside what was recorded"
        case .favourites: "places in venues that persons keep"
        case .headings: "changes of heading that devices recorded between points: mantissa · 10^-places degrees"
        case .hiddenPins: "pins that reports have hidden"
        case .layers: "layers and their conditions"
        case .persons: "persons; the owner has no name"
        case .reports: "reports of pins"
        case .rewards: "rewards of journeys"
        case .grantedRewards: "rewards that persons have"
        case .settings: "settings of the library: time zone, rules for outliers, and so on"
        case .stayNames: "names of places where persons stay, in 1e-7 degrees"
        case .votes: "votes for pins"
        }
    }

    private var columns: [String] {
        switch self {
        case .aliases: ["id", "track"]
        case .closures: ["venue", "feature", "opens"]
        case .comments: ["comment", "pin", "person", "time", "text"]
        case .commentVotes: ["comment", "person", "time"]
        case .directions: ["id", "person", "venue", "time", "stops", "profile"]
        case .edits: ["track", "name", "activity"]
        case .favourites: ["person", "venue", "place", "name", "position"]
        case .headings: ["person", "device", "time", "mantissa", "places", "id"]
        case .hiddenPins: ["pin"]
        case .layers: ["name", "condition"]
        case .persons: ["name", "displayName", "journey"]
        case .reports: ["pin", "person", "time", "reason", "handled"]
        case .rewards: ["id", "hours", "name", "removed"]
        case .grantedRewards: ["person", "reward", "time", "seen"]
        case .settings: ["name", "value"]
        case .stayNames: ["person", "longitude", "latitude", "name"]
        case .votes: ["pin", "person", "time"]
        }
    }

    private var query: String {
        switch self {
        case .aliases:
            "SELECT a.id, t.id FROM alias a JOIN track t ON t.number = a.track WHERE t.id IS NOT NULL ORDER BY a.id"
        case .closures:
            """
            SELECT v.id, c.feature, c.opens FROM venue_closure c JOIN venue v ON v.number = c.venue
            ORDER BY v.id, c.feature
            """
        case .comments:
            """
            SELECT c.number, p.id, o.name, c.time, c.text FROM pin_comment c JOIN pin p ON p.number = c.pin
            JOIN person o ON o.number = c.person ORDER BY c.number
            """
        case .commentVotes:
            """
            SELECT v.comment, o.name, v.time FROM pin_comment_vote v JOIN person o ON o.number = v.person
            ORDER BY v.comment, v.person
            """
        case .directions:
            """
            SELECT d.id, o.name, v.id, d.time, d.stops, d.profile FROM direction d JOIN person o ON o.number = d.person
            JOIN venue v ON v.number = d.venue ORDER BY d.number
            """
        case .edits:
            "SELECT t.id, e.name, e.activity FROM edit e JOIN track t ON t.number = e.track WHERE t.state = 0 ORDER BY t.number"
        case .favourites:
            """
            SELECT o.name, v.id, f.place, f.name, f.position FROM favourite f JOIN person o ON o.number = f.person
            JOIN venue v ON v.number = f.venue ORDER BY f.person, f.position, f.place
            """
        case .headings:
            """
            SELECT o.name, s.device, h.time, h.mantissa, h.places, h.id FROM heading h JOIN stream s ON s.number = h.stream
            JOIN person o ON o.number = s.person ORDER BY h.stream, h.time, h.mantissa, h.places, h.id
            """
        case .hiddenPins: "SELECT p.id FROM pin_hidden h JOIN pin p ON p.number = h.pin ORDER BY h.pin"
        case .layers: "SELECT name, condition FROM layer ORDER BY name"
        case .persons:
            """
            SELECT o.name, f.name, j.id FROM person o LEFT JOIN profile f ON f.person = o.number
            LEFT JOIN journey j ON j.number = f.journey ORDER BY o.number
            """
        case .reports:
            """
            SELECT p.id, o.name, r.time, r.reason, r.handled FROM pin_report r JOIN pin p ON p.number = r.pin
            JOIN person o ON o.number = r.person ORDER BY r.pin, r.person
            """
        case .rewards: "SELECT id, hours, name, removed FROM reward ORDER BY hours, id"
        case .grantedRewards:
            """
            SELECT o.name, r.id, g.time, g.seen FROM reward_grant g JOIN person o ON o.number = g.person
            JOIN reward r ON r.number = g.reward ORDER BY g.person, g.reward
            """
        case .settings: "SELECT name, value FROM meta ORDER BY name"
        case .stayNames:
            """
            SELECT o.name, s.longitude, s.latitude, s.name FROM stay_name s JOIN person o ON o.number = s.person
            ORDER BY s.person, s.longitude, s.latitude
            """
        case .votes:
            """
            SELECT p.id, o.name, v.time FROM pin_vote v JOIN pin p ON p.number = v.pin
            JOIN person o ON o.number = v.person ORDER BY v.pin, v.person
            """
        }
    }

    /// Calls `body` with each row as JSON, from one snapshot.
    package func forEach(of library: Library, _ body: (JSONObject) throws -> Void) throws {
        let columns = columns
        try library.database.read { snapshot in
            try snapshot.session.forEach(query) { row in
                var object = JSONObject()
                for (index, name) in columns.enumerated() {
                    switch row.value(index) {
                    case .null: object.add(name, nil)
                    case .integer(let number): object.add(name, Int(number))
                    case .real(let number): object.add(name, number: number)
                    case .text(let text): object.add(name, text)
                    // Ids and digests.
                    case .blob(let bytes): object.add(name, HexDigits.text(bytes))
                    }
                }
                try body(object)
            }
        }
    }
}

extension Library {
    /// Stores points that servers have recorded in tracks, as far as these do it in time; false if one did not. Does
    /// nothing for a library that cannot be written to.
    package func moveRecorded() throws -> Bool {
        guard !isReadOnly else { return true }
        return try database.moveEverything(
            of: coordination.recordingLog, timeoutMilliseconds: coordination.waitMilliseconds)
    }
}
