import Replay
import TestSupport
import Testing
import Tracks

@Suite("Photos in a replay")
struct PhotoTests {
    /// Random tracks, and photos in their week, many of them at the times of points, some at the same time.
    private static func library(seed: Int, photos: Int) -> SyntheticLibrary {
        var library = SyntheticLibrary.random(seed: seed, tracks: 4)
        var random = SeededRandom(seed: seed + 3)
        let times = library.entries.flatMap { $0.chunks.flatMap(\.times) }.filter { $0 != PointColumns.untimed }
        library.photos = (0..<photos).map { number in
            let time =
                times[random.below(times.count)] + (random.once(in: 2) ? 0 : Int64(random.below(60_000)) - 30_000)
            return ReplayPhoto(
                pin: "p\(number)", order: ReplayPhoto.Order(time: time, number: Int64(number)), longitude: 134_000_000,
                latitude: 525_000_000, caption: number % 2 == 0 ? nil : "a \"b\"")
        }.sorted { $0.order < $1.order }
        return library
    }

    /// The photos that have to come before each event that is not a photo, computed in the simplest way.
    private static func expected(
        _ query: ReplayQuery, _ library: SyntheticLibrary
    ) throws -> [(photos: [String], event: ReplayEvent)] {
        var plain = library
        plain.photos = []
        var passed: Int64?
        var only: ReplayTrack?
        if case .track(let id) = query.scope { only = library.track(id: id) }
        let photos = library.photos(after: ReplayPhoto.Order(time: .min, number: 0), of: only, limit: .max)
        return try events(query, plain).map { event in
            guard event.track != nil, let instant = instant(of: event) else { return ([], event) }
            let from = passed.map { $0 <= instant ? $0 : instant - 1 } ?? instant - 1
            passed = instant
            return (photos.filter { $0.order.time > from && $0.order.time <= instant }.map(\.pin), event)
        }
    }

    /// The instant of a cursor is its last number but one; read from the description, which has all members.
    private static func instant(of event: ReplayEvent) -> Int64? {
        guard let cursor = event.cursor else { return nil }
        return Mirror(reflecting: cursor).children.first { $0.label == "instant" }?.value as? Int64
    }

    @Test("come before the first event at or after their time, and change nothing else", arguments: 0..<8)
    func order(seed: Int) throws {
        let library = Self.library(seed: seed, photos: 1 + seed * 30)
        var shown = 0
        for query in try ReplayQuery.varied(seed: seed) {
            var photos: [String] = []
            var advance: Int64 = 0
            var found: [(photos: [String], event: ReplayEvent, advance: Int64)] = []
            for event in try events(query, library) {
                advance += event.advanceMilliseconds
                if event.name == .photo {
                    photos.append(event.value("pin") as? String ?? "")
                    #expect(event.degrees == [13.4, 52.5] && event.track == nil)
                    continue
                }
                found.append((photos, event, advance))
                shown += photos.count
                photos = []
                advance = 0
            }
            let expected = try Self.expected(query, library)
            #expect(photos.isEmpty && found.count == expected.count, "\(query)")
            for (one, other) in zip(found, expected) {
                #expect(one.photos == other.photos && one.event.whole == other.event.whole, "\(query)")
                #expect(one.advance == other.event.advanceMilliseconds, "\(query)")
            }
        }
        #expect(shown > 0)
    }

    @Test("are not missed after resuming at any event", arguments: 0..<5)
    func resume(seed: Int) throws {
        let library = Self.library(seed: seed, photos: 100)
        var random = SeededRandom(seed: seed)
        for query in try ReplayQuery.varied(seed: seed) {
            let all = try events(query, library)
            for index in sample(all.count - 1, &random) {
                // The photos behind an event have its id: who has only some of them gets all again.
                let first = try #require(all.firstIndex { $0.id == all[index].id })
                let rest = try events(query, library, after: all[index].id)
                #expect(rest.map(\.whole) == all[(first + 1)...].map(\.whole), "behind event \(index) of \(query)")
            }
        }
    }

    @Test("are not shown any more once they are removed, also the one that was played last")
    func removed() throws {
        let source = ChangingLibrary(Self.library(seed: 1, photos: 60))
        var sequence = try ReplaySequence(ReplayQuery(ReplayQuery.everything), source: source)
        var last: String?
        while let event = try sequence.next() {
            guard event.name == .photo else { continue }
            last = event.value("pin") as? String
            break
        }
        // Another photo goes: nothing begins anew.
        let other = try #require(source.library.photos.last { $0.pin != last })
        source.library.photos.removeAll { $0.pin == other.pin }
        #expect(try !sequence.recheck())
        source.library.photos.removeAll { $0.pin == last }
        #expect(try sequence.recheck())
        #expect(try sequence.next()?.name == .reset)
        while let event = try sequence.next() {
            guard event.name == .photo else { continue }
            #expect(event.value("pin") as? String != last && event.value("pin") as? String != other.pin)
        }
    }
}
