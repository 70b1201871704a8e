import Dispatch
import Foundation
import HTTPCore
import TestLibrary
import Testing
import TileMath
import TrackStore
import Tracks

@testable import Playback
@testable import TileService

/// A reader of a channel that reads only when the test requests it.
final class Watcher {
    let channel: EventChannel
    private let ready = DispatchSemaphore(value: 0)
    private var text = ""

    init(_ response: Response) throws {
        guard case .events(let channel) = response.body else {
            throw Problem.internalServerError
        }
        self.channel = channel
        let ready = ready
        channel.open { ready.signal() }
    }

    deinit { channel.close() }

    /// Reads the given number of events, without comments and `retry:`; fewer if no more arrive.
    func events(_ count: Int) -> [Event] {
        var events: [Event] = []
        while events.count < count {
            if let end = text.range(of: "\n\n") {
                if let event = Event(String(text[..<end.lowerBound])) { events.append(event) }
                text = String(text[end.upperBound...])
                continue
            }
            switch channel.take(upTo: 1024, orWait: {}) {
            case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .waiting: guard ready.wait(timeout: .now() + 20) == .success else { return events }
            case .ended, .closed: return events
            }
        }
        return events
    }
}

/// An event as a browser parses it.
struct Event {
    var id: String?
    var name: String
    var data: [String: Any]

    init?(_ text: String) {
        var fields: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
            if parts.count == 2 { fields[parts[0]] = parts[1].trimmingCharacters(in: .whitespaces) }
        }
        guard let name = fields["event"], let data = fields["data"],
            let object = try? JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        else { return nil }
        id = fields["id"]
        self.name = name
        self.data = object
    }

    var tiles: [[Int]]? { data["tiles"] as? [[Int]] }
}

@Suite(.eachStore) struct LiveTests {
    private func point(_ device: String, _ second: Int64) -> LivePoint {
        LivePoint(device: device, time: second * 1000, longitude: 134_000_000, latitude: 525_000_000)
    }

    @Test func `points are sent as they are recorded, without ids`() throws {
        let town = try Town()
        let watcher = try Watcher(town.get("/v1/live"))
        var one = point("phone", 5)
        (one.person, one.track, one.elevation, one.speed, one.course) = ("ada", "abc", 345, 1234, 90)
        town.server.live.publish(points: [one, point("watch \"2\"", 6)])
        let events = watcher.events(2)
        #expect(events.map(\.name) == ["point", "point"] && events.allSatisfy { $0.id == nil })
        let first = events[0].data
        #expect(first["device"] as? String == "phone" && first["t"] as? Int == 5000)
        #expect(first["p"] as? [Double] == [13.4, 52.5, 34.5])
        #expect(first["v"] as? Double == 12.34 && first["c"] as? Int == 90)
        #expect(first["person"] as? String == "ada" && first["track"] as? String == "abc")
        #expect(events[1].data["device"] as? String == "watch \"2\"" && events[1].data["v"] == nil)
    }

    @Test func `a recorded chunk's points keep elevation, speed and course, and points without time are skipped`() {
        let chunk = PointColumns(
            unit: .decimal(places: 5), longitudes: [1_340_001, 5], latitudes: [5_250_000, 5],
            times: [7000, PointColumns.untimed], segmentStarts: [],
            fields: [
                FieldColumn(name: FieldName.course, values: .numbers(places: 1, [3599, 0])),
                FieldColumn(name: FieldName.elevation, values: .texts(["34.56", nil])),
                FieldColumn(name: FieldName.speed, values: .numbers(places: 3, [1005, FieldColumn.absent])),
            ])
        let points = LivePoint.points(of: chunk, device: "phone")
        var expected = LivePoint(device: "phone", time: 7000, longitude: 134_000_100, latitude: 525_000_000)
        (expected.elevation, expected.speed, expected.course) = (346, 101, 0)
        #expect(points == [expected])
    }

    @Test func `a reader of some devices receives only their points`() throws {
        let town = try Town()
        let watcher = try Watcher(town.get("/v1/live?device=b,c"))
        town.server.live.publish(points: ["a", "b", "a", "c"].map { point($0, 1) })
        #expect(watcher.events(2).compactMap { $0.data["device"] as? String } == ["b", "c"])
    }

