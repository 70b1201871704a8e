import Caching
import Digest
import Locking
import Pins
import PrimaryStore
import TrackStore
import Tracks

/// The index of all pins that are shown, and pictures drawn from it.
///
/// The index is built again when pins have changed, by this process or another, and when a pin expires. A number in the
/// library says whether pins have changed; other changes of the library cost one query.
final class PinIndexCache: Sendable {
    /// The pins at one moment.
    struct Snapshot: Sendable {
        let index: PinIndex
        let calendar: DayCalendar
    }

    private struct State {
        /// The data version of the library when the index was found current.
        var version: Int64
        /// The number of changes of pins, and the time zone of their hours.
        var changes: Int64
        var snapshot: Snapshot

        func isValid(at now: Int64) -> Bool { snapshot.index.validTimes.contains(now) }
    }

    /// Some thousands of tiles.
    private static let pictureBytes = 16 << 20

    private let library: Library
    private let state = Locked<State?>(nil)
    /// Held by the thread that builds the index; others wait for it.
    private let building = Locked(false)
    private let pictures = SharedCache<ContentDigest, [UInt8]>(costLimit: pictureBytes)

    init(_ library: Library) {
        self.library = library
    }

    /// The pins that are shown at a time, in milliseconds since 1970.
    func current(now: Int64) throws -> Snapshot {
        let version = try library.database.dataVersion()
        if let known = state.withLock({ $0 }), known.version == version, known.isValid(at: now) {
            return known.snapshot
        }
        return try building.withLock { _ in try update(version, now) }
    }

    private func update(_ version: Int64, _ now: Int64) throws -> Snapshot {
        let known = state.withLock { $0 }
        let made = try library.database.read { snapshot -> State in
            let changes = try snapshot.pinChanges()
            let zone = try snapshot.zone()
            // Another thread has built the index while this one waited, or something else than pins has changed.
            if var known, known.changes == changes, known.snapshot.calendar.zone == zone, known.isValid(at: now) {
                known.version = version
                return known
            }
            let calendar = try library.calendar()
            var pins: [PinFacts] = []
            try snapshot.forEachPinFacts { pins.append($0) }
            let index = PinIndex(pins, now: now) { LocalTime.parts(of: $0, in: calendar) }
            return State(
                version: version, changes: changes, snapshot: Snapshot(index: index, calendar: calendar))
        }
        state.withLock { $0 = made }
        return made.snapshot
    }

    /// Drops what is in memory if pins have changed: before it is reported to other processes that nothing of a removed
    /// pin is left here.
    func dropIfChanged() throws {
        guard let known = state.withLock({ $0 }), try library.database.dataVersion() != known.version,
            try library.database.read({ try $0.pinChanges() }) != known.changes
        else { return }
        state.withLock { $0 = nil }
        pictures.invalidate()
    }

    /// The picture with a digest, if it is in memory.
    func picture(_ digest: ContentDigest) -> [UInt8]? { pictures.find(digest) }

    /// The picture with a digest: from memory, else made by `draw`.
    func picture(_ digest: ContentDigest, _ draw: () throws -> [UInt8]) throws -> [UInt8] {
        try pictures.value(for: digest, cost: { $0.count }, make: draw)
    }
}
