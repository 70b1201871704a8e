import Database
import Decompression
import Digest
import Files
import Foundation
import HTTPCore
import Locking
import PNG
import SQLite
import Testing
import Text
import TileArchive
import TileMath

@testable import TileService

/// Archives of one tile, as other programs write them.
enum MBTilesArchive {
    /// MBTiles in a file `FORMAT.mbtiles` with a tile of zoom level 1 and one of 2, whose bytes are `data` in hexadecimal digits.
    static func make(
        in folder: TemporaryFolder, format: String, data: String, json: String = "{}"
    ) throws -> any TileArchiveReader {
        let path = "\(folder.path)/\(format).mbtiles"
        let connection = try Connection(path: path)
        _ = try connection.useRollbackJournal()
        try connection.execute(
            """
            CREATE TABLE metadata (name text, value text);
            INSERT INTO metadata VALUES ('format', '\(format)'), ('name', 'The \(format)'), ('attribution', '© A'),
              ('minzoom', '0'), ('maxzoom', '2'), ('bounds', '8,47,9,48'), ('center', '8.5,47.5,2'), ('json', '\(json)'),
              ('version', '1.0.0'), ('description', 'D');
            CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
            INSERT INTO tiles VALUES (1, 1, 0, x'\(data)'), (2, 0, 0, x'\(data)');
            """)
        return try TileArchives.open(path)
    }
}

