import Colors
import HTTPCore
import PNG
import Testing
import TileMath
import TrackStore

@testable import TileService

/// Pictures of a part of the map, `/v1/picture`.
@Suite struct PictureRouteTests {
    private let town: Town

    init() throws { town = try Town() }

    private func picture(_ query: String) throws -> RGBAImage {
        let answer = town.get("/v1/picture?\(query)")
        #expect(answer.status == .ok && answer[.contentType] == "image/png", "\(query): \(answer.text)")
        return try PNGReader.image(of: answer.bytes)
    }

    private func box(_ tile: TileCoordinate, to last: TileCoordinate) -> String {
        let (first, last) = (BoundingBox(of: tile), BoundingBox(of: last))
        return "bbox=\(first.west),\(last.south),\(last.east),\(first.north)"
    }

    @Test(arguments: ["heat", "heat-cells", "tracks", "points"])
    func `where it covers whole tiles, it has their pixels`(style: String) throws {
        let tile = try Town.tile(15)
        let query = "style=\(style)&from=2019-06-01&to=2019-06-02"
        let columns = tile.x - 1...tile.x + 1
        let rows = tile.y...tile.y + 1
        let first = try #require(TileCoordinate(zoom: tile.zoom, x: columns.lowerBound, y: rows.lowerBound))
        let last = try #require(TileCoordinate(zoom: tile.zoom, x: columns.upperBound, y: rows.upperBound))
        let whole = try picture("\(box(first, to: last))&zoom=15&\(query)")
        #expect(whole.width == 768 && whole.height == 512)
        var colored = 0
        for column in columns {
            for row in rows {
                let answer = town.get("/tiles/\(style)/15/\(column)/\(row).png?\(query)")
                let image = try PNGReader.image(of: answer.bytes)
                let (left, top) = (256 * (column - columns.lowerBound), 256 * (row - rows.lowerBound))
                for y in 0..<256 {
                    let at = 4 * ((top + y) * whole.width + left)
                    let wanted = image.bytes[1024 * y..<1024 * (y + 1)]
                    #expect(whole.bytes[at..<at + 1024].elementsEqual(wanted))
                    colored += wanted.count { $0 != 0 }
                }
            }
        }
        #expect(colored > 100)
    }

    @Test func `twice the pixels are those of tiles of twice the size`() throws {
        let tile = try Town.tile(15)
        let box = BoundingBox(of: tile)
        let center = "center=\((box.west + box.east) / 2),\((box.south + box.north) / 2)"
        let large = try picture("\(center)&zoom=15&size=256x256@2x")
        let answer = town.get("/tiles/heat/15/\(tile.x)/\(tile.y)@2x.png")
        #expect(large == (try PNGReader.image(of: answer.bytes)))
    }

    @Test func `with a size, the box is in the middle of the deepest zoom level at which it fits`() throws {
        let tile = try Town.tile(14)
        let wide = try picture("\(box(tile, to: tile))&size=511x300")
        #expect(wide.width == 511 && wide.height == 300)
        let exact = try picture("\(box(tile, to: tile))&zoom=14")
        for y in 0..<256 {
            let at = 4 * ((22 + y) * 511 + 128)
            // The centre of 511 pixels is half a pixel from an edge.
            let rows = [at - 4, at].map { wide.bytes[$0..<$0 + 1024] }
            #expect(rows.contains { $0.elementsEqual(exact.bytes[1024 * y..<1024 * (y + 1)]) })
        }
        #expect(try picture("\(box(tile, to: tile))").width == 1024)
        // Twice as much fits exactly at the next zoom level.
        let twice = try picture("\(box(tile, to: tile))&size=512x512")
        let children = try #require(tile.children.first)
        let answer = town.get("/tiles/heat/15/\(children.x)/\(children.y).png")
        let child = try PNGReader.image(of: answer.bytes)
        #expect(twice.bytes[0..<1024].elementsEqual(child.bytes[0..<1024]))
    }

