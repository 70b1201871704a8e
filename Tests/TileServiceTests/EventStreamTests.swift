import Dispatch
import Foundation
import HTTPCore
import Locking
import PrimaryStore
import Replay
import Testing
import TrackStore
import Tracks

@testable import Playback
@testable import TileService

/// A stream whose clock and reader are controlled by the test.
private final class StreamHarness: Sendable {
    let stream: EventStream
    private let queue = DispatchQueue(label: "stage")
    private let clock: Clock

    final class Clock: Sendable {
        let seconds = Locked(100.0)
    }

    convenience init(_ town: Town, _ query: ReplayQuery) throws {
        try self.init(try #require(try TrackReplaySource(town.library)), query)
    }

    init(_ source: any ReplaySource, _ query: ReplayQuery, live: LiveReader? = nil) throws {
        let clock = Clock()
        self.clock = clock
        stream = EventStream(
            try ReplaySequence(query, source: source), pace: query.pace, live: live, on: queue,
            seconds: { clock.seconds.withLock { $0 } })
    }

    func open() {
        stream.channel.onDemand({ [weak stream] in stream?.wake() }, closed: {})
        stream.channel.open {}
        waitUntilIdle()
    }

    func pass(_ seconds: Double) {
        let now = clock.seconds.withLock { clock in
            clock += seconds
            return clock
        }
        if stream.claimIfDue(now) { queue.sync { stream.proceed() } }
        waitUntilIdle()
    }

    /// The events that arrived since the last call.
    func read() -> [String] {
        var bytes: [UInt8] = []
        while case .bytes(let more) = stream.channel.take(upTo: 4096, orWait: {}) {
            bytes += more
            waitUntilIdle()
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n\n").map(String.init)
    }

    /// Waits until the stream's queue, which targets this one, is idle.
    private func waitUntilIdle() {
        for _ in 0..<4 { queue.sync {} }
    }
}

/// The source of a library whose disk fails when the test says so.
private final class FailingSource: ReplaySource {
    private struct Failure: Error {}

    private let source: TrackReplaySource
    private let isFailing = Locked(false)

    init(_ town: Town) throws {
        source = try #require(try TrackReplaySource(town.library))
    }

    func fail() { isFailing.withLock { $0 = true } }

    private func working() throws -> TrackReplaySource {
        if isFailing.withLock({ $0 }) { throw Failure() }
        return source
    }

    func track(id: String) throws -> ReplayTrack? { try working().track(id: id) }
    func track(number: Int64) throws -> ReplayTrack? { try working().track(number: number) }
    func track(after order: ReplayOrder?, from: Int64, to: Int64) throws -> ReplayTrack? {
        try working().track(after: order, from: from, to: to)
    }
    func track(endingBefore instant: Int64) throws -> ReplayTrack? { try working().track(endingBefore: instant) }
    func totals(from: Int64, to: Int64) throws -> ReplayTotals { try working().totals(from: from, to: to) }
    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) throws -> PointReading {
        try working().points(of: track, at: position, fields: fields, most: most)
    }
    func maxTracksAtOnce(from: Int64, to: Int64) throws -> Int { try working().maxTracksAtOnce(from: from, to: to) }
    func revision() throws -> String { try working().revision() }
}

extension ReplayEvent {
    fileprivate var serverSent: String {
        var text: [UInt8] = []
        writeServerSent(to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

@Suite struct EventStreamTests {
    private func steady(_ speed: Int, fps: Int = 10) throws -> ReplayQuery.Pace {
        .steady(try #require(FrameRate(speedThousandths: speed * 1000, framesPerSecond: fps)))
    }

    private func query(_ pace: ReplayQuery.Pace, gaps: ReplayQuery.Gaps = .skip) -> ReplayQuery {
        ReplayQuery(.window(from: nil, to: nil, layer: "all"), pace: pace, gaps: gaps)
    }

    private func names(_ events: [String]) -> [String] {
        events.map { event in
            event.split(separator: "\n").first { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) } ?? event
        }
    }

    @Test func `a paced stream sends each event when it is due`() throws {
        let harness = try StreamHarness(try Town(), query(try steady(1)))
        harness.open()
        #expect(names(harness.read()) == ["retry: 2000", "start", "track", "frame"])
        harness.pass(0.05)
        #expect(harness.read().isEmpty)
        harness.pass(0.051)
        #expect(names(harness.read()) == ["frame"])
    }

    @Test func `a late reader gets the newest frame of each track, and all other events`() throws {
        let harness = try StreamHarness(try Town(), query(try steady(1)))
        harness.open()
        _ = harness.read()
        harness.pass(30.05)
        let late = harness.read()
        #expect(names(late) == ["frame"] && late[0].contains("\"dt\":\(Town.firstDay * 1000 + 30_000),"))
        // After both rides and the walk.
        harness.pass(500)
        #expect(
            names(harness.read()).filter { $0 != "frame" } == [
                "track-end", "track", "track-end", "track", "track-end", "end",
            ])
    }

    @Test func `a stream without pace waits for its reader and skips nothing`() throws {
        let town = try Town()
        for day in 2..<12 { try town.library.ride(day: Int64(day), count: 400) }
        let query = query(.max)
        let harness = try StreamHarness(town, query)
        harness.open()
        #expect(harness.stream.channel.isFull)
        var sequence = try ReplaySequence(query, source: try #require(try TrackReplaySource(town.library)))
        var expected = ["retry: 2000"]
        while let event = try sequence.next() {
            expected.append(String(event.serverSent.dropLast(2)))
        }
        #expect(harness.read() == expected && expected.count > 4000)
    }

    @Test func `a comment is sent after a time without events`() throws {
        // A very long step: nothing is due for hours between the two days.
        let town = try Town()
        try town.library.ride(day: 400, count: 1)
        let harness = try StreamHarness(
            town,
            ReplayQuery(
                ReplayQuery.Scope.window(from: nil, to: nil, layer: "all"), pace: try steady(1), gaps: .hold,
                isTogether: true))
        harness.open()
        harness.pass(60)
        _ = harness.read()
        harness.pass(EventStream.keepAliveSeconds - 1)
        #expect(harness.read().isEmpty)
        harness.pass(1)
        #expect(harness.read() == [":"])
    }

    @Test(arguments: [false, true])
    func `a stream whose data cannot be read is closed without an end, with live events too`(isLive: Bool) throws {
        let town = try Town()
        for pace in try [steady(1), .max] {
            let source = try FailingSource(town)
            let live = isLive ? LiveReader(LiveReader.Subscription()) : nil
            let harness = try StreamHarness(source, query(pace), live: live)
            var events: [String] = []
            if pace == .max {
                source.fail()
                harness.open()
            } else {
                harness.open()
                events = harness.read()
                #expect(names(events) == ["retry: 2000", "start", "track", "frame"])
                source.fail()
                harness.pass(1000)
            }
            events += harness.read()
            #expect(harness.stream.channel.isClosed)
            #expect(!names(events).contains("end"))
        }
    }

    @Test func `a stream that cannot find out whether its tracks were removed is closed`() throws {
        let source = try FailingSource(Town())
        let harness = try StreamHarness(source, query(try steady(1)))
        harness.open()
        #expect(harness.read().count == 4)
        source.fail()
        harness.stream.recheck()
        harness.pass(0.05)
        #expect(harness.stream.channel.isClosed)
    }

    @Test func `a stream that nobody opens is closed`() throws {
        let harness = try StreamHarness(try Town(), query(.max))
        harness.pass(9)
        #expect(!harness.stream.channel.isClosed)
        harness.pass(2)
        #expect(harness.stream.channel.isClosed)
    }

    @Test func `an event has the form of a server-sent event`() throws {
        let harness = try StreamHarness(try Town(), query(.max))
        harness.open()
        let event = try #require(harness.read().dropFirst().first)
        let lines = event.split(separator: "\n")
        #expect(
            lines.count == 3 && lines[0].hasPrefix("id: ") && lines[1] == "event: start"
                && lines[2].hasPrefix("data: {\"v\":1,"))
        let id = String(lines[0].dropFirst(4))
        #expect(ReplayCursor(id)?.text == id)
    }

    // MARK: HTTP

    /// The complete body of a stream's response.
    private func body(_ response: Response) -> String {
        guard case .events(let channel) = response.body else { return "" }
        return Self.text(of: channel)
    }

    /// Everything that a channel sends.
    static func text(of channel: EventChannel) -> String {
        let ready = DispatchSemaphore(value: 0)
        channel.open { ready.signal() }
        var bytes: [UInt8] = []
        while true {
            switch channel.take(upTo: 65_536, orWait: {}) {
            case .bytes(let more): bytes += more
            case .waiting: ready.wait()
            case .ended, .closed:
                channel.close()
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    @Test func `a replay resumes after the last event id`() throws {
        let town = try Town()
        let first = town.get("/v1/replay?from=2019-06-01&speed=max")
        #expect(first.status == .ok && first[.contentType] == "text/event-stream" && first[.cacheControl] == "no-store")
        #expect(first[HeaderName("X-Accel-Buffering")] == "no")
        let events = body(first).components(separatedBy: "\n\n").dropFirst().dropLast()
        #expect(events.count == 2 + 3 * 62)
        let seen = try #require(events.dropFirst(70).first)
        let id = String(seen.dropFirst(4).prefix { $0 != "\n" })
        for answer in [
            town.get("/v1/replay?from=2019-06-01&speed=max", [(.lastEventID, id)]),
            town.get("/v1/replay?from=2019-06-01&speed=max&lastEventId=\(id)"),
        ] {
            #expect(
                Array(body(answer).components(separatedBy: "\n\n").dropFirst().dropLast())
                    == Array(events.dropFirst(71)))
        }
        #expect(town.get("/v1/replay?from=2019-06-01&speed=2", [(.lastEventID, id)]).status == .badRequest)
        #expect(town.get("/v1/replay?speed=max&lastEventId=nonsense").status == .badRequest)
        let last = try #require(events.last)
        let end = String(last.dropFirst(4).prefix { $0 != "\n" })
        #expect(town.get("/v1/replay?from=2019-06-01&speed=max", [(.lastEventID, end)]).status == .noContent)
    }

    @Test func `one track is replayed by its id, and an unknown one is not found`() throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        #expect(body(town.get("/v1/tracks/\(id)/replay?speed=max")).components(separatedBy: "event: frame").count == 61)
        #expect(town.get("/v1/tracks/nope/replay").status == .notFound)
        #expect(town.get("/v1/replay?layer=nope").status == .notFound)
    }

    @Test func `replays beyond the limit are refused until one ends`() throws {
        let town = try Town { $0.eventStreams = 2 }
        let open = [town.get("/v1/replay"), town.get("/v1/replay")]
        let refused = town.get("/v1/replay")
        #expect(refused.status == .tooManyRequests && refused[.retryAfter] != nil)
        guard case .events(let channel) = open[0].body else {
            Issue.record("no stream")
            return
        }
        #expect(town.get("/metrics").text.contains("\ntileserve_event_streams 2\n"))
        channel.close()
        #expect(town.get("/metrics").text.contains("\ntileserve_event_streams 1\n"))
        #expect(town.get("/v1/replay").status == .ok)
    }
}
