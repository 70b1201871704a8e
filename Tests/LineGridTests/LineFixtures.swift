import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

/// splitmix64: a deterministic random number generator.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

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

/// A point in degrees and milliseconds.
typealias TestPoint = (lon: Double, lat: Double, time: Int64?)

func testChunk(_ points: [TestPoint], elevations: [Double?] = []) -> PointChunk {
    var fields: [FieldColumn] = []
    if !elevations.isEmpty {
        let numbers = elevations.map { $0.map { Int64(($0 * 10).rounded()) } ?? FieldColumn.absent }
        fields = [FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, numbers))]
    }
    return PointChunk(
        unit: .decimal(places: 7), longitudes: points.map { Int64(($0.lon * 1e7).rounded()) },
        latitudes: points.map { Int64(($0.lat * 1e7).rounded()) }, times: points.map { $0.time ?? PointChunk.untimed },
        segmentStarts: [0], fields: fields)
}

func testSteps(_ chunks: [PointChunk], zone: String = "UTC", gap: GapRule = .none) throws -> [DayStep] {
    let calendar = try #require(DayCalendar(zone: zone))
    var splitter = DaySplitter(calendar: calendar, gap: gap, kind: .file(longSegments: []), cleaning: .standard)
    var steps: [DayStep] = []
    for chunk in chunks { splitter.add(chunk, into: &steps) }
    splitter.finish(into: &steps)
    return steps
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
