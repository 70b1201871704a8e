import HeatGrid
import LineGrid
import TileLog
import TileMath
import TileRendering
import TrackStore
import Tracks

extension TileRenderer {
    /// The lines of a picture; nil if the grid has none.
    func lines(_ plan: LinePlan, _ parts: SelectedFragments, _ reader: GridReader) throws -> LineDrawing? {
        guard let lines = plan.lines, lines.content != 0, let key = TileKey(lines.recipe.ground) else { return nil }
        let question = parts.question(parts.days.whole)
        var found = TileLines()
        switch lines.recipe.source {
        case .log: try reader.lines(of: key, window: question.window, filter: question.filter, into: &found)
        case .truth:
            let recorded = try recordedTiles.lines(of: key, content: lines.content, parts.tracks, reader)
            found = recorded.lines(window: question.window, filter: question.filter)
        }
        for cut in parts.days.cut {
            found.append(try self.lines(lines.recipe, on: cut, question.filter, parts.edition, reader))
        }
        return LineDrawing(
            lines.recipe, lines.look, found, partRanks: parts.edition.ranks(of: found.parts, lines.look))
    }

    /// The lines of a partial day, from the recorded points of the tracks that have lines in the source tile.
    private func lines(
        _ recipe: LineRecipe, on cut: PartialDay, _ filter: FragmentFilter, _ edition: GridSnapshot,
        _ reader: GridReader
    ) throws -> TileLines {
        guard let key = TileKey(recipe.ground) else { return TileLines() }
        var named = TileLines()
        try reader.lines(of: key, window: DayWindow(from: cut.day, to: cut.day), filter: filter, into: &named)
        var lines = RecordedLines(recipe.ground, unitsPerSide: recipe.unitsPerSide)
        for track in Set(named.parts.map(\.track)).sorted() {
            let path = try cutDays.path(of: track, on: cut.day, edition, in: library)
            for line in cut.stretches.flatMap({ path.lines(within: $0) }) {
                let steps = line.enumerated().map { index, place in
                    DayStep(place, day: cut.day, begins: index == 0)
                }
                lines.add(steps, ofTrack: track)
            }
            lines.finish(track: track)
        }
        return lines.allLines
    }

    /// The recorded points of a picture; nil if the grid has none.
    func dots(_ plan: LinePlan, _ parts: SelectedFragments, _ reader: GridReader) throws -> PointDrawing? {
        guard let dots = plan.dots, dots.content != 0, let key = TileKey(dots.recipe.ground) else { return nil }
        let recorded = try recordedTiles.dots(of: key, content: dots.content, parts.tracks, reader)
        let filter = parts.question(.allTime).filter
        return PointDrawing(dots.recipe, dots.look, recorded.dots(parts.days, filter: filter))
    }
}
