import Database
package import Stays

// The table `stay_name` of the primary store: the names that users gave to positions where persons stayed. They do
// not belong to what was recorded, and no stay is stored with them.

extension TrackSnapshot {
    /// The names of each person, by number.
    func stayNames() throws -> [Int64: [StayName]] {
        var names: [Int64: [StayName]] = [:]
        try session.forEach(
            "SELECT person, longitude, latitude, name FROM stay_name ORDER BY person, latitude, longitude"
        ) { row in
            names[row.integer(0), default: []].append(
                StayName(
                    longitude: Int32(truncatingIfNeeded: row.integer(1)),
                    latitude: Int32(truncatingIfNeeded: row.integer(2)),
                    name: row.text(3)))
        }
        return names
    }
}

extension TrackDatabase {
    /// The names that were given to places of a person, nil for the owner, from south to north.
    package func stayNames(of person: String?) throws -> [StayName] {
        try read { snapshot in
            try snapshot.personNumber(orOwner: person).flatMap { try snapshot.stayNames()[$0] } ?? []
        }
    }

    /// Names the place of a person, nil for the owner, at a position. Within `StayPlace.radiusMetres` of a named position
    /// its name changes, and its position stays. Returns the name with its position.
    ///
    /// Throws `SelectionError` if there is no such person.
    package func nameStays(at name: StayName, of person: String?) throws -> StayName {
        try write { writer in
            try writer.session.transaction {
                guard let number = try TrackSnapshot(session: writer.session).personNumber(orOwner: person) else {
                    throw SelectionError.noSuchPerson(person ?? "")
                }
                let names = try TrackSnapshot(session: writer.session).stayNames()[number] ?? []
                var named = name
                if let old = StayName.nearest(toLongitude: name.longitude, latitude: name.latitude, of: names) {
                    (named.longitude, named.latitude) = (old.longitude, old.latitude)
                }
                try writer.session.run(
                    """
                    INSERT INTO stay_name (person, longitude, latitude, name) VALUES ($1, $2, $3, $4)
                    ON CONFLICT (person, longitude, latitude) DO UPDATE SET name = excluded.name
                    """,
                    [
                        .integer(number), .integer(Int64(named.longitude)), .integer(Int64(named.latitude)),
                        .text(named.name),
                    ])
                return named
            }
        }
    }

    /// Removes the name of a person's place at, or within `StayPlace.radiusMetres` of, a position; false if there is none.
    package func removeStayName(longitude: Int32, latitude: Int32, of person: String?) throws -> Bool {
        let isRemoved = try write { writer in
            try writer.session.transaction {
                guard let number = try TrackSnapshot(session: writer.session).personNumber(orOwner: person) else {
                    return false
                }
                let names = try TrackSnapshot(session: writer.session).stayNames()[number] ?? []
                guard let name = StayName.nearest(toLongitude: longitude, latitude: latitude, of: names) else {
                    return false
                }
                try writer.session.run(
                    "DELETE FROM stay_name WHERE person = $1 AND longitude = $2 AND latitude = $3",
                    [.integer(number), .integer(Int64(name.longitude)), .integer(Int64(name.latitude))])
                try writer.requestErasure()
                return true
            }
        }
        // The text is overwritten on the disk; if a reader prevents this, it is done later.
        if isRemoved { try eraseRemoved() }
        return isRemoved
    }
}

extension TrackWriter {
    /// Deletes the names of persons of whom no track is left: nobody stayed anywhere.
    func deleteUnusedStayNames() throws {
        try session.run(
            """
            DELETE FROM stay_name WHERE person NOT IN (SELECT person FROM track WHERE person IS NOT NULL)
            AND person NOT IN (SELECT person FROM stream)
            """)
    }
}
