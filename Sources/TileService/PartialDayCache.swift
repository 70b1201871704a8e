import Digest
import HTTPCore
import HeatGrid
import Locking
import TileLog
import TrackStore
import Tracks

/// What tracks left on days of which windows have a part, from their points: the tiles of a view, and the next frames of a
/// replay, ask for the same days.
final class PartialDayCache: Sendable {
    /// A track's whole day.
    private struct Day: Hashable {
        var track: Int64
        var seed: UInt64
        var day: Int32
        var calendar: ContentDigest
    }

    private struct Cut: Hashable {
        var track: Int64
        var seed: UInt64
        var day: PartialDay
    }

    private struct Memory {
        var calendar: (fingerprint: ContentDigest, calendar: DayCalendar)?
        var paths = RecentValues<Day, TrackPath>(byteLimit: PartialDayCache.byteLimit)
        var cells = RecentValues<Cut, PathCells>(byteLimit: PartialDayCache.byteLimit)
        /// Rises when something is forgotten: what was read before is then not kept any more.
        var age = 0
    }

    /// Bytes of paths, and as many of cells: some hundred tracks' days each.
    private static let byteLimit = 32 << 20

    private let memory = Locked(Memory())

    /// The days by which a grid was made.
    func calendar(of state: GridState, in library: Library) throws -> DayCalendar {
        if let known = memory.withLock({ $0.calendar }), known.fingerprint == state.fingerprint {
            return known.calendar
        }
        guard let calendar = try library.calendar(of: state) else {
            throw Problem.unavailable(
                "the map is being made in another time zone", retryAfterSeconds: Health.retryAfterSeconds)
        }
        memory.withLock { $0.calendar = (state.fingerprint, calendar) }
        return calendar
    }

    /// The cells of a track in a window's part of a day.
    func cells(of track: Int64, _ cut: PartialDay, _ edition: GridSnapshot, in library: Library) throws -> PathCells {
        let key = Cut(track: track, seed: edition.tracks.seed(of: track), day: cut)
        let (known, age) = memory.withLock { memory in (memory.cells[key], memory.age) }
        if let known { return known }
        let path = try path(of: track, on: cut.day, edition, in: library)
        let cells = PathCells(of: cut.stretches.flatMap { path.lines(within: $0) })
        memory.withLock { memory in
            guard memory.age == age else { return }
            memory.cells.keep(cells, for: key, bytes: cells.byteCount)
        }
        return cells
    }

    /// The way of a track on a day. Where its points are not any more those that the grid knows, as between a change and
    /// its being applied, nobody can say where it was at an instant: a problem that asks for patience.
    func path(of track: Int64, on day: Int32, _ edition: GridSnapshot, in library: Library) throws -> TrackPath {
        let seed = edition.tracks.seed(of: track)
        let calendar = try calendar(of: edition.state, in: library)
        let key = Day(track: track, seed: seed, day: day, calendar: calendar.digest)
        let (known, age) = memory.withLock { memory in (memory.paths[key], memory.age) }
        if let known { return known }
        let stretches = calendar.stretches(ofDay: day)
        guard let path = try library.path(ofTrack: track, seed: seed, through: stretches) else {
            throw Problem.unavailable(
                "tracks of that day have just changed; ask again when the map has followed",
                retryAfterSeconds: Self.retryAfterSeconds)
        }
        memory.withLock { memory in
            guard memory.age == age else { return }
            memory.paths.keep(path, for: key, bytes: path.count * Self.placeBytes)
        }
        return path
    }

    /// Forgets what an edition does not have, as of tracks that were removed.
    func forget(exceptThoseOf edition: GridSnapshot) {
        memory.withLock { memory in
            memory.age += 1
            memory.paths.removeAll { edition.tracks.seed(of: $0.track) != $0.seed }
            memory.cells.removeAll { edition.tracks.seed(of: $0.track) != $0.seed }
        }
    }

    private static let placeBytes = 40
    /// The grid follows within a second.
    private static let retryAfterSeconds = 1
}

/// Values that were asked for last, bounded in bytes; those kept first are given up first.
struct RecentValues<Key: Hashable, Value> {
    private var values: [Key: (value: Value, bytes: Int)] = [:]
    private var order: [Key] = []
    private var bytes = 0
    private let byteLimit: Int

    /// What an entry takes beside its value.
    private static var overheadBytes: Int { 256 }

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    subscript(key: Key) -> Value? { values[key]?.value }

    /// Keeps a value of so many bytes; one that alone is beyond half of the limit is not kept.
    mutating func keep(_ value: Value, for key: Key, bytes valueBytes: Int) {
        let size = valueBytes + Self.overheadBytes
        guard size <= byteLimit / 2, values[key] == nil else { return }
        values[key] = (value, size)
        order.append(key)
        bytes += size
        guard bytes > byteLimit else { return }
        // A quarter at once, so that the order is seldom moved.
        var first = 0
        while bytes > byteLimit * 3 / 4, first < order.count {
            bytes -= values.removeValue(forKey: order[first])?.bytes ?? 0
            first += 1
        }
        order.removeFirst(first)
    }

    /// Gives up what has a key that fits.
    mutating func removeAll(where fits: (Key) -> Bool) {
        order.removeAll { key in
            guard fits(key) else { return false }
            bytes -= values.removeValue(forKey: key)?.bytes ?? 0
            return true
        }
    }
}
