import Journeys
import PrimaryStore
import Text
import TrackQuery

/// The name of a person in answers; nil, the owner, is `owner`.
enum PersonName {
    static let owner = "owner"

    static func text(_ name: String?) -> String { name ?? owner }
}

extension StoredSession {
    func json(at now: Int64) -> JSONObject {
        var object = JSONObject()
        object.add("id", session.id)
        object.add("journey", journey)
        object.add("person", PersonName.text(session.person))
        object.add("start", InstantFormatter.utc(session.start))
        object.add("end", InstantFormatter.utc(session.end))
        object.add("seconds", session.seconds)
        object.add("place", place)
        object.add("state", session.state(at: now).rawValue)
        object.add("cancelUntil", InstantFormatter.utc(session.cancelUntil))
        return object
    }
}

extension PersonReward {
    var json: JSONObject {
        var object = JSONObject()
        object.add("id", reward.id)
        object.add("hours", reward.reward.hours)
        object.add("name", reward.reward.name)
        object.add("picture", reward.picturePath)
        object.add("granted", granted.map { InstantFormatter.utc($0) })
        object.add("seen", isSeen)
        return object
    }
}

extension StoredReward {
    var picturePath: String { "/v1/rewards/\(id)/picture" }

    var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("hours", reward.hours)
        object.add("name", reward.name)
        object.add("picture", picturePath)
        return object
    }
}

extension StoredProfile {
    var shownName: String { displayName ?? person ?? "Owner" }

    var picturePath: String { "/v1/persons/\(Self.segment(person))/picture" }

    /// A name as a segment of a path.
    private static func segment(_ person: String?) -> String {
        PercentCoding.encode(PersonName.text(person))
    }
}

extension JourneyState {
    /// Metres ahead of an even pace towards the instant of arrival; negative behind it, nil without one.
    var metresAhead: Double? {
        guard let until = journey.until else { return nil }
        let begin = journey.since ?? journey.time
        guard until > begin else { return progress.metres - known.measure.journeyMetres }
        let part = min(max(0, Double(now - begin) / Double(until - begin)), 1)
        return progress.metres - known.measure.journeyMetres * part
    }

    /// What each member has contributed: metres, and of a journey by focus its seconds, too.
    var contributions: [(metres: Double, seconds: Double?)] {
        guard journey.drive == .focus else { return ledgers.map { ($0.metres(at: now), nil) } }
        let shares = journey.members.map { member in
            FocusTime(sessions.map(\.session).filter { PersonNames.areSame($0.person, member.name) }).milliseconds(
                at: now)
        }
        let sum = Double(max(1, shares.reduce(0, +)))
        return shares.map { (progress.metres * Double($0) / sum, Double($0) / 1000) }
    }

    /// The journey as a person sees it who takes part, or the owner.
    func json(
        for person: String?, profiles: [StoredProfile], rewards: [PersonReward], isActive: Bool
    ) -> JSONObject {
        let places = known.stored.placeIDs
        var object = JSONObject()
        object.add("id", journey.id)
        object.add("route", journey.route.id)
        object.add("name", journey.name)
        switch journey.drive {
        case .focus: object.add("by", "focus")
        case .metres(let condition, let factors):
            object.add("by", "metres")
            object.add("where", condition?.text)
            object.add(
                "factors",
                objects: factors.map { factor in
                    var object = JSONObject()
                    object.add("where", factor.condition.text)
                    object.add("factor", number: factor.factor)
                    return object
                })
        }
        object.add("since", journey.since.map { InstantFormatter.utc($0) })
        object.add("until", journey.until.map { InstantFormatter.utc($0) })
        object.add("active", isActive)
        object.add("metres", metres: known.measure.journeyMetres)
        object.add("done", metres: progress.metres)
        object.add("place", position: known.measure.point(at: known.measure.metres(ofJourney: progress.metres)).point)
        object.add("unlocked", progress.unlocked.map { places[$0.place] })
        object.add("next", isDone ? nil : places[progress.unlocked.count])
        object.add("finished", isDone)
        object.add("rewards", objects: rewards.map(\.json))
        if let session = running(of: person) {
            object.add("session", object: session.json(at: now))
        } else {
            object.add("session", nil as String?)
        }
        if let metresAhead { object.add("ahead", metres: metresAhead) } else { object.add("ahead", nil as String?) }
        object.add("members", objects: zip(profiles, contributions).map(Self.member))
        return object
    }

    private static func member(_ profile: StoredProfile, _ part: (metres: Double, seconds: Double?)) -> JSONObject {
        var object = JSONObject()
        object.add("person", PersonName.text(profile.person))
        object.add("displayName", profile.shownName)
        object.add("picture", profile.picturePath)
        object.add("done", metres: part.metres)
        if let seconds = part.seconds { object.add("seconds", number: seconds) }
        return object
    }
}
