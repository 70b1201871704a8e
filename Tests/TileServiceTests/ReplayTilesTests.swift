import Foundation
import HTTPCore
import PrimaryStore
import Replay
import TestSupport
import Testing
import TileMath
import TrackStore
import Tracks

@testable import TileService

@Suite struct ReplayTilesTests {
    private struct Named {
        var asof: Int64
        var zoom: Int
        var tiles: Set<[Int]>

        init?(_ event: ReplayEvent) {
            guard event.name == .tiles,
                let object = try? JSONSerialization.jsonObject(with: Data(event.data)) as? [String: Any],
                let asof = object["asof"] as? Int64, let zoom = object["z"] as? Int,
                let tiles = object["tiles"] as? [[Int]]
            else { return nil }
            (self.asof, self.zoom, self.tiles) = (asof, zoom, Set(tiles))
        }
    }

    private func named(_ town: Town, zoom: Int, _ pace: ReplayQuery.Pace) throws -> [Named] {
        let source = try #require(try TrackReplaySource(town.library))
        let last = try #require(try town.library.database.tracks(limit: 1)?.tracks.first?.id)
        var sequence = try ReplaySequence(
            ReplayQuery(.track(id: last), pace: pace, tiles: ZoomLevel(zoom)), source: source)
        var named: [Named] = []
        while let event = try sequence.next() {
            if let tiles = Named(event) { named.append(tiles) }
        }
        return named
    }

    @Test(arguments: [16, 18, 20])
    func `an event names every tile whose cells it changes`(zoom: Int) throws {
        let town = try Town()
        for pace in [ReplayQuery.Pace.max, .steady(try #require(FrameRate(speedThousandths: 5000)))] {
            let named = try named(town, zoom: zoom, pace)
            #expect(named.count > (zoom == 20 ? 10 : 0) && named.allSatisfy { $0.zoom == zoom })
            let all = named.reduce(into: Set<[Int]>()) { $0.formUnion($1.tiles) }
            let columns = all.map { $0[0] }
            let rows = all.map { $0[1] }
            func pictures(asof: Int64) -> [[Int]: [UInt8]] {
                var pictures: [[Int]: [UInt8]] = [:]
                for x in (columns.min() ?? 0) - 1...(columns.max() ?? 0) + 1 {
                    for y in (rows.min() ?? 0) - 1...(rows.max() ?? 0) + 1 {
                        pictures[[x, y]] = town.get("/tiles/heat-cells/\(zoom)/\(x)/\(y).png?asof=\(asof)").bytes
                    }
                }
                return pictures
            }
            var before = pictures(asof: (Town.firstDay + 86_400) * 1000)
            for event in named.prefix(14) {
                let now = pictures(asof: event.asof)
                let changed = now.filter { before[$0.key] != $0.value }.map(\.key)
                #expect(event.tiles.isSuperset(of: changed), "as of \(event.asof)")
                before = now
            }
        }
    }

    @Test func `a replay over HTTP names tiles, and its times work as asof`() throws {
        let town = try Town()
        let (x, y) = (try Town.tile(14).x, try Town.tile(14).y)
        let day = town.get("/tiles/14/\(x)/\(y).png?asof=2019-06-01T23:00:00Z")
        let milliseconds = town.get("/tiles/14/\(x)/\(y).png?asof=1559430000000")
        #expect(day.status == .ok && day.bytes.shown == milliseconds.bytes.shown && day[.eTag] == milliseconds[.eTag])
        #expect(town.get("/tiles.json?asof=1559430000000").text.contains("?asof=1559430000000&v="))
        #expect(town.get("/tiles.json?asof=2019").status == .badRequest)
        #expect(town.get("/v1/replay?tiles=23").status == .badRequest)
        #expect(town.get("/v1/replay?from=1559430000000&tiles=14").status == .ok)
    }

    @Test func `a replay stops playing a removed track`() throws {
        let town = try Town()
        let source = try #require(try TrackReplaySource(town.library))
        for isTogether in [false, true] {
            let query = ReplayQuery(.window(from: nil, to: nil, layer: "all"), isTogether: isTogether)
            var sequence = try ReplaySequence(query, source: source)
            var last: ReplayEvent?
            for _ in 0..<20 { last = try sequence.next() }
            #expect(try !sequence.recheck())
            let number = try #require(last?.track)
            let id = try #require(try town.library.database.track(number: number)?.id)
            _ = try town.library.remove([id]) { _ in }
            #expect(try sequence.recheck())
            var rest: [ReplayEvent] = []
            while let event = try sequence.next() { rest.append(event) }
            #expect(rest.prefix(2).map(\.name) == [.reset, .start] && rest.last?.name == .end)
            #expect(!rest.contains { $0.track == number })
        }
    }
}
