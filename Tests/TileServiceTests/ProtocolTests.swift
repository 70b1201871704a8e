import Files
import Foundation
import HTTPCore
import SQLite
import TestLibrary
import Testing
import TileArchive
import TileMath

@testable import TileService

/// WMTS, TMS, and paths of tiles without an ending.
@Suite struct ProtocolTests {
    private func xml(_ target: String, _ town: Town) throws -> String {
        let answer = town.get(target)
        #expect(answer.status == .ok && answer[.contentType] == "application/xml" && answer[.eTag] != nil)
        return answer.text
    }

    /// The texts of elements.
    private func texts(_ xml: String, _ element: String) throws -> [String] {
        xml.matches(of: try Regex("<(?:ows:)?\(element)>([^<]*)</", as: (Substring, Substring).self)).map {
            String($0.1)
        }
    }

    /// The values of an attribute.
    private func attributes(_ xml: String, _ name: String) throws -> [String] {
        xml.matches(of: try Regex(" \(name)=\"([^\"]*)\"", as: (Substring, Substring).self)).map {
            String($0.1).replacing("&amp;", with: "&")
        }
    }

    private let wmts = "/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=heat&STYLE=default&FORMAT=image/png"

    @Test func `tiles of WMTS and TMS are those of the style, with the same validator`() throws {
        let town = try Town()
        let tile = try Town.tile(14)
        let plain = town.get("/tiles/heat/14/\(tile.x)/\(tile.y).png?from=2019-06-01")
        #expect(plain.status == .ok && !plain.bytes.isEmpty)
        let south = (1 << 14) - 1 - tile.y
        for path in [
            "\(wmts)&TILEMATRIXSET=WebMercator&TILEMATRIX=14&TILEROW=\(tile.y)&TILECOL=\(tile.x)&from=2019-06-01",
            "/wmts?service=wmts&request=gettile&layer=heat&style=&tilematrixset=WebMercator&tilematrix=14"
                + "&tilerow=\(tile.y)&tilecol=\(tile.x)&from=2019-06-01",
            "/wmts/1.0.0/heat/default/WebMercator/14/\(tile.y)/\(tile.x).png?from=2019-06-01",
            "/tms/1.0.0/heat/14/\(tile.x)/\(south).png?from=2019-06-01",
        ] {
            let answer = town.get(path)
            #expect(answer.status == .ok && answer.bytes == plain.bytes, "\(path): \(answer.text)")
            let tag = try #require(answer[.eTag])
            #expect(tag == plain[.eTag] && town.get(path, [(.ifNoneMatch, tag)]).status == .notModified)
        }
    }

