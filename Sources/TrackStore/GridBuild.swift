import Dispatch
import Foundation
import HeatGrid
import Locking
import PieceLog
import TileMath
import Tracks

/// How far the making of a grid is.
public struct GridProgress: Sendable, Equatable {
    /// 0…1: half of it the points rasterised, half the bytes of tiles written, as the time goes.
    public var fraction: Double
    /// Points rasterised so far.
    public var points: Int
    /// Points there are to rasterise.
    public var pointsInAll: Int
}

/// A track as rasterised: what the grid keeps of it beside its parts.
struct RasterisedTrack: Sendable {
    var track: GridTrack
    /// Morton codes of the tiles of zoom level 16 it touches, ascending.
    var tiles: [UInt64]
    /// The periods of the months it has pieces in.
    var months: Set<UInt16>
    /// See `GridTrack.seed`.
    var seed: UInt64
}

/// Rasterises tracks on all cores into runs, within bounds of memory.
struct GridBuild {
    let source: any GridSource
    let calendar: DayCalendar
    /// Bytes that the workers' arenas may take together before they are spilled.
    let memoryBytes: Int
    let spill: GridSpill
    let report: @Sendable (GridProgress) -> Void

    /// What the workers share.
    private struct Shared: Sendable {
        var nextTrack = 0
        var points = 0
        var rasterised: [RasterisedTrack] = []
        var arenas: [CellArena] = []
        var failure: (any Error)?
    }

    /// The tracks that are there, and their parts as runs.
    func rasterise(_ numbers: [Int64]) throws -> (tracks: [RasterisedTrack], run: MergedRuns<CellDeltas>, logBytes: Int)
    {
        let workers = min(ProcessInfo.processInfo.activeProcessorCount, max(1, numbers.count))
        let shared = Locked(Shared())
        let total = try pointsInAll(numbers)
        DispatchQueue.concurrentPerform(iterations: workers) { _ in
            do {
                try work(numbers, shared: shared, arenaBytes: memoryBytes / workers, pointsInAll: total)
            } catch {
                shared.withLock { $0.failure = $0.failure ?? error }
            }
        }
        let (tracks, arenas, failure) = shared.withLock { ($0.rasterised, $0.arenas, $0.failure) }
        if let failure { throw failure }
        let inMemory = ArenaRun<CellDeltas>(arenas.map(\.parts))
        let spilled = try spill.runs()
        return (
            tracks.sorted { $0.track.number < $1.track.number }, MergedRuns([inMemory] + spilled),
            spill.byteCount + inMemory.byteCount
        )
    }

    private func pointsInAll(_ numbers: [Int64]) throws -> Int {
        try numbers.reduce(0) { $0 + (try source.gridTrack($1)?.points ?? 0) }
    }

    private func work(_ numbers: [Int64], shared: Locked<Shared>, arenaBytes: Int, pointsInAll: Int) throws {
        var arena = CellArena()
        var sorter = CodeSorter()
        while true {
            let index = shared.withLock { shared in
                defer { shared.nextTrack += 1 }
                return shared.failure == nil ? shared.nextTrack : numbers.count
            }
            guard index < numbers.count else { break }
            guard let track = try source.gridTrack(numbers[index]) else { continue }
            let rasterised = try rasterise(track, into: &arena, using: &sorter, arenaBytes: arenaBytes)
            let points = shared.withLock { shared in
                shared.rasterised.append(rasterised)
                shared.points += track.points
                return shared.points
            }
            report(
                GridProgress(
                    fraction: 0.5 * Double(points) / Double(max(1, pointsInAll)), points: points,
                    pointsInAll: pointsInAll))
            if arena.byteCount > arenaBytes { try spillAll(of: &arena) }
        }
        guard !arena.isEmpty else { return }
        let finished = arena
        shared.withLock { $0.arenas.append(finished) }
    }

    private func spillAll(of arena: inout CellArena) throws {
        var run = ArenaRun<CellDeltas>([arena.parts])
        arena = CellArena()
        try spill.write(&run)
    }

    private func rasterise(
        _ track: GridTrack, into arena: inout CellArena, using sorter: inout CodeSorter, arenaBytes: Int
    ) throws -> RasterisedTrack {
        let kind: TrackWalk.Kind = track.isStream ? .stream : .file(longSegments: Set(track.longSegments))
        var raster = TrackRaster(calendar: calendar, gap: track.gap, kind: kind)
        var segmentStarts: [Int] = []
        var points = 0
        var tiles: [UInt64] = []
        var months: Set<UInt16> = []
        let add = { (day: TrackRaster.Day, arena: inout CellArena) in
            tiles += arena.add(day, track: track.number, person: track.person)
            months.insert(LogMonths.period(ofDay: day.day))
        }
        try source.forEachChunk(ofTrack: track.number) { chunk in
            try raster.add(chunk, using: &sorter) { day in
                add(day, &arena)
                if arena.byteCount > arenaBytes { try spillAll(of: &arena) }
            }
            segmentStarts += chunk.segmentStarts.map { $0 + points }
            points += chunk.count
        }
        for day in raster.finish(using: &sorter) { add(day, &arena) }
        sorter.sortDistinct(&tiles)
        return RasterisedTrack(
            track: track, tiles: tiles, months: months, seed: track.seed(segmentStarts: segmentStarts))
    }
}
