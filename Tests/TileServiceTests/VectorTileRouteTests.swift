import Decompression
import Digest
import Files
import Foundation
import HTTPCore
import PNG
import PrimaryStore
import SampleTracks
import TestLibrary
import TestSupport
import TestVenues
import Testing
import TileMath
import TileService
import TrackStore
import Tracks
import Venues

/// Vector tiles over HTTP, decoded by a decoder of the tests' own.
@Suite struct VectorTileRouteTests {
    private typealias Feature = DecodedVectorTile.Feature

    private static func tracks(_ response: Response) throws -> [Feature] {
        guard response.status != .noContent else { return [] }
        #expect(response.status == .ok && response[.contentType] == "application/vnd.mapbox-vector-tile")
        let tile = try DecodedVectorTile(response.bytes)
        #expect(tile.layers.map(\.name) == ["tracks"] && tile.layers[0].extent == 4096)
        #expect(tile.layers[0].features.allSatisfy { $0.type == 2 })
        return tile.layers[0].features
    }

    private func json(_ response: Response) throws -> [String: Any] {
        #expect(response.status == .ok, "\(response.text)")
        return try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    // MARK: Geometry

    /// The pixels of a picture and the lines of a vector tile, compared both ways.
    private func compare(_ server: TileServer, _ path: String, _ query: String, halfWidth: Double) throws -> Int {
        let picture = try PNGReader.image(of: server.get("\(path).png\(query)").bytes)
        let features = try Self.tracks(server.get("\(path).mvt\(query)"))
        func alpha(_ x: Int, _ y: Int) -> UInt8 {
            (0..<256).contains(x) && (0..<256).contains(y) ? picture.bytes[4 * (y * 256 + x) + 3] : 0
        }
        var distances = [Double](repeating: .infinity, count: 256 * 256)
        var (off, samples) = (0, 0)
        for (one, next) in features.flatMap({ $0.parts.flatMap { zip($0, $0.dropFirst()) } }) {
            let length = Double(max(abs(next.x - one.x), abs(next.y - one.y)))
            let steps = max(1, Int(length / 4))
            for step in 0...steps {
                let share = Double(step) / Double(steps)
                let x = (Double(one.x) + Double(next.x - one.x) * share) / 16
                let y = (Double(one.y) + Double(next.y - one.y) * share) / 16
                let (column, row) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
                for dy in -5...5 {
                    for dx in -5...5 where (0..<256).contains(column + dx) && (0..<256).contains(row + dy) {
                        let (awayX, awayY) = (Double(column + dx) + 0.5 - x, Double(row + dy) + 0.5 - y)
                        let position = (row + dy) * 256 + column + dx
                        distances[position] = min(distances[position], (awayX * awayX + awayY * awayY).squareRoot())
                    }
                }
                guard (1..<255).contains(column), (1..<255).contains(row) else { continue }
                samples += 1
                let isDrawn = (-1...1).contains { dy in (-1...1).contains { alpha(column + $0, row + dy) > 0 } }
                if !isDrawn { off += 1 }
            }
        }
        #expect(off == 0, "\(path)\(query): \(off) of \(samples) places have no line in the picture")
        let missing = (0..<256 * 256).count { index in
            alpha(index % 256, index / 256) > 200 && distances[index] > halfWidth + 1
        }
        #expect(missing == 0, "\(path)\(query): \(missing) pixels are farther than a pixel from all lines")
        return features.count
    }

    @Test func `lines are within a pixel of those of the picture`() throws {
        let folder = try TemporaryFolder()
        let library = try Library(in: folder)
        try library.add(SampleTracks(SampleSpec(size: .tracks(10), seed: 5, years: 1)))
        let server = try library.server()
        let place = try #require(try library.database.tracks(limit: 1)?.tracks.first?.bounds)
        let (longitude, latitude) = (Double(place.west + place.east) / 2e7, Double(place.south + place.north) / 2e7)
        var compared = 0
        for zoom in [0, 3, 6, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] {
            let middle = try Town.tile(zoom, longitude: longitude, latitude: latitude)
            for dx in zoom < 9 ? 0...0 : -1...1 {
                guard let tile = middle.neighbour(dx: dx, dy: 0) else { continue }
                for query in ["", "?to=2017-03-31"] where compared < 400 {
                    compared += try compare(
                        server, "/tiles/tracks/\(zoom)/\(tile.x)/\(tile.y)", query,
                        halfWidth: zoom < 11 ? 1 : zoom < 14 ? 2 : 3.6)
                }
            }
        }
        #expect(compared > 100)
    }

    @Test func `a line that crosses 180 degrees is in the tiles on both sides`() throws {
        let folder = try TemporaryFolder()
        let library = try Library(in: folder)
        try library.ride(day: 0, longitude: 179.9995, latitude: 10)
        try library.catchUp()
        let server = try library.server()
        for zoom in [1, 9, 14, 17, 19] {
            let west = try Town.tile(zoom, longitude: 179.9999, latitude: 10)
            let parts = try Self.tracks(server.get("/tiles/tracks/\(zoom)/\(west.x)/\(west.y).mvt")).flatMap(\.parts)
            let other = try Self.tracks(server.get("/tiles/tracks/\(zoom)/0/\(west.y).mvt")).flatMap(\.parts)
            #expect(parts.contains { $0.contains { $0.x > 4090 } }, "\(zoom)")
            #expect(other.contains { $0.contains { $0.x < 6 } }, "\(zoom)")
        }
    }

    // MARK: Attributes and selections

    @Test(.eachStore) func `features have the attributes of their tracks, and selections select them`() throws {
        let town = try Town()
        let stored = try #require(try town.library.database.tracks(limit: 9)?.tracks)
        let path = try Town.path(14, ".mvt").replacing("/tiles/", with: "/tiles/tracks/")
        let features = try Self.tracks(town.get(path))
        #expect(features.count == 3)
        for track in stored {
            let feature = try #require(features.first { $0.text("id") == track.id })
            #expect(feature.text("activity") == track.activity?.rawValue)
            #expect(feature.attributes["start"] == track.start.map { .integer($0) })
            #expect(feature.text("day")?.hasPrefix("2019-06-0") == true && feature.text("person") == nil)
            let only = try Self.tracks(town.get("\(path)?track=\(track.id)"))
            #expect(only.map { $0.text("id") } == [track.id])
        }
        #expect(Set(features.compactMap(\.id)).count == 3)
        #expect(try Self.tracks(town.get("\(path)?layer=walk")).map { $0.text("activity") } == ["walk"])
        let second = try Self.tracks(town.get("\(path)?from=2019-06-02&to=2019-06-02"))
        #expect(second.map { $0.text("day") } == ["2019-06-02"])
        #expect(try Self.tracks(town.get("\(path)?asof=2019-06-01")).count == 2)
        #expect(town.get("\(path)?from=2020-01-01").status == .noContent)
        // A part of a day has a part of the lines.
        let part = try Self.tracks(town.get("\(path)?from=2019-06-01T12:00:00Z&to=2019-06-01T12:00:20Z&layer=ride"))
        func width(_ features: [Feature]) -> Int {
            let xs = features.flatMap { $0.parts.flatMap { $0.map(\.x) } }
            return (xs.max() ?? 0) - (xs.min() ?? 0)
        }
        let whole = try Self.tracks(town.get("\(path)?to=2019-06-01&layer=ride"))
        #expect(part.count == 1 && width(part) > 0 && width(part) < width(whole) * 2 / 3)
        // Neither the style nor what only pictures have matters.
        let heat = town.get(path.replacing("/tracks/", with: "/heat/") + "?ramp=glacier&theme=dark")
        #expect(heat.bytes == town.get(path).bytes && heat[.eTag] == town.get(path)[.eTag])
        #expect(town.get(try Town.path(14, ".mvt")).bytes == heat.bytes)
    }

    @Test func `persons have their names`() throws {
        let town = try Town()
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: [134_000_000, 134_010_000], latitudes: [525_000_000, 525_010_000],
            times: [Town.firstDay * 1000, Town.firstDay * 1000 + 60_000], segmentStarts: [0])
        try town.library.database.add([chunk], RecordingHeader(person: "ada", source: "ada.gpx"))
        try town.library.catchUp()
        town.server.poll()
        #expect(try Self.tracks(town.get(try Town.path(14, ".mvt"))).compactMap { $0.text("person") } == ["ada"])
    }

