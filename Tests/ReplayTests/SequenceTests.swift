import Replay
import TestSupport
import Testing
import TileMath
import Tracks

@Suite("A replay's sequence of events")
struct SequenceTests {
    @Test("resumes after any event with the same bytes", arguments: 0..<5)
    func resume(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed, tracks: 4)
        var random = SeededRandom(seed: seed)
        for query in try ReplayQuery.varied(seed: seed) {
            let all = try events(query, library)
            #expect(all.first?.name == .start && all.last?.name == .end, "\(query)")
            for index in sample(all.count - 1, &random) {
                let event = all[index]
                let rest = try events(query, library, after: event.id)
                guard rest.map(\.whole) == all[(index + 1)...].map(\.whole) else {
                    Issue.record("behind event \(index), \(event.line), of \(query)")
                    return
                }
            }
        }
    }

    @Test("resumes identically from cached seek points", arguments: 20..<22)
    func seekIndex(seed: Int) throws {
        var library = SyntheticLibrary()
        var random = SeededRandom(seed: seed)
        for _ in 0..<2 { library.addLong(&random, points: 700) }
        var quick = library
        quick.seekIndex = SeekIndex(distance: 70)
        let start = SyntheticLibrary.noon + 1000
        for pace in [ReplayQuery.Pace.max, try ReplayQuery.steady(600_000)] {
            for (isTogether, tiles) in [(false, nil), (true, nil), (false, ZoomLevel(15)), (true, ZoomLevel(12))] {
                for gaps in ReplayQuery.Gaps.allCases {
                    let scope = ReplayQuery.Scope.window(from: start, to: nil, layer: "all")
                    let query = ReplayQuery(scope, pace: pace, gaps: gaps, isTogether: isTogether, tiles: tiles)
                    let all = try events(query, quick)
                    for index in sample(all.count - 1, &random) {
                        let rest = try events(query, quick, after: all[index].id)
                        #expect(rest == Array(all[(index + 1)...]), "behind \(all[index].line) of \(query)")
                    }
                    var sought = query
                    sought.seek = start + Int64(random.below(3_000_000))
                    #expect(try events(sought, quick) == events(sought, library))
                }
            }
        }
    }

    @Test("has the same timing after resuming at any event", arguments: 10..<13)
    func resumedTime(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed, tracks: 4)
        var random = SeededRandom(seed: seed + 1)
        for query in try ReplayQuery.varied(seed: seed) {
            let all = try events(query, library)
            for index in sample(all.count - 1, &random) where index > 0 {
                let event = all[index]
                let rest = try events(query, library, after: event.id)
                #expect(
                    rest.map(\.advanceMilliseconds) == all[(index + 1)...].map(\.advanceMilliseconds),
                    "behind event \(index), \(event.line), of \(query)")
            }
        }
    }

    @Test("has a unique id for each event", arguments: 0..<12)
    func ids(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for query in try ReplayQuery.varied(seed: seed) {
            let ids = try events(query, library).map(\.id)
            #expect(Set(ids).count == ids.count, "\(query)")
            #expect(
                ids.allSatisfy {
                    (1...64).contains($0.count)
                        && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
                })
        }
    }

    @Test("resumes after tracks were added as in the larger library", arguments: 0..<6)
    func growth(seed: Int) throws {
        let small = SyntheticLibrary.random(seed: seed, tracks: 3)
        var large = small
        var random = SeededRandom(seed: seed + 1000)
        for _ in 0..<4 { large.addRandom(&random) }
        for query in try ReplayQuery.varied(seed: seed) where query.seek == nil {
            let all = try events(query, large)
            let before = try events(query, small)
            for position in sample(before.count - 1, &random) {
                let event = before[position]
                guard let index = all.firstIndex(where: { $0.id == event.id }) else {
                    // The common gap has another length than before.
                    #expect(event.name == .gap && query.isTogether, "\(event.line)")
                    continue
                }
                if event.name != .start, event.name != .gap { #expect(all[index].line == event.line) }
                let rest = try events(query, large, after: event.id)
                #expect(rest.map(\.whole) == all[(index + 1)...].map(\.whole), "behind \(event.line) of \(query)")
            }
        }
    }

    @Test("at maximum speed shows each timed point once and in order", arguments: 0..<24)
    func lossless(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for entry in library.entries {
            let frames = try events(ReplayQuery(.track(id: entry.track.id)), library).filter(\.isFrame)
            let expected = expectedPoints(entry)
            #expect(frames.compactMap { $0.number("i") } == expected.map { Int64($0.index) })
            #expect(frames.map(\.isQ1) == expected.map(\.isTimeEstimated))
        }
    }

    /// The points with a recorded or estimated time that are not outliers, in the order of time.
    private func expectedPoints(_ entry: SyntheticLibrary.Entry) -> [ClassifiedPoint] {
        let track = entry.track
        var detector = track.summary.detector(
            gap: track.gap, isStream: track.isStream, outlierRule: track.outlierRule)
        var classified: [ClassifiedPoint] = []
        for chunk in entry.chunks { detector.add(chunk, into: &classified) }
        detector.finish(into: &classified)
        return classified.filter { $0.outlierReason == nil && $0.time != PointColumns.untimed }
            .sorted { ($0.time, $0.index) < ($1.time, $1.index) }
    }

    @Test("never goes back in time within a track, nor in distance", arguments: 0..<5)
    func forwards(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for query in try ReplayQuery.varied(seed: seed) {
            let frames = try events(query, library).filter(\.isFrame)
            for (_, own) in Dictionary(grouping: frames, by: \.trackID) {
                for key in ["dt", "d"] {
                    let numbers = own.compactMap { $0.number(key) }
                    #expect(numbers == numbers.sorted(), "\(key) of \(query)")
                }
            }
        }
    }

    @Test("plays complete tracks one after another, ordered by start", arguments: 0..<12)
    func sequentialPlayback(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        let all = try events(ReplayQuery(ReplayQuery.everything), library)
        let entered = all.filter { $0.name == .track }.compactMap(\.trackID)
        let expected = library.entries.map(\.track).filter { $0.start != nil }.sorted { $0.order < $1.order }
        #expect(entered == expected.map(\.id))
        var body: [String] = []
        for id in entered {
            let own = try events(ReplayQuery(.track(id: id)), library).dropFirst().dropLast()
            body += own.map { withoutTime($0) }
        }
        #expect(all.dropFirst().dropLast().map { withoutTime($0) } == body)
    }

    /// `dt` is relative to another instant in another query.
    private func withoutTime(_ event: ReplayEvent) -> String {
        event.line.replacing(/"dt":-?\d+/, with: "")
    }

    @Test("on one clock equals the single tracks merged by time", arguments: 0..<5)
    func together(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        let scope = ReplayQuery.Scope.window(from: SyntheticLibrary.noon, to: nil, layer: "all")
        for pace in [ReplayQuery.Pace.max, try ReplayQuery.steady(600_000)] {
            let mixed = try events(ReplayQuery(scope, pace: pace, isTogether: true), library)
            let times = mixed.filter(\.isFrame).compactMap { $0.number("dt") }
            #expect(times == times.sorted())
            for entry in library.entries where entry.track.start != nil {
                var alone = SyntheticLibrary()
                alone.entries = [entry]
                let own = try events(ReplayQuery(scope, pace: pace, isTogether: true), alone)
                let id = entry.track.id
                #expect(mixed.filter { $0.trackID == id }.map(\.whole) == own.filter { $0.trackID == id }.map(\.whole))
            }
        }
    }

    @Test("takes the playing time given in the start event", arguments: 0..<5)
    func playingTime(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for isTogether in [false, true] {
            for gaps in ReplayQuery.Gaps.allCases {
                let query = ReplayQuery(
                    ReplayQuery.everything, pace: try ReplayQuery.steady(1_000_000), gaps: gaps, isTogether: isTogether)
                let all = try events(query, library)
                let played = all.reduce(0) { $0 + $1.advanceMilliseconds }
                #expect(all[0].number("playMs") == played / 1000)
            }
        }
    }

    @Test("after a seek is the rest of the sequence from that instant", arguments: 0..<5)
    func seek(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        var random = SeededRandom(seed: seed + 5)
        for pace in [ReplayQuery.Pace.max, try ReplayQuery.steady(600_000)] {
            let whole = try events(ReplayQuery(ReplayQuery.everything, pace: pace), library)
            for _ in 0..<6 {
                let instant = SyntheticLibrary.noon + Int64(random.below(7 * 86_400_000))
                let sought = try events(ReplayQuery(ReplayQuery.everything, pace: pace, seek: instant), library)
                guard sought.count > 2 else { continue }
                #expect(sought[1].name == .track)
                let rest = sought.dropFirst(2).map(\.line)
                #expect(rest == whole.suffix(rest.count).map(\.line))
                let frame = sought.dropFirst(2).first { $0.isFrame || $0.name == .trackEnd }
                if let time = frame?.number("dt") { #expect(time >= instant) }
                // The last event left out belongs to another track or is earlier.
                let left = whole[whole.count - rest.count - 1]
                if left.isFrame, left.trackID == sought[1].trackID { #expect(left.number("dt") ?? 0 < instant) }
            }
        }
    }

    @Test(
        "with a pace has frames at whole steps, interpolated only between connected points",
        arguments: 0..<12)
    func steps(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for entry in library.entries {
            let scope = ReplayQuery.Scope.track(id: entry.track.id)
            let recorded = try events(ReplayQuery(scope), library)
            guard let first = recorded.first(where: \.isFrame)?.number("dt") else { continue }
            let base = try #require(recorded[0].number("t0"))
            let gaps = recorded.filter { $0.name == .gap }.compactMap { gap -> ClosedRange<Int64>? in
                guard let from = gap.number("from"), let to = gap.number("to") else { return nil }
                return (from - base)...(to - base)
            }
            let times = Set(recorded.filter(\.isFrame).compactMap { $0.number("dt") })
            // 600 × at 7 frames a second: steps of 600000/7 ms.
            let paced = try events(ReplayQuery(scope, pace: try ReplayQuery.steady(600_000, fps: 7)), library)
            for frame in paced.filter(\.isFrame) {
                let time = try #require(frame.number("dt"))
                let steps = ((time - first) * 7 + 599_999) / 600_000
                #expect(first + steps * 600_000 / 7 == time)
                #expect(times.contains(time) == !frame.isQ1)
                #expect(!frame.isQ1 || !gaps.contains { $0.lowerBound < time && time < $0.upperBound })
            }
            #expect(paced.filter { $0.name == .gap }.map(\.text) == recorded.filter { $0.name == .gap }.map(\.text))
        }
    }
}
