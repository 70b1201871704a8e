import Replay
import Statistics
import TestSupport
import Testing
import Tracks

@Suite("Explorer tiles in a replay")
struct ExplorerTests {
    private static func explored(_ query: ReplayQuery) -> ReplayQuery {
        var query = query
        query.explorer = 14
        return query
    }

    /// The figures that an explorer's map has for what is played.
    private static func figures(_ query: ReplayQuery, _ library: SyntheticLibrary) -> [Int64] {
        var tiles: [ExplorerTile] = []
        var only: ReplayTrack?
        var window: (from: Int64?, to: Int64?) = (nil, nil)
        switch query.scope {
        case .track(let id): only = library.track(id: id)
        case .window(let from, let to, _): window = (from, to)
        }
        library.forEachVisit(of: only) { _, visit in
            if window.from != nil || window.to != nil {
                guard let enter = visit.enter, let exit = visit.exit else { return }
                if let from = window.from, exit < from { return }
                if let to = window.to, enter >= to { return }
            }
            tiles.append(visit.tile.ancestor(3))
        }
        let map = ExplorerTiles(tiles, zoom: 14)
        return [map.tiles.count, map.cluster, map.square?.side ?? 0].map(Int64.init)
    }

    private static func figures(_ event: ReplayEvent) -> [Int64] {
        let square = event.value("square") as? [String: Any]
        return [event.number("tiles") ?? -1, event.number("cluster") ?? -1, square?["side"] as? Int64 ?? -1]
    }

    @Test("grow to those of the window, and change nothing else", arguments: 0..<8)
    func growth(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        for query in try ReplayQuery.varied(seed: seed) {
            var last: [Int64] = [0, 0, 0]
            var others: [ReplayEvent] = []
            var advance: Int64 = 0
            var advances: [Int64] = []
            for event in try events(Self.explored(query), library) {
                advance += event.advanceMilliseconds
                guard event.name == .explorer else {
                    others.append(event)
                    advances.append(advance)
                    advance = 0
                    continue
                }
                let now = Self.figures(event)
                #expect(event.number("zoom") == 14 && event.track == nil && !event.isFrame)
                #expect(now != last && zip(now, last).allSatisfy { $0 >= $1 }, "\(last) \(now) \(query)")
                last = now
            }
            #expect(last == Self.figures(query, library), "\(query)")
            let plain = try events(query, library)
            #expect(others.map(\.line) == plain.map(\.line) && advances == plain.map(\.advanceMilliseconds), "\(query)")
            #expect(plain.allSatisfy { $0.name != .explorer })
        }
    }

    @Test("go on after any event as if nothing had happened", arguments: 0..<6)
    func resume(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        var random = SeededRandom(seed: seed)
        for query in try ReplayQuery.varied(seed: seed).map(Self.explored) {
            let all = try events(query, library)
            for index in sample(all.count - 1, &random) {
                // Figures have the id of the event before them, and are sent again.
                let first = try #require(all.firstIndex { $0.id == all[index].id })
                let rest = try events(query, library, after: all[index].id)
                #expect(rest.map(\.whole) == all[(first + 1)...].map(\.whole), "behind event \(index) of \(query)")
            }
        }
    }

    @Test("are those before the instant of each event", arguments: 0..<4)
    func instants(seed: Int) throws {
        let library = SyntheticLibrary.random(seed: seed)
        let query = Self.explored(ReplayQuery(ReplayQuery.everything, isTogether: true))
        var visits: [TileVisit] = []
        library.forEachVisit(of: nil) { visits.append($1) }
        var shown: Int64 = 0
        for event in try events(query, library) {
            if event.name == .explorer {
                shown = event.number("tiles") ?? -1
            } else if event.name == .frame, let dt = event.number("dt") {
                // The base of everything is 1970.
                let expected = Set(visits.filter { $0.enter ?? .min <= dt }.map { $0.tile.ancestor(3) }).count
                #expect(shown == Int64(expected))
            }
        }
        #expect(shown > 3)
    }

    @Test("are sent again when the library has changed before the end, and grow by the new track")
    func changed() throws {
        let source = ChangingLibrary(SyntheticLibrary.random(seed: 3))
        let query = Self.explored(ReplayQuery(ReplayQuery.everything))
        var sequence = try ReplaySequence(query, source: source)
        for _ in 0..<20 { _ = try sequence.next() }
        let time = SyntheticLibrary.noon + 8 * 86_400_000
        let dots = (0..<30).map { index in
            TestPoint(
                longitude: 500_000_000 + Int64(index) * 200_000, latitude: 100, time: time + Int64(index) * 60_000)
        }
        source.library.add(dots.chunks(of: 7))
        #expect(try !sequence.recheck())
        var last: [Int64] = []
        while let event = try sequence.next() { if event.name == .explorer { last = Self.figures(event) } }
        #expect(last == Self.figures(query, source.library))
        #expect(last != Self.figures(query, SyntheticLibrary.random(seed: 3)))
    }
}
