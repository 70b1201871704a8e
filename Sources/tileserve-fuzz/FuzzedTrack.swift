import HeatGrid
import LineGrid
import Replay
import TileLog
import TileMath
import TrackExport
import Tracks

/// A track that was read from made-up bytes, to be used as a library, its map and its listeners use it.
struct FuzzedTrack {
    let chunks: [PointChunk]
    let header: RecordingHeader

    /// So many tracks of an input are used, of so many points at most.
    static let most = 4
    static let mostPoints = 20_000
    private static let calendars = ["Europe/Berlin", "Pacific/Apia"].compactMap { DayCalendar(zone: $0) }

    /// Measures it, walks it by days, draws it into the grid, writes it in every format, and plays it.
    func use() {
        let isStream = header.device != nil
        var measure = TrackMeasure(gap: header.gap, isStream: isStream, cleaning: .standard)
        for chunk in chunks { measure.add(chunk) }
        let summary = measure.finish()
        for calendar in Self.calendars { renderTimes(summary, calendar) }
        for calendar in Self.calendars { draw(summary, calendar, isStream: isStream) }
        let library = FuzzedLibrary(chunks, header, summary, isStream: isStream)
        library.export()
        library.replay()
    }

    private func kind(_ summary: TrackSummary, isStream: Bool) -> OutlierDetector.Kind {
        isStream ? .stream : .file(longSegments: Set(summary.longSegments))
    }

    private func renderTimes(_ summary: TrackSummary, _ calendar: DayCalendar) {
        for instant in [summary.start, summary.end].compactMap({ $0 }) {
            _ = InstantTexts.utc(instant)
            _ = InstantTexts.local(instant, calendar)
            let day = calendar.day(of: instant)
            let stretches = calendar.stretches(ofDay: day)
            precondition(stretches.contains { $0.contains(instant) }, "a day that does not hold its instant")
            _ = CivilDay(daysSince1970: day)
        }
    }

    // MARK: Drawing

    private func draw(_ summary: TrackSummary, _ calendar: DayCalendar, isStream: Bool) {
        let kind = kind(summary, isStream: isStream)
        var walk = DaySplitter(calendar: calendar, gap: header.gap, kind: kind, cleaning: .standard)
        var raster = TrackRaster()
        var sorter = CodeSorter()
        var cells = CellArena()
        var lines = TrackLines(track: 1, person: 0)
        var lineArena = LineArena()
        var steps: [DayStep] = []
        var first: DayStep?
        func take() {
            first = first ?? steps.first
            raster.add(steps, using: &sorter) { _ = cells.add($0, track: 1, person: 0) }
            lines.add(steps, into: &lineArena) { _ in }
            steps.removeAll(keepingCapacity: true)
        }
        for chunk in chunks {
            walk.walk(chunk, into: &steps)
            take()
        }
        walk.finish(into: &steps)
        take()
        for day in raster.finish(using: &sorter) { _ = cells.add(day, track: 1, person: 0) }
        lines.finish(into: &lineArena)
        guard let first else { return }
        drawRecorded(around: first.point, kind, calendar)
        cut(around: first, kind, calendar)
    }

    /// Draws all recorded points and lines of the deepest tile at a place.
    private func drawRecorded(around place: WorldPoint, _ kind: OutlierDetector.Kind, _ calendar: DayCalendar) {
        let zoom = ZoomLevel.deepest
        let shift = Int64(32 - zoom.number)
        guard let tile = TileCoordinate(zoom: zoom, x: Int(place.x >> shift), y: Int(place.y >> shift)) else { return }
        var lines = RecordedLines(tile, unitsPerSide: RecordedUnits.perSide(zoom: zoom))
        var dots = RecordedTilePoints(tile, calendar: calendar)
        var days = DaySplitter(calendar: calendar, gap: header.gap, kind: kind, cleaning: .standard)
        var walk = OutlierDetector(gap: header.gap, kind: kind, cleaning: .standard)
        var trailWalk = walk
        var trail = Polyline()
        var steps: [DayStep] = []
        var walked: [CleanedPoint] = []
        for (index, chunk) in chunks.enumerated() {
            steps.removeAll(keepingCapacity: true)
            days.walk(chunk, near: PlaceBox(round: tile), into: &steps)
            lines.add(steps, ofTrack: 1)
            dots.add(chunk, ofTrack: 1, walk: &walk, begins: index == 0)
            walked.removeAll(keepingCapacity: true)
            trailWalk.walk(chunk, into: &walked)
            trail.add(walked)
        }
        steps.removeAll(keepingCapacity: true)
        days.finish(into: &steps)
        lines.add(steps, ofTrack: 1)
        lines.finish(track: 1)
        dots.finish(track: 1, walk: &walk)
        var marks = TileDecorations()
        trail.add(to: &marks, in: tile) { _ in true }
    }

    /// Cuts the way on the day of a step out of the track.
    private func cut(around step: DayStep, _ kind: OutlierDetector.Kind, _ calendar: DayCalendar) {
        let stretches = calendar.stretches(ofDay: step.day)
        var finder = PathFinder(stretches: stretches, gap: header.gap, kind: kind, cleaning: .standard)
        for chunk in chunks { finder.add(chunk) }
        let path = finder.finish()
        _ = PathCells(of: stretches.flatMap { path.lines(within: $0) })
    }
}
