import Foundation
import HTTPCore
import TestSupport
import Testing

@testable import TileService

/// What the tiles of all overlays have in common.
@Suite struct OverlayRouteTests {
    private static let names = ["explorer", "explorer-17", "countries", "pins"]

    private func tileURL(_ town: Town, _ json: String) throws -> String {
        let description = town.get("/tiles/\(json)")
        #expect(description.status == .ok, "\(description.text)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(description.bytes)) as? [String: Any])
        let url = try #require((object["tiles"] as? [String])?.first)
        let path = try #require(url.range(of: "/tiles/"))
        return String(url[path.lowerBound...]).replacing("{z}", with: "3").replacing("{x}", with: "4")
            .replacing("{y}", with: "2")
    }

    @Test(arguments: names)
    func `a tile has a validator and a timing, and is sent again only if it has changed`(name: String) throws {
        let town = try Town()
        let path = try tileURL(town, "\(name).json?theme=dark")
        #expect(path.contains("theme=dark"))
        let tile = town.get(path)
        #expect(tile.status == .ok && tile[.contentType] == "image/png")
        #expect(tile[.serverTiming]?.hasPrefix("cache;desc=") == true)
        let same = town.get(path, [(.ifNoneMatch, try #require(tile[.eTag]))])
        #expect(same.status == .notModified && same.bytes.isEmpty && same[.eTag] == tile[.eTag])
        #expect(same[.cacheControl] == tile[.cacheControl])
    }

    @Test(arguments: ["explorer", "explorer-17", "countries"])
    func `a tile with the current revision may be cached for ever`(name: String) throws {
        let town = try Town()
        let path = try tileURL(town, "\(name).json")
        #expect(town.get(path)[.cacheControl]?.contains("immutable") == true, "\(path)")
        #expect(town.get(path + "0")[.cacheControl]?.contains("immutable") == false)
        #expect(town.get("/tiles/\(name)/3/4/2.png")[.cacheControl]?.contains("immutable") == false)
    }

    /// They change by votes and when they expire, which no revision tells.
    @Test func `a tile of pins is revalidated`() throws {
        let town = try Town()
        let path = try tileURL(town, "pins.json")
        #expect(!path.contains("v=") && town.get(path)[.cacheControl]?.contains("no-cache") == true)
        #expect(town.get("/tiles/pins/3/4/2.png?v=1")[.cacheControl]?.contains("no-cache") == true)
        #expect(town.get(path)[.serverTiming] == "cache;desc=hit")
    }

    @Test(arguments: names)
    func `TileJSON refuses what its tiles refuse`(name: String) throws {
        let town = try Town()
        for (query, status) in [
            ("layer=nope", Status.notFound), ("from=x", .badRequest), ("from=2020-01-02&to=2020-01-01", .badRequest),
            ("theme=blue", .badRequest), ("from=2019-01-01&from=2019-01-01", .badRequest),
        ] {
            #expect(town.get("/tiles/\(name)/3/4/2.png?\(query)").status == status, "\(query)")
            #expect(town.get("/tiles/\(name).json?\(query)").status == status, "\(query)")
        }
    }
}
