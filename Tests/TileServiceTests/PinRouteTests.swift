import Colors
import Files
import Foundation
import HTTPCore
import PNG
import Pins
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore

@Suite("Pins over HTTP") struct PinRouteTests {
    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    private func post(_ town: Town, _ json: String) -> Response {
        town.server.ask(Request(.post, "/v1/pins", content: .bytes(Array(json.utf8))))
    }

    private func ids(_ town: Town, _ query: String = "") throws -> [String] {
        let pins = try #require(try object(town.get("/v1/pins\(query)"))["pins"] as? [[String: Any]])
        return pins.compactMap { $0["id"] as? String }
    }

    /// The sum of the counts in the JSON of a tile.
    private func count(_ town: Town, _ tile: String, _ query: String = "") throws -> Int {
        let clusters = try #require(
            try object(town.get("/tiles/pins/\(tile).json\(query)"))["bubbles"] as? [[String: Any]])
        return clusters.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }

    @Test(.eachStore) func `A pin is added, read, edited and removed, and tiles follow at once`() throws {
        let town = try Town()
        let empty = town.get("/tiles/pins/0/0/0.png")
        #expect(empty.status == .ok && empty.bytes == EmptyPicture.tile)
        let made = post(
            town, #"{"lon":13.4,"lat":52.5,"caption":" Good ice ","category":"Food","time":"2025-06-01T10:00:00Z"}"#)
        #expect(made.status == .created)
        let pin = try object(made)
        let id = try #require(pin["id"] as? String)
        #expect(made[.location] == "/v1/pins/\(id)")
        #expect(pin["caption"] as? String == "Good ice" && pin["category"] as? String == "food")
        #expect(pin["source"] as? String == "hand" && pin["person"] is NSNull)
        let tile = town.get("/tiles/pins/0/0/0.png")
        #expect(tile.bytes != empty.bytes && tile[.eTag] != empty[.eTag])
        #expect(town.get("/tiles/pins/0/0/0.png", [(.ifNoneMatch, try #require(tile[.eTag]))]).status == .notModified)
        #expect(try PNGReader.image(of: town.get("/tiles/pins/0/0/0@2x.png").bytes).width == 512)
        #expect(town.get("/tiles/pins/0/0/0.png?theme=dark").bytes != tile.bytes)
        #expect(try count(town, "0/0/0") == 1)
        let path = "/v1/pins/\(id)"
        let patched = town.server.ask(
            Request(
                .patch, path, content: .bytes(Array(#"{"caption":null,"lon":14,"lat":52,"visibility":"here"}"#.utf8))))
        #expect(patched.status == .ok)
        #expect(try object(patched)["caption"] is NSNull && object(patched)["lon"] as? Double == 14)
        #expect(try object(town.get(path))["visibility"] as? String == "here")
        #expect(town.get(path)[.eTag] == patched[.eTag])
        #expect(town.get(path, method: .delete).status == town.removed)
        #expect(town.get(path).status == .notFound)
        #expect(town.get("/tiles/pins/0/0/0.png").bytes == empty.bytes)
        #expect(try ids(town).isEmpty)
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"lon":1}"#, #"{"lon":181,"lat":0}"#, #"{"lon":"1","lat":2}"#, #"{"lon":1,"lat":2,"id":"x"}"#,
        #"{"lon":1,"lat":2,"time":"yesterday"}"#, #"{"lon":1,"lat":2,"visibility":"none"}"#,
        #"{"lon":1,"lat":2,"person":"bea"}"#, #"{"lon":1,"lat":2,"lon":3}"#, #"{"lon":1e999,"lat":2}"#,
        #"{"lon":true,"lat":2}"#, #"{"lon":1,"lat":2,"caption":7}"#,
        #"{"lon":1,"lat":2,"time":NaN}"#,
    ])
    func `A body that is no pin is refused`(body: String) throws {
        let town = try Town()
        #expect(post(town, body).status == .badRequest)
        #expect(try ids(town).isEmpty)
    }

    /// As other programs write numbers that they have computed.
    @Test(arguments: [
        ("13.404953999999999", "52.52000659999999", 13.404954, 52.5200066), ("1.34e1", "525E-1", 13.4, 52.5),
        ("-0", "0.0", 0, 0), ("-0.0", "-1e-9", 0, 0),
        ("-122.41941550000000123", "3.7774929e+1", -122.4194155, 37.774929),
    ])
    func `a position may have many digits and an exponent`(
        longitude: String, latitude: String, east: Double, north: Double
    ) throws {
        let town = try Town()
        #expect(post(town, #"{"lon":\#(longitude),"lat":\#(latitude)}"#).status == .created)
        let pin = try #require(
            try town.library.database.read { try $0.pins(PinFilter(), limit: 9, after: nil) }?.pins.first)
        #expect(pin.place.degrees == (east, north))
        let at = town.get("/v1/at?lon=\(longitude)&lat=\(latitude.replacing("+", with: "%2B"))&z=3")
        #expect(at.status == .ok)
    }

    @Test func `A caption may have 2000 characters, and no more`() throws {
        let town = try Town()
        let caption = String(repeating: "🚲", count: 2000)
        #expect(post(town, #"{"lon":1,"lat":2,"caption":"\#(caption)"}"#).status == .created)
        #expect(post(town, #"{"lon":1,"lat":2,"caption":"\#(caption)x"}"#).status == .badRequest)
    }

    @Test(arguments: [
        ("/v1/pins?hours=25", 400), ("/v1/pins?months=0", 400), ("/v1/pins?source=x", 400), ("/v1/pins?limit=0", 400),
        ("/v1/pins?after=x", 400), ("/v1/pins?bbox=1,2", 400), ("/v1/pins?from=2025-01-02&to=2025-01-01", 400),
        ("/v1/pins?category=", 400), ("/v1/pins/zzz", 404), ("/v1/pins/00000000000000000000000000000000", 404),
        ("/tiles/pins/0/0/1.png", 404), ("/tiles/pins/23/0/0.png", 404), ("/tiles/pins/x/pins/0/0/0.png", 404),
        ("/tiles/pins/0/0/1.json", 404), ("/tiles/pins/01/0/0.json", 404), ("/tiles/pins/0/0/0.png?hours=x", 400),
        ("/tiles/pins/0/0/0.json?months=13", 400),
    ])
    func `Malformed requests get an error`(target: String, status: Int) throws {
        #expect(try Town().get(target).status.code == status)
    }

    /// Pins in Berlin and on both sides of 180°, at different hours and months.
    private func filled() throws -> (town: Town, pins: [Pin]) {
        let town = try Town()
        var random = SeededRandom(seed: 11)
        var pins: [Pin] = []
        for number in 0..<200 {
            let longitude = [13.4, 179.9, -179.9, 13.4 + Double(random.below(1000)) / 1e4][number % 4]
            let place = try #require(
                PinPlace(longitude: longitude, latitude: 52.5 + Double(random.below(1000)) / 1e4))
            var content = PinContent(place, source: .hand, located: .hand)
            content.time = number % 5 == 0 ? nil : 1_700_000_000_000 + Int64(random.below(1 << 35))
            content.category = [nil, "hut", "food"][number % 3]
            content.visibility = number % 7 == 0 ? .here : .open
            pins.append(try town.library.database.addPin(content))
        }
        return (town, pins)
    }

    @Test(arguments: [
        "", "?category=hut", "?source=hand", "?source=mark", "?hours=22-4", "?months=12-2",
        "?hours=6-9,22-4&months=5-8",
        "?from=2023-12-01", "?to=2023-12-31", "?from=2023-12-01&to=2024-06-30&category=food", "?person=",
    ])
    func `Lists and tiles of all zoom levels have the same pins under every filter`(query: String) throws {
        let (town, _) = try filled()
        let joined = query.isEmpty ? "?limit=1000" : query + "&limit=1000"
        let listed = try ids(town, joined).count
        #expect(try count(town, "0/0/0", query) == listed)
        var paged: [String] = []
        var after = ""
        repeat {
            let page = try object(town.get("/v1/pins\(query.isEmpty ? "?" : query + "&")limit=7\(after)"))
            paged += (page["pins"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
            after = (page["next"] as? String).map { "&after=\($0)" } ?? ""
        } while !after.isEmpty
        #expect(try paged == ids(town, joined))
        for zoom in 1...6 {
            let side = 1 << zoom
            var sum = 0
            for x in 0..<side {
                for y in side / 4..<side / 2 { sum += try count(town, "\(zoom)/\(x)/\(y)", query) }
            }
            #expect(sum == listed)
        }
    }

    @Test func `A box may cross 180 degrees`() throws {
        let (town, pins) = try filled()
        let across = pins.count { abs($0.place.degrees.longitude) > 179 }
        #expect(try ids(town, "?limit=1000&bbox=179,50,-179,60").count == across)
        #expect(try ids(town, "?limit=1000&bbox=-179,50,179,60").count == pins.count - across)
    }

    @Test func `An expired pin is gone from lists and tiles, by the clock`() throws {
        let town = try Town()
        let soon = TrackDatabase.systemClock() + 600
        let text = ISO8601DateFormatter.string(
            from: Date(timeIntervalSince1970: Double(soon) / 1000), timeZone: .gmt,
            formatOptions: [.withInternetDateTime, .withFractionalSeconds])
        let made = post(town, #"{"lon":13.4,"lat":52.5,"expires":"\#(text)"}"#)
        #expect(made.status == .created)
        #expect(try count(town, "0/0/0") == 1)
        let tag = town.get("/tiles/pins/0/0/0.png")[.eTag]
        while TrackDatabase.systemClock() <= soon { Thread.sleep(forTimeInterval: 0.05) }
        #expect(try count(town, "0/0/0") == 0 && ids(town).isEmpty)
        #expect(town.get("/tiles/pins/0/0/0.png")[.eTag] != tag)
    }

    @Test func `Pins of another process show, and removed ones are gone`() throws {
        let town = try Town()
        #expect(try count(town, "0/0/0") == 0)
        let other = try town.otherProcess()
        let place = try #require(PinPlace(longitude: 1, latitude: 2))
        let pin = try other.database.addPin(PinContent(place, source: .hand, located: .hand))
        #expect(try count(town, "0/0/0") == 1)
        _ = try other.database.markRemoved(pins: [pin.id])
        #expect(try count(town, "0/0/0") == 0)
    }

    @Test func `The right edge of a tile continues in its neighbour`() throws {
        let (town, _) = try filled()
        // Far from all others: a single pin whose centre is on the edge.
        let place = try #require(PinPlace(longitude: -90, latitude: 10))
        _ = try town.library.database.addPin(PinContent(place, source: .hand, located: .hand))
        let west = try PNGReader.image(of: town.get("/tiles/pins/2/0/1.png").bytes)
        let east = try PNGReader.image(of: town.get("/tiles/pins/2/1/1.png").bytes)
        let rows = (0..<256).filter { west[255, $0].alpha > 0 }
        #expect(rows.count > 10 && rows == (0..<256).filter { east[0, $0].alpha > 0 })
    }
}