    @Test func `a reader may begin with the newest point of each device, unless its recordings were removed`() throws {
        let town = try Town()
        town.server.live.publish(points: [point("a", 1), point("b", 3), point("a", 2)])
        town.server.live.publish(points: [point("b", 2)])
        let watcher = try Watcher(town.get("/v1/live?newest=1"))
        let times = watcher.events(2).map { "\($0.data["device"] as? String ?? "") \($0.data["t"] as? Int64 ?? 0)" }
        #expect(times == ["a 2000", "b 3000"])
        let list = town.get("/v1/tracks?limit=1").text
        let id = try #require(list.firstMatch(of: /"id":"([^"]+)"/)).1
        #expect(town.get("/v1/tracks/\(id)", method: .delete).status == town.removed)
        let late = try Watcher(town.get("/v1/live?newest=1"))
        town.server.live.publish(points: [point("c", 4)])
        #expect(late.events(1).compactMap { $0.data["device"] as? String } == ["c"])
    }

    @Test
    func `for a slow reader the oldest points of busy devices are skipped and reported; others receive everything`()
        throws
    {
        let town = try Town()
        let slow = try Watcher(town.get("/v1/live"))
        let quick = try Watcher(town.get("/v1/live"))
        let count: Int64 = 20_000
        var heard: [Int64] = []
        town.server.live.publish(points: [point("lamp", 1)])
        for start in stride(from: Int64(0), to: count, by: 100) {
            town.server.live.publish(points: (start..<start + 100).map { point("phone", $0) })
            heard += quick.events(start == 0 ? 101 : 100).compactMap { ($0.data["t"] as? Int64).map { $0 / 1000 } }
        }
        #expect(heard == [1] + Array(0..<count))
        // All events that wait for the slow reader, and the number of skipped points.
        var rest: [Event] = []
        while rest.last?.data["t"] as? Int64 != (count - 1) * 1000 {
            let more = slow.events(1)
            guard !more.isEmpty else { break }
            rest += more
        }
        let phone = rest.filter { $0.data["device"] as? String == "phone" }.compactMap { $0.data["t"] as? Int64 }
        let missed = rest.filter { $0.name == "missed" }.compactMap { $0.data["points"] as? Int }.reduce(0, +)
        #expect(phone == phone.sorted() && Set(phone).count == phone.count && phone.last == (count - 1) * 1000)
        #expect(missed > 0 && phone.count + missed == Int(count))
        #expect(rest.filter { $0.data["device"] as? String == "lamp" }.count == 1)
    }

