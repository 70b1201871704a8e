import Journeys
import TestSupport
import Testing
import TileMath

/// A route eastwards along the equator with places every 0.01°, whose stages take these seconds.
func route(_ stages: [Int], isSingle: Bool = false, level: Int = 1800) throws -> JourneyRoute {
    let places = try (0...stages.count).map { index in
        JourneyPlace(
            "P\(index)", at: try #require(GeoPoint(longitude: Double(index) * 0.01, latitude: 0)),
            seconds: index == 0 ? nil : stages[index - 1])
    }
    return try JourneyRoute("Test", level: level, isSingle: isSingle, places: places)
}

private func session(_ start: Int64, _ seconds: Int, _ destination: Int? = nil, id: String? = nil) -> FocusSession {
    FocusSession(id: id ?? "\(start)", person: nil, start: start * 1000, seconds: seconds, destination: destination)
}

/// What `FocusFold` has to give for sessions that add up, counted millisecond by millisecond.
private func counted(_ route: JourneyRoute, _ sessions: [FocusSession], _ now: Int64) -> (Int64, [Int64?]) {
    let milestones = route.milestones
    var position: Int64 = 0
    var reached: [Int64?] = [nil]
    var caps: [String: Int64] = [:]
    guard let first = sessions.map(\.start).min() else { return (0, reached) }
    var crossed: [(milestone: Int, instant: Int64)] = []
    for time in first..<max(first, now) {
        for session in sessions.sorted() where session.start == time {
            let next = milestones.first { $0 > position } ?? milestones[milestones.count - 1]
            caps[session.id] = max(next, session.destination.map { milestones[$0] } ?? next)
        }
        let running = sessions.filter { $0.start <= time && time < $0.end && caps[$0.id] ?? 0 > position }
        guard let cap = running.compactMap({ caps[$0.id] }).min() else { continue }
        let moved = min(cap, position + Int64(running.count))
        for index in milestones.indices where milestones[index] > position && milestones[index] <= moved {
            crossed.append((index, max(time + 1, running.map(\.cancelUntil).max() ?? 0)))
        }
        position = moved
    }
    var instant: Int64 = 0
    for one in crossed {
        // In their order.
        instant = max(instant, one.instant)
        guard instant <= now else { break }
        reached.append(instant)
    }
    return (position, reached)
}

@Suite struct FocusFoldTests {
    @Test func `two quarters of an hour reach a place half an hour away, but not where one session has to`() throws {
        let sessions = [session(0, 900), session(5000, 900)]
        for (isSingle, reached) in [(false, 2), (true, 1)] {
            let route = try route([1800, 1800], isSingle: isSingle)
            let measure = RouteMeasure(route)
            let progress = FocusFold(route, sessions).progress(at: 6_000_000, on: measure)
            #expect(progress.unlocked.count == reached)
            #expect(isSingle ? progress.metres == 0 : abs(progress.metres - measure.journeyMetres / 2) < 0.01)
            #expect(!progress.isDone(on: route))
        }
        let single = try route([1800, 1800], isSingle: true)
        let progress = FocusFold(single, [session(0, 1800)]).progress(at: 1_800_000, on: RouteMeasure(single))
        #expect(progress.unlocked.map(\.instant) == [nil, 1_800_000])
    }

    @Test func `the figure moves in step with the clock to the destination, and no farther`() throws {
        let route = try route([100, 200, 300])
        let measure = RouteMeasure(route)
        let fold = FocusFold(route, [session(1000, 600, 2)])
        func part(_ second: Int64) -> Double {
            fold.progress(at: second * 1000, on: measure).metres / measure.journeyMetres
        }
        #expect(part(900) == 0 && part(1000) == 0)
        #expect(abs(part(1050) - 0.5 / 3) < 1e-9)
        #expect(abs(part(1200) - 1.5 / 3) < 1e-9)
        // The destination is the third place, after 300 s.
        #expect(abs(part(1300) - 2.0 / 3) < 1e-9 && part(1301) == part(9000))
        let unlocked = fold.progress(at: 1_600_000, on: measure).unlocked
        #expect(unlocked.map(\.instant) == [nil, 1_100_000, 1_300_000])
        // Without a destination it is the next place.
        let next = FocusFold(route, [session(1000, 600)]).progress(at: 9_000_000, on: measure)
        #expect(next.unlocked.count == 2)
    }

