import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

/// Two vertices in quarter pixels of a zoom level from the north-western corner of the world; equal for a lone vertex.
struct PlacedSegment: Hashable {
    var startX: Int
    var startY: Int
    var endX: Int
    var endY: Int

    func shifted(x: Int, y: Int) -> PlacedSegment {
        PlacedSegment(startX: startX + x, startY: startY + y, endX: endX + x, endY: endY + y)
    }
}

/// The log of each tile that has lines, by packed key.
func lineLogs(_ steps: [DayStep], vertexLimit: Int = TrackLines.defaultVertexLimit) -> [UInt64: [UInt8]] {
    var arena = LineArena()
    var track = TrackLines(track: 7, person: 1, vertexLimit: vertexLimit)
    track.add(steps, into: &arena) { _ in }
    track.finish(into: &arena)
    var run = ArenaRun<LineRuns>([arena.fragments])
    var logs: [UInt64: [UInt8]] = [:]
    while let tile = run.nextTile { logs[tile] = run.takeLog() }
    return logs
}

func tileLines(_ log: [UInt8], window: DayWindow = .allTime, filter: FragmentFilter = .all) -> TileLines {
    var lines = TileLines()
    LineReader.read(log.span, window: window, filter: filter, into: &lines)
    return lines
}

extension TileLines {
    /// The segments of all runs in the tile's coordinates; a lone vertex is a segment of length 0.
    var segments: [PlacedSegment] {
        runs.flatMap { run -> [PlacedSegment] in
            if run.count == 1 {
                let (x, y) = (Int(xs[run.lowerBound]), Int(ys[run.lowerBound]))
                return [PlacedSegment(startX: x, startY: y, endX: x, endY: y)]
            }
            return run.dropLast().map {
                PlacedSegment(startX: Int(xs[$0]), startY: Int(ys[$0]), endX: Int(xs[$0 + 1]), endY: Int(ys[$0 + 1]))
            }
        }
    }
}
