import HTTPCore
import Locking
import Pins
import PrimaryStore
import TrackStore

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
