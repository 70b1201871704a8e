import Countries
package import Database
import Foundation
import HeatGrid
import LineGrid
import Locking
import Parallelism
import Statistics
import Stays
import TileLog
package import Tracks

/// Rasterises tracks on all cores into runs, within a memory limit.
package struct GridBuild {
    let source: any GridSource
    let calendar: DayCalendar
    let outlierRule: OutlierRule
    /// The byte limit of the arenas of all workers together; above it they are spilled.
    let memoryBytes: Int
    /// Where runs are spilled.
    let storage: any LibraryStorage
    let report: @Sendable (GridProgress) -> Void

    /// `memoryBytes` limits the arenas of all workers together; `report` is called from any thread.
    package init(
        source: any GridSource, calendar: DayCalendar, outlierRule: OutlierRule, memoryBytes: Int,
        storage: any LibraryStorage, report: @escaping @Sendable (GridProgress) -> Void
    ) {
        self.source = source
        self.calendar = calendar
        self.outlierRule = outlierRule
        self.memoryBytes = memoryBytes
        self.storage = storage
        self.report = report
    }

    /// The part of the memory that the rows of tracks may take: they are a twelfth of what is rasterised.
    private static let rowsShare = 16

    /// The state that the workers share.
    private struct Shared: Sendable {
        var points = 0
        var tracks: [RasterisedTrack] = []
        var cells: [FragmentArena] = []
        var lines: [FragmentArena] = []
        var failure: (any Error)?
    }

    /// The spill files for arenas that have grown too large.
    private struct Spills {
        let cells: GridSpill
        let lines: GridSpill
        let rows: GatheredTrackRows
        /// The byte limit of one worker's arenas.
        let byteLimit: Int

        func spillIfFull(_ cellArena: inout CellArena, _ lineArena: inout LineArena) throws {
            guard cellArena.byteCount + lineArena.byteCount > byteLimit else { return }
            if !cellArena.isEmpty {
                var run = ArenaRun<CellDeltas>([cellArena.fragments])
                // The run has a copy. The arena is freed before the run is written, so that memory holds them once.
                cellArena = CellArena()
                try cells.write(&run)
            }
            if !lineArena.isEmpty {
                var run = ArenaRun<LineRuns>([lineArena.fragments])
                lineArena = LineArena()
                try lines.write(&run)
            }
        }
    }

    /// Rasterises those of the tracks that exist.
    package func rasterise(_ numbers: [Int64]) throws -> RasterisedTracks {
        try rasterise(numbers, from: TrackSupply(numbers))
    }

    /// Rasterises those of the tracks that exist and that `supply` gives to this process, and adds those of others.
    func rasterise(_ numbers: [Int64], from supply: TrackSupply) throws -> RasterisedTracks {
        let workers = min(ProcessInfo.processInfo.activeProcessorCount, max(1, numbers.count))
        let shared = Locked(Shared())
        let total = try source.points(ofTracks: numbers)
        let spills = Spills(
            cells: GridSpill(in: storage), lines: GridSpill(in: storage),
            rows: GatheredTrackRows(in: storage, byteLimit: memoryBytes / Self.rowsShare),
            byteLimit: memoryBytes / workers)
        _ = (0..<workers).parallelMap(workers: workers) { _ in
            do {
                try work(supply, shared: shared, spills: spills, totalPoints: total)
            } catch {
                shared.withLock { $0.failure = $0.failure ?? error }
            }
        }
        return try shared.withLock { shared in
            if let failure = shared.failure { throw failure }
            shared.tracks += try supply.addResults(
                of: source, cells: spills.cells, lines: spills.lines, rows: spills.rows)
            return RasterisedTracks(
                tracks: shared.tracks.sorted { $0.track.number < $1.track.number }, rows: spills.rows,
                cells: GatheredFragments(arenas: shared.cells, spill: spills.cells),
                lines: GatheredFragments(arenas: shared.lines, spill: spills.lines))
        }
    }

    private func work(_ supply: TrackSupply, shared: Locked<Shared>, spills: Spills, totalPoints: Int) throws {
        var cells = CellArena()
        var lines = LineArena()
        var sorter = CodeSorter()
        var raster = TrackRaster()
        while true {
            // Each worker takes the next track when it is free, because tracks have from one to millions of points.
            guard shared.withLock({ $0.failure == nil }), let number = try supply.next() else { break }
            guard let track = try source.gridTrack(number) else { continue }
            let (rasterised, rows) = try rasterise(track, &raster, &cells, &lines, using: &sorter, spills)
            try spills.rows.add(rows, ofTrack: track.number)
            let points = shared.withLock { shared in
                shared.tracks.append(rasterised)
                shared.points += track.points
                return shared.points
            }
            // Rasterising counts as half of the work, writing the tiles (`GridUpdate`) as the other half.
            report(
                GridProgress(
                    fraction: 0.5 * Double(points) / Double(max(1, totalPoints)), points: points,
                    totalPoints: totalPoints))
            try spills.spillIfFull(&cells, &lines)
        }
        let (cellFragments, lineFragments) = (cells.fragments, lines.fragments)
        shared.withLock { shared in
            if !cellFragments.isEmpty { shared.cells.append(cellFragments) }
            if !lineFragments.isEmpty { shared.lines.append(lineFragments) }
        }
    }

    private func rasterise(
        _ track: GridTrack, _ raster: inout TrackRaster, _ cells: inout CellArena, _ lines: inout LineArena,
        using sorter: inout CodeSorter, _ spills: Spills
    ) throws -> (RasterisedTrack, TrackRows) {
        var splitter = DaySplitter(calendar: calendar, detector: track.detector(outlierRule))
        var steps: [DayStep] = []
        var figures = TrackFiguresBuilder(calendar: calendar)
        var visits = TileVisitsBuilder()
        var stayCells = StayCellsBuilder()
        var trackLines = TrackLines(track: track.number, person: track.person)
        var cellTiles: [UInt64] = []
        var months: Set<UInt16> = []
        let add = { (day: TrackRaster.Day, arena: inout CellArena) in
            cellTiles += arena.add(day, track: track.number, person: track.person)
            months.insert(LogMonths.period(ofDay: day.day))
        }
        let processSteps = {
            (raster: inout TrackRaster, cells: inout CellArena, lines: inout LineArena, sorter: inout CodeSorter) in
            try raster.add(steps, using: &sorter) { day in
                add(day, &cells)
                try spills.spillIfFull(&cells, &lines)
            }
            visits.add(steps)
            try trackLines.add(steps, into: &lines) { try spills.spillIfFull(&cells, &$0) }
            steps.removeAll(keepingCapacity: true)
        }
        var segmentStarts: [Int] = []
        var points = 0
        try source.forEachChunk(ofTrack: track.number) { chunk in
            splitter.add(chunk, into: &steps)
            figures.add(splitter.classified, splitter.fields)
            stayCells.add(splitter.classified)
            try processSteps(&raster, &cells, &lines, &sorter)
            segmentStarts += chunk.segmentStarts.map { $0 + points }
            points += chunk.count
        }
        splitter.finish(into: &steps)
        figures.add(splitter.classified, splitter.fields)
        stayCells.add(splitter.classified)
        try processSteps(&raster, &cells, &lines, &sorter)
        for day in raster.finish(using: &sorter) { add(day, &cells) }
        trackLines.finish(into: &lines)
        let found = figures.finish()
        let statistics = TrackStatistics(
            totals: TrackTotals(
                person: track.person, activity: track.activityWord ?? "", ends: found.ends, days: found.days),
            visits: visits.finish(), ledger: found.ledger, minutes: TrackMinutes.encoded(found.minutes),
            stayRow: stayCells.finish())
        let tiles = Self.tiles(cells: cellTiles, lines: trackLines.tiles, using: &sorter)
        let rasterised = RasterisedTrack(
            track: track, months: months.union(trackLines.months), days: trackLines.days,
            digest: track.digest(segmentStarts: segmentStarts, fields: splitter.fieldsDigest.value))
        return (rasterised, TrackRows(tiles: tiles, statistics))
    }

    /// The packed keys of the tiles of lines and of those that cells touch; for cells, with all ancestors.
    private static func tiles(
        cells: [UInt64], lines: [UInt64], using sorter: inout CodeSorter
    ) -> [UInt64] {
        var keys = cells
        sorter.sortDistinct(&keys)
        var tiles = lines
        var codes: [UInt64] = []
        for zoom in stride(from: UInt64(16), through: 0, by: -1) {
            // The deepest zoom level is at the end.
            while let key = keys.last, key >> 32 == zoom {
                keys.removeLast()
                codes.append(key & 0xFFFF_FFFF)
            }
            sorter.sortDistinct(&codes)
            tiles += codes.map { zoom << 32 | $0 }
            // Two bits less of a Morton code are the tile's parent.
            for index in codes.indices { codes[index] >>= 2 }
        }
        sorter.sortDistinct(&tiles)
        return tiles
    }
}