    @Test func `capabilities name styles, matrices and URLs with the token`() throws {
        let town = try Town()
        for path in ["/wmts/1.0.0/WMTSCapabilities.xml?key=k1", "/wmts?Service=WMTS&Request=GetCapabilities&key=k1"] {
            let document = try xml(path, town)
            let names = try texts(document, "Identifier")
            #expect(names.contains("heat") && names.contains("tracks") && names.contains("default"))
            let scales = try texts(document, "ScaleDenominator").compactMap(Double.init)
            #expect(scales.count == 23 && abs(scales[0] - 559_082_264.028_717_8) < 1e-6)
            #expect(abs(scales[22] * Double(1 << 22) - scales[0]) < 1e-3)
            let corners = Set(try texts(document, "TopLeftCorner"))
            #expect(corners == ["-20037508.3427892 20037508.3427892"])
            #expect(try texts(document, "SupportedCRS") == ["urn:ogc:def:crs:EPSG::3857"])
            let templates = try attributes(document, "template")
            let template = try #require(templates.first { $0.contains("/heat/") })
            #expect(
                template.hasSuffix(
                    "/wmts/1.0.0/heat/default/{TileMatrixSet}/{TileMatrix}/{TileRow}/{TileCol}.png?key=k1"))
            let links = try attributes(document, "xlink:href")
            #expect(links.filter { $0.hasSuffix("/wmts?key=k1&") }.count == 2)
        }
    }

    @Test func `errors of WMTS are exception reports with the parameter`() throws {
        let town = try Town()
        let matrix = "&TILEMATRIXSET=WebMercator&TILEMATRIX=2"
        for (path, code, locator) in [
            ("/wmts", "MissingParameterValue", "SERVICE"),
            ("/wmts?SERVICE=WMS&REQUEST=GetTile", "InvalidParameterValue", "SERVICE"),
            ("/wmts?SERVICE=WMTS", "MissingParameterValue", "REQUEST"),
            ("/wmts?SERVICE=WMTS&REQUEST=GetMap", "OperationNotSupported", "REQUEST"),
            ("/wmts?SERVICE=WMTS&REQUEST=GetTile", "MissingParameterValue", "LAYER"),
            ("/wmts?SERVICE=WMTS&SERVICE=WMTS&REQUEST=GetTile", "InvalidParameterValue", "SERVICE"),
            (wmts, "MissingParameterValue", "TILEMATRIXSET"),
            ("\(wmts)&TILEMATRIXSET=x", "InvalidParameterValue", "TILEMATRIXSET"),
            ("\(wmts)&TILEMATRIXSET=WebMercator&TILEMATRIX=23", "InvalidParameterValue", "TILEMATRIX"),
            ("\(wmts)\(matrix)&TILEROW=4&TILECOL=0", "TileOutOfRange", "TILEROW"),
            ("\(wmts)\(matrix)&TILEROW=0&TILECOL=-1", "InvalidParameterValue", "TILECOL"),
            ("/wmts/1.0.0/nope/default/WebMercator/0/0/0.png", "InvalidParameterValue", "LAYER"),
            ("/wmts/1.0.0/heat/dark/WebMercator/0/0/0.png", "InvalidParameterValue", "STYLE"),
            ("/wmts/1.0.0/heat/default/WebMercator/0/0/0.png?from=x", "InvalidParameterValue", "QUERY"),
            ("/wmts/1.0.0/tracks/default/WebMercator/0/0/0.png?minus=2019-06-01/", "InvalidParameterValue", "QUERY"),
            ("/wmts/1.0.0/WMTSCapabilities.xml?key=%ff", "InvalidParameterValue", "QUERY"),
            (
                "\(wmts)&TILEMATRIXSET=WebMercator&TILEMATRIX=0&TILEROW=0&TILECOL=0&theme=x", "InvalidParameterValue",
                "QUERY"
            ),
        ] {
            let answer = town.get(path)
            #expect(answer.status == .badRequest && answer[.contentType] == "application/xml", "\(path)")
            #expect(try attributes(answer.text, "exceptionCode") == [code], "\(path)")
            #expect(try attributes(answer.text, "locator") == [locator], "\(path)")
        }
        // The description says the same.
        let document = Data(town.get("/openapi.json").bytes)
        let api = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        let paths = try #require(api["paths"] as? [String: [String: Any]])
        for (path, item) in paths where path.hasPrefix("/wmts") {
            let responses = (item["get"] as? [String: Any])?["responses"] as? [String: [String: Any]]
            #expect((responses?["400"]?["content"] as? [String: Any])?.keys.first == "application/xml", "\(path)")
        }
    }

    @Test func `TMS lists its maps, and each map its zoom levels`() throws {
        let town = try Town()
        let maps = try attributes(try xml("/tms/1.0.0?key=k1", town), "href")
        #expect(maps.contains { $0.hasSuffix("/tms/1.0.0/heat?key=k1") })
        let map = try xml("/tms/1.0.0/heat", town)
        let units = try attributes(map, "units-per-pixel").compactMap { Double($0) }
        #expect(units.count == 23 && abs(units[0] - 156_543.033_928) < 1e-5 && units[1] * 2 == units[0])
        for path in [
            "/tms/1.0.0/nope", "/tms/1.0.0/nope/0/0/0.png", "/tms/1.0.0/heat/1/0/2.png", "/tms/1.0.0/heat/x/0/0.png",
        ] {
            #expect(town.get(path).status == .notFound, "\(path)")
        }
    }

    @Test func `tiles of WMTS and TMS are WebP where this is asked for`() throws {
        let town = try Town()
        let tile = try Town.tile(14)
        let plain = town.get("/tiles/tracks/14/\(tile.x)/\(tile.y).webp")
        #expect(plain.status == .ok && plain[.contentType] == "image/webp")
        for path in [
            "/wmts?SERVICE=WMTS&REQUEST=GetTile&LAYER=tracks&STYLE=&FORMAT=image/webp&TILEMATRIXSET=WebMercator"
                + "&TILEMATRIX=14&TILEROW=\(tile.y)&TILECOL=\(tile.x)",
            "/wmts/1.0.0/tracks/default/WebMercator/14/\(tile.y)/\(tile.x).webp",
            "/tms/1.0.0/tracks/14/\(tile.x)/\((1 << 14) - 1 - tile.y).webp",
        ] {
            let answer = town.get(path)
            #expect(answer.bytes == plain.bytes && answer[.eTag] == plain[.eTag], "\(path): \(answer.text)")
        }
        let capabilities = try xml("/wmts/1.0.0/WMTSCapabilities.xml", town)
        #expect(capabilities.contains("<Format>image/png</Format><Format>image/webp</Format>"))
        #expect(town.get("/tms/1.0.0/tracks/0/0/0.jpg").status == .notFound)
        let refused = town.get("/wmts/1.0.0/tracks/default/WebMercator/0/0/0.jpg")
        #expect(try attributes(refused.text, "locator") == ["FORMAT"])
    }

    @Test func `an archive of pictures is a layer of WMTS and a map of TMS, with its own zoom levels and format`()
        throws
    {
        let town = try Town()
        let path = "\(town.folder.path)/ground.mbtiles"
        let connection = try Connection(path: path)
        _ = try connection.useRollbackJournal()
        try connection.execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('format', 'jpg'), ('name', 'Ground'), ('minzoom', '1'), ('maxzoom', '2');
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (1, 1, 0, x'FFD8FF00');
            """)
        let reader = try TileArchives.open(path)
        let server = try town.library.server { $0.archives = [ServedArchive(name: "ground", reader: reader)] }
        let document = server.get("/wmts/1.0.0/WMTSCapabilities.xml").text
        let layer = try #require(
            document.split(separator: "</Layer>").first { $0.contains("<ows:Identifier>ground</ows:Identifier>") })
        #expect(layer.contains("<Format>image/jpeg</Format>") && !layer.contains("image/png"))
        #expect(try texts(String(layer), "TileMatrix") == ["1", "2"])
        #expect(try texts(String(layer), "MaxTileRow") == ["1", "3"])
        let wmts = "/wmts/1.0.0/ground/default/WebMercator"
        for path in ["\(wmts)/1/1/1.jpg", "/tms/1.0.0/ground/1/1/0.jpg"] {
            let tile = server.get(path)
            #expect(tile.status == .ok && tile.bytes == [0xFF, 0xD8, 0xFF, 0] && tile[.contentType] == "image/jpeg")
        }
        let outside = server.get("\(wmts)/3/0/0.jpg")
        #expect(outside.status == .badRequest && outside.text.contains("it has to be a number from 1 to 2"))
        let map = server.get("/tms/1.0.0/ground").text
        #expect(map.contains("extension=\"jpg\"") && map.components(separatedBy: "<TileSet ").count - 1 == 2)
        #expect(server.get("/tms/1.0.0/ground/1/1/0.png").status == .notFound)
    }

    @Test func `a tile without an ending is redirected to the picture, with its query`() throws {
        let town = try Town()
        for (path, location) in [
            ("/tiles/3/4/2", "2.png"), ("/tiles/tracks/3/4/2?layer=ride&key=x", "2.png?layer=ride&key=x"),
        ] {
            let answer = town.get(path)
            #expect(answer.status == .movedPermanently && answer[.location] == location)
        }
        for path in ["/tiles/3/8/2", "/tiles/23/0/0", "/tiles/3/04/2", "/tiles/a/b/c"] {
            #expect(town.get(path).status == .notFound, "\(path)")
        }
    }
}
