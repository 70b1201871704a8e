import Caching
import Digest
import GridStorage
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
        var digest: UInt64
        var day: Int32
        var calendar: ContentDigest
    }

    private struct PartialDayKey: Hashable {
        var track: Int64
        var digest: UInt64
        var day: PartialDay
    }

    /// Byte limit of the paths, and also of the cells: some hundred days of tracks each.
    private static let byteLimit = 32 << 20

    /// Bytes of an entry besides its value.
    private static let entryBytes = 256

    private let calendar = Locked<(fingerprint: ContentDigest, calendar: DayCalendar)?>(nil)
    private let paths = SharedCache<DayKey, TrackPath>(costLimit: byteLimit)
    private let cells = SharedCache<PartialDayKey, PathCells>(costLimit: byteLimit)

    /// The calendar with which a grid was built.
    func calendar(of state: GridState, in library: Library) throws -> DayCalendar {
        if let known = calendar.withLock({ $0 }), known.fingerprint == state.fingerprint {
            return known.calendar
        }
        guard let found = try library.calendar(of: state) else {
            throw TileError.unavailable(
                "the map is being rebuilt for another time zone")
        }
        calendar.withLock { $0 = (state.fingerprint, found) }
        return found
    }

    /// The cells of a track in the part of a day that a window covers.
    func cells(of track: Int64, _ partial: PartialDay, _ gridSnapshot: GridSnapshot, in library: Library) throws
        -> PathCells
    {
        let key = PartialDayKey(track: track, digest: gridSnapshot.tracks.digest(of: track), day: partial)
        return try cells.value(for: key, cost: { $0.byteCount + Self.entryBytes }) {
            let path = try path(of: track, on: partial.day, gridSnapshot, in: library)
            return PathCells(of: partial.timeRanges.flatMap { path.lines(within: $0) })
        }
    }

    /// The path of a track on a day. If the stored points are no longer those in the grid, as between a change and its
    /// application to the grid, the path is not known: throws a `503`.
    func path(of track: Int64, on day: Int32, _ gridSnapshot: GridSnapshot, in library: Library) throws -> TrackPath {
        let digest = gridSnapshot.tracks.digest(of: track)
        let calendar = try calendar(of: gridSnapshot.state, in: library)
        let key = DayKey(track: track, digest: digest, day: day, calendar: calendar.digest)
        return try paths.value(for: key, cost: { $0.count * Self.placeBytes + Self.entryBytes }) {
            let timeRanges = calendar.timeRanges(ofDay: day)
            guard let path = try library.path(ofTrack: track, digest: digest, through: timeRanges) else {
                throw TileError.unavailable(
                    "tracks of that day have just changed; try again when the map is updated",
                    retryAfterSeconds: Self.retryAfterSeconds)
            }
            return path
        }
    }

    /// Drops entries of tracks that are not in a snapshot or have changed, such as removed ones.
    func invalidate(exceptIn gridSnapshot: GridSnapshot) {
        paths.invalidate { key, _ in gridSnapshot.tracks.digest(of: key.track) != key.digest }
        cells.invalidate { key, _ in gridSnapshot.tracks.digest(of: key.track) != key.digest }
    }

    private static let placeBytes = 40
    /// The grid is updated within a second.
    private static let retryAfterSeconds = 1
}
