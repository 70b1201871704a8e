import HTTPCore
import Playback

/// Somebody who can keep things in the library: favourites, and a history of ways. Viewers and recording apps cannot.
enum Keeper: Hashable, Sendable {
    case owner
    case person(String)

    /// nil for a caller who is not a person.
    init?(_ caller: Caller) {
        switch caller {
        case .owner, .local: self = .owner
        case .member(let person): self = .person(person)
        case .recorder, .viewer, .anonymous: return nil
        }
    }

    /// The keeper of a request that needs one; throws a `403`.
    static func required(_ caller: Caller) throws(Problem) -> Keeper {
        guard let keeper = Keeper(caller) else {
            throw Problem(.forbidden, "only persons have favourites and a history; use a member's token")
        }
        return keeper
    }

    /// The name in the library; nil for its owner.
    var person: String? {
        if case .person(let name) = self { return name }
        return nil
    }

    /// Whom the events of what the keeper asked for are sent to.
    var audience: LiveReader.Audience {
        switch self {
        case .owner: .owner
        case .person(let name): .person(name)
        }
    }
}
