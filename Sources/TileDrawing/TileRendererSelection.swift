import HeatGrid
import TileLog
package import TileMath
import TrackStore
import Tracks

extension TileRenderer {
    /// Resolves a selection; throws a problem if its layer or a track does not exist for the viewer.
    func fragments(of selection: TileSelection, _ gridSnapshot: GridSnapshot, _ reader: GridReader) throws
        -> SelectedFragments
    {
        let tracks = try trackNames.tracks(of: selection, in: library)
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

    /// The counts of a tile on some days: of whole days from the log, of partial days from the points of the tracks.
    func counts(
        of tile: TileKey, _ fragments: SelectedFragments, _ days: WindowDays, _ reader: GridReader,
        using tiles: inout TileReader
    ) throws -> CellCounts {
        let query = fragments.query(days.whole)
        let whole = try reader.counts(of: tile, query, using: &tiles)
        var personDays: [[PathCells]] = []
        for partial in days.partial {
            var last: Int64?
            for fragment in try reader.fragments(of: tile, day: partial.day, query.filter) {
                let cells = try partialDayCache.cells(of: fragment.track, partial, fragments.gridSnapshot, in: library)
                if fragment.person == last {
                    personDays[personDays.count - 1].append(cells)
                } else {
                    personDays.append([cells])
                }
                last = fragment.person
            }
        }
        return personDays.isEmpty ? whole : tiles.counts(whole, adding: personDays, in: tile)
    }

    /// The bounding box of the tracks that a selection names, nil if none has a place; `everywhere` if it names none.
    package func bounds(of selection: TileSelection, everywhere: BoundingBox?) throws -> BoundingBox? {
        if let state { _ = try days(of: selection.window, state) }
        guard let tracks = try trackNames.tracks(of: selection, in: library) else { return everywhere }
        let boxes = try library.database.read { snapshot in
            try tracks.numbers.compactMap { try snapshot.track(number: $0)?.bounds }
        }
        return .enclosing(boxes.compactMap { BoundingBox($0) })
    }
}
