import HTTPCore
import PNG
import PictureStore
import Styling
import Testing
import TileMath
import WebP

@testable import TileDrawing
@testable import TileService

/// Tiles as WebP, by ending and by the header `Accept`.
@Suite struct WebPTileTests {
    private let town: Town
    private let tile: TileCoordinate

    init() throws {
        town = try Town()
        tile = try Town.tile(14)
    }

    private func pixels(_ answer: Response) throws -> [UInt8] {
        if answer[.contentType] == "image/png" { return try PNGReader.image(of: answer.bytes).bytes }
        #expect(answer[.contentType] == "image/webp")
        return try WebPFile.decode(answer.bytes, side: 512, pixelLimit: 512 * 512).pixels
    }

    @Test(arguments: ["heat", "heat-cells", "heat-tracks", "tracks", "tracks-speed", "points"])
    func `WebP has the pixels of the PNG, and a tag of its own`(style: String) throws {
        for path in ["14/\(tile.x)/\(tile.y)", "14/\(tile.x)/\(tile.y)@2x", "3/0/0", "3/0/0@2x"] {
            let png = town.get("/tiles/\(style)/\(path).png")
            let webP = town.get("/tiles/\(style)/\(path).webp")
            #expect(png.status == .ok && webP.status == .ok && webP[.contentType] == "image/webp")
            #expect(try pixels(png) == pixels(webP), "\(style) \(path)")
            let tag = try #require(webP[.eTag])
            #expect(tag != png[.eTag])
            let again = town.get("/tiles/\(style)/\(path).webp", [(.ifNoneMatch, tag)])
            #expect(again.status == .notModified && again[.eTag] == tag)
            #expect(town.get("/tiles/\(style)/\(path).png", [(.ifNoneMatch, tag)]).status == .ok)
        }
    }

    @Test(arguments: [
        ("image/avif,image/webp,image/apng,*/*;q=0.8", true), ("image/webp", true), ("IMAGE/WEBP;q=0.5, */*", true),
        ("image/webp, image/png", true), ("image/webp;q=0.5, image/png", false), ("image/webp;q=0", false),
        ("*/*", false), ("image/*", false), ("image/png", false), ("", false),
    ])
    func `for lines, clients that name WebP get it at the URL of the PNG`(accept: String, isWebP: Bool) throws {
        let path = "/tiles/tracks/14/\(tile.x)/\(tile.y)"
        // Twice: drawn, and from memory.
        for _ in 0..<2 {
            let answer = town.get("\(path).png", [(.accept, accept)])
            #expect(answer[.contentType] == (isWebP ? "image/webp" : "image/png"), "\(accept)")
            #expect(answer[.vary]?.contains("Accept") == true)
            #expect(answer.bytes == town.get("\(path).\(isWebP ? "webp" : "png")").bytes)
            #expect((answer[.disposition] == "inline; filename=\"14-\(tile.x)-\(tile.y).webp\"") == isWebP)
        }
    }

    @Test func `a 304 without drawing says that it depends on Accept, too`() throws {
        let path = "/tiles/tracks/14/\(tile.x)/\(tile.y).png"
        let tag = try #require(town.get(path, [(.accept, "image/webp")])[.eTag])
        let other = try town.library.server()
        let answer = other.get(path, [(.accept, "image/webp"), (.ifNoneMatch, tag)])
        #expect(answer.status == .notModified && answer[.vary]?.contains("Accept") == true && answer[.eTag] == tag)
        #expect(other.get(path, [(.ifNoneMatch, tag)]).status == .ok)
    }

    @Test func `heat is a PNG at the URL of the PNG, whatever Accept says`() throws {
        let answer = town.get("/tiles/heat/14/\(tile.x)/\(tile.y).png", [(.accept, "image/webp")])
        #expect(answer[.contentType] == "image/png")
        #expect(answer[.vary]?.split(separator: ",").map { $0.filter { $0 != " " } }.contains("Accept") != true)
    }

    @Test func `prerendered PNGs are the source of WebP, and never answered as such`() throws {
        let path = "/tiles/tracks/14/\(tile.x)/\(tile.y)"
        let png = town.get("\(path).png")
        let renderer = try TileRenderer(library: town.library, styles: .builtIn, workers: 1, disk: town.disk)
        let request = TileRequest(style: "tracks", tile: tile)
        let picture = try renderer.picture(request)
        let key = try #require(renderer.pictureKey(of: request))
        let entry = PictureCache.Entry(key: key, digest: picture.digest, bytes: picture.bytes)
        #expect(try town.disk.store([entry], drawnIn: town.disk.generation()))
        var other = request
        other.encoding = .webp
        let fromDisk = try renderer.picture(other)
        #expect(try renderer.picture(request).timing.fromDisk && fromDisk.timing.fromDisk)
        #expect(fromDisk.bytes == town.get("\(path).webp").bytes && fromDisk.bytes != png.bytes)
        #expect(try renderer.digest(of: other) == fromDisk.digest && fromDisk.digest != picture.digest)
    }

    @Test func `tiles by OGC API have the format that is asked for`() throws {
        let path = "/ogc/collections/tracks/map/tiles/WebMercatorQuad/14/\(tile.y)/\(tile.x)"
        let png = town.get("/tiles/tracks/14/\(tile.x)/\(tile.y).png")
        #expect(town.get(path, [(.accept, "image/webp")]).bytes == png.bytes)
        #expect(town.get("\(path)?f=webp").bytes == town.get("/tiles/tracks/14/\(tile.x)/\(tile.y).webp").bytes)
    }

    @Test func `paths of WebP are checked as those of PNG`() {
        for path in ["/tiles/0/1/0.webp", "/tiles/23/0/0.webp", "/tiles/nope/0/0/0.webp", "/tiles/0/0/00.webp"] {
            #expect(town.get(path).status == .notFound, "\(path)")
        }
        #expect(town.get("/tiles/0/0/0.webp?from=x").status == .badRequest)
        #expect(town.get("/tiles/0/0/0.webp").status == .ok)
    }
}
