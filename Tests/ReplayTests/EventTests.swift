import Digest
import Foundation
import Replay
import TestSupport
import Testing
import Tracks

@Suite("Events of a replay")
struct EventTests {
    private let noon = SyntheticLibrary.noon

    private func lines(
        _ dots: [TestPoint], pace: ReplayQuery.Pace = .max, gaps: ReplayQuery.Gaps = .skip, seek: Int64? = nil,
        isStream: Bool = false
    ) throws -> [String] {
        var library = SyntheticLibrary()
        library.add(dots.chunks(of: 2), name: "Way \"home\"", isStream: isStream)
        return try events(ReplayQuery(.track(id: "t1"), pace: pace, gaps: gaps, seek: seek), library).map(\.line)
    }

    @Test("have fixed keys and a fixed order")
    func wording() throws {
        let lines = try lines([
            TestPoint(longitude: 134_000_000, latitude: 525_000_000, time: noon, elevation: 341),
            TestPoint(longitude: 134_000_000, latitude: 525_010_000, time: noon + 10_000, isWaypoint: true),
            TestPoint(longitude: -5, latitude: 525_010_000, time: noon + 20_000, beginsSegment: true),
        ])
        #expect(
            lines == [
                #"start {"v":1,"tiles":"../../../tiles/{z}/{x}/{y}.png?asof={t}","t0":1700000000000,"tracks":1,"points":3,"trackMs":20000,"playMs":null,"rev":"1"}"#,
                #"track {"track":"t1","name":"Way \"home\"","start":1700000000000,"end":1700000020000,"bbox":[-0.0000005,52.5,13.4,52.501],"metres":111.3}"#,
                #"frame {"track":"t1","dt":0,"p":[13.4,52.5,34.1],"i":0,"d":0,"q":0}"#,
                #"frame {"track":"t1","dt":10000,"p":[13.4,52.501],"v":11.13,"c":0,"i":1,"d":111.3,"q":0}"#,
                #"mark {"track":"t1","dt":10000,"p":[13.4,52.501],"i":1}"#,
                #"gap {"from":1700000010000,"to":1700000020000,"why":"untracked"}"#,
                #"frame {"track":"t1","dt":20000,"p":[-0.0000005,52.501],"i":2,"d":111.3,"q":0}"#,
                #"track-end {"track":"t1","why":"complete"}"#,
                #"end {"why":"complete"}"#,
            ])
    }

    @Test("cross the antimeridian by the shorter way")
    func antimeridian() throws {
        let frames = try lines(
            [
                TestPoint(longitude: 1_799_990_000, latitude: 0, time: noon),
                TestPoint(longitude: -1_799_970_000, latitude: 0, time: noon + 40_000),
            ], pace: try ReplayQuery.steady(10_000, fps: 1)
        ).filter { $0.hasPrefix("frame") }
        let places = frames.map {
            $0.components(separatedBy: "\"p\":")[1].components(separatedBy: ",\"v")[0].prefix(20)
        }
        #expect(
            places.map { $0.components(separatedBy: ",")[0] } == [
                "[179.999", "[180", "[-179.999", "[-179.998", "[-179.997",
            ])
        #expect(frames.dropFirst().allSatisfy { $0.contains("\"c\":90,") })
    }

    @Test("interpolate position, elevation and distance, with the index of the previous point")
    func between() throws {
        let frames = try lines(
            [
                TestPoint(longitude: 134_000_000, latitude: 525_000_000, time: noon, elevation: 100),
                TestPoint(longitude: 134_000_000, latitude: 525_020_000, time: noon + 20_000, elevation: 300),
            ], pace: try ReplayQuery.steady(10_000, fps: 1)
        ).filter { $0.hasPrefix("frame") }
        #expect(
            frames == [
                #"frame {"track":"t1","dt":0,"p":[13.4,52.5,10],"i":0,"d":0,"q":0}"#,
                #"frame {"track":"t1","dt":10000,"p":[13.4,52.501,20],"v":11.13,"c":0,"i":0,"d":111.3,"q":1}"#,
                #"frame {"track":"t1","dt":20000,"p":[13.4,52.502,30],"v":11.13,"c":0,"i":1,"d":222.6,"q":0}"#,
            ])
    }

    /// A stream that pauses for an hour after one minute.
    private var pausing: [TestPoint] {
        [0, 30, 60, 3660, 3690].map { second in
            TestPoint(
                longitude: 134_000_000, latitude: 525_000_000 + Int64(second % 600), time: noon + Int64(second) * 1000)
        }
    }

    @Test(
        "take no time for a skipped gap, and its real time for a held gap",
        arguments: ReplayQuery.Gaps.allCases)
    func gaps(gaps: ReplayQuery.Gaps) throws {
        var library = SyntheticLibrary()
        library.add(pausing.chunks(of: 100), isStream: true)
        let query = ReplayQuery(.track(id: "t1"), pace: try ReplayQuery.steady(10_000, fps: 1), gaps: gaps)
        let all = try events(query, library)
        #expect(
            all.filter { $0.name == .gap }.map(\.text) == [#"{"from":1700000060000,"to":1700003660000,"why":"idle"}"#])
        #expect(
            all.filter(\.isFrame).compactMap { $0.number("dt") }
                == [0, 10, 20, 30, 40, 50, 60, 3660, 3670, 3680, 3690].map { $0 * 1000 })
        let time = all.reduce(0) { $0 + $1.advanceMilliseconds }
        #expect(time == (gaps == .skip ? 90_000 : 3_690_000))
    }

    @Test("of several tracks on one clock contain a gap when no track is active")
    func commonGap() throws {
        var library = SyntheticLibrary()
        let first = (0..<3).map { TestPoint(longitude: 1_340_000 + $0, latitude: 1, time: noon + $0 * 1000) }
        let second = (0..<3).map { TestPoint(longitude: 2_340_000 + $0, latitude: 1, time: noon + 1000 + $0 * 1000) }
        let later = (0..<2).map { TestPoint(longitude: 1_340_000 + $0, latitude: 1, time: noon + 90_000 + $0 * 1000) }
        for dots in [first, second, later] { library.add(dots.chunks(of: 100)) }
        let all = try events(ReplayQuery(ReplayQuery.everything, isTogether: true), library)
        #expect(
            all.filter { $0.name == .gap }.map(\.text) == [
                #"{"from":1700000003000,"to":1700000090000,"why":"untracked"}"#
            ])
        #expect(all.compactMap { $0.isFrame ? $0.trackID : nil } == ["t1", "t1", "t2", "t1", "t2", "t2", "t3", "t3"])
        #expect(all.reduce(0) { $0 + $1.advanceMilliseconds } == 4000)
    }

    @Test("are only those within the window, whose end is exclusive")
    func window() throws {
        var library = SyntheticLibrary()
        library.add(
            (0..<10).map { TestPoint(longitude: 134_000_000 + $0 * 100, latitude: 1, time: noon + $0 * 1000) }.chunks(
                of: 100))
        let query = ReplayQuery(.window(from: noon + 2500, to: noon + 6000, layer: "all"))
        let frames = try events(query, library).filter(\.isFrame)
        #expect(frames.compactMap { $0.number("i") } == [3, 4, 5])
        #expect(frames.first?.number("dt") == 500)
        let empty = ReplayQuery(.window(from: noon + 9001, to: nil, layer: "all"))
        #expect(try events(empty, library).map(\.name) == [.start, .end])
    }

    @Test("of too many active tracks are refused on one clock, but not one after another")
    func tooMany() throws {
        var library = SyntheticLibrary()
        for index in 0...Int64(ReplaySequence.maxTracksAtOnce) {
            library.add(
                (0..<2).map { TestPoint(longitude: index, latitude: 1, time: noon + index + $0 * 1000) }.chunks(of: 100)
            )
        }
        let count = ReplaySequence.maxTracksAtOnce + 1
        #expect(throws: ReplayError.tooManyAtOnce(count)) {
            try events(ReplayQuery(ReplayQuery.everything, isTogether: true), library)
        }
        #expect(try events(ReplayQuery(ReplayQuery.everything), library).filter(\.isFrame).count == 2 * count)
        let shorter = ReplayQuery(.window(from: nil, to: noon + 500, layer: "all"), isTogether: true)
        #expect(try events(shorter, library).filter(\.isFrame).count == 500)
    }

    @Test("skip times that browsers cannot represent")
    func farTimes() throws {
        var library = SyntheticLibrary()
        library.add(
            [Int64.min + 1, noon, noon + 1000, .max].map { TestPoint(longitude: 1, latitude: 1, time: $0) }.chunks(
                of: 100))
        library.add([TestPoint(longitude: 1, latitude: 1, time: .max)].chunks(of: 100))
        for scope in [ReplayQuery.Scope.track(id: "t1"), .track(id: "t2"), ReplayQuery.everything] {
            for pace in [ReplayQuery.Pace.max, try ReplayQuery.steady(1_000_000)] {
                for isTogether in [false, true] {
                    let query = ReplayQuery(scope, pace: pace, isTogether: isTogether)
                    let all = try events(query, library)
                    #expect(all.filter(\.isFrame).count <= 2 && all.last?.name == .end)
                    for event in all.dropLast() {
                        #expect(try events(query, library, after: event.id).last?.name == .end)
                    }
                }
            }
        }
    }

    @Test("are in the order of time even if the file is not")
    func disorder() throws {
        var dots = (0..<50).map { TestPoint(longitude: 134_000_000 + $0 * 100, latitude: 1, time: noon + $0 * 1000) }
        dots.reverse()
        #expect(try lines(dots).filter { $0.hasPrefix("frame") }.count == 50)
        #expect(try !lines(dots).contains { $0.hasPrefix("gap") })
    }
}

