import Foundation
import HTTPCore
import PNG
import PrimaryStore
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

@Suite struct ExplorerRouteTests {
    private struct Figures: Decodable, Equatable {
        struct Square: Decodable, Equatable {
            var side: Int
            var x: Int?
            var y: Int?
        }
        var zoom: Int
        var tiles: Int
        var cluster: Int
        var square: Square
        var new: Int
    }

    private func figures(_ server: TileServer, _ query: String = "") throws -> Figures {
        let response = server.get("/v1/explorer?\(query)")
        #expect(response.status == .ok, "\(query)")
        return try JSONDecoder().decode(Figures.self, from: Data(response.bytes))
    }

    /// A library whose tracks visit `side` × `side` tiles of zoom level 14 east of the town: one walk for each row,
    /// on a day of its own, with a point in each tile.
    private func field(_ town: Town, side: Int) throws {
        for row in 0..<side {
            try walk(town, row: row, columns: 0..<side, day: Int64(row))
        }
        try town.library.catchUp()
        town.server.poll()
    }

    private static let corner = (x: 8901, y: 5372)

    private func walk(_ town: Town, row: Int, columns: Range<Int>, day: Int64) throws {
        func longitude(_ x: Double) -> Int64 { Int64((x / 16_384 * 360 - 180) * 1e7) }
        let y = Double(Self.corner.y + row) + 0.51
        let latitude = Int64(atan(sinh(Double.pi * (1 - 2 * y / 16_384))) * 180 / Double.pi * 1e7)
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: columns.map { longitude(Double(Self.corner.x + $0) + 0.51) },
            latitudes: columns.map { _ in latitude },
            times: columns.map { (Town.firstDay + 40 * 86_400 + day * 86_400 + Int64($0) * 600) * 1000 },
            segmentStarts: [0])
        try town.library.database.add([chunk], RecordingHeader(activity: "walk", source: "\(row).gpx"))
    }

    @Test func `figures are those of the visited tiles, in every window`() throws {
        let town = try Town()
        try field(town, side: 5)
        let walks = try figures(town.server, "layer=walk&from=2019-07-01")
        #expect(
            walks
                == Figures(
                    zoom: 14, tiles: 25, cluster: 9, square: .init(side: 5, x: Self.corner.x, y: Self.corner.y), new: 25
                ))
        let small = try figures(town.server, "layer=walk&from=2019-07-01&zoom=17")
        // A walk crosses four rows of eight tiles, and four more in the first and last tile of zoom level 14.
        #expect(small.zoom == 17 && small.tiles == 5 * (4 * 8 + 1) && small.square.side == 1)
        let first = try figures(town.server, "layer=walk&from=2019-07-11&to=2019-07-12")
        #expect(first.tiles == 10 && first.new == 10 && first.square.side == 2 && first.cluster == 0)
        try walk(town, row: 0, columns: 0..<7, day: 60)
        try town.library.catchUp()
        town.server.poll()
        let later = try figures(town.server, "from=2019-09-01")
        #expect(later.tiles == 7 && later.new == 2)
        let empty = try figures(town.server, "from=2031-01-01")
        #expect(empty.tiles == 0 && empty.square == .init(side: 0, x: nil, y: nil))
        for (query, status) in [
            ("zoom=15", Status.badRequest), ("layer=nope", .notFound), ("from=2020-01-01&to=2019-01-01", .badRequest),
        ] { #expect(town.get("/v1/explorer?\(query)").status == status, "\(query)") }
    }

    @Test func `a removed track has visited nothing, and a rebuilt library has the same figures`() throws {
        let town = try Town()
        let before = try figures(town.server)
        try field(town, side: 4)
        let whole = try figures(town.server, "zoom=17")
        try town.library.rebuild()
        town.server.poll()
        #expect(try figures(town.server, "zoom=17") == whole)
        let walks = try #require(try town.library.database.tracks(limit: 4)).tracks.map(\.id)
        _ = try town.library.remove(walks, drop: { _ in })
        town.server.poll()
        #expect(try figures(town.server) == before)
    }

    @Test func `the review of a year counts the new tiles of its explorer's map, also for a layer or a person`() throws
    {
        struct Review: Decodable {
            struct Country: Decodable, Equatable {
                var code: String
                var first: String
            }
            var newTiles: Int
            var newCountries: [Country]
        }
        let town = try Town()
        try field(town, side: 4)
        // A year later, along the same row and beyond it.
        try walk(town, row: 0, columns: 0..<9, day: 366)
        try town.library.catchUp()
        town.server.poll()
        func review(_ query: String) throws -> Review {
            try JSONDecoder().decode(Review.self, from: Data(town.get("/v1/stats/year/\(query)").bytes))
        }
        let all = try review("2019")
        #expect(all.newTiles == (try figures(town.server, "from=2019-01-01&to=2019-12-31").new) && all.newTiles > 16)
        #expect(try review("2019?layer=walk").newTiles == (try figures(town.server, "to=2019-12-31&layer=walk").new))
        #expect(try review("2019?activity=ride").newTiles < all.newTiles)
        #expect(try review("2020").newTiles == 5)
        #expect(try review("2021").newTiles == 0)
        #expect(try review("2019?person=").newTiles == all.newTiles)
        #expect(town.get("/v1/stats/year/2019?person=nobody").status == .notFound)
        // The walks last 40 minutes each: nobody has stayed there for an hour.
        #expect(try review("2020").newCountries.isEmpty)
    }

    /// The last figures of a replay, and how many there were.
    private func replayed(_ town: Town, _ path: String) throws -> (last: [String: Any], count: Int) {
        guard case .events(let channel) = town.get(path).body else {
            Issue.record("\(path) is no stream")
            return ([:], 0)
        }
        let events = EventStreamTests.text(of: channel).components(separatedBy: "\n\n").filter {
            $0.contains("event: explorer\n")
        }
        let data = events.last.flatMap { $0.components(separatedBy: "data: ").last } ?? "{}"
        return (try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any] ?? [:], events.count)
    }

    @Test func `a replay ends with the figures of its window, and sends them only when they have grown`() throws {
        let town = try Town()
        try field(town, side: 5)
        // A flight over many tiles: only those of start and landing count.
        let seconds = Array(Int64(0)..<400)
        let flight = PointColumns(
            unit: .decimal(places: 7), longitudes: seconds.map { 140_000_000 + $0 * 30_000 },
            latitudes: seconds.map { _ in 520_000_000 },
            times: seconds.map { (Town.firstDay + 86_400 * 80 + $0) * 1000 },
            segmentStarts: [0])
        try town.library.database.add([flight], RecordingHeader(activity: "flight", source: "flight.gpx"))
        try town.library.catchUp()
        town.server.poll()
        for zoom in [14, 17] {
            for window in [
                "", "from=2019-07-01", "from=2019-07-12&to=2019-07-13", "from=2019-07-11&layer=walk", "layer=ride",
            ] {
                for order in ["", "&together=1"] {
                    let expected = try figures(town.server, "zoom=\(zoom)&\(window)")
                    let (last, count) = try replayed(town, "/v1/replay?speed=max&explorer=\(zoom)&\(window)\(order)")
                    let found = try JSONDecoder().decode(
                        Figures.self,
                        from: JSONSerialization.data(withJSONObject: last.merging(["new": expected.new]) { $1 }))
                    #expect(found == expected, "\(window) \(order)")
                    #expect(count > 0 && count <= expected.tiles)
                }
            }
        }
        #expect(try replayed(town, "/v1/replay?speed=max").count == 0)
        let tracks = try #require(try town.library.database.tracks(limit: 4)).tracks
        let flown = try #require(tracks.first { $0.start == (Town.firstDay + 86_400 * 80) * 1000 })
        #expect(
            try replayed(town, "/v1/tracks/\(flown.id)/replay?speed=max&explorer=14").last["tiles"] as? Int ?? 0 <= 2)
        for zoom in ["15", "", "x"] { #expect(town.get("/v1/replay?explorer=\(zoom)").status == .badRequest) }
    }

    @Test func `missing tiles are files with a tile each`() throws {
        let town = try Town()
        try field(town, side: 3)
        // A little within the tiles from one row and column before the field to one after it.
        func degrees(_ x: Double) -> Double { x / 16_384 * 360 - 180 }
        func latitude(_ y: Double) -> Double { atan(sinh(Double.pi * (1 - 2 * y / 16_384))) * 180 / Double.pi }
        let (x, y) = (Double(Self.corner.x), Double(Self.corner.y))
        let box = "\(degrees(x - 0.9)),\(latitude(y + 3.9)),\(degrees(x + 3.9)),\(latitude(y - 0.9))"
        let geoJSON = town.get("/v1/explorer/missing.geojson?bbox=\(box)&from=2019-07-01")
        #expect(geoJSON.status == .ok && geoJSON[.contentType] == "application/geo+json")
        let object = try JSONSerialization.jsonObject(with: Data(geoJSON.bytes)) as? [String: Any]
        let features = try #require(object?["features"] as? [[String: Any]])
        #expect(features.count == 16)
        let names = features.compactMap { ($0["properties"] as? [String: Any])?["name"] as? String }
        #expect(names.first == "14/\(Self.corner.x - 1)/\(Self.corner.y - 1)")
        let kml = town.get("/v1/explorer/missing.kml?bbox=\(box)&from=2019-07-01")
        #expect(kml.text.components(separatedBy: "<Placemark>").count == 17)
        let gpx = town.get("/v1/explorer/missing.gpx?bbox=\(box)&from=2019-07-01")
        #expect(gpx.text.components(separatedBy: "<trk>").count == 17)
        let large = town.get("/v1/explorer/missing.gpx?bbox=5,45,15,55")
        #expect(large.status == .badRequest && large.text.contains("20000"))
        #expect(town.get("/v1/explorer/missing.gpx").status == .badRequest)
        #expect(town.get("/v1/explorer/missing.gpx?bbox=1,2,3").status == .badRequest)
    }

    @Test func `map tiles show visited tiles, clusters, the square and what is new`() throws {
        let town = try Town()
        try field(town, side: 5)
        // The field is within one tile of zoom level 10 or two.
        let path = "\(Self.corner.x >> 4)/\(Self.corner.y >> 4).png"
        let whole = town.get("/tiles/explorer/10/\(path)")
        #expect(whole.status == .ok && whole[.contentType] == "image/png")
        let colors = { (response: Response) throws in
            let image = try PNGReader.image(of: response.bytes)
            return Set(stride(from: 0, to: image.bytes.count, by: 4).map { Array(image.bytes[$0..<$0 + 4]) })
        }
        #expect(try colors(whole).count >= 5)
        let new = town.get("/tiles/explorer/10/\(path)?from=2019-07-01")
        #expect(try colors(new) != colors(whole))
        #expect(try colors(town.get("/tiles/explorer/10/\(path)?theme=dark")) != colors(whole))
        #expect(try colors(town.get("/tiles/explorer/3/0/0.png")) == [[0, 0, 0, 0]])
        #expect(town.get("/tiles/explorer/10/\(path)", [(.ifNoneMatch, whole[.eTag] ?? "")]).status == .notModified)
        let large = try PNGReader.image(
            of: town.get("/tiles/explorer-17/10/\(Self.corner.x >> 4)/\(Self.corner.y >> 4)@2x.png").bytes)
        #expect(large.width == 512)
        for path in ["explorer/30/0/0.png", "explorer/2/9/0.png", "explorer/2/x/0.png", "explorer-15/2/0/0.png"] {
            #expect(town.get("/tiles/\(path)").status == .notFound, "\(path)")
        }
        #expect(town.get("/tiles/explorer/2/0/0.png?layer=nope").status == .notFound)
        let description = town.get("/tiles/explorer-17.json?layer=walk&from=2019-07-01")
        #expect(description.status == .ok)
        #expect(description.text.contains("/tiles/explorer-17/{z}/{x}/{y}.png?layer=walk&from=2019-07-01"))
    }
}
