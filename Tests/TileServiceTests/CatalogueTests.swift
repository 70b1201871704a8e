import Colors
import Files
import Foundation
import HTTPCore
import PNG
import PrimaryStore
import RequestHandling
import Styling
import TestSupport
import Testing
import TileMath
import TileService
import TrackQuery
import TrackStore

@Suite struct CatalogueTests {
    private struct TileJSON: Decodable {
        var tilejson: String
        var name: String
        var scheme: String
        var tiles: [String]
        var minzoom: Int
        var maxzoom: Int
        var bounds: [Double]
        var center: [Double]
        var vectorLayers: [String]
        var version: String
        var attribution: String?
    }

    private func tileJSON(_ response: Response) throws -> TileJSON {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(TileJSON.self, from: Data(response.bytes))
    }

    @Test func `TileJSON contains the tile URL and the bounds`() throws {
        let town = try Town()
        let answer = town.get("/tiles.json", [(.host, "localhost:8080")])
        #expect(answer.status == .ok && answer[.contentType] == "application/json")
        let value = try tileJSON(answer)
        #expect(value.tilejson == "3.0.0" && value.scheme == "xyz" && value.version == "1.2.3")
        #expect(value.minzoom == 0 && value.maxzoom == 22 && value.vectorLayers.isEmpty)
        #expect(value.tiles == ["http://localhost:8080/tiles/heat/{z}/{x}/{y}.png?v=\(try town.revision)"])
        let (west, south, east, north) = (value.bounds[0], value.bounds[1], value.bounds[2], value.bounds[3])
        #expect(west < Town.longitude && Town.longitude < east && east - west < 1)
        #expect(south < Town.latitude && Town.latitude < north && north - south < 1)
        #expect(west < value.center[0] && value.center[0] < east && south < value.center[1] && value.center[1] < north)
        #expect(value.center[2] == value.center[2].rounded() && (8...16).contains(value.center[2]))
        #expect(town.get("/tiles/heat.json", [(.host, "localhost:8080")]).bytes == answer.bytes)
        let again = town.get("/tiles.json", [(.host, "localhost:8080"), (.ifNoneMatch, answer[.eTag] ?? "")])
        #expect(again.status == .notModified)
    }

    @Test func `TileJSON repeats the query, and its URLs give tiles`() throws {
        let town = try Town { $0.tiles.attribution = "Ada's <b>rides</b>" }
        let answer = town.get("/tiles.json?layer=r%69de&from=2019-06-01&x=1&v=7")
        let value = try tileJSON(answer)
        let template = try #require(value.tiles.first)
        #expect(template.hasSuffix("?layer=ride&from=2019-06-01&v=\(try town.revision)"))
        #expect(value.attribution == "Ada's <b>rides</b>")
        let tile = try Town.tile(13)
        let url = template.replacingOccurrences(of: "{z}", with: "13").replacingOccurrences(
            of: "{x}", with: "\(tile.x)"
        )
        .replacingOccurrences(of: "{y}", with: "\(tile.y)")
        let drawn = town.get(url.replacingOccurrences(of: "http://localhost", with: ""))
        #expect(drawn.status == .ok && drawn.bytes.count > 116)
        #expect(drawn[.cacheControl]?.hasSuffix("immutable") == true)
    }

    @Test(arguments: [
        ("/tiles/nope.json", 404), ("/tiles.json?layer=nope", 404), ("/tiles.json?from=x", 400),
        ("/legend/nope.png", 404), ("/legend/heat.json?layer=nope", 404), ("/legend/heat.json?z=23", 400),
        ("/legend/heat.json?z=1&z=2", 400), ("/legend/heat.json?z=", 400), ("/legend/heat", 404),
        ("/assets/nope.js", 404), ("/assets/leaflet/..%2f..%2fpasswd", 404), ("/assets/leaflet/leaflet.js", 404),
    ])
    func `an unknown name is a problem`(path: String, status: Int) throws {
        let answer = try Town().get(path)
        #expect(answer.status.code == status)
        #expect(answer[.contentType] == "application/problem+json")
    }

    @Test func `with a public URL the tile URLs begin with it`() throws {
        let town = try Town {
            $0.tiles.publicURLs = [PublicURL("https://maps.example.org/heat/")].compactMap { $0 }
            $0.allowsPublicReading = true
        }
        let outside = try tileJSON(town.get("/tiles.json", [(.host, "maps.example.org")]))
        #expect(outside.tiles[0].hasPrefix("https://maps.example.org/heat/tiles/heat/{z}/"))
        let inside = try tileJSON(town.get("/tiles.json", [(.host, "127.0.0.1:80")]))
        #expect(inside.tiles[0].hasPrefix("http://127.0.0.1:80/tiles/heat/{z}/"))
        #expect(PublicURL("ftp://a") == nil && PublicURL("https://a/?b") == nil)
    }