    @Test func `with more devices than the limit each device keeps one point`() {
        let reader = LiveReader(LiveReader.Subscription())
        for second in 0..<4 {
            reader.add((0..<2000).map { LiveReader.Entry(device: "\($0)", bytes: Array("\($0) \(second)\n".utf8)) })
        }
        var text = ""
        while let bytes = reader.take() { text += String(decoding: bytes, as: UTF8.self) }
        let lines = text.split(separator: "\n")
        for device in 0..<2000 { #expect(lines.contains { $0 == "\(device) 3" }) }
        #expect(lines.count < 3 * 2000)
    }

    // MARK: Tiles

    /// Whether an event covers a tile: by naming the tile, an ancestor, or a descendant.
    private func names(_ event: Event, _ tile: TileCoordinate) -> Bool {
        if event.data["all"] as? Bool == true { return true }
        guard let number = event.data["z"] as? Int, let zoom = ZoomLevel(number), let tiles = event.tiles else {
            return false
        }
        guard zoom <= tile.zoom else {
            let shift = number - tile.zoom.number
            return tiles.contains { $0[0] >> shift == tile.x && $0[1] >> shift == tile.y }
        }
        let above = tile.ancestor(at: zoom)
        return tiles.contains([above.x, above.y])
    }

    @Test(arguments: [0, 3, 9, 14, 16, 17, 22])
    func `a change by another process names the tiles whose pictures it changes`(zoom: Int) throws {
        let town = try Town()
        let here = try Town.tile(zoom, latitude: Town.latitude + 0.004)
        let far = try Town.tile(zoom, longitude: 151.2, latitude: -33.9)
        let paths = [here, far].map { "/tiles/\($0.zoom)/\($0.x)/\($0.y).png" }
        let before = paths.map { town.get($0)[.eTag] }
        let watcher = try Watcher(town.get("/v1/live?tiles=\(zoom)"))
        let other = try town.otherProcess()
        try other.ride(day: 9, latitude: Town.latitude + 0.004)
        try other.catchUp()
        town.server.poll()
        let event = try #require(watcher.events(1).first)
        #expect(event.name == "tiles" && event.id == nil)
        #expect(try event.data["rev"] as? String == town.revision)
        #expect(event.data["all"] as? Bool == true || event.data["z"] as? Int == min(zoom, 16))
        for (tile, (path, old)) in zip([here, far], zip(paths, before)) {
            if town.get(path)[.eTag] != old { #expect(names(event, tile), "\(path)") }
        }
        #expect(names(event, here))
    }

    private func takenEvent(_ waiting: inout ChangedTilesFeed) throws -> Event {
        let bytes = waiting.takeEvent() ?? []
        return try #require(Event(String(decoding: bytes, as: UTF8.self)))
    }

    @Test func `unread changes are merged, and too many tiles are replaced by coarser ones`() throws {
        var waiting = ChangedTilesFeed(zoom: .deepestGrid)
        let nothing = waiting.takeEvent()
        #expect(nothing == nil)
        let keys = (0..<300).map { TileKey(zoom: 16, morton: UInt64($0) * 64).packed }
        waiting.add(TilesChange(revision: "a", tiles: Set(keys[..<200]), recoloured: []))
        waiting.add(TilesChange(revision: "b", tiles: Set(keys[100...]), recoloured: []))
        let event = try takenEvent(&waiting)
        #expect(event.data["rev"] as? String == "b" && event.data["z"] as? Int == 16 && event.tiles?.count == 300)
        let nothingMore = waiting.takeEvent()
        #expect(nothingMore == nil)
        let many = Set((0..<5000).map { TileKey(zoom: 16, morton: UInt64($0)).packed })
        waiting.add(TilesChange(revision: "c", tiles: many, recoloured: []))
        let coarse = try takenEvent(&waiting)
        #expect(coarse.data["z"] as? Int == 14 && coarse.tiles?.count == 313)
        waiting.add(TilesChange(revision: "d", tiles: [keys[0]], recoloured: [.deepestGrid]))
        let all = try takenEvent(&waiting)
        #expect(all.data["all"] as? Bool == true && all.tiles == nil)
    }

    // MARK: Live events with a replay

    @Test func `a replay with live events has the same events, and continues after its end`() throws {
        let town = try Town()
        let alone = try Watcher(town.get("/v1/replay?speed=max")).events(2 + 3 * 62)
        let both = try Watcher(town.get("/v1/replay?speed=max&live=1"))
        var mixed = both.events(20)
        town.server.live.publish(points: [point("phone", 1)])
        mixed += both.events(alone.count + 1 - 20)
        let replayed = mixed.filter { $0.name != "point" }
        #expect(replayed.map(\.id) == alone.map(\.id) && replayed.map(\.name) == alone.map(\.name))
        town.server.live.publish(points: [point("phone", 2)])
        #expect(both.events(1).first?.data["t"] as? Int == 2000)
        // A client that reconnects after the end receives only live events.
        let end = try #require(alone.last?.id)
        #expect(town.get("/v1/replay?speed=max", [(.lastEventID, end)]).status == .noContent)
        let again = try Watcher(town.get("/v1/replay?speed=max&live=1", [(.lastEventID, end)]))
        town.server.live.publish(points: [point("phone", 3)])
        #expect(again.events(1).first?.data["t"] as? Int == 3000)
    }

    @Test func `live streams count towards the limit until their reader disconnects`() throws {
        let town = try Town { $0.eventStreams = 1 }
        let watcher = try Watcher(town.get("/v1/live"))
        #expect(town.get("/v1/live").status == .tooManyRequests)
        watcher.channel.close()
        #expect(town.get("/metrics").text.contains("\ntileserve_event_streams 0\n"))
        #expect(town.get("/v1/live").status == .ok)
    }

    @Test(
        .onlySQLite("the request is refused before the library is read"),
        arguments: ["tiles=23", "tiles=x", "device=", "device=a,,b", "device=a&device=b"])
    func `a malformed parameter is refused`(query: String) throws {
        let town = try Town()
        #expect(town.get("/v1/live?\(query)").status == .badRequest)
        #expect(town.get("/v1/replay?live=1&\(query)").status == .badRequest)
        #expect(town.get("/v1/replay?live=yes").status == .badRequest)
    }
}
