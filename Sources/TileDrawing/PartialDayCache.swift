import Digest
import HeatGrid
import Locking
import TileLog
import TrackStore
import Tracks

/// Caches paths and cells, read from the points of tracks, of days that a window covers only in part: the tiles of a
/// view, and the next frames of a replay, need the same days.
final class PartialDayCache: Sendable {
    /// A track on a whole day.
    private struct DayKey: Hashable {
        var track: Int64
        var seed: UInt64
        var day: Int32
        var calendar: ContentDigest
    }

    private struct PartialDayKey: Hashable {
        var track: Int64
        var seed: UInt64
        var day: PartialDay
    }

    private struct Memory {
        var calendar: (fingerprint: ContentDigest, calendar: DayCalendar)?
        var paths = RecentValues<DayKey, TrackPath>(byteLimit: PartialDayCache.byteLimit)
        var cells = RecentValues<PartialDayKey, PathCells>(byteLimit: PartialDayCache.byteLimit)
        /// Incremented when entries are dropped; what was read before that is then not stored.
        var generation = 0
    }

    /// Byte limit of the paths, and also of the cells: some hundred days of tracks each.
    private static let byteLimit = 32 << 20

    private let memory = Locked(Memory())

    /// The calendar with which a grid was built.
    func calendar(of state: GridState, in library: Library) throws -> DayCalendar {
        if let known = memory.withLock({ $0.calendar }), known.fingerprint == state.fingerprint {
            return known.calendar
        }
        guard let calendar = try library.calendar(of: state) else {
            throw TileError.unavailable(
                "the map is being rebuilt for another time zone")
        }
        memory.withLock { $0.calendar = (state.fingerprint, calendar) }
        return calendar
    }

    /// The cells of a track in the part of a day that a window covers.
    func cells(of track: Int64, _ partial: PartialDay, _ gridSnapshot: GridSnapshot, in library: Library) throws
        -> PathCells
    {
        let key = PartialDayKey(track: track, seed: gridSnapshot.tracks.seed(of: track), day: partial)
        let (known, generation) = memory.withLock { memory in (memory.cells[key], memory.generation) }
        if let known { return known }
        let path = try path(of: track, on: partial.day, gridSnapshot, in: library)
        let cells = PathCells(of: partial.timeRanges.flatMap { path.lines(within: $0) })
        memory.withLock { memory in
            guard memory.generation == generation else { return }
            memory.cells.store(cells, for: key, bytes: cells.byteCount)
        }
        return cells
    }

    /// The path of a track on a day. If the stored points are no longer those in the grid, as between a change and its
    /// application to the grid, the path is not known: throws a `503`.
    func path(of track: Int64, on day: Int32, _ gridSnapshot: GridSnapshot, in library: Library) throws -> TrackPath {
        let seed = gridSnapshot.tracks.seed(of: track)
        let calendar = try calendar(of: gridSnapshot.state, in: library)
        let key = DayKey(track: track, seed: seed, day: day, calendar: calendar.digest)
        let (known, generation) = memory.withLock { memory in (memory.paths[key], memory.generation) }
        if let known { return known }
        let timeRanges = calendar.timeRanges(ofDay: day)
        guard let path = try library.path(ofTrack: track, seed: seed, through: timeRanges) else {
            throw TileError.unavailable(
                "tracks of that day have just changed; try again when the map is updated",
                retryAfterSeconds: Self.retryAfterSeconds)
        }
        memory.withLock { memory in
            guard memory.generation == generation else { return }
            memory.paths.store(path, for: key, bytes: path.count * Self.placeBytes)
        }
        return path
    }

    /// Drops entries of tracks that are not in a snapshot or have changed, such as removed ones.
    func forget(exceptIn gridSnapshot: GridSnapshot) {
        memory.withLock { memory in
            memory.generation += 1
            memory.paths.removeAll { gridSnapshot.tracks.seed(of: $0.track) != $0.seed }
            memory.cells.removeAll { gridSnapshot.tracks.seed(of: $0.track) != $0.seed }
        }
    }

    private static let placeBytes = 40
    /// The grid is updated within a second.
    private static let retryAfterSeconds = 1
}

/// A cache bounded in bytes; the entries stored first are evicted first.
struct RecentValues<Key: Hashable, Value> {
    private var values: [Key: (value: Value, bytes: Int)] = [:]
    private var order: [Key] = []
    private var bytes = 0
    private let byteLimit: Int

    /// Overhead of an entry besides its value.
    private static var overheadBytes: Int { 256 }

    init(byteLimit: Int) {
        self.byteLimit = byteLimit
    }

    subscript(key: Key) -> Value? { values[key]?.value }

    /// Stores a value of so many bytes; a value larger than half of the limit is not stored.
    mutating func store(_ value: Value, for key: Key, bytes valueBytes: Int) {
        let size = valueBytes + Self.overheadBytes
        guard size <= byteLimit / 2, values[key] == nil else { return }
        values[key] = (value, size)
        order.append(key)
        bytes += size
        guard bytes > byteLimit else { return }
        // Evicts a quarter at once, so that the array is seldom shifted.
        var first = 0
        while bytes > byteLimit * 3 / 4, first < order.count {
            bytes -= values.removeValue(forKey: order[first])?.bytes ?? 0
            first += 1
        }
        order.removeFirst(first)
    }

    /// Drops the values whose key matches.
    mutating func removeAll(where fits: (Key) -> Bool) {
        order.removeAll { key in
            guard fits(key) else { return false }
            bytes -= values.removeValue(forKey: key)?.bytes ?? 0
            return true
        }
    }
}
