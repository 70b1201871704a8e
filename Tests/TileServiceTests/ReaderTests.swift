import Foundation
import HTTPCore
import RequestHandling
import Testing
import TileService

/// What callers can read from a real server; permissions in general are tested with access control.
@Suite struct ReaderTests {
    /// A viewer's token, `sesame`.
    private struct Register: TokenRegistry {
        func authorization(for token: String) -> Authorization? {
            token == "sesame" ? Authorization(tokenID: "1", caller: .viewer) : nil
        }

        func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
    }

    private func town(publicReading: Bool = false) throws -> Town {
        try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = Register()
            $0.allowsPublicReading = publicReading
        }
    }

    private static let host = [(HeaderName.host, "192.0.2.1")]
    private static let free = ["/", "/health"]
    private static let kept = [
        "/tiles/0/0/0.png", "/tiles/heat/12/2200/1343@2x.png", "/tiles.json", "/tiles/heat.json", "/styles", "/ramps",
        "/layers", "/legend/heat.json", "/legend/heat.png", "/v1/at?lon=13.4&lat=52.5&z=12", "/v1/tracks",
        "/v1/calendar?year=2019", "/v1/position?t=2019-06-02T12:00:00Z", "/v1/replay/manifest?from=2019-06-01",
        "/tiles/heat/12/2200/1343.mvt", "/tiles/pins/12/2200/1343.mvt", "/tiles/floor/12/2200/1343.mvt",
        "/tiles.json?format=mvt", "/v1/replay?from=2019-06-01", "/v1/live", "/metrics", "/v1/tracks/none",
        "/v1/tracks/none.geojson",
    ]

    @Test func `other machines need a token for everything about tracks`() throws {
        let town = try town()
        let page = town.get("/", Self.host).text
        let assets = page.matches(of: /"(assets\/[\w.]+\.(?:js|css|svg))"/).map { "/\($0.1)" }
        #expect(assets.count == 3)
        for path in Self.free + assets { #expect(town.get(path, Self.host).status == .ok, "\(path)") }
        for path in Self.kept {
            let separator = path.contains("?") ? "&" : "?"
            #expect(town.get(path, Self.host).status == .unauthorized, "\(path)")
            #expect(town.get(path + separator + "key=simsalabim", Self.host).status == .unauthorized, "\(path)")
            #expect(town.get(path + separator + "key=sesame", Self.host).status != .unauthorized, "\(path)")
            let bearer = Self.host + [(.authorization, "Bearer sesame")]
            #expect(town.get(path, bearer).status != .unauthorized, "\(path)")
        }
        // Cached tiles need a token too.
        #expect(town.get("/tiles/0/0/0.png", Self.host).status == .unauthorized)
    }

    @Test func `reading may be public`() throws {
        let town = try town(publicReading: true)
        for path in Self.free + Self.kept { #expect(town.get(path, Self.host).status != .unauthorized, "\(path)") }
    }

    @Test func `health shows callers without a token only the status`() throws {
        func names(_ path: String) throws -> Set<String> {
            let body = try town().get(path, Self.host).bytes
            let object = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
            return Set(object.keys)
        }
        #expect(try names("/health") == ["status", "version"])
        #expect(try names("/health?key=sesame").isSuperset(of: ["status", "version", "revision", "tracks", "points"]))
    }

    @Test func `health shows readers what they may do`() throws {
        func permissions(_ town: Town, _ path: String, _ headers: [(HeaderName, String)]) throws -> [String]? {
            let object = try JSONSerialization.jsonObject(with: Data(town.get(path, headers).bytes)) as? [String: Any]
            return object?["permissions"] as? [String]
        }
        let far = try town(), open = try town(publicReading: true)
        #expect(try permissions(far, "/health", Self.host) == nil)
        #expect(try permissions(far, "/health?key=sesame", Self.host) == ["read"])
        #expect(try permissions(open, "/health", Self.host) == ["read"])
        #expect(try permissions(Town(), "/health", []) == ["read", "record", "change", "contribute"])
    }

    @Test func `TileJSON adds the key to its tile URLs`() throws {
        struct Value: Decodable {
            var tiles: [String]
        }
        let town = try town()
        let body = town.get("/tiles.json?key=sesame&layer=ride", Self.host).bytes
        let url = try #require(try JSONDecoder().decode(Value.self, from: Data(body)).tiles.first)
        #expect(url.contains("?key=sesame&layer=ride&v="))
        let path = url.replacing("http://192.0.2.1", with: "").replacing("{z}", with: "0").replacing("{x}", with: "0")
            .replacing("{y}", with: "0")
        #expect(town.get(path, Self.host).status == .ok)
    }

    @Test func `the page adds the key to all its requests`() throws {
        let town = try Town()
        let page = town.get("/").text
        var scripts = page.matches(of: /src="(assets\/page\.[\w.]+)"/).map { "/\($0.1)" }
        var seen: Set<String> = []
        var server = ""
        while let path = scripts.popLast() {
            guard seen.insert(path).inserted else { continue }
            let text = town.get(path).text
            for match in text.matches(of: /(?:from |import\()'\.\/([\w.-]+)'/) { scripts.append("/assets/\(match.1)") }
            // `request` is private to one module, and fetches what its callers in this module give.
            var isServer = false
            for line in text.split(separator: "\n") {
                // The modules of a file, each in a function of its own.
                if line.hasPrefix("const $") { isServer = line.hasPrefix("const $server = ") }
                if isServer { server += line }
                if isServer, line.contains("async function request(url") || line.contains("fetch(url, options)") {
                    continue
                }
                let asks =
                    line.contains("fetch(") || line.contains("new EventSource(")
                    || isServer && line.contains("request(")
                #expect(!asks || line.contains("(address(") || line.contains("(current()"), "\(path): \(line)")
                if line.contains("const current = () =>") { #expect(line.contains("address(")) }
            }
        }
        #expect(seen.count > 20)
        #expect(server.contains("const all = [...pairs, ['key', key]];"))
    }
}
