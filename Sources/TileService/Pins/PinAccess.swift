import HTTPCore
import Locking
import Pins
import PrimaryStore
import TrackStore

/// Who asks for pins.
enum PinReader: Hashable, Sendable {
    /// May see and change everything.
    case owner
    /// May see and change their own; what others may see depends on where this person is and was.
    case person(String)
    /// May see the map.
    case other

    init(_ caller: Caller) {
        switch caller {
        case .owner, .local: self = .owner
        case .member(let person): self = .person(person)
        case .recorder, .viewer, .anonymous: self = .other
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
    var replayedPhotos: @Sendable (Pin) -> Bool {
        { pin in
            !pin.isHidden && !pin.isExpired(at: TrackDatabase.systemClock())
                && (pin.visibility == .open || isAuthor(of: pin))
        }
    }
}

/// Decides who may read the content of pins.
final class PinAccess: Sendable {
    private struct Visits {
        /// The revision of the library that `visited` and `others` belong to.
        var revision: Int64 = -1
        var visited: [String: Set<PinPlace>] = [:]
        var others: [String: Set<PinPlace>] = [:]
    }

    private let library: Library
    private let visits = Locked(Visits())

    init(_ library: Library) {
        self.library = library
    }

    /// A pin that exists for a reader. Everything else gives the same problem: ids that are malformed or unknown, and
    /// pins that are hidden or expired.
    func pin(_ id: String, for reader: PinReader) throws -> Pin {
        guard let pin = try PinID(id).flatMap({ try library.database.pin($0) }),
            reader.sees(pin, at: TrackDatabase.systemClock())
        else { throw Self.noSuchPin }
        return pin
    }

    static let noSuchPin = Problem.notFound("no pin has this id")
    static let notOwn = Problem(.forbidden, "only its author and the owner may change a pin")

    /// Whether a reader may read the content of a pin.
    func mayRead(_ pin: Pin, _ reader: PinReader) throws -> Bool {
        try locked([pin], for: reader).isEmpty
    }

    /// Those of the pins whose content a reader may not read.
    func locked(_ pins: [Pin], for reader: PinReader) throws -> Set<PinID> {
        let closed = pins.filter { $0.visibility != .open && !reader.isAuthor(of: $0) }
        guard !closed.isEmpty else { return [] }
        guard let person = reader.person else { return Set(closed.map(\.id)) }
        let (here, been) = (closed.filter { $0.visibility == .here }, closed.filter { $0.visibility == .been })
        let now = TrackDatabase.systemClock()
        let occupied = here.isEmpty ? [] : try library.occupied(here.map(\.place), by: person, now: now)
        let visited = been.isEmpty ? [] : try self.visited(been.map(\.place), by: person)
        return Set(here.filter { !occupied.contains($0.place) }.map(\.id))
            .union(been.filter { !visited.contains($0.place) }.map(\.id))
    }

    /// Reads the tracks of a person once for each revision of the library and place.
    private func visited(_ places: [PinPlace], by person: String) throws -> Set<PinPlace> {
        let revision = try library.database.head().revision
        let (known, others) = visits.withLock { visits in
            if visits.revision != revision { visits = Visits(revision: revision) }
            return (visits.visited[person] ?? [], visits.others[person] ?? [])
        }
        let unknown = places.filter { !known.contains($0) && !others.contains($0) }
        guard !unknown.isEmpty else { return known }
        let found = try library.database.visited(unknown, by: person)
        visits.withLock { visits in
            guard visits.revision == revision else { return }
            visits.visited[person, default: []].formUnion(found)
            visits.others[person, default: []].formUnion(Set(unknown).subtracting(found))
        }
        return known.union(found)
    }
}

extension Request {
    /// Whether the caller may do everything.
    var isOwner: Bool { PinReader(caller).isOwner }
}