@Suite("A replay's cursor")
struct CursorTests {
    private func library() -> SyntheticLibrary {
        var library = SyntheticLibrary()
        for track in 0..<3 {
            let start = SyntheticLibrary.noon + Int64(track) * 100_000
            library.add(
                (0..<5).map { TestPoint(longitude: 134_000_000 + $0 * 100, latitude: 1, time: start + $0 * 1000) }
                    .chunks(of: 100))
        }
        return library
    }

    @Test(
        "of another query is refused",
        arguments: [
            ReplayQuery(.track(id: "t1")), ReplayQuery(ReplayQuery.everything, gaps: .hold),
            ReplayQuery(ReplayQuery.everything, seek: 5), ReplayQuery(ReplayQuery.everything, isTogether: true),
            ReplayQuery(.window(from: nil, to: nil, layer: "ride")),
            ReplayQuery(.window(from: 0, to: nil, layer: "all")),
            ReplayQuery(.window(from: nil, to: 0, layer: "all")),
        ])
    func otherQuery(query: ReplayQuery) throws {
        let id = try events(ReplayQuery(ReplayQuery.everything), library())[3].id
        #expect(throws: ReplayError.otherQuery) { try events(query, library(), after: id) }
    }

    @Test("at the end is reported as complete")
    func complete() throws {
        let query = ReplayQuery(ReplayQuery.everything)
        let id = try #require(try events(query, library()).last?.id)
        #expect(throws: ReplayError.complete) { try events(query, library(), after: id) }
    }

