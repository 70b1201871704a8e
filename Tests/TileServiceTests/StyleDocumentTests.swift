import Files
import Foundation
import HTTPCore
import RequestHandling
import SQLite
import TestLibrary
import Testing
import TileArchive

@testable import TileService

/// Styles of MapLibre.
@Suite struct StyleDocumentTests {
    private typealias Object = [String: Any]

    private func document(_ answer: Response) throws -> Object {
        #expect(answer.status == .ok && answer[.contentType] == "application/json", "\(answer.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? Object)
    }

    private func sources(_ document: Object) throws -> [String: Object] {
        try #require(document["sources"] as? [String: Object])
    }

    @Test func `a style has its tiles above the base map, and every URL leads to a TileJSON`() throws {
        let town = try Town { $0.tiles.attribution = "© Ada" }
        for name in ["heat", "tracks", "points"] {
            let style = try document(town.get("/styles/\(name)/style.json?layer=ride&theme=dark&key=k1&v=x"))
            #expect(style["version"] as? Int == 8 && style["glyphs"] == nil && style["sprite"] == nil)
            let center = try #require(style["center"] as? [Double])
            #expect(abs(center[0] - Town.longitude) < 0.1 && abs(center[1] - Town.latitude) < 0.1)
            let layers = try #require(style["layers"] as? [Object])
            #expect(layers.compactMap { $0["id"] as? String } == ["base", name])
            let sources = try sources(style)
            for layer in layers { #expect(sources[try #require(layer["source"] as? String)] != nil) }
            let address = try #require(sources[name]?["url"] as? String)
            #expect(address == "http://localhost/tiles/\(name).json?scale=2&layer=ride&theme=dark&key=k1")
            let tiles = try document(town.get(String(address.dropFirst("http://localhost".count))))
            #expect(tiles["attribution"] as? String == "© Ada" && tiles["tileSize"] as? Int == 256)
            #expect((tiles["tiles"] as? [String])?[0].contains("key=k1") == true)
            let base = try #require(sources["base"]?["url"] as? String)
            #expect(base == "http://localhost/tiles/base.json?theme=dark&key=k1")
            let baseTiles = try document(town.get(String(base.dropFirst("http://localhost".count))))
            #expect((baseTiles["tiles"] as? [String])?[0].hasSuffix("theme=dark&show=all&key=k1") == true)
        }
        #expect(town.get("/styles/nope/style.json").status == .notFound)
        #expect(town.get("/styles/heat/style.json?theme=pink").status == .badRequest)
    }

    @Test func `URLs have the public address`() throws {
        let address = try #require(PublicURL("https://maps.example/rides"))
        let town = try Town {
            $0.tiles.publicURLs = [address]
            $0.allowsPublicReading = true
        }
        let style = try document(town.get("/styles/heat/style.json", [(.host, "maps.example")]))
        for (_, source) in try sources(style) {
            #expect((source["url"] as? String)?.hasPrefix("https://maps.example/rides/tiles/") == true)
        }
    }

    @Test func `pages of other sites may read styles as they may read tiles`() throws {
        let town = try Town { $0.allowsAnyOrigin = true }
        let answer = town.get("/styles/heat/style.json", [(.origin, "https://maps.example")])
        #expect(answer[HeaderName("Access-Control-Allow-Origin")] != nil && answer[.vary]?.contains("Origin") == true)
        let tag = try #require(answer[.eTag])
        #expect(town.get("/styles/heat/style.json", [(.ifNoneMatch, tag)]).status == .notModified)
    }

    @Test func `a vector archive has areas, lines and points of each layer`() throws {
        let town = try Town()
        let path = "\(town.folder.path)/roads.mbtiles"
        let connection = try Connection(path: path)
        _ = try connection.useRollbackJournal()
        try connection.execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('format', 'pbf'), ('minzoom', '1'), ('maxzoom', '2'), ('center', '8,47,2'),
              ('json', '{"vector_layers":[{"id":"water","fields":{}},{"id":"roads","fields":{}}]}');
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (1, 1, 0, x'1A00');
            """)
        let reader = try TileArchives.open(path)
        let server = try town.library.server { $0.archives = [ServedArchive(name: "country", reader: reader)] }
        let style = try document(server.get("/styles/country/style.json?key=k1&layer=ride"))
        let sources = try sources(style)
        #expect(sources["country"]?["type"] as? String == "vector")
        #expect(sources["country"]?["url"] as? String == "http://localhost/tiles/country.json?key=k1")
        let layers = try #require(style["layers"] as? [Object]).dropFirst()
        #expect(
            layers.compactMap { $0["id"] as? String } == [
                "water fill", "roads fill", "water line", "roads line", "water circle", "roads circle",
            ])
        for layer in layers {
            let kind = try #require(layer["type"] as? String)
            #expect((layer["paint"] as? Object)?["\(kind)-color"] is String)
            #expect((layer["filter"] as? [String])?.count == 3 && layer["source-layer"] is String)
        }
    }
}
