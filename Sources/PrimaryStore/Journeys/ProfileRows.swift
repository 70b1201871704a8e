import Database

// The table `profile` of the primary store: how persons are shown, and which of their journeys is the active one.

/// How a person is shown.
public struct StoredProfile: Sendable, Equatable {
    /// The name of the person; nil for the owner.
    public let person: String?
    /// The name that the person chose; nil if none was chosen.
    public let displayName: String?
    /// The id of the active journey; nil if there is none.
    public let journey: String?
    public let hasPicture: Bool

    /// Characters of a name to show.
    public static let nameLimit = 100
}

/// What became of a change of a profile.
public enum ProfileChange: Sendable {
    case done
    /// The person takes part in no journey with this id.
    case noJourney
}

extension TrackSnapshot {
    /// How a person, nil for the owner, is shown.
    public func profile(of person: String?) throws -> StoredProfile {
        let stored = try session.first(
            """
            SELECT f.name, j.id, (SELECT count(*) FROM journey_picture WHERE thing = $1 AND number = p.number)
            FROM person p LEFT JOIN profile f ON f.person = p.number LEFT JOIN journey j ON j.number = f.journey
            WHERE coalesce(p.name, '') = $2 ORDER BY p.number
            """, [.integer(PicturedThing.person.rawValue), .text(person ?? "")]
        ) { row in
            StoredProfile(
                person: person, displayName: row.textOrNil(0), journey: row.textOrNil(1),
                hasPicture: row.integer(2) != 0)
        }
        return stored ?? StoredProfile(person: person, displayName: nil, journey: nil, hasPicture: false)
    }
}

extension TrackDatabase {
    /// Changes how a person, nil for the owner, is shown, and which journey is the active one.
    public func changeProfile(
        of person: String?, displayName: EditedValue<String>, journey: EditedValue<String>
    ) throws -> ProfileChange {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> ProfileChange in
                let session = writer.session
                let number = try writer.person(person)
                try session.run(
                    "INSERT INTO profile (person) VALUES ($1) ON CONFLICT (person) DO NOTHING", [.integer(number)])
                if case .set(let name) = displayName {
                    try session.run(
                        "UPDATE profile SET name = $1 WHERE person = $2", [.text(orNull: name), .integer(number)])
                }
                guard case .set(let id) = journey else { return .done }
                var active: Int64?
                if let id {
                    let known = try TrackSnapshot(session: session).journey(id: id)
                    guard let known, known.has(person) else { return .noJourney }
                    active = known.number
                }
                try session.run(
                    "UPDATE profile SET journey = $1 WHERE person = $2", [.integer(orNull: active), .integer(number)])
                return .done
            }
        }
    }
}
