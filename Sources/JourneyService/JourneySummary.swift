package import HTTPCore
import Journeys
package import PrimaryStore
package import Text
import TrackStore
import Tracks

/// How far a journey is, for lists.
package struct JourneySummary: Sendable {
    /// Metres of the whole way, and those that are done.
    package let metres: Double
    package let done: Double
    /// The names of the places that are reached, in their order.
    package let reachedNames: [String]
    package let places: Int
    /// The name of the next place; nil if all are reached.
    package let next: String?
    /// Metres ahead of an even pace; negative behind it, nil without an instant of arrival.
    package let ahead: Double?

    package var reached: Int { reachedNames.count }
}

extension JourneyBook {
    /// How far a journey is at an instant.
    package func summary(of journey: StoredJourney, at now: Int64) throws -> JourneySummary {
        let state = try state(journey, at: now)
        let names = state.known.route.places.map(\.name)
        let reached = state.progress.unlocked.count
        return JourneySummary(
            metres: state.known.measure.journeyMetres, done: state.progress.metres,
            reachedNames: Array(names.prefix(reached)), places: names.count,
            next: reached < names.count ? names[reached] : nil, ahead: state.metresAhead)
    }

    /// The instant that a parameter names: the end of a day; now without it.
    func instant(_ asof: DateText?) throws -> Int64 {
        guard let asof else { return now() }
        return asof.end(in: try library.calendar())
    }

    /// A journey as JSON, as a person sees it who takes part, or the owner.
    package func json(_ journey: StoredJourney, for person: LibraryPerson, at now: Int64) throws -> JSONObject {
        let state = try state(journey, at: now)
        return try library.database.read { snapshot in
            state.json(
                for: person.name, profiles: try journey.members.map { try snapshot.profile(of: $0.name) },
                rewards: try snapshot.rewards(of: person.name, at: now),
                isActive: try snapshot.profile(of: person.name).journey == journey.id)
        }
    }
}
