import Files
import Foundation
import HTTPCore
import HeatGrid
import PNG
import RequestHandling
import Styling
import TestSupport
import Testing
import TileMath
import TileService

@testable import TileDrawing

@Suite struct TileAnswerTests {
    @Test func `an occupied tile is drawn once and then found in memory`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let drawn = town.get(path)
        let found = town.get(path)
        for answer in [drawn, found] {
            #expect(answer.status == .ok)
            #expect(answer[.contentType] == "image/png")
            #expect(answer[.cacheControl] == "private, no-cache")
            #expect(answer[.vary] == "Origin")
        }
        let tag = try #require(drawn[.eTag])
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.count == 34)
        #expect(found[.eTag] == tag && found.bytes == drawn.bytes)
        let timing = try #require(drawn[.serverTiming])
        #expect(timing.hasPrefix("cache;desc=miss, grid;dur="))
        #expect(timing.contains(", draw;dur=") && timing.contains(", encode;dur="))
        #expect(found[.serverTiming] == "cache;desc=hit")
        #expect(drawn.cacheResult == .miss && found.cacheResult == .hit)
    }

    @Test func `every tile is the picture that the renderer draws`() throws {
        let town = try Town()
        let renderer = try town.renderer()
        for zoom in 0...22 {
            let centre = try Town.tile(zoom)
            let neighbours = [(0, 0), (1, 0), (0, 1), (-1, -1)].compactMap { centre.neighbour(dx: $0.0, dy: $0.1) }
            for tile in neighbours {
                for scale in TileScale.allCases {
                    let picture = try renderer.picture(TileRequest(tile: tile, scale: scale))
                    let ending = scale == .double ? "@2x.png" : ".png"
                    let answer = town.get("/tiles/heat/\(tile.zoom)/\(tile.x)/\(tile.y)\(ending)")
                    #expect(answer.bytes.shown == picture.bytes.shown, "\(tile) \(scale)")
                    #expect(answer[.eTag] == ETag(picture.digest).description)
                }
            }
        }
    }

    /// Compared as pixels: isa-l's AVX-512 code encodes one picture in some thousands differently, with the same
    /// pixels.
    @Test func `prerendered pictures are the served pictures`() throws {
        let town = try Town()
        for scale in TileScale.allCases {
            let output = town.folder.path + "/out\(scale.rawValue)"
            let job = PrerenderJob(
                zooms: 0...18, scale: scale, workers: 1, output: .folder(output, index: output + ".sqlite"))
            let receipt = try Prerender(job, renderer: town.renderer()).run()
            #expect(receipt.drawn > 19)
            var files = 0
            for zoom in 0...18 {
                for column in try Folder.entries(of: "\(output)/\(zoom)") {
                    for file in try Folder.entries(of: column.path) {
                        let path = "/tiles" + file.path.dropFirst(output.count)
                        let written = try PNGReader.image(of: #require(try AtomicFile.read(file.path)))
                        #expect(try written == PNGReader.image(of: town.get(path).bytes), "\(path)")
                        files += 1
                    }
                }
            }
            #expect(files == receipt.drawn)
        }
    }

    @Test func `pictures in the disk cache are served from there`() throws {
        let town = try Town()
        let job = PrerenderJob(zooms: 14...14, workers: 1, output: .cache(town.disk))
        _ = try Prerender(job, renderer: town.renderer()).run()
        let answer = town.get(try Town.path(14))
        #expect(answer[.serverTiming]?.hasPrefix("cache;desc=disk, grid;dur=") == true)
        #expect(answer.cacheResult == .disk)
        #expect(try answer.bytes.shown == town.renderer().picture(TileRequest(tile: Town.tile(14))).bytes.shown)
    }

    @Test func `prerendered pictures of a theme are the served pictures of the theme`() throws {
        let town = try Town()
        let path = try Town.path(14)
        for theme in Theme.allCases {
            var job = PrerenderJob(zooms: 14...14, workers: 1, output: .cache(town.disk))
            job.theme = theme
            #expect(try Prerender(job, renderer: town.renderer()).run().drawn > 0)
            let answer = town.get("\(path)?theme=\(theme.rawValue)")
            #expect(answer.cacheResult == .disk, "\(theme)")
            var request = TileRequest(tile: try Town.tile(14))
            request.theme = theme
            #expect(try answer.bytes.shown == town.renderer().picture(request).bytes.shown)
        }
        #expect(town.get("\(path)?theme=light").bytes.shown != town.get("\(path)?theme=dark").bytes.shown)
        // A style for all backgrounds has one picture, whatever theme is requested.
        var job = PrerenderJob(zooms: 14...14, style: "tracks", workers: 1, output: .cache(town.disk))
        job.theme = .dark
        _ = try Prerender(job, renderer: town.renderer()).run()
        let tracks = path.replacing("/tiles/", with: "/tiles/tracks/")
        for query in ["?theme=light", "?theme=dark"] {
            #expect(town.get(tracks + query).cacheResult == .disk, "\(query)")
        }
    }

    @Test func `the legend of the default style is the same at all zoom levels`() throws {
        struct Legend: Decodable, Equatable {
            struct Entry: Decodable, Equatable {
                var color: String
                var from: Int
            }
            var sameAtAllZooms: Bool
            var note: String?
            var entries: [Entry]
        }
        let town = try Town()
        func legend(_ style: String, _ zoom: Int) throws -> Legend {
            try JSONDecoder().decode(Legend.self, from: Data(town.get("/legend/\(style).json?z=\(zoom)").bytes))
        }
        let legends = try (0...22).map { try legend("heat", $0) }
        #expect(
            legends.allSatisfy { $0 == legends[0] && $0.sameAtAllZooms && $0.note == nil && $0.entries[0].from == 1 })
        let cells = try legend("heat-cells", 3)
        #expect(!cells.sameAtAllZooms && cells.note != nil)
    }

    @Test(arguments: [
        "/tiles/0/0/0.png", "/tiles/22/0/4194303.png", "/tiles/22/4194303/0.png", "/tiles/5/31/31@2x.png",
    ])
    func `tiles at the world's edges exist`(path: String) throws {
        let answer = try Town().get(path)
        #expect(answer.status == .ok)
        #expect(answer.bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]))
    }

    @Test func `an empty tile is the transparent picture of 116 bytes`() throws {
        let town = try Town()
        #expect(town.get("/tiles/14/0/0.png").bytes.count == 116)
        #expect(town.get("/tiles/14/0/0@2x.png").bytes.count == 139)
    }

    @Test(arguments: [
        ("/tiles/14/16384/0.png", 404), ("/tiles/23/0/0.png", 404), ("/tiles/-1/0/0.png", 404),
        ("/tiles/1/0/02.png", 404), ("/tiles/a/0/0.png", 404), ("/tiles/0/0/0.jpg", 404), ("/tiles/0/0/x", 404),
        ("/tiles/nope/0/0/0.png", 404), ("/tiles/0/0/0.png?layer=nope", 404), ("/tiles/0/0/0.png?layer=", 400),
        ("/tiles/0/0/0.png?from=yesterday", 400), ("/tiles/0/0/0.png?from=2019-02-30", 400),
        ("/tiles/0/0/0.png?from=2020-01-02&to=2020-01-01", 400), ("/tiles/0/0/0.png?to=2020-01-01T00:00:00", 400),
        ("/tiles/0/0/0.png?layer=a&layer=b", 400), ("/tiles/0/0/0.png?layer=%ff", 400),
    ])
    func `an invalid tile is a problem`(path: String, status: Int) throws {
        let town = try Town()
        let answer = town.get(path)
        #expect(answer.status.code == status)
        #expect(answer[.contentType] == "application/problem+json")
        #expect(answer[.cacheControl] == "no-store")
        #expect(!answer.text.contains(town.folder.path))
    }

    @Test func `an unknown style gets a suggestion`() throws {
        #expect(try Town().get("/tiles/haet/0/0/0.png").text.contains("did you mean heat?"))
    }

    @Test func `a client that has the tile gets 304 with the same ETag, from memory or before drawing`() throws {
        let town = try Town()
        let path = try Town.path(13)
        let drawn = town.get(path)
        let tag = try #require(drawn[.eTag])
        let fresh = try town.library.server()
        for server in [town.server, fresh] {
            for header in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
                let answer = server.get(path, [(.ifNoneMatch, header)])
                #expect(answer.status == .notModified, "\(header)")
                #expect(answer[.eTag] == tag)
                #expect(answer[.cacheControl] == drawn[.cacheControl])
                #expect(answer[.vary] == "Origin")
            }
        }
        #expect(fresh.cacheCounts.tiles == 0)
        #expect(town.get(path, [(.ifNoneMatch, "\"other\"")]).status == .ok)
    }

    @Test func `a URL with the current revision is immutable, others are not`() throws {
        let town = try Town()
        let path = try Town.path(13)
        let revision = try town.revision
        for _ in 0..<2 {
            let kept = town.get("\(path)?v=\(revision)")
            #expect(kept[.cacheControl] == "private, max-age=31536000, immutable")
            for other in [path, "\(path)?v=0", "\(path)?v="] {
                let answer = town.get(other)
                #expect(answer[.cacheControl] == "private, no-cache")
                #expect(answer[.eTag] == kept[.eTag] && answer.bytes.shown == kept.bytes.shown)
            }
        }
        #expect(town.server.cacheCounts.tiles == 1)
    }

    @Test func `where everybody may read, shared caches keep what everybody is sent`() throws {
        let town = try Town { $0.allowsPublicReading = true }
        let path = try Town.path(13)
        let kept = "public, max-age=0, s-maxage=1, must-revalidate"
        for _ in 0..<2 {
            let tile = town.get(path)
            #expect(tile[.cacheControl] == kept && tile[.vary] == "Origin")
            let tag = try #require(tile[.eTag])
            let repeated = town.get(path, [(.ifNoneMatch, tag)])
            #expect(repeated.status == .notModified && repeated[.cacheControl] == kept)
        }
        #expect(town.get("\(path)?v=\(try town.revision)")[.cacheControl] == "public, max-age=31536000, immutable")
        for target in ["/tiles.json", "/styles", "/legend/heat.json", "/v1/at?lon=13.4&lat=52.5&z=13", "/v1/tracks"] {
            let answer = town.get(target)
            #expect(answer[.cacheControl] == kept, "\(target)")
            #expect(answer[.vary]?.contains("Authorization") == true, "\(target)")
            let asked = town.get(target, [(.authorization, "Bearer x")])
            #expect(asked[.cacheControl] == "private, no-cache", "\(target)")
        }
        #expect(town.get("/health")[.cacheControl] == "no-store")
        #expect(town.get("/v1/live")[.cacheControl] == "no-store")
    }

    @Test func `with caching disabled a revision does not enable it`() throws {
        let town = try Town { $0.tiles.freshness = .none }
        let path = try Town.path(13)
        #expect(town.get("\(path)?v=\(try town.revision)")[.cacheControl] == "no-store")
    }

    @Test func `a window shows its days in the colours of all time`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let all = town.get(path)
        let both = town.get("\(path)?from=2019-06-01&to=2019-06-02")
        let first = town.get("\(path)?asof=2019-06-01")
        #expect(both.bytes.shown == all.bytes.shown)
        #expect(first.bytes.shown != all.bytes.shown && first[.eTag] != all[.eTag])
        #expect(town.get("\(path)?to=2019-05-31").bytes.count == 116)
        let part = try PNGReader.image(of: first.bytes).bytes
        let whole = try PNGReader.image(of: all.bytes).bytes
        #expect(stride(from: 3, to: part.count, by: 4).allSatisfy { part[$0] == 0 || whole[$0] != 0 })
    }

    @Test func `a layer shows only its tracks`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let pictures = [path, "\(path)?layer=ride", "\(path)?layer=walk"].map { town.get($0).bytes }
        #expect(Set(pictures).count == 3)
        #expect(town.get("\(path)?layer=all").bytes.shown == pictures[0].shown)
    }

    @Test func `other methods get 405 with the allowed methods`() throws {
        let town = try Town()
        let path = try Town.path(3)
        let refused = town.get(path, method: .post)
        #expect(refused.status == .methodNotAllowed && refused[.allow] == "GET, HEAD, OPTIONS")
        #expect(town.get(path, method: .options).status == .noContent)
        #expect(town.get(path, method: .head)[.eTag] == town.get(path)[.eTag])
        #expect(town.get(path, [(.host, "evil.example")]).status == .misdirectedRequest)
    }
}

extension Town {
    /// The revision that `?v=` names.
    var revision: String {
        get throws {
            struct Health: Decodable {
                var revision: String
            }
            return try JSONDecoder().decode(Health.self, from: Data(get("/health").bytes)).revision
        }
    }
}
