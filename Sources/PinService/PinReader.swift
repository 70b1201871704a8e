package import HTTPCore
package import Pins
import PrimaryStore

/// Who asks for pins.
package enum PinReader: Hashable, Sendable {
    /// May see and change everything.
    case owner
    /// May see and change their own; what others may see depends on where this person is and was.
    case person(String)
    /// May see the map.
    case other

    package init(_ caller: Caller) {
        switch caller.person {
        case .owner: self = .owner
        case .member(let person): self = .person(person)
        case nil: self = .other
        }
    }

    var isOwner: Bool { self == .owner }

    /// The name under which this reader adds things; nil for the owner.
    var person: String? {
        if case .person(let name) = self { return name }
        return nil
    }

    /// Whether the reader has written a pin.
    func isAuthor(of pin: Pin) -> Bool {
        isOwner || person != nil && pin.person == person
    }

    /// Whether the pin exists for the reader at a time, in milliseconds since 1970.
    func sees(_ pin: Pin, at now: Int64) -> Bool {
        isOwner || !pin.isHidden && (!pin.isExpired(at: now) || isAuthor(of: pin))
    }

    /// Which photos a replay shows to the reader: those that are open, and their own. Who is where changes while a replay
    /// runs.
    package var replayedPhotos: @Sendable (Pin) -> Bool {
        { pin in
            !pin.isHidden && !pin.isExpired(at: TrackDatabase.systemClock())
                && (pin.visibility == .open || isAuthor(of: pin))
        }
    }
}
