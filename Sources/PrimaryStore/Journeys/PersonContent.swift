import Database
public import Journeys

// What a person has in a library, as one value, and what an import adds of one.

/// The routes, journeys, sessions and rewards of a person.
public struct PersonContent: Sendable, Equatable {
    public struct Route: Sendable, Equatable {
        public var id: String
        public var route: JourneyRoute
        public var placeIDs: [String]
        public var picture: [UInt8]?
        /// Those of places, by their ids.
        public var placePictures: [String: [UInt8]]

        public init(
            id: String, route: JourneyRoute, placeIDs: [String], picture: [UInt8]? = nil,
            placePictures: [String: [UInt8]] = [:]
        ) {
            self.id = id
            self.route = route
            self.placeIDs = placeIDs
            self.picture = picture
            self.placePictures = placePictures
        }
    }

    public struct Journey: Sendable, Equatable {
        public var id: String
        public var journey: NewJourney
        /// When it was added, in milliseconds since 1970.
        public var time: Int64
        public var isActive: Bool
        /// Whether others take part, too.
        public var isOfTeam: Bool

        public init(id: String, journey: NewJourney, time: Int64, isActive: Bool, isOfTeam: Bool = false) {
            self.isOfTeam = isOfTeam
            self.id = id
            self.journey = journey
            self.time = time
            self.isActive = isActive
        }
    }

    public struct Session: Sendable, Equatable {
        public var session: FocusSession
        /// The id of the journey.
        public var journey: String
        /// The id of the destination.
        public var place: String?

        public init(_ session: FocusSession, journey: String, place: String?) {
            self.session = session
            self.journey = journey
            self.place = place
        }
    }

    public struct Reward: Sendable, Equatable {
        public var id: String
        public var reward: FocusReward
        public var granted: Int64
        public var isSeen: Bool
        public var picture: [UInt8]?

        public init(id: String, reward: FocusReward, granted: Int64, isSeen: Bool, picture: [UInt8]? = nil) {
            self.id = id
            self.reward = reward
            self.granted = granted
            self.isSeen = isSeen
            self.picture = picture
        }
    }

    /// nil for the owner.
    public var person: String?
    public var displayName: String?
    public var picture: [UInt8]?
    public var routes: [Route] = []
    public var journeys: [Journey] = []
    public var sessions: [Session] = []
    public var rewards: [Reward] = []

    public init(person: String?) {
        self.person = person
    }
}

/// How much an import has added.
public struct PersonImport: Sendable, Equatable {
    public var routes = 0
    public var journeys = 0
    public var sessions = 0
    public var rewards = 0
}

extension TrackSnapshot {
    /// What a person, nil for the owner, has at an instant. Routes are those of the journeys.
    public func content(of person: String?, at now: Int64) throws -> PersonContent {
        let profile = try profile(of: person)
        var content = PersonContent(person: person)
        content.displayName = profile.displayName
        content.picture = try picture(of: .person(person))
        // The oldest first, as they were added.
        for journey in try journeys(of: person).reversed() {
            if !content.routes.contains(where: { $0.id == journey.route.id }) {
                guard let route = try route(id: journey.route.id) else { continue }
                var pictures: [String: [UInt8]] = [:]
                for place in route.placeIDs {
                    pictures[place] = try picture(of: .place(place, ofRoute: route.id))
                }
                content.routes.append(
                    PersonContent.Route(
                        id: route.id, route: route.route, placeIDs: route.placeIDs,
                        picture: try picture(of: .route(route.id)), placePictures: pictures))
            }
            content.journeys.append(
                PersonContent.Journey(
                    id: journey.id,
                    journey: NewJourney(
                        route: journey.route.id, drive: journey.drive, since: journey.since, until: journey.until,
                        members: [person]),
                    time: journey.time, isActive: journey.id == profile.journey, isOfTeam: journey.members.count > 1))
        }
        content.sessions = try sessions(of: person).map {
            PersonContent.Session($0.session, journey: $0.journey, place: $0.place)
        }
        content.rewards = try rewards(of: person, at: now).compactMap { reward in
            guard let granted = reward.granted else { return nil }
            return PersonContent.Reward(
                id: reward.reward.id, reward: reward.reward.reward, granted: granted, isSeen: reward.isSeen,
                picture: try picture(of: .reward(reward.reward.id)))
        }
        return content
    }
}

extension TrackDatabase {
    /// Adds what a person has to that of a person of this library, nil for the owner. What is there already, by its id, is
    /// left as it is, so that importing twice is importing once.
    public func add(_ content: PersonContent, to person: String?) throws -> PersonImport {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.add(content, to: person) }
        }
    }
}