    @Test func `the same tracks give the same bytes, in whatever order they were imported`() throws {
        let folder = try TemporaryFolder()
        let (one, other) = (try Library(in: folder, "one"), try Library(in: folder, "other"))
        let days = [0, 3, 1, 2] as [Int64]
        for day in days { try one.ride(day: day, activity: "ride") }
        for day in days.reversed() { try other.ride(day: day, activity: "ride") }
        let answers = try [one, other].map { library in
            try library.catchUp()
            return try library.server().get(try Town.path(15, ".mvt"))
        }
        #expect(answers[0][.eTag] == answers[1][.eTag])
        // Ids are random.
        func shapes(_ response: Response) throws -> [String] {
            try Self.tracks(response).map { "\($0.text("day") ?? "") \($0.id ?? 0) \($0.parts)" }
        }
        #expect(try shapes(answers[0]) == shapes(answers[1]))
        #expect(
            try Self.tracks(answers[0]).compactMap { $0.text("day") }.sorted()
                == Self.tracks(answers[0]).compactMap { $0.text("day") })
    }

    @Test(.eachStore) func `a removed track is in no tile any more, and the validator changes`() throws {
        let town = try Town()
        let path = try Town.path(16, ".mvt")
        let before = town.get(path)
        let id = try #require(try Self.tracks(before).first?.text("id"))
        #expect(town.get("/v1/tracks/\(id)", method: .delete).status == town.removed)
        let after = town.get(path, [(.ifNoneMatch, before[.eTag] ?? "")])
        #expect(after.status == .ok && after[.eTag] != before[.eTag])
        #expect(try !Self.tracks(after).contains { $0.text("id") == id })
    }

    // MARK: Size

    @Test func `a tile with too many lines keeps those that show something new, within the limit, and says so`() throws
    {
        let folder = try TemporaryFolder()
        let library = try Library(in: folder)
        var random = SeededRandom(seed: 9)
        // Walks through two tiles of zoom level 12; every tenth is another activity.
        let recordings = (0..<5000).map { number -> ([PointColumns], RecordingHeader) in
            var (east, north) = (
                134_000_000 + random.below(400_000 as Int64), 525_000_000 + random.below(200_000 as Int64)
            )
            let places = (0..<60).map { _ in
                east += random.below(16_001 as Int64) - 8000
                north += random.below(10_001 as Int64) - 5000
                return (east, north)
            }
            let start = (Town.firstDay + Int64(number / 5) * 86_400 + Int64(number % 5) * 7200) * 1000
            return (
                [
                    PointColumns(
                        unit: .decimal(places: 7), longitudes: places.map(\.0), latitudes: places.map(\.1),
                        times: (0..<60).map { start + $0 * 30_000 }, segmentStarts: [0])
                ], RecordingHeader(activity: number % 10 == 0 ? "run" : "walk", source: "\(number).gpx")
            )
        }
        try library.database.add(recordings)
        try library.catchUp()
        let server = try library.server()
        let tile = try Town.tile(12, longitude: 13.42, latitude: 52.51)
        let path = "/tiles/tracks/12/\(tile.x)/\(tile.y)"
        let whole = server.get("\(path).mvt")
        let features = try Self.tracks(whole)
        #expect(whole.bytes.count <= 500_000 && features.count < 4000)
        #expect(whole[HeaderName("Thinned")] == "kept=\(features.count)")
        // Each pixel of the picture of all, and of the fewer, has a line.
        _ = try compare(server, path, "", halfWidth: 2)
        #expect(features.filter { $0.text("activity") == "run" }.count > 50)
        // Smaller selections are complete.
        let runs = server.get("\(path).mvt?layer=run")
        #expect(runs[HeaderName("Thinned")] == nil)
        #expect(try Self.tracks(runs).count > features.filter { $0.text("activity") == "run" }.count)
        // The newest are there.
        #expect(try #require(features.last).text("day") == "2022-02-24")
        #expect(server.get("\(path).mvt", [(.ifNoneMatch, whole[.eTag] ?? "")]).status == .notModified)
        #expect(server.get("/tiles/tracks/0/0/0.mvt").bytes.count <= 500_000)
    }

    // MARK: HTTP

    @Test(.eachStore) func `a tile is revalidated by what it reads, before it is made`() throws {
        let town = try Town()
        let path = try Town.path(14, ".mvt")
        let first = town.get(path)
        #expect(first[.cacheControl]?.contains("no-cache") == true)
        #expect(first[.serverTiming]?.contains("draw;dur=") == true)
        let tag = try #require(first[.eTag])
        for sent in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
            let same = town.get(path, [(.ifNoneMatch, sent)])
            #expect(same.status == .notModified && same.bytes.isEmpty && same[.eTag] == tag, "\(sent)")
            #expect(same[.serverTiming] == "cache;desc=miss")
        }
        let head = town.get(path, method: .head)
        #expect(head.status == .ok && head[.eTag] == tag)
        // An empty tile has a validator, too.
        let empty = town.get("/tiles/14/0/0.mvt")
        #expect(empty.status == .noContent && empty.bytes.isEmpty && empty[.contentType] == nil)
        #expect(town.get("/tiles/14/0/0.mvt", [(.ifNoneMatch, empty[.eTag] ?? "")]).status == .notModified)
        try town.library.ride(day: 5)
        try town.library.catchUp()
        town.server.poll()
        let changed = town.get(path, [(.ifNoneMatch, tag)])
        #expect(changed.status == .ok && changed[.eTag] != tag)
        #expect(try Self.tracks(changed).count == 4)
    }

    @Test func `a tile is compressed for clients that accept it, with a validator of its own`() throws {
        let town = try Town()
        for day in Int64(2)..<40 { try town.library.ride(day: day) }
        try town.library.catchUp()
        town.server.poll()
        let path = try Town.path(16, ".mvt")
        let plain = town.get(path)
        let short = town.get(path, [(.acceptEncoding, "gzip")])
        #expect(short[.contentEncoding] == "gzip" && short[.vary]?.contains("Accept-Encoding") == true)
        #expect(plain[.contentEncoding] == nil && plain[.vary]?.contains("Accept-Encoding") == true)
        #expect(short.bytes.count < plain.bytes.count / 2)
        #expect(try Gzip.decompressed(short.bytes, limit: 1 << 20) == plain.bytes)
        #expect(short[.eTag] != plain[.eTag])
        for (headers, tag) in [([(HeaderName.acceptEncoding, "gzip")], short[.eTag]), ([], plain[.eTag])] {
            let same = town.get(path, headers + [(.ifNoneMatch, tag ?? "")])
            #expect(same.status == .notModified && same[.eTag] == tag)
        }
    }

    @Test func `requests for what does not exist are refused`() throws {
        let town = try Town()
        for (path, status) in [
            ("/tiles/tracks/3/8/0.mvt", Status.notFound), ("/tiles/tracks/23/0/0.mvt", .notFound),
            ("/tiles/tracks/3/4/2@2x.mvt", .notFound), ("/tiles/nope/3/4/2.mvt", .notFound),
            ("/tiles/tracks/3/04/2.mvt", .notFound), ("/tiles/tracks/3/4/2.mvt?layer=nope", .notFound),
            ("/tiles/tracks/3/4/2.mvt?track=nope", .notFound), ("/tiles/tracks/3/4/2.mvt?from=x", .badRequest),
            ("/tiles/heat/3/4/2.mvt?minus=2019-01-01/", .badRequest), ("/tiles/countries/3/4/2.mvt", .notFound),
            ("/tiles/floor/3/4/2.mvt?level=1", .badRequest), ("/tiles/floor/3/8/2.mvt", .notFound),
            ("/tiles/pins/3/4/2.mvt?from=x", .badRequest), ("/tiles/heat.json?format=gif", .badRequest),
            ("/tiles/heat.json?format=mvt&minus=2019-01-01/", .badRequest),
        ] {
            let answer = town.get(path)
            #expect(answer.status == status && answer[.contentType] == "application/problem+json", "\(path)")
        }
    }

    @Test(arguments: ["heat", "tracks", "pins", "floor"])
    func `TileJSON describes the layers, with the URL of vector tiles`(name: String) throws {
        let town = try Town()
        let query = "format=mvt&from=2019-06-01" + (name == "floor" || name == "pins" ? "" : "&layer=ride&ramp=glacier")
        let description = try json(town.get("/tiles/\(name).json?\(query)"))
        let url = try #require((description["tiles"] as? [String])?.first)
        #expect(url.contains("/tiles/\(name)/{z}/{x}/{y}.mvt") && !url.contains("ramp") && !url.contains("format"))
        #expect(description["tileSize"] == nil)
        let layers = try #require(description["vector_layers"] as? [[String: Any]])
        let names = layers.compactMap { $0["id"] as? String }
        switch name {
        case "pins": #expect(names == ["pins"])
        case "floor": #expect(names == ["area", "area_name", "poi", "transportation", "venue"])
        default:
            #expect(names == ["tracks"] && url.contains("layer=ride") && url.contains("from=2019-06-01"))
            let path = try #require(url.range(of: "/tiles/"))
            let tile = try Town.tile(14)
            let target = String(url[path.lowerBound...]).replacing("{z}", with: "14").replacing(
                "{x}", with: "\(tile.x)"
            )
            .replacing("{y}", with: "\(tile.y)")
            let answer = town.get(target)
            #expect(answer[.cacheControl]?.contains("immutable") == true && answer.status == .ok)
            let fields = try #require(layers[0]["fields"] as? [String: String])
            for feature in try Self.tracks(answer) { #expect(Set(feature.attributes.keys).isSubset(of: fields.keys)) }
        }
        let pictures = try json(town.get("/tiles/\(name).json"))
        #expect((pictures["vector_layers"] as? [Any])?.isEmpty == true && pictures["tileSize"] as? Int == 256)
    }
}

