import Database
public import Journeys

// The tables `reward` and `reward_grant` of the primary store. What a person's sessions have brought follows from these;
// a grant is written when it must outlive them, or was seen.

/// A stored reward.
public struct StoredReward: Sendable, Equatable {
    package let number: Int64
    public let id: String
    public let reward: FocusReward
    /// Whether nobody can get it any more; who has it keeps it.
    public let isRemoved: Bool

    /// Rewards that a library can have.
    public static let limit = 100
    /// The hours that a reward can ask for.
    public static let hours = 1...100_000
}

/// A reward of a person.
public struct PersonReward: Sendable, Equatable {
    public let reward: StoredReward
    /// When its hours were full, in milliseconds since 1970; nil if they are not.
    public let granted: Int64?
    public let isSeen: Bool
}

extension TrackSnapshot {
    /// The rewards that there are, by hours; also those that were removed, if asked for.
    public func rewards(withRemoved: Bool = false) throws -> [StoredReward] {
        try session.rows("SELECT number, id, hours, name, removed FROM reward ORDER BY hours, number") { row in
            StoredReward(
                number: row.integer(0), id: row.text(1),
                reward: FocusReward(hours: Int(row.integer(2)), name: row.text(3)), isRemoved: row.integer(4) != 0)
        }.filter { withRemoved || !$0.isRemoved }
    }

    /// The rewards of a person, nil for the owner, at an instant: those that there are, and those that the person has.
    public func rewards(of person: String?, at now: Int64) throws -> [PersonReward] {
        try rewards(ofPerson: try personNumber(orOwner: person), at: now)
    }

    fileprivate func rewards(ofPerson number: Int64?, at now: Int64) throws -> [PersonReward] {
        var granted: [Int64: (time: Int64, isSeen: Bool)] = [:]
        var time = FocusTime([])
        if let number {
            try session.forEach(
                "SELECT reward, time, seen FROM reward_grant WHERE person = $1", [.integer(number)]
            ) { granted[$0.integer(0)] = ($0.integer(1), $0.integer(2) != 0) }
            time = FocusTime(try sessions(ofPerson: number).map(\.session))
        }
        return try rewards(withRemoved: true).compactMap { reward in
            if let known = granted[reward.number] {
                return PersonReward(reward: reward, granted: known.time, isSeen: known.isSeen)
            }
            guard !reward.isRemoved else { return nil }
            let instant = time.instant(ofHours: reward.reward.hours, now: now)
            return PersonReward(reward: reward, granted: instant, isSeen: false)
        }
    }
}

extension TrackWriter {
    /// Writes the rewards that a person has got, so that they are kept whatever becomes of sessions and rewards.
    func keepRewards(of person: Int64, at now: Int64) throws {
        let rewards = try TrackSnapshot(session: session).rewards(ofPerson: person, at: now)
        for reward in rewards {
            guard let granted = reward.granted else { continue }
            try session.run(
                """
                INSERT INTO reward_grant (person, reward, time, seen) VALUES ($1, $2, $3, 0)
                ON CONFLICT (person, reward) DO NOTHING
                """, [.integer(person), .integer(reward.reward.number), .integer(granted)])
        }
    }

    fileprivate func keepAllRewards(at now: Int64) throws {
        for person in try session.rows("SELECT DISTINCT person FROM focus_session", [], { $0.integer(0) }) {
            try keepRewards(of: person, at: now)
        }
    }
}

extension TrackDatabase {
    /// Adds a reward; nil if there are as many as there can be.
    public func add(_ reward: FocusReward) throws -> StoredReward? {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> StoredReward? in
                let snapshot = TrackSnapshot(session: writer.session)
                guard try snapshot.rewards().count < StoredReward.limit else { return nil }
                let id = RandomID.text()
                try writer.session.run(
                    "INSERT INTO reward (id, hours, name, removed) VALUES ($1, $2, $3, 0)",
                    [.text(id), .integer(reward.hours), .text(reward.name)])
                return try snapshot.rewards().first { $0.id == id }
            }
        }
    }

    /// Changes a reward; nil if there is none with this id. Who has it keeps it.
    public func changeReward(
        _ id: String, at now: Int64, _ body: (FocusReward) -> FocusReward
    ) throws -> StoredReward? {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> StoredReward? in
                let snapshot = TrackSnapshot(session: writer.session)
                guard let known = try snapshot.rewards().first(where: { $0.id == id }) else { return nil }
                try writer.keepAllRewards(at: now)
                let changed = body(known.reward)
                try writer.session.run(
                    "UPDATE reward SET hours = $1, name = $2 WHERE number = $3",
                    [.integer(changed.hours), .text(changed.name), .integer(known.number)])
                return try snapshot.rewards().first { $0.id == id }
            }
        }
    }

    /// Removes a reward; false if there is none with this id. Who has it keeps it.
    public func removeReward(_ id: String, at now: Int64) throws -> Bool {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { () -> Bool in
                let snapshot = TrackSnapshot(session: writer.session)
                guard let known = try snapshot.rewards().first(where: { $0.id == id }) else { return false }
                try writer.keepAllRewards(at: now)
                try writer.session.run("UPDATE reward SET removed = 1 WHERE number = $1", [.integer(known.number)])
                return true
            }
        }
    }

    /// Marks rewards of a person, nil for the owner, as seen: those for these hours that the person has.
    public func setSeen(_ hours: Set<Int>, of person: String?, at now: Int64) throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                let snapshot = TrackSnapshot(session: writer.session)
                guard let number = try snapshot.personNumber(orOwner: person) else { return }
                try writer.keepRewards(of: number, at: now)
                for reward in try snapshot.rewards(withRemoved: true) where hours.contains(reward.reward.hours) {
                    try writer.session.run(
                        "UPDATE reward_grant SET seen = 1 WHERE person = $1 AND reward = $2",
                        [.integer(number), .integer(reward.number)])
                }
            }
        }
    }
}