/// Archives that the server gives back as tiles.
@Suite struct ArchiveServingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func archive(_ format: String, _ data: String, json: String = "{}") throws -> any TileArchiveReader {
        try MBTilesArchive.make(in: folder, format: format, data: data, json: json)
    }

    private func town(_ archives: [(String, any TileArchiveReader)]) throws -> Town {
        try Town { configuration in
            configuration.archives = archives.map { ServedArchive(name: $0.0, reader: $0.1) }
        }
    }

    @Test func `a picture is given back with a validator, and what is missing is transparent`() throws {
        let town = try town([("roads", try archive("png", "89504E4701"))])
        let tile = town.get("/tiles/roads/1/1/1.png")
        #expect(tile.status == .ok && tile[.contentType] == "image/png" && tile.bytes == [0x89, 0x50, 0x4E, 0x47, 1])
        #expect(tile[.cacheControl]?.contains("no-cache") == true && tile[.contentEncoding] == nil)
        let tag = try #require(tile[.eTag])
        #expect(tag.hasPrefix("\""))
        let same = town.get("/tiles/roads/1/1/1.png", [(.ifNoneMatch, tag)])
        #expect(same.status == .notModified && same[.eTag] == tag && same.bytes.isEmpty)
        let absent = town.get("/tiles/roads/1/0/1.png")
        #expect(absent.status == .ok && absent[.contentType] == "image/png" && absent.bytes == EmptyPicture.tile)
        for path in [
            "/tiles/roads/3/0/0.png", "/tiles/roads/1/2/0.png", "/tiles/roads/1/0/0@2x.png", "/tiles/roads/1/0/0.jpg",
            "/tiles/roads/1/0/0.mvt", "/tiles/roads/x/0/0.png", "/tiles/other/1/0/0.png",
        ] {
            #expect(town.get(path).status == .notFound, "\(path)")
        }
        #expect(town.get("/tiles/roads/1/1/1.png", method: .post).status == .methodNotAllowed)
    }

    @Test(arguments: [("jpg", "FFD8FF00", "image/jpeg"), ("webp", "52494646000000005745425056", "image/webp")])
    func `pictures of other formats have their endings and types`(
        _ format: String, _ data: String, _ type: String
    ) throws {
        let town = try town([("photos", try archive(format, data))])
        let tile = town.get("/tiles/photos/1/1/1.\(format)")
        #expect(tile.status == .ok && tile[.contentType] == type && HexDigits.text(tile.bytes) == data.lowercased())
        #expect(town.get("/tiles/photos/1/1/1.png").status == .notFound)
        let absent = town.get("/tiles/photos/0/0/0.\(format)")
        #expect(absent.status == .ok && absent[.contentType] == "image/png")
    }

    @Test func `vector tiles are sent as they are stored to clients that accept it, and decompressed to others`() throws
    {
        let plain = Array("a vector tile".utf8)
        let stored = try Gzip.compress(plain)
        let town = try town([("map", try archive("pbf", HexDigits.text(stored)))])
        let path = "/tiles/map/1/1/1.mvt"
        let short = town.get(path, [(.acceptEncoding, "gzip, br")])
        #expect(short.status == .ok && short.bytes == stored && short[.contentEncoding] == "gzip")
        #expect(short[.contentType] == "application/vnd.mapbox-vector-tile")
        #expect(short[.vary]?.contains("Accept-Encoding") == true)
        let long = town.get(path)
        #expect(long.status == .ok && long.bytes == plain && long[.contentEncoding] == nil)
        #expect(long[.vary]?.contains("Accept-Encoding") == true)
        let (shortTag, longTag) = (try #require(short[.eTag]), try #require(long[.eTag]))
        #expect(shortTag != longTag)
        for (headers, tag) in [
            ([(HeaderName.acceptEncoding, "gzip"), (.ifNoneMatch, shortTag)], shortTag),
            ([(.ifNoneMatch, longTag)], longTag), ([(.acceptEncoding, "gzip"), (.ifNoneMatch, longTag)], longTag),
            ([(.acceptEncoding, "gzip"), (.ifNoneMatch, "*")], shortTag),
        ] {
            let same = town.get(path, headers)
            #expect(same.status == .notModified && same[.eTag] == tag && same[.contentEncoding] == nil)
        }
        let absent = town.get("/tiles/map/1/0/0.mvt")
        #expect(absent.status == .noContent && absent.bytes.isEmpty && absent[.contentType] == nil)
        #expect(town.get("/tiles/map/3/0/0.mvt").status == .notFound)
    }

    /// The headers on which an answer depends; their order says nothing.
    private func varied(_ answer: Response) -> Set<String> {
        Set((answer[.vary] ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    }

    @Test func `a tile that is in memory is answered as when it was read`() throws {
        let plain = [UInt8](repeating: 7, count: 4000)
        let town = try town([
            ("roads", try archive("png", "89504E4701")),
            ("map", try archive("pbf", HexDigits.text(Gzip.compress(plain)))),
            ("plain", try archive("mvt", HexDigits.text(plain))),
        ])
        let gzip = [(HeaderName.acceptEncoding, "gzip")]
        for path in [
            "/tiles/roads/1/1/1.png", "/tiles/roads/1/0/1.png", "/tiles/map/1/1/1.mvt", "/tiles/map/1/0/0.mvt",
            "/tiles/plain/1/1/1.mvt",
        ] {
            for headers in [[], gzip] {
                let first = town.get(path, headers)
                for _ in 0..<2 {
                    let next = town.get(path, headers)
                    #expect(next.status == first.status && next.bytes == first.bytes, "\(path)")
                    for name in [
                        HeaderName.eTag, .contentType, .contentEncoding, .cacheControl, .contentTypeOptions,
                    ] {
                        #expect(next[name] == first[name], "\(path) \(name)")
                    }
                    #expect(varied(next) == varied(first), "\(path)")
                }
                if let tag = first[.eTag] {
                    #expect(town.get(path, headers + [(.ifNoneMatch, tag)]).status == .notModified)
                }
            }
        }
        #expect(town.get("/tiles/plain/1/1/1.mvt", gzip).bytes.count < 100)
        #expect(town.get("/tiles/plain/1/1/1.mvt").bytes == plain)
    }

    @Test func `a damaged tile is an error that is reported once`() throws {
        let reports = Reports()
        let reader = try archive("pbf", "1F8B0800000000000003FFFF")
        let town = try Town { configuration in
            configuration.archives = [ServedArchive(name: "map", reader: reader)]
            configuration.report = { error in reports.add("\(error)") }
        }
        for _ in 0..<3 { #expect(town.get("/tiles/map/1/1/1.mvt").status == .internalServerError) }
        #expect(reports.texts.count == 1)
    }

    @Test func `TileJSON and lists describe archives, and pictures are base maps of the page`() throws {
        let layers = #"{"vector_layers":[{"id":"water","fields":{"name":"String"}}]}"#
        let town = try town([
            ("map", try archive("pbf", "1A00", json: layers)), ("roads", try archive("png", "89504E4701")),
        ])
        func object(_ path: String) throws -> [String: Any] {
            let answer = town.get(path)
            #expect(answer.status == .ok && answer[.eTag] != nil)
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
        }
        let vector = try object("/tiles/map.json")
        #expect(vector["tilejson"] as? String == "3.0.0" && vector["name"] as? String == "The pbf")
        #expect((vector["tiles"] as? [String])?.first?.hasSuffix("/tiles/map/{z}/{x}/{y}.mvt") == true)
        #expect(vector["minzoom"] as? Int == 0 && vector["maxzoom"] as? Int == 2)
        #expect(vector["bounds"] as? [Double] == [8, 47, 9, 48] && vector["center"] as? [Double] == [8.5, 47.5, 2])
        #expect(vector["attribution"] as? String == "© A" && vector["version"] as? String == "1.0.0")
        #expect(((vector["vector_layers"] as? [[String: Any]])?.first?["id"] as? String) == "water")
        #expect(vector["tileSize"] == nil)
        let raster = try object("/tiles/roads.json?key=abc")
        #expect((raster["tiles"] as? [String])?.first?.hasSuffix("/tiles/roads/{z}/{x}/{y}.png?key=abc") == true)
        #expect(raster["tileSize"] as? Int == 256 && (raster["vector_layers"] as? [Any])?.isEmpty == true)
        let styles = try #require(
            try JSONSerialization.jsonObject(with: Data(town.get("/styles").bytes)) as? [[String: Any]])
        let kinds = styles.suffix(2).map { [$0["name"], $0["kind"]].compactMap { $0 as? String } }
        #expect(kinds == [["map", "vector"], ["roads", "raster"]])
        #expect(styles.count > 4 && styles.first?["kind"] as? String == "heat")
        let maps = try #require(try object("/v1/basemaps")["basemaps"] as? [[String: Any]])
        #expect(maps.count == 1 && maps[0]["url"] as? String == "tiles/roads/{z}/{x}/{y}.png")
        #expect(maps[0]["maxzoom"] as? Int == 2 && maps[0]["minzoom"] as? Int == 0)
        #expect(maps[0]["name"] as? String == "The png" && maps[0]["attribution"] as? String == "© A")
        let document = String(decoding: town.get("/openapi.json").bytes, as: UTF8.self)
        #expect(document.contains("/tiles/map/{z}/{x}/{y}.mvt"))
    }

    @Test func `tiles of styles are answered as before beside archives`() throws {
        let town = try town([("roads", try archive("png", "89504E4701"))])
        #expect(town.get(try Town.path(14)).status == .ok)
        #expect(town.get("/tiles/heat/3/4/2.png").status == .ok)
    }

    private final class Reports: Sendable {
        private let all = Locked<[String]>([])
        var texts: [String] { all.withLock { $0 } }
        func add(_ text: String) { all.withLock { $0.append(text) } }
    }
}
