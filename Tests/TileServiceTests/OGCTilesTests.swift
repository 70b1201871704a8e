import Files
import Foundation
import HTTPCore
import PNG
import SQLite
import TestLibrary
import Testing
import TileArchive
import TileMath

@testable import TileService

/// OGC API – Tiles. The first tests ask what the conformance tests of the standard ask (OGC 20-057, annex A: A.1 to A.7, A.9,
/// A.10, A.12, A.13, A.23, A.24), in the order of the annex.
@Suite struct OGCTilesTests {
    private typealias Object = [String: Any]

    private static let relations = "http://www.opengis.net/def/rel/ogc/1.0/"
    private static let classes = "http://www.opengis.net/spec/ogcapi-tiles-1/1.0/conf/"
    private static let root = "http://localhost/ogc"

    private let town: Town

    init() throws { town = try Town() }

    /// The path and the query of a link.
    private func target(_ address: Any?) throws -> String {
        let text = try #require(address as? String)
        #expect(text.hasPrefix("http://localhost/"), "\(text)")
        return String(text.dropFirst("http://localhost".count))
    }

    private func document(_ target: String, type: String = "application/json") throws -> Object {
        let answer = town.get(target)
        #expect(answer.status == .ok && answer[.contentType] == type, "\(target): \(answer.text)")
        let tag = try #require(answer[.eTag])
        #expect(town.get(target, [(.ifNoneMatch, tag)]).status == .notModified)
        return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? Object)
    }

    private func links(_ object: Object, _ relation: String) -> [Object] {
        (object["links"] as? [Object] ?? []).filter { $0["rel"] as? String == relation }
    }

    /// The links to lists of tilesets.
    private func tilesetLinks(_ object: Object) -> [Object] {
        (object["links"] as? [Object] ?? []).filter {
            ($0["rel"] as? String)?.hasPrefix(Self.relations + "tilesets-") == true
        }
    }

    private func tilesets(_ link: Object) throws -> [Object] {
        try #require(try document(target(link["href"]))["tilesets"] as? [Object])
    }

    private func landingTilesets() throws -> [Object] {
        let links = tilesetLinks(try document("/ogc/"))
        #expect(!links.isEmpty)
        return try links.flatMap { try tilesets($0) }
    }

    private func templates(_ tileset: Object) -> [String] {
        links(tileset, "item").filter { $0["templated"] as? Bool == true }.compactMap { $0["href"] as? String }
    }

    private func filled(_ template: String, _ matrix: Int, _ row: Int, _ column: Int) throws -> String {
        try target(
            template.replacing("{tileMatrix}", with: "\(matrix)").replacing("{tileRow}", with: "\(row)")
                .replacing("{tileCol}", with: "\(column)"))
    }

    @Test func `A.1: the declaration of conformance names the classes`() throws {
        let classes = try #require(try document("/ogc/conformance")["conformsTo"] as? [String])
        for name in ["core", "tileset", "tilesets-list", "dataset-tilesets", "geodata-tilesets", "oas30"] {
            #expect(classes.contains(Self.classes + name), "\(name)")
        }
    }

    @Test func `A.2: the landing page leads to tilesets, and a template has the registered tile matrix set`() throws {
        for tileset in try landingTilesets() {
            #expect(
                tileset["tileMatrixSetURI"] as? String
                    == "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad")
            let templates = templates(tileset)
            #expect(!templates.isEmpty && templates.allSatisfy { $0.contains("/tiles/WebMercatorQuad/") })
        }
    }

    @Test(arguments: ["{tileMatrix}", "{tileRow}", "{tileCol}"])
    func `A.3 to A.5: templates have matrix, row and column`(variable: String) throws {
        for template in try landingTilesets().flatMap({ templates($0) }) { #expect(template.contains(variable)) }
    }

    @Test func `A.6: every corner of every matrix within the limits has a tile`() throws {
        for tileset in try landingTilesets() {
            let limits = try #require(tileset["tileMatrixSetLimits"] as? [Object])
            #expect(limits.count == 23)
            for limit in limits {
                let matrix = try #require((limit["tileMatrix"] as? String).flatMap { Int($0) })
                for row in ["minTileRow", "maxTileRow"] {
                    for column in ["minTileCol", "maxTileCol"] {
                        let tile = try filled(
                            templates(tileset)[0], matrix, #require(limit[row] as? Int),
                            #require(limit[column] as? Int))
                        // A vector tile without features has no content.
                        let expected: [Status] = tileset["dataType"] as? String == "vector" ? [.ok, .noContent] : [.ok]
                        #expect(expected.contains(town.get(tile).status), "\(tile)")
                    }
                }
            }
        }
    }

    @Test func `A.7: tiles outside the limits are refused with a problem`() throws {
        let template = try #require(try landingTilesets().first.map { templates($0)[0] })
        for (matrix, row, column) in [
            (0, 1, 0), (0, 0, 1), (3, 8, 0), (23, 0, 0), (24, 0, 0), (2, Int(Int32.max), Int(Int32.max)), (2, -1, 0),
        ] {
            let answer = town.get(try filled(template, matrix, row, column))
            #expect(answer.status == .notFound && answer[.contentType] == "application/problem+json")
        }
        for path in [
            "/ogc/map/tiles/WorldCRS84Quad/0/0/0", "/ogc/map/tiles/WebMercatorQuad/0/00/0",
            "/ogc/map/tiles/WebMercatorQuad/a/0/0", "/ogc/tileMatrixSets/x", "/ogc/collections/nope",
            "/ogc/collections/nope/map/tiles", "/ogc/collections/nope/map/tiles/WebMercatorQuad/0/0/0",
        ] {
            #expect(town.get(path).status == .notFound, "\(path)")
        }
        for path in ["/ogc/?f=html", "/ogc/collections?f=xml", "/ogc/map/tiles/WebMercatorQuad/0/0/0?f=gif"] {
            #expect(town.get(path).status == .badRequest, "\(path)")
        }
    }

    @Test func `A.9: lists of tilesets have the least metadata, and lie at …/tiles`() throws {
        let collections = try #require(try document("/ogc/collections")["collections"] as? [Object])
        for owner in [try document("/ogc/")] + collections {
            for link in tilesetLinks(owner) {
                #expect((link["href"] as? String)?.contains("/tiles?f=json") == true)
                for tileset in try tilesets(link) {
                    #expect(
                        tileset["tileMatrixSetURI"] != nil
                            && ["map", "vector"].contains(tileset["dataType"] as? String))
                    #expect(tileset["crs"] as? String == "http://www.opengis.net/def/crs/EPSG/0/3857")
                    let own = try #require(links(tileset, "self").first)
                    let whole = try document(target(own["href"]))
                    #expect(!templates(whole).isEmpty && whole["boundingBox"] != nil)
                    let scheme = try #require(links(whole, Self.relations + "tiling-scheme").first)
                    #expect(try document(target(scheme["href"]))["id"] as? String == "WebMercatorQuad")
                }
            }
        }
    }

    @Test func `A.10: the landing page links to a list of tilesets`() throws {
        let relations = tilesetLinks(try document("/ogc/")).compactMap { $0["rel"] as? String }
        #expect(relations.contains(Self.relations + "tilesets-map"))
        #expect(town.get("/ogc").bytes == town.get("/ogc/").bytes)
    }

    @Test func `A.12, A.13: each collection links to its tilesets, and has some`() throws {
        let collections = try #require(try document("/ogc/collections")["collections"] as? [Object])
        #expect(collections.count > 10)
        for collection in collections {
            let id = try #require(collection["id"] as? String)
            #expect(try document("/ogc/collections/\(id)")["id"] as? String == id)
            let links = tilesetLinks(collection)
            #expect(!links.isEmpty && links.allSatisfy { ($0["href"] as? String)?.contains("/tiles?") == true })
            for link in links { #expect(try !tilesets(link).isEmpty) }
        }
    }

    @Test func `A.23, A.24: the interface is described in OpenAPI 3.0, with the ids of the standard`() throws {
        let type = "application/vnd.oai.openapi+json;version=3.0"
        let link = try #require(links(try document("/ogc/"), "service-desc").first)
        #expect(link["type"] as? String == type)
        var api = try document(target(link["href"]), type: type)
        #expect(api["openapi"] as? String == "3.0.3")
        #expect((api["servers"] as? [Object])?.first?["url"] as? String == "..")
        let text = String(decoding: try JSONSerialization.data(withJSONObject: api), as: UTF8.self)
        // What only later versions have.
        #expect(!text.contains("prefixItems") && !text.contains("\"null\""))
        let paths = try #require(api["paths"] as? [String: Object])
        #expect(paths.keys.allSatisfy { $0.hasPrefix("/ogc") } && paths.count == 20)
        let ids = paths.values.compactMap { ($0["get"] as? Object)?["operationId"] as? String }
        for owner in ["dataset", "collection"] {
            for kind in ["map", "vector"] {
                for operation in ["getTile", "getTileSet", "getTileSetsList"] {
                    #expect(ids.contains("\(owner).\(kind).\(operation)"))
                }
            }
        }
        // The rules of later versions hold, too.
        api["openapi"] = "3.1.0"
        let rules = OpenAPIRules(api)
        #expect(rules.faults.isEmpty, "\(rules.faults.joined(separator: "\n"))")
    }

    @Test func `tiles are those of the style, with the same validator and parameters`() throws {
        let tile = try Town.tile(14)
        for (path, style) in [("/ogc", "heat"), ("/ogc/collections/tracks", "tracks")] {
            let plain = town.get("/tiles/\(style)/14/\(tile.x)/\(tile.y).png?from=2019-06-02")
            let answer = town.get("\(path)/map/tiles/WebMercatorQuad/14/\(tile.y)/\(tile.x)?from=2019-06-02&f=png")
            #expect(answer.status == .ok && answer.bytes == plain.bytes && answer[.eTag] == plain[.eTag])
            #expect(answer[.contentType] == "image/png")
        }
    }

    @Test func `vector tiles are those of the style, with the same validator and parameters`() throws {
        let tile = try Town.tile(14)
        for (path, style) in [("/ogc", "heat"), ("/ogc/collections/tracks", "tracks")] {
            let plain = town.get("/tiles/\(style)/14/\(tile.x)/\(tile.y).mvt?from=2019-06-02")
            let answer = town.get("\(path)/tiles/WebMercatorQuad/14/\(tile.y)/\(tile.x)?from=2019-06-02&theme=dark")
            #expect(answer.status == .ok && answer.bytes == plain.bytes && answer[.eTag] == plain[.eTag])
            #expect(answer[.contentType] == "application/vnd.mapbox-vector-tile")
            #expect(town.get("\(path)/tiles/WebMercatorQuad/14/0/0?minus=2019-06-02").status == .badRequest)
        }
        #expect(
            town.get("/ogc/tiles/WebMercatorQuad").text.contains(#""layers":[{"id":"tracks","dataType":"vector"}]"#))
    }

    @Test func `links repeat the token and the parameters of tiles, and no others`() throws {
        let page = try document("/ogc/?key=k1&from=2019-06-01&f=json&other=1")
        for link in page["links"] as? [Object] ?? [] {
            let address = try target(link["href"])
            #expect(address.contains("key=k1&from=2019-06-01") && !address.contains("other"), "\(address)")
        }
        let link = try #require(tilesetLinks(page).first)
        let template = try #require(templates(try tilesets(link)[0]).first)
        #expect(
            template == Self.root
                + "/map/tiles/WebMercatorQuad/{tileMatrix}/{tileRow}/{tileCol}?key=k1&from=2019-06-01&f=png")
    }

    @Test func `the tile matrix set is the registered one`() throws {
        let set = try document("/ogc/tileMatrixSets/WebMercatorQuad")
        #expect(set["uri"] as? String == "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad")
        let matrices = try #require(set["tileMatrices"] as? [Object])
        #expect(matrices.count == 25)
        for (level, matrix) in matrices.enumerated() {
            #expect(matrix["id"] as? String == "\(level)" && matrix["matrixWidth"] as? Int == 1 << level)
            let scale = try #require(matrix["scaleDenominator"] as? Double)
            #expect(abs(scale * Double(1 << level) - 559_082_264.028_717_8) < 1e-3)
            let cell = try #require(matrix["cellSize"] as? Double)
            #expect(abs(cell * 256 * Double(1 << level) - 2 * 20_037_508.342_789_2) < 1e-3)
        }
    }

    @Test func `an archive is a collection with its own zoom levels`() throws {
        let path = "\(town.folder.path)/roads.mbtiles"
        let connection = try Connection(path: path)
        _ = try connection.useRollbackJournal()
        try connection.execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('format', 'pbf'), ('name', 'Roads'), ('minzoom', '1'), ('maxzoom', '2'),
              ('json', '{"vector_layers":[{"id":"roads","fields":{}}]}');
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (1, 1, 0, x'1A00');
            """)
        let reader = try TileArchives.open(path)
        let server = try town.library.server { $0.archives = [ServedArchive(name: "roads", reader: reader)] }
        let list = server.get("/ogc/collections/roads/tiles")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(list.bytes)) as? Object)
        let tileset = try #require((object["tilesets"] as? [Object])?.first)
        #expect(tileset["dataType"] as? String == "vector")
        let limits = try #require(tileset["tileMatrixSetLimits"] as? [Object])
        #expect(limits.map { $0["tileMatrix"] as? String } == ["1", "2"])
        let whole = server.get("/ogc/collections/roads/tiles/WebMercatorQuad").text
        #expect(whole.contains(#""layers":[{"id":"roads","dataType":"vector"}]"#))
        let base = "/ogc/collections/roads/tiles/WebMercatorQuad"
        let tile = server.get("\(base)/1/1/1?f=mvt")
        #expect(tile.status == .ok && tile.bytes == [0x1A, 0])
        #expect(tile[.contentType] == "application/vnd.mapbox-vector-tile")
        #expect(server.get("\(base)/1/0/0").status == .noContent)
        #expect(server.get("\(base)/0/0/0").status == .notFound && server.get("\(base)/3/0/0").status == .notFound)
        #expect(server.get("\(base)/1/1/1?f=png").status == .badRequest)
        #expect(server.get("/ogc/collections/roads/map/tiles/WebMercatorQuad/1/1/1").status == .notFound)
        #expect(server.get("/ogc/collections/roads/map/tiles").text.contains(#""tilesets":[]"#))
    }
}
