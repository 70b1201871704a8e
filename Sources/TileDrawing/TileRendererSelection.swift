package import Digest
import GridStorage
import TileLog
import TrackStore

extension TileRenderer {
    /// Resolves a selection; throws a problem if its layer or a track does not exist.
    func fragments(of selection: TileSelection, _ gridSnapshot: GridSnapshot, _ reader: GridReader) throws
        -> SelectedFragments
    {
        let tracks = try trackIDCache.tracks(of: selection, in: library)
        let days = try days(of: selection.window, gridSnapshot.state)
        return try SelectedFragments(selection, tracks: tracks, days: days, in: gridSnapshot, reader)
    }

    /// The days of a window; throws a problem if it ends before it begins.
    func days(of window: TimeWindow, _ state: GridState) throws -> WindowDays {
        guard window.hasInstants else {
            var days = DayWindow.allTime
            if case .day(let day) = window.from { days = DayWindow(from: day, to: nil) }
            if case .day(let day) = window.to { days = DayWindow(from: days.from, to: day) }
            return WindowDays(days)
        }
        let calendar = try partialDayCache.calendar(of: state, in: library)
        guard !window.isReversed(in: calendar) else { throw TileError.badRequest("from has to be before to") }
        return WindowDays(window, in: calendar)
    }
}

extension TileRenderer {
    /// The digest of everything that a tile's picture reads. The picture is not drawn.
    package func digest(of request: TileRequest) throws -> ContentDigest {
        try request.encoding.digest(library.grid.read { try plan(request, $0).digest })
    }
}
