import Testing
import Tracks

@Suite struct RestDetectorTests {
    /// The share of the way that is lost, of a track in motion.
    private func loss(_ track: SimulatedTrack) -> Double {
        let (summary, lines) = track.measured()
        return 1 - summary.metres / lines
    }

    @Test(arguments: [
        (4.5, 10.0, 0.0), (4.5, 1.0, 0.9), (8.0, 5.0, 0.8), (15.0, 10.0, 0.0), (3.0, 60.0, 0.0), (12, 300, 0),
        (5, 1, 0.983),
    ])
    func `two hours at one place have hardly any way`(noise: Double, every: Double, memory: Double) {
        for seed in 1...10 {
            var track = SimulatedTrack(noise: noise, memory: memory, seed: UInt64(seed))
            track.stand(7200, every: every)
            let (summary, lines) = track.measured()
            #expect(summary.metres <= max(300, lines * 0.1), "\(summary.metres) of \(lines)")
        }
    }

    @Test func `a night at home has no way, however sparse the points are`() {
        for every in [30.0, 120, 600, 1500] {
            var track = SimulatedTrack(noise: 10, seed: 3)
            track.stand(9 * 3600, every: every)
            track.accuracies = [Int64](repeating: 30, count: track.places.count)
            #expect(track.measured().summary.metres < 100, "every \(every) s")
        }
    }

    @Test(arguments: [1.0, 3, 5, 10])
    func `what moves slowly, to and fro or round, loses nothing`(every: Double) {
        for seed in 1...5 {
            let noise = 2.0
            func track() -> SimulatedTrack { SimulatedTrack(noise: noise, memory: 0.95, seed: UInt64(seed)) }
            // With points 10 s apart, a length of 25 m has three of them, which show no direction.
            for length in every > 5 ? [50.0] : [25, 50] {
                var pool = track()
                for lap in 0..<40 { pool.go(to: lap % 2 == 0 ? length : 0, 0, at: 0.9, every: every) }
                #expect(loss(pool) < 0.01, "a pool of \(length) m, every \(every) s")
            }
            var ascent = track()
            ascent.go(to: 60, 40, up: 760, at: 0.2, every: every)
            #expect(loss(ascent) < 0.01, "an ascent, every \(every) s")
            var zigzag = track()
            for turn in 1...40 { zigzag.go(to: turn % 2 == 0 ? 0 : 20, Double(turn) * 3, at: 0.5, every: every) }
            #expect(loss(zigzag) < 0.01, "zigzags, every \(every) s")
            var laps = track()
            laps.circle(radius: 20, rounds: 10, at: 1.5, every: every)
            #expect(loss(laps) < 0.01, "laps, every \(every) s")
            var walk = track()
            for turn in 1...30 { walk.go(to: Double(turn) * 80, turn % 2 == 0 ? 0 : 60, at: 1.1, every: every) }
            #expect(loss(walk) < 0.01, "a walk, every \(every) s")
        }
    }

    @Test func `a hike loses only the errors of its breaks`() {
        for seed in 1...8 {
            var hike = SimulatedTrack(noise: 3, memory: 0.97, seed: UInt64(seed))
            for turn in 1...20 {
                hike.go(to: Double(turn) * 500, turn % 2 == 0 ? 0 : 100, up: 400 + Double(turn) * 20, at: 1.2, every: 2)
                if turn % 4 == 0 { hike.stand(900, every: 2) }
            }
            let (summary, lines) = hike.measured()
            #expect(summary.metres > hike.way * 0.995 && summary.metres < lines)
            #expect(summary.annotations.rests.count >= 5)
        }
    }

    @Test func `rests do not depend on how points are divided into chunks`() {
        var track = SimulatedTrack(noise: 4, memory: 0.5, seed: 9)
        for turn in 1...6 {
            track.go(to: Double(turn) * 300, 0, at: 1.3)
            track.stand(1000)
        }
        let whole = track.measured(portion: 100_000).summary
        for size in [1, 7, 100, 4096] { #expect(track.measured(portion: size).summary == whole) }
        #expect(whole.annotations.rests.count >= 6)
    }

    @Test func `a track that begins with its newest point has the same rests`() {
        var track = SimulatedTrack(noise: 4, memory: 0.5, seed: 9)
        track.go(to: 300, 0, at: 1.3)
        track.stand(2000)
        track.go(to: 600, 0, at: 1.3)
        let forward = track.measured().summary
        track.places.reverse()
        let backward = track.measured().summary
        #expect(abs(forward.metres - backward.metres) < 100)
        #expect(forward.annotations.rests.count == 1 && backward.annotations.rests.count == 1)
    }

    @Test func `a short stop is way`() {
        var track = SimulatedTrack(noise: 2, seed: 4)
        track.go(to: 300, 0, at: 5)
        track.stand(90)
        track.go(to: 900, 0, at: 5)
        #expect(track.measured().summary.annotations.rests.isEmpty)
    }

    @Test func `points recorded as stationary are at rest without more`() {
        let count = 50
        func chunk(
            _ motion: FieldColumn.Values, speed: Int64, step: Int64 = 10_000, field: String = "motion"
        ) -> PointColumns {
            PointColumns(
                unit: .decimal(places: 7), longitudes: (0..<count).map { 80_000_000 + Int64($0 % 2) * step },
                latitudes: [Int64](repeating: 470_000_000, count: count), times: (0..<count).map { Int64($0) * 60_000 },
                segmentStarts: [0],
                fields: [
                    FieldColumn(name: field, values: motion),
                    FieldColumn(
                        name: FieldName.speed, values: .numbers(places: 0, [Int64](repeating: speed, count: count))),
                ])
        }
        func text(_ text: String) -> FieldColumn.Values { .texts([String?](repeating: text, count: count)) }
        func number(_ number: Int64) -> FieldColumn.Values {
            .numbers(places: 0, [Int64](repeating: number, count: count))
        }
        func metres(_ chunk: PointColumns) -> Double {
            var builder = TrackSummaryBuilder(gap: .standard, isStream: true, outlierRule: .standard)
            builder.add(chunk)
            return builder.finish().metres
        }
        #expect(metres(chunk(text("stationary"), speed: 0)) < 1e-6)
        for still in [number(0), text("0"), text("false")] {
            #expect(metres(chunk(still, speed: 0, field: "is_moving")) < 1e-6)
        }
        for moving in [number(1), number(FieldColumn.absent), text("1"), text("true")] {
            #expect(metres(chunk(moving, speed: 0, step: 50_000, field: "is_moving")) > 15_000)
        }
        // An app that records only where it stops.
        #expect(metres(chunk(text("stationary"), speed: 0, step: 50_000)) > 15_000)
        #expect(metres(chunk(text("driving,stationary"), speed: 0, step: 50_000)) > 15_000)
        #expect(metres(chunk(text("stationary"), speed: 2, step: 50_000)) > 15_000)
    }
}