    @Test("of a changed track restarts at its instant", arguments: [true, false])
    func reset(isGone: Bool) throws {
        let query = ReplayQuery(ReplayQuery.everything)
        var library = library()
        let id = try #require(try events(query, library).first { $0.number("i") == 3 && $0.trackID == "t2" }?.id)
        if isGone {
            library.entries.remove(at: 1)
        } else {
            library.entries[1].track.digest = ContentDigest(of: [1])
        }
        let rest = try events(query, library, after: id)
        #expect(rest.prefix(3).map(\.name) == [.reset, .start, .track])
        #expect(rest[0].id.isEmpty)
        #expect(rest[0].text == #"{"why":"data-changed"}"#)
        let left = rest.filter(\.isFrame).map { "\($0.trackID ?? "") \($0.number("i") ?? -1)" }
        let last = (0..<5).map { "t3 \($0)" }
        #expect(left == (isGone ? last : ["t2 3", "t2 4"] + last))
        // Playback can resume after these events too.
        for (index, event) in rest.enumerated().dropLast() where index > 0 {
            #expect(try events(query, library, after: event.id).map(\.whole) == rest[(index + 1)...].map(\.whole))
        }
    }

    @Test("of other tracks restarts and reaches the end", arguments: 0..<4)
    func foreign(seed: Int) throws {
        let (ours, theirs) = (
            SyntheticLibrary.random(seed: seed, tracks: 3), SyntheticLibrary.random(seed: seed + 100, tracks: 3)
        )
        for isTogether in [false, true] {
            let query = ReplayQuery(ReplayQuery.everything, isTogether: isTogether)
            for event in try events(query, theirs).dropFirst().dropLast() {
                let rest = try events(query, ours, after: event.id)
                #expect(rest.prefix(2).map(\.name) == [.reset, .start] && rest.last?.name == .end)
            }
        }
    }

