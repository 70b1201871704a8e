import Database

// The table `direction` of the primary store: the ways that persons have asked for.

/// A request for a way through a venue, as it is kept in the history of a person.
public struct StoredDirections: Sendable, Equatable {
    /// 32 hexadecimal digits that nobody can guess.
    public let id: String
    /// When it was made, in milliseconds since 1970.
    public let time: Int64
    /// The id of the venue.
    public let venue: String
    /// The stops in the words of the request, separated by `;`.
    public let stops: String
    public let profile: String

    public init(id: String, time: Int64, venue: String, stops: String, profile: String) {
        self.id = id
        self.time = time
        self.venue = venue
        self.stops = stops
        self.profile = profile
    }

    /// Requests that are kept of each person; of more, the oldest are removed.
    public static let limit = 200
}

extension TrackSnapshot {
    /// The requests of a person, nil for the owner, the newest first.
    public func directions(of person: String?) throws -> [StoredDirections] {
        guard let number = try personNumber(orOwner: person) else { return [] }
        return try session.rows(
            """
            SELECT d.id, d.time, v.id, d.stops, d.profile FROM direction d JOIN venue v ON v.number = d.venue
            WHERE d.person = $1 ORDER BY d.number DESC
            """, [.integer(number)], Self.directions)
    }

    /// The request of a person with this id; nil if this person has none.
    public func directions(id: String, of person: String?) throws -> StoredDirections? {
        guard let number = try personNumber(orOwner: person) else { return nil }
        return try session.first(
            """
            SELECT d.id, d.time, v.id, d.stops, d.profile FROM direction d JOIN venue v ON v.number = d.venue
            WHERE d.id = $1 AND d.person = $2
            """, [.text(id), .integer(number)], Self.directions)
    }

    private static func directions(_ row: any Row) -> StoredDirections {
        StoredDirections(
            id: row.text(0), time: row.integer(1), venue: row.text(2), stops: row.text(3), profile: row.text(4))
    }
}

extension TrackDatabase {
    /// Keeps a request in the history of a person, nil for the owner; false if its venue does not exist.
    public func keep(_ request: StoredDirections, of person: String?) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                let session = writer.session
                guard let venue = try session.integer("SELECT number FROM venue WHERE id = $1", [.text(request.venue)])
                else { return false }
                let number = try writer.person(person)
                try session.run(
                    """
                    INSERT INTO direction (id, person, venue, time, stops, profile) VALUES ($1, $2, $3, $4, $5, $6)
                    """,
                    [
                        .text(request.id), .integer(number), .integer(venue), .integer(request.time),
                        .text(request.stops), .text(request.profile),
                    ])
                try session.run(
                    """
                    DELETE FROM direction WHERE person = $1 AND number <= (SELECT number FROM direction
                    WHERE person = $1 ORDER BY number DESC LIMIT 1 OFFSET $2)
                    """, [.integer(number), .integer(Int64(StoredDirections.limit))])
                if session.changedRows > 0 { try writer.requestErasure() }
                return true
            }
        }
    }

    /// Removes a request from the history of a person, and overwrites it; false if this person has none with this id.
    public func removeDirections(id: String, of person: String?) throws -> Bool {
        let isRemoved = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                guard let number = try TrackSnapshot(session: writer.session).personNumber(orOwner: person) else {
                    return false
                }
                try writer.session.run(
                    "DELETE FROM direction WHERE id = $1 AND person = $2", [.text(id), .integer(number)])
                guard writer.session.changedRows > 0 else { return false }
                try writer.requestErasure()
                return true
            }
        }
        if isRemoved { try eraseRemoved() }
        return isRemoved
    }
}