    @Test func `a session can be cancelled for ten seconds, or until its end, and then never counted`() throws {
        let long = session(100, 60)
        #expect(long.canCancel(at: 109_999) && long.canCancel(at: 110_000) && !long.canCancel(at: 110_001))
        #expect(long.state(at: 105_000) == .running && long.state(at: 110_001) == .committed)
        #expect(long.state(at: 159_999) == .committed && long.state(at: 160_000) == .done)
        let short = session(100, 1)
        #expect(short.canCancel(at: 101_000) && !short.canCancel(at: 101_001))
        #expect(short.state(at: 101_000) == .done && short.focus(at: 101_000) == 1000)
        var cancelled = long
        cancelled.isCancelled = true
        #expect(cancelled.state(at: 0) == .cancelled && cancelled.focus(at: .max) == 0)
        #expect(!cancelled.canCancel(at: 100_001))
        let route = try route([5, 20])
        let measure = RouteMeasure(route)
        let progress = FocusFold(route, [cancelled]).progress(at: 1_000_000, on: measure)
        #expect(progress.metres == 0 && progress.unlocked.count == 1)
        // While it may be cancelled, the figure moves, but no place is reached.
        let running = FocusFold(route, [session(100, 60, 2)])
        #expect(running.progress(at: 108_000, on: measure).unlocked.count == 1)
        #expect(running.progress(at: 108_000, on: measure).metres > 0)
        #expect(running.progress(at: 110_000, on: measure).unlocked.map(\.instant) == [nil, 110_000])
    }

    @Test(arguments: 0..<12) func `the fold is the count of each millisecond, whoever runs at once`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let stages = (0..<(1 + random.below(4))).map { _ in 1 + random.below(5) }
        let route = try route(stages)
        let measure = RouteMeasure(route)
        let sessions = (0..<(1 + random.below(6))).map { index in
            FocusSession(
                id: "\(index)", person: "\(index % 3)", start: Int64(random.below(20_000)),
                seconds: 1 + random.below(6),
                destination: random.below(3) == 0 ? random.below(stages.count + 1) : nil)
        }
        for now in [0, 3000, 9000, 15_000, 40_000] as [Int64] {
            let (position, reached) = counted(route, sessions, now)
            for order in [sessions, sessions.reversed()] {
                let progress = FocusFold(route, order).progress(at: now, on: measure)
                let total = Double(route.milestones.last ?? 0)
                // With several sessions at once the position is exact to a millisecond of each.
                let found = progress.metres / measure.journeyMetres
                let expected = FocusFoldTests.part(route, position)
                #expect(abs(found - expected) <= 6 / total, "seed \(seed) at \(now)")
                #expect(progress.unlocked.count == reached.count, "seed \(seed) at \(now)")
                for (one, other) in zip(progress.unlocked, reached) {
                    #expect(abs((one.instant ?? 0) - (other ?? 0)) <= 3, "seed \(seed) at \(now)")
                }
            }
        }
    }

    /// The part of the way at a position along the stages, whose places are equally far from each other.
    private static func part(_ route: JourneyRoute, _ position: Int64) -> Double {
        let milestones = route.milestones
        guard let next = milestones.firstIndex(where: { $0 > position }) else { return 1 }
        let part = Double(position - milestones[next - 1]) / Double(milestones[next] - milestones[next - 1])
        return (Double(next - 1) + part) / Double(milestones.count - 1)
    }

    @Test(arguments: 0..<20) func `progress never goes back, and what is reached stays`(seed: Int) throws {
        var random = SeededRandom(seed: 100 + seed)
        let route = try route((0..<4).map { _ in 1 + random.below(30) }, isSingle: seed % 2 == 0)
        let measure = RouteMeasure(route)
        // One person, one session at a time.
        var time: Int64 = 0
        let sessions = (0..<8).map { index in
            time += Int64(random.below(20_000))
            defer { time += 40_000 }
            return FocusSession(id: "\(index)", person: nil, start: time, seconds: 1 + random.below(40))
        }
        let fold = FocusFold(route, sessions)
        var last = fold.progress(at: 0, on: measure)
        for now in stride(from: Int64(0), to: time, by: 777) {
            let progress = fold.progress(at: now, on: measure)
            #expect(progress.metres >= last.metres - 1e-9, "seed \(seed) at \(now)")
            #expect(progress.unlocked.starts(with: last.unlocked), "seed \(seed) at \(now)")
            last = progress
        }
    }
}