    @Test func `of several public URLs TileJSON names the one that fits the Host, or the first behind a proxy`() throws
    {
        let town = try Town {
            $0.tiles.publicURLs = ["https://example.org/maps/", "http://example.org:8081", "https://maps.example"]
                .compactMap { PublicURL($0) }
            $0.allowsPublicReading = true
        }
        func url(_ headers: [(HeaderName, String)]) throws -> Substring {
            try #require(tileJSON(town.get("/tiles.json", headers)).tiles.first).prefix { $0 != "{" }
        }
        let bare = (HeaderName.host, "127.0.0.1:8080")
        let forwarded = HeaderName("X-Forwarded-Host")
        #expect(try url([(.host, "example.org")]) == "https://example.org/maps/tiles/heat/")
        #expect(try url([(.host, "example.org:443")]) == "https://example.org/maps/tiles/heat/")
        #expect(try url([(.host, "example.org:8081")]) == "http://example.org:8081/tiles/heat/")
        #expect(try url([(.host, "example.org:99")]) == "https://example.org/maps/tiles/heat/")
        #expect(try url([(.host, "maps.example")]) == "https://maps.example/tiles/heat/")
        #expect(try url([bare]) == "http://127.0.0.1:8080/tiles/heat/")
        #expect(
            try url([bare, (HeaderName("X-Forwarded-For"), "192.0.2.1")]) == "https://example.org/maps/tiles/heat/")
        #expect(try url([bare, (forwarded, "maps.example")]) == "https://maps.example/tiles/heat/")
        // Only configured names are named.
        #expect(try url([bare, (forwarded, "evil.example")]) == "https://example.org/maps/tiles/heat/")
    }

    @Test func `the path prefix of a public URL may reach the server or not`() throws {
        let town = try Town {
            $0.tiles.publicURLs = [PublicURL("https://example.org/a/maps/")].compactMap { $0 }
            $0.allowsPublicReading = true
        }
        let host = [(HeaderName.host, "example.org")]
        for path in ["/", "/tiles.json", try Town.path(12), "/v1/tracks?limit=1", "/health"] {
            let plain = town.get(path, host)
            let prefixed = town.get("/a/maps" + path, host)
            #expect(
                plain.status == .ok && prefixed.status == .ok && prefixed.bytes.shown == plain.bytes.shown, "\(path)")
        }
        let redirect = town.get("/a/maps?key=x", host)
        #expect(redirect.status == .permanentRedirect && redirect[.location] == "maps/?key=x")
        for path in ["/a/", "/a/mapsx/health", "/maps/health", "/a/maps/a/maps/health"] {
            #expect(town.get(path, host).status == .notFound, "\(path)")
        }
        #expect(try Town().get("/a/maps/health").status == .notFound)
    }

    @Test func `TileJSON gives the size of tiles on the map, and tiles of double scale if asked`() throws {
        struct Sized: Decodable {
            var tileSize: Int
            var tiles: [String]
        }
        let town = try Town()
        for (query, ending) in [("", "{y}.png"), ("?scale=1", "{y}.png"), ("?scale=2", "{y}@2x.png")] {
            let value = try JSONDecoder().decode(Sized.self, from: Data(town.get("/tiles.json" + query).bytes))
            #expect(value.tileSize == 256)
            #expect(value.tiles.first?.contains("{x}/\(ending)?v=") == true, "\(query)")
        }
        for query in ["scale=3", "scale=", "scale=2&scale=2"] {
            #expect(town.get("/tiles.json?" + query).status == .badRequest, "\(query)")
        }
    }

    @Test func `the bounds are those of the layer, the window and the tracks asked for`() throws {
        let town = try Town()
        try town.library.ride(day: 9, longitude: 20, activity: "ski")
        try town.library.catchUp()
        town.server.poll()
        func bounds(_ query: String) throws -> [Double] {
            try tileJSON(town.get("/tiles.json?" + query)).bounds
        }
        let all = try bounds("")
        #expect(all[0] < Town.longitude && all[2] > 20)
        for query in ["layer=ski", "from=2019-06-10", "from=2019-06-10T00:00:00Z", "layer=ski&to=2019-06-30"] {
            let east = try bounds(query)
            #expect(east[0] >= 20 && east[2] < 20.1, "\(query)")
        }
        for query in ["layer=walk", "to=2019-06-02", "asof=2019-06-02", "layer=ride"] {
            let west = try bounds(query)
            #expect(west[0] >= Town.longitude && west[2] < 13.5, "\(query)")
        }
        // Nothing is drawn: the whole world.
        #expect(try bounds("layer=ski&to=2019-06-02")[0] == -180)
    }

    @Test func `tracks on both sides of 180° centre the map there`() throws {
        let town = try Town()
        let library = try Library(folder: town.folder.path + "/fiji")
        try library.ride(day: 0, longitude: 179.9975, latitude: -17)
        try library.catchUp()
        let value = try tileJSON(library.server().get("/tiles.json"))
        #expect(value.bounds[0] == -180 && value.bounds[2] == 180)
        #expect(abs(value.center[0]) > 179 && value.center[2] > 8)
    }

    @Test func `styles and layers are listed, whatever their names`() throws {
        struct Entry: Decodable {
            var name: String
        }
        let town = try Town()
        let odd = "\"><script>\\é\u{7}"
        _ = try town.library.database.addLayer(name: "odd -_.é", condition: try TrackCondition(parsing: "tag = x"))
        try town.library.ride(day: 3, activity: odd)
        try town.library.catchUp()
        town.server.poll()
        let layers = try JSONDecoder().decode([Entry].self, from: Data(town.get("/layers").bytes)).map(\.name)
        #expect(layers.first == "all")
        // The word of a file is no name of a layer.
        #expect(Set(layers) == ["all", "ride", "walk", "other", "odd -_.é"])
        let styles = try JSONDecoder().decode([Entry].self, from: Data(town.get("/styles").bytes)).map(\.name)
        #expect(styles == StyleSheet.builtIn.names)
    }

    @Test func `every ramp is listed with its colours and can be requested`() throws {
        struct Entry: Decodable {
            var name: String
            var `for`: String
            var colors: [String]
        }
        let town = try Town()
        let ramps = try JSONDecoder().decode([Entry].self, from: Data(town.get("/ramps").bytes))
        #expect(ramps.map(\.name) == NamedRamp.all.map(\.name))
        for ramp in ramps {
            let named = try #require(NamedRamp.named(ramp.name))
            #expect((ramp.for == "differences") == (named.scheme == .diverging), "\(ramp.name)")
            #expect(ramp.colors.count == 8 && ramp.colors.allSatisfy { Color($0) != nil }, "\(ramp.name)")
            #expect(ramp.colors.first == named.ramp.color(at: 0).description, "\(ramp.name)")
            #expect(ramp.colors.last == named.ramp.color(at: 1).description, "\(ramp.name)")
            #expect(town.get("/legend/heat.json?ramp=\(ramp.name)").status == .ok, "\(ramp.name)")
        }
    }

    @Test func `a legend has the counts of each colour`() throws {
        struct Legend: Decodable {
            struct Entry: Decodable {
                var color: String
                var from: Int
                var to: Int?
            }
            var entries: [Entry]
            var zoom: Int
        }
        let town = try Town()
        let legend = try JSONDecoder().decode(Legend.self, from: Data(town.get("/legend/heat.json?z=9").bytes))
        #expect(legend.zoom == 9 && legend.entries.first?.from == 1 && legend.entries.last?.to == nil)
        for (entry, next) in zip(legend.entries, legend.entries.dropFirst()) {
            #expect(entry.to.map { $0 + 1 } == next.from)
        }
        let picture = town.get("/legend/heat.png")
        #expect(picture[.contentType] == "image/png" && picture.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
        #expect(town.get("/legend/heat.png", [(.ifNoneMatch, picture[.eTag] ?? "")]).status == .notModified)
    }

    @Test func `a legend of lines describes their colours, one of heat and lines both`() throws {
        struct Legend: Decodable {
            struct Entry: Decodable {
                var color: String
                var from: Int?
                var text: String
            }
            var kind: String
            var unit: String?
            var entries: [Entry]
        }
        let town = try Town()
        func legend(_ path: String) throws -> Legend {
            try JSONDecoder().decode(Legend.self, from: Data(town.get("/legend/\(path)").bytes))
        }
        let activities = try legend("tracks-activity.json")
        #expect(activities.kind == "tracks" && activities.unit == nil)
        #expect(activities.entries.map(\.text) == ["ride", "walk", "other"])
        let speed = try legend("tracks-speed.json")
        #expect(speed.unit == "km/h" && speed.entries.count == 17 && speed.entries.allSatisfy { $0.from == nil })
        let other = try legend("tracks-speed.json?ramp=ember")
        #expect(other.entries.map(\.text) == speed.entries.map(\.text))
        #expect(other.entries.map(\.color) != speed.entries.map(\.color))
        let both = try legend("heat-tracks.json")
        #expect(both.kind == "heat" && both.unit == "person-days")
        #expect(both.entries.first?.from == 1 && both.entries.last?.text == "tracks" && both.entries.last?.from == nil)
        for style in StyleSheet.builtIn.names {
            let picture = town.get("/legend/\(style).png")
            #expect(picture.status == .ok && picture.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]), "\(style)")
        }
    }

    @Test
    func `lines by age have the colours that their legend gives to their days, before and after another year comes`()
        throws
    {
        struct Legend: Decodable {
            struct Entry: Decodable {
                var color: String
                var text: String
            }
            var entries: [Entry]
        }
        let town = try Town()
        func expectDay(_ day: String, years: ClosedRange<Int>) throws {
            let answer = town.get("/legend/tracks-age.json")
            let legendEntries = try JSONDecoder().decode(Legend.self, from: Data(answer.bytes)).entries
            #expect(legendEntries.first?.text.hasPrefix("\(years.lowerBound)-01-01 – ") == true)
            #expect(legendEntries.dropLast().last?.text.hasSuffix(" – \(years.upperBound)-12-31") == true)
            let entry = try #require(
                legendEntries.dropLast().first { entry in
                    let ends = entry.text.components(separatedBy: " – ")
                    return ends[0] <= day && day <= ends[1]
                })
            let tile = try Town.tile(17)
            let path = "/tiles/tracks-age/\(tile.zoom)/\(tile.x)/\(tile.y).png?from=\(day)&to=\(day)&layer=ride"
            let drawn = try PNGReader.image(of: town.get(path).bytes)
            let colors = (0..<256 * 256).map { drawn[$0 % 256, $0 / 256] }.filter { $0.alpha == 255 }
                .map { String(format: "#%02x%02x%02x", $0.red, $0.green, $0.blue) }
            #expect(colors.contains(entry.color))
            #expect(Set(legendEntries.map(\.color)).intersection(colors) == [entry.color])
        }
        try expectDay("2019-06-02", years: 2019...2019)
        try town.library.ride(day: 1000, activity: "walk")
        try town.library.catchUp()
        town.server.poll()
        try expectDay("2019-06-02", years: 2019...2022)
    }

    @Test func `a ramp or difference that a style does not support is a problem`() throws {
        struct Entry: Decodable {
            var name: String
            var kind: String
            var takesRamp: Bool
            var takesTheme: Bool
        }
        let town = try Town()
        let styles = try JSONDecoder().decode([Entry].self, from: Data(town.get("/styles").bytes))
        for style in styles {
            let known = try #require(StyleSheet.builtIn[style.name])
            #expect(style.kind == known.kind.rawValue && style.takesRamp == (known.ramp != nil))
            #expect(style.takesTheme == known.takesTheme)
            let place = try "/tiles/\(style.name)" + Town.path(12).dropFirst("/tiles".count)
            for path in [place, "/legend/\(style.name).json"] {
                let themes = [nil, "light", "dark"].map { town.get(path + ($0.map { "?theme=\($0)" } ?? "")) }
                #expect(themes[0].bytes.shown == themes[1].bytes.shown && themes.allSatisfy { $0.status == .ok })
                #expect((themes[0].bytes.shown != themes[2].bytes.shown) == style.takesTheme, "\(path)")
                #expect(town.get("\(path)?theme=grey").status == .badRequest)
                #expect(town.get("\(path)?ramp=ember").status == (style.takesRamp ? .ok : .badRequest), "\(path)")
                #expect(
                    town.get("\(path)?minus=2019-01-01/2019-06-01").status
                        == (style.kind == "heat" ? .ok : .badRequest),
                    "\(path)")
            }
        }
    }

    @Test func `health and metrics are not cacheable`() throws {
        let town = try Town()
        _ = town.get("/tiles/0/0/0.png")
        let health = town.get("/health")
        #expect(health[.cacheControl] == "no-store" && health.text.contains("\"status\":\"ok\""))
        // The queue counts a drawing shortly after its tile has been answered.
        var metrics = town.get("/metrics")
        for _ in 0..<2000 where !metrics.text.contains("\ntileserve_drawing_done_total 1\n") {
            Thread.sleep(forTimeInterval: 0.005)
            metrics = town.get("/metrics")
        }
        #expect(
            metrics[.cacheControl] == "no-store"
                && metrics[.contentType]?.hasPrefix("text/plain; version=0.0.4") == true)
        for line in ["tileserve_cache_tiles 1", "tileserve_drawing_done_total 1", "tileserve_library_tracks 3"] {
            #expect(metrics.text.contains("\n\(line)\n"), "\(line)")
        }
    }
}