/// Vector tiles of pins and floors.
@Suite struct VectorOverlayTests {
    @Test func `pins are points with their facts, and several together have a count`() throws {
        let town = try Town()
        #expect(town.get("/tiles/pins/0/0/0.mvt").status == .noContent)
        func post(_ json: String) {
            let answer = town.server.ask(
                Request(.post, "/v1/pins", headers: [(.host, "localhost")], content: .bytes(Array(json.utf8))))
            #expect(answer.status == .created)
        }
        post(#"{"lon":13.4,"lat":52.5,"caption":"Secret","category":"food","time":"2025-06-01T10:00:00Z"}"#)
        let tile = try Town.tile(12)
        let path = "/tiles/pins/12/\(tile.x)/\(tile.y).mvt"
        let one = town.get(path)
        let features = try #require(try DecodedVectorTile(one.bytes)["pins"]).features
        #expect(features.count == 1 && features[0].type == 1)
        #expect(features[0].attributes["count"] == .integer(1) && features[0].text("category") == "food")
        #expect(features[0].attributes["time"] == .integer(1_748_772_000_000) && features[0].text("source") == "hand")
        #expect(features[0].text("id")?.isEmpty == false)
        #expect(!String(decoding: one.bytes, as: UTF8.self).contains("Secret"))
        let place = WorldPoint(longitude: 13.4, latitude: 52.5)
        let at = try #require(features[0].parts.first?.first)
        // A tile of this zoom level has 2^20 units of the world, and 4,096 of its own.
        #expect(abs(at.x - Int((place.x - Int64(tile.x) << 20) >> 8)) <= 1)
        #expect(abs(at.y - Int((place.y - Int64(tile.y) << 20) >> 8)) <= 1)
        #expect(town.get(path, [(.ifNoneMatch, one[.eTag] ?? "")]).status == .notModified)
        post(#"{"lon":13.40001,"lat":52.5}"#)
        let two = town.get(path, [(.ifNoneMatch, one[.eTag] ?? "")])
        #expect(try DecodedVectorTile(two.bytes)["pins"]?.features.map { $0.attributes } == [["count": .integer(2)]])
        #expect(try DecodedVectorTile(town.get("\(path)?category=food").bytes)["pins"]?.features.count == 1)
    }

    @Test func `floors have the layers of indoor=, with numbers of levels, and valid rooms`() throws {
        let town = try Town()
        let venue = try SampleCampus(seed: 3).stored(in: town.library)
        var (rooms, levels): (Set<String>, Set<DecodedVectorTile.Feature.Value>) = ([], [])
        var names: Set<String> = []
        for zoom in [15, 17, 19] {
            let bounds = venue.bounds
            let first = try Town.tile(zoom, longitude: bounds.west, latitude: bounds.north)
            let last = try Town.tile(zoom, longitude: bounds.east, latitude: bounds.south)
            for x in first.x...last.x {
                for y in first.y...last.y {
                    let answer = town.get("/tiles/floor/\(zoom)/\(x)/\(y).mvt")
                    guard answer.status != .noContent else { continue }
                    let tile = try DecodedVectorTile(answer.bytes)
                    names.formUnion(tile.layers.map(\.name))
                    for layer in tile.layers {
                        for feature in layer.features {
                            #expect(feature.type == (layer.name == "area" ? 3 : 1), "\(layer.name)")
                            levels.insert(try #require(feature.attributes["level"]))
                            if layer.name == "area" { rooms.insert(try #require(feature.text("id"))) }
                            if layer.name == "area_name" { #expect(feature.text("name")?.isEmpty == false) }
                        }
                    }
                    let ground = town.get("/tiles/floor/\(zoom)/\(x)/\(y).mvt?ordinal=0")
                    for layer in ground.status == .ok ? try DecodedVectorTile(ground.bytes).layers : [] {
                        #expect(layer.features.allSatisfy { $0.attributes["ordinal"] == .integer(0) })
                    }
                }
            }
        }
        #expect(names == ["area", "area_name", "poi", "transportation"])
        #expect(levels.count == Set(venue.levels.map(\.number)).count)
        #expect(rooms.isSuperset(of: venue.units.map(\.id.description)))
        let middle = try Town.tile(
            12, longitude: (venue.bounds.west + venue.bounds.east) / 2,
            latitude: (venue.bounds.south + venue.bounds.north) / 2)
        let path = "/tiles/floor/12/\(middle.x)/\(middle.y).mvt"
        let overview = town.get(path)
        #expect(try DecodedVectorTile(overview.bytes)["venue"]?.features.map { $0.text("name") } == [venue.name])
        #expect(town.get(path, [(.ifNoneMatch, overview[.eTag] ?? "")]).status == .notModified)
    }
}
