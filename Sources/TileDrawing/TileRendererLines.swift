import GridStorage
import HeatGrid
import LineGrid
import Styling
import TileLog
import TileMath
import TileRendering
import Tracks

extension TileRenderer {
    /// The lines of a picture; nil if the grid has none.
    func lines(_ plan: LinePlan, _ fragments: SelectedFragments, _ reader: GridReader) throws -> LineDrawing? {
        guard let lines = plan.lines, lines.content != 0, let key = TileKey(lines.layout.sourceTile) else { return nil }
        let query = fragments.query(fragments.days.whole)
        // Named tracks are few: their exact edges cost little.
        let usesRaster = fragments.tracks == nil && lines.layout.canUseRaster
        var found = TileLines()
        var stored: [StoredLines] = []
        if usesRaster, case .all = query.filter {
            try reader.lines(
                of: key, window: query.window, property: lines.symbolizer.property, into: &found, stored: &stored)
            try addPartialDays(lines.layout, fragments, query.filter, reader, to: &found)
        } else {
            found = try self.lines(lines.layout, content: lines.content, fragments, query.filter, reader)
        }
        return LineDrawing(
            lines.layout, lines.symbolizer, found,
            rasters: stored.map { LineDrawing.Raster(points: $0.raster, codes: $0.codes) },
            method: usesRaster ? .raster : .distances,
            fragmentRanks: fragments.gridSnapshot.ranks(of: found.fragments, lines.symbolizer),
            codeRank: fragments.gridSnapshot.codeRank(lines.symbolizer))
    }

    /// The lines of a layout's source tile whose content is not 0: those of the fragments that pass the filter.
    func lines(
        _ layout: LineTileLayout, content: UInt64, _ fragments: SelectedFragments, _ filter: FragmentFilter,
        _ reader: GridReader
    ) throws -> TileLines {
        guard let key = TileKey(layout.sourceTile) else { return TileLines() }
        let window = fragments.query(fragments.days.whole).window
        var found = TileLines()
        switch layout.source {
        case .log: try reader.lines(of: key, window: window, filter: filter, into: &found)
        case .recordedPoints:
            let recorded = try recordedTiles.lines(of: key, content: content, fragments.tracks, reader)
            found = recorded.lines(window: window, filter: filter)
        }
        try addPartialDays(layout, fragments, filter, reader, to: &found)
        return found
    }

    private func addPartialDays(
        _ layout: LineTileLayout, _ fragments: SelectedFragments, _ filter: FragmentFilter, _ reader: GridReader,
        to found: inout TileLines
    ) throws {
        for partial in fragments.days.partial {
            found.append(try lines(layout, on: partial, filter, fragments.gridSnapshot, reader))
        }
    }

    /// The lines of a partial day, from the recorded points of the tracks that have lines in the source tile.
    private func lines(
        _ layout: LineTileLayout, on partial: PartialDay, _ filter: FragmentFilter, _ gridSnapshot: GridSnapshot,
        _ reader: GridReader
    ) throws -> TileLines {
        guard let key = TileKey(layout.sourceTile) else { return TileLines() }
        var named = TileLines()
        try reader.lines(of: key, window: DayWindow(from: partial.day, to: partial.day), filter: filter, into: &named)
        var lines = RecordedLines(layout.sourceTile, unitsPerSide: layout.unitsPerSide)
        for track in Set(named.fragments.map(\.track)).sorted() {
            let path = try partialDayCache.path(of: track, on: partial.day, gridSnapshot, in: library)
            for line in partial.timeRanges.flatMap({ path.lines(within: $0) }) {
                let steps = line.enumerated().map { index, place in
                    DayStep(place, day: partial.day, begins: index == 0)
                }
                lines.add(steps, ofTrack: track)
            }
            lines.finish(track: track)
        }
        return lines.allLines
    }

    /// The recorded points of a picture; nil if the grid has none.
    func points(_ plan: LinePlan, _ fragments: SelectedFragments, _ reader: GridReader) throws -> PointDrawing? {
        guard let points = plan.points, points.content != 0, let key = TileKey(points.layout.sourceTile) else {
            return nil
        }
        let recorded = try recordedTiles.points(of: key, content: points.content, fragments.tracks, reader)
        let filter = fragments.query(.allTime).filter
        return PointDrawing(points.layout, points.symbolizer, recorded.points(fragments.days, filter: filter))
    }
}

extension TileRenderer {
    /// The decorations of the selected tracks, in and around a tile.
    func decorations(in tile: TileCoordinate, _ fragments: SelectedFragments) throws -> TileDecorations {
        var decorations = TileDecorations()
        let whole = fragments.days.whole
        let calendar =
            whole.isAllTime ? nil : try partialDayCache.calendar(of: fragments.gridSnapshot.state, in: library)
        for track in fragments.tracks?.numbers ?? [] {
            try polylineCache.addDecorations(of: track, to: &decorations, in: tile, fragments.gridSnapshot, library) {
                time in
                guard let calendar else { return true }
                guard time != PointColumns.untimed else { return false }
                let day = calendar.day(of: time)
                if whole.days?.contains(day) == true { return true }
                return fragments.days.partial.contains { $0.day == day && $0.timeRanges.contains { $0.contains(time) } }
            }
        }
        return decorations
    }
}