extension TrackWriter {
    fileprivate func add(_ content: PersonContent, to name: String?) throws -> PersonImport {
        let snapshot = TrackSnapshot(session: session)
        let number = try person(name)
        var added = PersonImport()
        for route in content.routes where try add(route) { added.routes += 1 }
        for journey in content.journeys {
            if try add(journey, of: name, number) { added.journeys += 1 }
        }
        for session in content.sessions where try add(session, of: number) { added.sessions += 1 }
        for reward in content.rewards where try add(reward, to: number) { added.rewards += 1 }
        let profile = try snapshot.profile(of: name)
        try session.run("INSERT INTO profile (person) VALUES ($1) ON CONFLICT (person) DO NOTHING", [.integer(number)])
        if profile.displayName == nil, let displayName = content.displayName {
            try session.run(
                "UPDATE profile SET name = $1 WHERE person = $2", [.text(displayName), .integer(number)])
        }
        if !profile.hasPicture, let picture = content.picture { try setPicture(picture, of: .person, number) }
        if profile.journey == nil, let active = content.journeys.first(where: \.isActive),
            try snapshot.journey(id: active.id)?.has(name) == true
        {
            try session.run(
                "UPDATE profile SET journey = (SELECT number FROM journey WHERE id = $1) WHERE person = $2",
                [.text(active.id), .integer(number)])
        }
        return added
    }

    private func add(_ route: PersonContent.Route) throws -> Bool {
        guard try addRoute(route.route, id: route.id, placeIDs: route.placeIDs, source: "journeys").isNew else {
            return false
        }
        if let picture = route.picture,
            let number = try session.integer("SELECT number FROM route WHERE id = $1", [.text(route.id)])
        {
            try setPicture(picture, of: .route, number)
        }
        for (place, picture) in route.placePictures.sorted(by: { $0.key < $1.key }) {
            let number = try session.integer("SELECT number FROM route_place WHERE id = $1", [.text(place)])
            if let number { try setPicture(picture, of: .place, number) }
        }
        return true
    }

    /// Adds a journey, or the person to a journey that is there: that of a team.
    private func add(_ journey: PersonContent.Journey, of name: String?, _ number: Int64) throws -> Bool {
        if let known = try TrackSnapshot(session: session).journey(id: journey.id) {
            // The journey of one person stays theirs, whoever imports their file.
            guard !known.has(name), journey.isOfTeam else { return false }
            try session.run("INSERT INTO journey_member VALUES ($1, $2)", [.integer(known.number), .integer(number)])
            return true
        }
        var new = journey.journey
        new.members = [name]
        guard case .added(let id) = try add(new, id: journey.id) else { return false }
        try session.run("UPDATE journey SET time = $1 WHERE id = $2", [.integer(journey.time), .text(id)])
        return true
    }

    private func add(_ focus: PersonContent.Session, of person: Int64) throws -> Bool {
        let known = try session.integer("SELECT number FROM focus_session WHERE id = $1", [.text(focus.session.id)])
        let journey = try session.integer("SELECT number FROM journey WHERE id = $1", [.text(focus.journey)])
        guard known == nil, let journey,
            try session.integer(
                "SELECT journey FROM journey_member WHERE journey = $1 AND person = $2",
                [.integer(journey), .integer(person)]) != nil
        else { return false }
        let place = try focus.place.flatMap {
            try session.integer(
                """
                SELECT p.number FROM route_place p JOIN journey j ON j.route = p.route
                WHERE p.id = $1 AND j.number = $2
                """, [.text($0), .integer(journey)])
        }
        try insert(focus.session, journey: journey, person: person, place: place)
        return true
    }

    /// Adds a reward that the person has; one that the library does not have is kept for this person only.
    private func add(_ reward: PersonContent.Reward, to person: Int64) throws -> Bool {
        var number = try session.integer("SELECT number FROM reward WHERE id = $1", [.text(reward.id)])
        if number == nil {
            let new = try session.inserted(
                "INSERT INTO reward (id, hours, name, removed) VALUES ($1, $2, $3, 1) RETURNING number",
                [.text(reward.id), .integer(reward.reward.hours), .text(reward.reward.name)])
            if let picture = reward.picture { try setPicture(picture, of: .reward, new) }
            number = new
        }
        guard let number else { return false }
        try session.run(
            """
            INSERT INTO reward_grant (person, reward, time, seen) VALUES ($1, $2, $3, $4)
            ON CONFLICT (person, reward) DO NOTHING
            """,
            [.integer(person), .integer(number), .integer(reward.granted), .integer(reward.isSeen ? 1 : 0)])
        return session.changedRows > 0
    }
}
