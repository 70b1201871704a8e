import Digest
import Replay
import TestSupport
import Testing

@Suite("A planned walk as a replay")
struct WalkTests {
    /// Along a corridor, up stairs for 15 s at one place, and back.
    private let walk: Walk = {
        func moment(_ milliseconds: Int64, _ longitude: Int32, _ leg: Int) -> Walk.Moment {
            Walk.Moment(milliseconds: milliseconds, longitude: longitude, latitude: 480_000_000, leg: leg)
        }
        return Walk(
            moments: [
                moment(0, 110_000_000, 0), moment(4_000, 110_000_400, 0), moment(10_000, 110_001_000, 0),
                moment(10_000, 110_001_000, 1), moment(25_000, 110_001_000, 1), moment(25_000, 110_001_000, 2),
                moment(33_333, 110_000_100, 2),
            ],
            legs: [
                Walk.Leg(json: #"{"how":"walk"}"#, levels: ("ground", "ground")),
                Walk.Leg(json: #"{"how":"stairs"}"#, levels: ("ground", "first")),
                Walk.Leg(json: #"{"how":"walk","instruction":"Go."}"#, levels: ("first", "first")),
            ], metres: 19.5, digest: ContentDigest(of: [1]))
    }()

    private func events(_ pace: ReplayQuery.Pace, after id: String? = nil) throws -> [ReplayEvent] {
        var sequence = try WalkSequence(walk, pace: pace, after: try id.map { try #require(ReplayCursor($0)) })
        var events: [ReplayEvent] = []
        while let event = sequence.next() { events.append(event) }
        return events
    }

    private static let paces: [ReplayQuery.Pace] =
        [.max]
        + [(100, 60), (1_000, 10), (10_000, 10), (7_300, 3), (100_000_000, 1)].compactMap { speed, frames in
            FrameRate(speedThousandths: speed, framesPerSecond: frames).map { .steady($0) }
        }

    @Test("frames go evenly from the first corner to the last, each leg begins once", arguments: paces)
    func frames(pace: ReplayQuery.Pace) throws {
        let all = try events(pace)
        #expect(all.first?.name == .start && all.last?.name == .end)
        #expect(all.first?.number("trackMs") == 33_333 && all.first?.number("legs") == 3)
        #expect(all.filter { $0.name == .leg }.map(\.text) == walk.legs.map(\.json))
        let frames = all.filter { $0.name == .frame }
        let times = frames.compactMap { $0.number("dt") }
        #expect(times == times.sorted() && times.first == 0 && times.last == 33_333)
        #expect(all.reduce(0) { $0 + $1.advanceMilliseconds } == 33_333)
        for frame in frames {
            let time = try #require(frame.number("dt"))
            let degrees = try #require(frame.degrees.first)
            let expected: Double =
                switch time {
                case ..<10_000: 11 + Double(time) * 1e-8
                case ..<25_000: 11.0001
                default: 11.0001 - Double(time - 25_000) / 8_333 * 0.00009
                }
            #expect(abs(degrees - expected) < 2e-7, "\(frame.line)")
            // At the foot of the stairs one is below, at their head above, at one place.
            if time < 10_000 { #expect(frame.value("level") as? String == "ground") }
            if time > 25_000 { #expect(frame.value("level") as? String == "first") }
        }
        // A leg begins before the first frame in it.
        var leg: Int64 = -1
        for event in all {
            if event.name == .leg { leg += 1 }
            if let number = event.number("leg") {
                #expect(number == leg || pace == .max && number < leg, "\(event.line)")
            }
        }
    }

    @Test("goes on behind each of its events with the same bytes", arguments: paces)
    func resume(pace: ReplayQuery.Pace) throws {
        let all = try events(pace)
        var random = SeededRandom(seed: 4)
        #expect(Set(all.map(\.id)).count == all.count)
        for index in sample(all.count - 1, &random) {
            let rest = try events(pace, after: all[index].id)
            #expect(rest.map(\.whole) == all[(index + 1)...].map(\.whole), "behind \(all[index].line)")
            #expect(rest.map(\.advanceMilliseconds) == all[(index + 1)...].map(\.advanceMilliseconds))
        }
        #expect(throws: ReplayError.complete) { try events(pace, after: all.last?.id) }
    }

    @Test("does not go on behind an event of another walk")
    func other() throws {
        let cursor = try #require(try events(.max).first?.cursor)
        let other = Walk(moments: walk.moments, legs: walk.legs, metres: 1, digest: ContentDigest(of: [2]))
        #expect(throws: ReplayError.otherQuery) {
            try WalkSequence(other, pace: .max, after: cursor)
        }
    }
}
