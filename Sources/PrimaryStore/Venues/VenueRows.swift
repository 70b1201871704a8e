import Database
public import TileMath

// The tables `venue` and `venue_closure` of the primary store. A venue is stored as the bytes that its domain makes of it.

/// A stored venue without its content.
public struct VenueSummary: Sendable, Equatable {
    /// The id that the venue has in every library: 32 hexadecimal digits.
    public let id: String
    public let name: String
    /// The name of the file that it was imported from.
    public let source: String
    /// When it was imported, in milliseconds since 1970.
    public let time: Int64
    /// The box around it.
    public let bounds: BoundingBox

    public init(id: String, name: String, source: String, time: Int64, bounds: BoundingBox) {
        self.id = id
        self.name = name
        self.source = source
        self.time = time
        self.bounds = bounds
    }
}

/// What an import did to a venue.
public enum VenueChange: Sendable {
    case added
    case replaced
    /// The library has the same bytes already.
    case unchanged
}

/// A part of a venue that nobody may pass until an instant.
public struct StoredClosure: Sendable, Equatable {
    /// The id of the unit, opening or connector.
    public let feature: String
    /// In milliseconds since 1970.
    public let until: Int64

    public init(feature: String, until: Int64) {
        self.feature = feature
        self.until = until
    }
}

extension TrackSnapshot {
    /// The venues, by name.
    public func venues() throws -> [VenueSummary] {
        try session.rows("SELECT id, name, source, time, west, south, east, north FROM venue ORDER BY name, id") {
            row in
            let degrees = (4...7).map { Double(row.integer($0)) / TrackDatabase.unitsPerDegree }
            guard let box = BoundingBox(west: degrees[0], south: degrees[1], east: degrees[2], north: degrees[3]) else {
                throw LibraryError.damaged(path: session.databaseName, what: "the box of a venue is not on Earth")
            }
            return VenueSummary(
                id: row.text(0), name: row.text(1), source: row.text(2), time: row.integer(3),
                bounds: box)
        }
    }

    /// The bytes of a venue; nil if there is none with this id.
    public func venueBytes(id: String) throws -> [UInt8]? {
        try session.first("SELECT bytes FROM venue WHERE id = $1", [.text(id)]) { $0.blob(0) }
    }

    /// The closures of a venue, by feature; of those that have ended some may be left.
    public func closures(ofVenue id: String) throws -> [StoredClosure] {
        try session.rows(
            """
            SELECT c.feature, c.opens FROM venue_closure c JOIN venue v ON v.number = c.venue WHERE v.id = $1
            ORDER BY c.feature
            """, [.text(id)]
        ) { StoredClosure(feature: $0.text(0), until: $0.integer(1)) }
    }
}

extension TrackDatabase {
    /// Boxes of venues are stored in ten-millionths of a degree, as points are.
    static let unitsPerDegree = 1e7

    /// Adds a venue, or replaces the one with its id, whose closures stay.
    public func store(_ venue: VenueSummary, bytes: [UInt8]) throws -> VenueChange {
        let change = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> VenueChange in
                let known = try TrackSnapshot(session: writer.session).venueBytes(id: venue.id)
                guard known != bytes else { return .unchanged }
                let box = [venue.bounds.west, venue.bounds.south, venue.bounds.east, venue.bounds.north].map {
                    Value.integer(Int64(($0 * Self.unitsPerDegree).rounded()))
                }
                try writer.session.run(
                    """
                    INSERT INTO venue (id, name, source, time, west, south, east, north, bytes)
                    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
                    ON CONFLICT (id) DO UPDATE SET name = excluded.name, source = excluded.source,
                    time = excluded.time, west = excluded.west, south = excluded.south, east = excluded.east,
                    north = excluded.north, bytes = excluded.bytes
                    """,
                    [.text(venue.id), .text(venue.name), .text(venue.source), .integer(venue.time)] + box + [
                        .blob(bytes)
                    ])
                // The former content may have had names that the new one has no more.
                if known != nil { try writer.requestErasure() }
                return known == nil ? .added : .replaced
            }
        }
        if case .replaced = change { try eraseRemoved() }
        return change
    }

    /// Removes a venue with its closures and what persons keep of it, and overwrites them on the disk; false if there is none with this id.
    public func removeVenue(id: String) throws -> Bool {
        let isRemoved = try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                try writer.session.run(
                    "DELETE FROM venue_closure WHERE venue IN (SELECT number FROM venue WHERE id = $1)", [.text(id)])
                try writer.session.run(
                    "DELETE FROM favourite WHERE venue IN (SELECT number FROM venue WHERE id = $1)", [.text(id)])
                try writer.session.run(
                    "DELETE FROM direction WHERE venue IN (SELECT number FROM venue WHERE id = $1)", [.text(id)])
                try writer.session.run("DELETE FROM venue WHERE id = $1", [.text(id)])
                guard writer.session.changedRows > 0 else { return false }
                try writer.requestErasure()
                return true
            }
        }
        if isRemoved { try eraseRemoved() }
        return isRemoved
    }

    /// Closes a part of a venue until an instant, or opens it with nil; false if there is no such venue, or nothing to
    /// open. `now` is the present instant: closures that have ended are removed.
    public func close(_ feature: String, ofVenue id: String, until: Int64?, now: Int64) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                let session = writer.session
                guard let venue = try session.integer("SELECT number FROM venue WHERE id = $1", [.text(id)]) else {
                    return false
                }
                try session.run(
                    "DELETE FROM venue_closure WHERE venue = $1 AND opens <= $2", [.integer(venue), .integer(now)])
                guard let until else {
                    try session.run(
                        "DELETE FROM venue_closure WHERE venue = $1 AND feature = $2",
                        [.integer(venue), .text(feature)])
                    return session.changedRows > 0
                }
                try session.run(
                    """
                    INSERT INTO venue_closure (venue, feature, opens) VALUES ($1, $2, $3)
                    ON CONFLICT (venue, feature) DO UPDATE SET opens = excluded.opens
                    """, [.integer(venue), .text(feature), .integer(until)])
                return true
            }
        }
    }
}