    @Test func `the base map is below, and its picture is opaque`() throws {
        let plain = try picture("center=13.4,52.5&zoom=12&size=200x100")
        let map = try picture("center=13.4,52.5&zoom=12&size=200x100&base=map")
        let dark = try picture("center=13.4,52.5&zoom=12&size=200x100&base=map&theme=dark")
        #expect((0..<200).allSatisfy { map[$0, 50].alpha == 255 })
        #expect(plain[0, 0].alpha == 0 && map.bytes != dark.bytes)
        let colored = (0..<200 * 100).first { plain[$0 % 200, $0 / 200].alpha == 255 }
        if let colored { #expect(plain[colored % 200, colored / 200] == map[colored % 200, colored / 200]) }
    }

    @Test func `the world repeats to the east, and ends in the north`() throws {
        let around = try picture("bbox=170,-10,-170,10&zoom=3")
        #expect(around.width == 114 && around.height == 114)
        let north = try picture("center=0,89&zoom=0&size=512x512")
        #expect(north.height == 512)
    }

    @Test func `what cannot be drawn is refused with what is allowed`() throws {
        for (query, text) in [
            ("", "bbox, or center"), ("zoom=3", "bbox, or center"), ("center=1,2", "needs zoom"),
            ("center=1,2&zoom=3&bbox=1,2,3,4", "one place"), ("bbox=1,2,3,4&zoom=3&size=10x10", "not both"),
            ("center=1,2&zoom=23", "0 to 22"), ("center=181,2&zoom=3", "longitude,latitude"),
            ("center=1&zoom=3", "longitude,latitude"), ("center=1,2&zoom=3&size=4097x1", "4096"),
            ("center=1,2&zoom=3&size=2049x1@2x", "half"), ("center=1,2&zoom=3&size=0x1", "WIDTHxHEIGHT"),
            ("center=1,2&zoom=3&size=1x", "WIDTHxHEIGHT"), ("bbox=0,0,40,40&zoom=10", "limit is 4096"),
            ("bbox=1,2,1,4&zoom=3", "no area"), ("bbox=1,86,2,87&zoom=3", "no area"),
            ("bbox=4,3,2,1", "bbox has to be"),
            ("bbox=-180,-85,180,85&size=100x100", "zoom level 0"), ("center=1,2&zoom=3&base=roads", "base has to be"),
            ("center=1,2&zoom=3&from=x", "from has to be"), ("center=1,2&zoom=3&zoom=4", "given twice"),
        ] {
            let answer = town.get("/v1/picture?\(query)")
            #expect(answer.status == .badRequest && answer.text.contains(text), "\(query): \(answer.text)")
        }
        for query in ["style=nope", "layer=nope", "track=nope"] {
            #expect(town.get("/v1/picture?center=1,2&zoom=3&\(query)").status == .notFound, "\(query)")
        }
    }

    @Test func `it has a tag that changes when the tiles do, and may be cached`() throws {
        let target = "/v1/picture?center=13.4,52.5&zoom=14&size=300x200"
        let first = town.get(target)
        let tag = try #require(first[.eTag])
        let again = town.get(target, [(.ifNoneMatch, tag)])
        #expect(
            again.status == .notModified && again[.eTag] == tag && first[.cacheControl]?.contains("no-cache") == true)
        #expect(town.get("/v1/picture?center=13.4,52.5&zoom=14&size=300x201")[.eTag] != tag)
        #expect(town.get(target + "&base=map")[.eTag] != tag && town.get(target + "&theme=dark")[.eTag] != tag)
        try town.library.ride(day: 5, activity: "ride")
        try town.library.catchUp()
        town.server.poll()
        let after = town.get(target, [(.ifNoneMatch, tag)])
        #expect(after.status == .ok && after[.eTag] != tag && after.bytes != first.bytes)
    }
}
