import TestSupport
import Testing
import TileLog
import TileMath
import Tracks

@testable import LineGrid

@Suite struct TrackLinesTests {
    private static let dayMilliseconds: Int64 = 86_400_000

    /// A walk through a city with a point every five seconds.
    private func walk(_ count: Int, seed: UInt64 = 3, from start: Int64 = 0) -> [PlaceInTime] {
        var random = SeededRandom(seed: seed)
        var (lon, lat) = (13.4, 52.5)
        return (0..<count).map { index in
            lon += Double.random(in: -1e-4...1.4e-4, using: &random)
            lat += Double.random(in: -1e-4...1.2e-4, using: &random)
            return (lon, lat, start + Int64(index) * 5000)
        }
    }

    private func fragments(_ points: [PlaceInTime], zone: String = "UTC", elevations: [Double?] = []) throws
        -> TileLines
    {
        let logs = lineLogs([PointColumns.degrees(points, elevations: elevations)].daySteps(zone: zone))
        return tileLines(logs[0] ?? [])
    }

    @Test func `the bytes of lines do not depend on chunk boundaries`() throws {
        let points = walk(900, from: 86_390_000 - 2_000_000)
        let whole = lineLogs([PointColumns.degrees(points)].daySteps())
        var cut: [PointColumns] = []
        for first in stride(from: 0, to: points.count, by: 97) {
            var chunk = PointColumns.degrees(Array(points[first..<min(first + 97, points.count)]))
            if first > 0 { chunk.segmentStarts = [] }
            cut.append(chunk)
        }
        #expect(lineLogs(cut.daySteps()) == whole)
        #expect(whole.count > 30)
    }

    @Test func `a track too large for memory is written in batches and stays one line`() throws {
        let steps = [PointColumns.degrees(walk(900))].daySteps()
        let goes = lineLogs(steps, vertexLimit: 128)
        let whole = lineLogs(steps)
        // Only the ends of batches may differ: they are kept at every zoom level.
        let deepest = { (logs: [UInt64: [UInt8]]) in logs.filter { $0.key >> 32 == 16 } }
        #expect(Set(deepest(goes).keys) == Set(deepest(whole).keys))
        for (tile, log) in deepest(goes) {
            let (mine, all) = (tileLines(log), tileLines(whole[tile] ?? []))
            #expect(mine.fragments.count == 1)
            // An extra vertex may be where the whole line has none.
            #expect(mine.segments.count >= all.segments.count)
            #expect(mine.segments.count <= all.segments.count + 16)
        }
    }

    @Test func `a line over midnight is cut there by time`() throws {
        let midnight = 20_000 * Self.dayMilliseconds
        for backwards in [false, true] {
            let slow: [PlaceInTime] = [(10, 50, midnight - 8_000_000), (40, 50, midnight + 4_000_000)]
            let lines = try fragments(backwards ? slow.reversed() : slow)
            #expect(lines.fragments.map(\.day) == [19_999, 20_000])
            let segments = lines.segments.map {
                backwards ? PlacedSegment(startX: $0.endX, startY: $0.endY, endX: $0.startX, endY: $0.startY) : $0
            }
            #expect(segments.count == 2)
            #expect(segments[0].endX == segments[1].startX)
            let width = Double(segments[1].endX - segments[0].startX)
            #expect(abs(Double(segments[0].endX - segments[0].startX) / width - 2.0 / 3) < 0.02)
        }
    }

    @Test func `a day with a clock change has one line, and the next day begins at local midnight`() throws {
        // In Berlin clocks went from 2:00 to 3:00 on 2024-03-31, a day that began at 23:00 UTC on the 30th.
        let begin: Int64 = 1_711_839_600_000
        let hours = (-1...24).map { (lon: 13 + Double($0) / 100, lat: 52.5, time: begin + Int64($0) * 3_600_000 + 1) }
        let lines = try fragments(hours.map { ($0.lon, $0.lat, $0.time) }, zone: "Europe/Berlin")
        let day = Int32(begin / Self.dayMilliseconds) + 1
        #expect(lines.fragments.map(\.day) == [day - 1, day, day + 1])
        #expect(lines.fragments.map(\.runs.count) == [1, 1, 1])
    }

    @Test func `a line with an untimed end belongs to the untimed person-day, and timed places keep their day`() throws
    {
        let lines = try fragments([(10, 50, 1000), (10.01, 50, nil), (10.02, 50, 90_000), (10.03, 50, 120_000)])
        #expect(lines.fragments.map(\.day) == [FragmentOrder.untimedDay, 0])
        #expect(lines.fragments[1].runs.count == 2)
        #expect(lines.speeds[lines.runs[0]].allSatisfy { $0 == 0 })
        let window = tileLines(
            lineLogs([PointColumns.degrees([(10, 50, 1000), (10.01, 50, nil)])].daySteps())[0] ?? [],
            window: DayWindow(from: nil, to: 5))
        #expect(window.fragments.map(\.day) == [0])
    }