    @Test("of a renamed track resumes")
    func renamed() throws {
        let query = ReplayQuery(ReplayQuery.everything)
        var library = library()
        let all = try events(query, library)
        library.entries[0].track.name = "other"
        #expect(try events(query, library, after: all[3].id).map(\.whole) == all[4...].map(\.whole))
    }

    @Test(
        "rejects other texts",
        arguments: [
            "", "A", "====", "EAAAAAAAAAAA", "../../etc/passwd", String(repeating: "A", count: 65), "ä",
        ])
    func nonsense(text: String) {
        #expect(ReplayCursor(text) == nil)
    }

    @Test("round-trips, and is rejected when truncated or extended")
    func roundTrip() throws {
        for event in try events(ReplayQuery(ReplayQuery.everything), library()) {
            let cursor = try #require(ReplayCursor(event.id))
            #expect(cursor.text == event.id)
            #expect(event.name == .start || ReplayCursor(event.id + "A") == nil)
            #expect(event.name == .start || ReplayCursor(String(event.id.dropLast())) == nil)
        }
    }
}

@Suite("A frame rate")
struct FrameRateTests {
    @Test(
        "is parsed from a decimal number",
        arguments: [
            ("60", 60_000), ("0.1", 100), ("100000", 100_000_000), ("1.25", 1250), ("0.001", 1), ("1.", 1000),
            (".5", 500), ("1e3", 1_000_000), ("0.30000000000000004", 300), ("1.2345", 1235), ("+5", 5000), ("-0", 0),
        ])
    func speeds(text: String, thousandths: Int) {
        #expect(FrameRate.speedThousandths(text) == thousandths)
    }

    @Test("rejects other texts", arguments: ["", "-1", "max", "1,5", "0x10", "NaN", "inf", "1e20", "1 2"])
    func nonsense(text: String) {
        #expect(FrameRate.speedThousandths(text) == nil)
    }

    @Test("rejects values outside the limits")
    func limits() {
        #expect(FrameRate(speedThousandths: 99) == nil)
        #expect(FrameRate(speedThousandths: 100) != nil)
        #expect(FrameRate(speedThousandths: 100_000_001) == nil)
        #expect(FrameRate(speedThousandths: 1000, framesPerSecond: 0) == nil)
        #expect(FrameRate(speedThousandths: 1000, framesPerSecond: 61) == nil)
    }
}