    @Test func `a gap ends a line, and a lone point is a single vertex`() throws {
        let steps = [PointColumns.degrees([(10, 50, 0), (20, 50, 1000), (20, 50, 2000)])].daySteps()
        let lines = tileLines(lineLogs(steps)[0] ?? [])
        #expect(lines.runs.map(\.count) == [1, 1])
        #expect(lines.speeds == [0, 0])
    }

    @Test func `speeds equal those of the recorded points`() throws {
        // Ten metres per second eastwards on the equator.
        let step = 50 / 111_195.08
        let points = (0..<100).map { (lon: 10 + Double($0) * step, lat: 0.0, time: Int64?(Int64($0) * 5000)) }
        for (tile, log) in lineLogs([PointColumns.degrees(points)].daySteps()) where tile >> 32 > 12 {
            let lines = tileLines(log)
            for run in lines.runs {
                for index in run.dropFirst() {
                    let speed = try #require(SpeedCode.metresPerSecond(lines.speeds[index]))
                    #expect(abs(speed - 10) < 0.4)
                }
            }
        }
    }

    @Test func `elevations are kept, and points without an elevation get none`() throws {
        var points: [PlaceInTime] = []
        for index in 0..<8 {
            points.append((10 + Double(index % 2) * 0.001, 50 + Double(index) * 0.001, Int64(index) * 60_000))
        }
        let elevations: [Double?] = [100.4, 101.6, nil, -3.2, 8848, nil, nil, 40_000]
        let logs = lineLogs([PointColumns.degrees(points, elevations: elevations)].daySteps())
        let none = TileLines.noElevation
        var seen: Set<Int16> = []
        for (tile, log) in logs where tile >> 32 == 16 { seen.formUnion(tileLines(log).elevations) }
        #expect(seen == [100, 102, none, -3, 8848, 32767])
        let lines = tileLines(logs.filter { $0.key >> 32 == 14 }.map(\.value).max { $0.count < $1.count } ?? [])
        #expect(lines.elevations.count == lines.xs.count)
        #expect(lines.elevations.prefix(4) == [100, 102, none, -3])
    }

    @Test func `a line many times round the world is cut and loses nothing`() throws {
        // Twelve turns in steps of 60°, near the pole, where they are short.
        let points = (0...72).map { index -> PlaceInTime in
            let turned = (index * 60 + 180) % 360
            return (Double(turned) - 180, 84, nil)
        }
        var track = TrackLines(track: 1, person: 1)
        var arena = LineArena()
        track.add([PointColumns.degrees(points)].daySteps(zone: "UTC"), into: &arena) { _ in }
        let xs = track.vertices.xs
        var turns = 0.0
        for run in track.runs {
            #expect(run.vertices.allSatisfy { abs(xs[$0]) < 10 << 26 })
            turns += Double(xs[run.vertices.upperBound - 1] - xs[run.vertices.lowerBound]) / Double(1 << 26)
        }
        #expect(turns == 12)
    }

    @Test func `windows and filters select fragments`() throws {
        let points = walk(4000, from: 20_000 * Self.dayMilliseconds - 3_600_000)
        let log = lineLogs([PointColumns.degrees(points)].daySteps())[0] ?? []
        #expect(tileLines(log).fragments.map(\.day) == [19_999, 20_000])
        #expect(tileLines(log, window: DayWindow(from: 20_000, to: nil)).fragments.map(\.day) == [20_000])
        #expect(tileLines(log, window: DayWindow(from: nil, to: 19_999)).fragments.map(\.day) == [19_999])
        #expect(tileLines(log, window: DayWindow(from: 5, to: 4)).isEmpty)
        #expect(tileLines(log, filter: .tracks(TrackSet([6, 8]))).isEmpty)
        #expect(tileLines(log, filter: .tracks(TrackSet([7]))) == tileLines(log))
    }

    @Test func `reading random bytes as lines never traps`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let lines = tileLines(bytes)
            #expect(lines.xs.count == lines.ys.count && lines.xs.count == lines.speeds.count)
            #expect(lines.xs.count == lines.elevations.count)
            #expect(lines.runs.last?.upperBound ?? 0 == lines.xs.count)
        }
    }

    @Test func `the fast computation of speed codes equals the formula`() {
        let steps = SpeedSteps()
        var speed = 0.01
        while speed < 500 {
            speed *= 1.0003
            #expect(steps.code(metresPerSecond: speed) == SpeedCode.code(metresPerSecond: speed))
        }
        for speed in [0, -1, .nan, .infinity, 0.1, 430, 1e9] {
            #expect(steps.code(metresPerSecond: speed) == SpeedCode.code(metresPerSecond: speed))
        }
    }
}
