import Foundation
import HTTPCore
import PNG
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore
import Tracks

@Suite struct SceneRouteTests {
    private struct SceneAnswer: Decodable {
        struct Track: Decodable { var id: String, segments: [[[Double?]]] }
        var azimuth: Double
        var tilt: Double
        var stretch: Double
        var tracks: [Track]
    }

    @Test("a track is shown as PNG, SVG and JSON, from where one asks")
    func forms() throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 9)?.tracks.first).id
        let picture = town.get("/v1/scene.png?track=\(id)&size=300x200&height=time")
        #expect(picture.status == .ok && picture[.contentType] == "image/png")
        let image = try PNGReader.image(of: picture.bytes)
        #expect(image.width == 300 && image.height == 200)
        #expect(town.get("/v1/scene.png?track=\(id)&size=300x200&height=time").bytes.shown == picture.bytes.shown)
        #expect(town.get("/v1/scene.png?track=\(id)&size=300x200&height=time&theme=dark").bytes != picture.bytes)
        #expect(town.get("/v1/scene.png?track=\(id)&size=300x200&height=time&azimuth=90").bytes != picture.bytes)
        let tag = try #require(picture[.eTag])
        #expect(
            town.get("/v1/scene.png?track=\(id)&size=300x200&height=time", [(.ifNoneMatch, tag)]).status == .notModified
        )
        let drawing = town.get("/v1/scene.svg?track=\(id)")
        #expect(drawing.status == .ok && drawing[.contentType] == "image/svg+xml")
        let answer = town.get("/v1/scene.json?track=\(id)&tilt=50&azimuth=10&stretch=3&height=speed")
        let scene = try JSONDecoder().decode(SceneAnswer.self, from: Data(answer.bytes))
        #expect(scene.azimuth == 10 && scene.tilt == 50 && scene.stretch == 3)
        #expect(scene.tracks.map(\.id) == [id] && scene.tracks[0].segments[0].count == 60)
    }

    @Test("what is wrong is named, and what does not exist is missing")
    func refusals() throws {
        let town = try Town()
        let id = try #require(try town.library.database.tracks(limit: 9)?.tracks.first).id
        for (query, word) in [
            ("", "track is missing"), ("track=\(id)&tilt=5", "tilt has to be"), ("track=\(id)&azimuth=400", "azimuth"),
            ("track=\(id)&size=10x10", "size has to be"), ("track=\(id)&size=5000x100", "size has to be"),
            ("track=\(id)&height=depth", "height has to be"), ("track=\(id)&start=late", "start has to be"),
            ("track=\(id)&stretch=0", "stretch has to be"),
        ] {
            let answer = town.get("/v1/scene.png?\(query)")
            #expect(answer.status == .badRequest, "\(query)")
            #expect(String(decoding: answer.bytes, as: UTF8.self).contains(word), "\(query)")
        }
        #expect(town.get("/v1/scene.json?track=unknown").status == .notFound)
        // A route without times.
        let points = PointColumns(
            unit: .decimal(places: 7), longitudes: [80_000_000, 80_010_000], latitudes: [470_000_000, 470_010_000],
            times: [PointColumns.untimed, PointColumns.untimed], segmentStarts: [0])
        try town.library.database.add([points], RecordingHeader(source: "plan.gpx"))
        try town.library.catchUp()
        town.server.poll()
        let plan = try #require(try town.library.database.tracks(limit: 9)?.tracks.first { $0.source == "plan.gpx" })
        #expect(town.get("/v1/scene.json?track=\(plan.id)").status == .conflict)
    }

    @Test("marks of others have no names that one may not read")
    func locked() throws {
        let town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        var points = PointColumns(
            unit: .decimal(places: 6), longitudes: [8_000_000, 8_001_000, 8_002_000],
            latitudes: [47_000_000, 47_001_000, 47_002_000],
            times: [1_748_772_000_000, 1_748_772_060_000, 1_748_772_120_000], segmentStarts: [0])
        points.fields = [
            FieldColumn(
                name: FieldName.waypoint, values: .numbers(places: 0, [FieldColumn.absent, 1, FieldColumn.absent])),
            FieldColumn(name: FieldName.pointName, values: .texts([nil, "Key below the mat", nil])),
        ]
        try town.library.database.add([([points], RecordingHeader(person: "bea", source: "walk.gpx"))])
        try town.library.catchUp()
        town.server.poll()
        let track = try #require(try town.library.database.tracks(limit: 9)?.tracks.first { $0.personName == "bea" })
        func ask(_ who: String, _ method: HTTPCore.Method, _ path: String, _ json: String? = nil) -> Response {
            town.server.ask(
                Request(
                    method, path, headers: [(.host, "192.0.2.1"), (.authorization, "Bearer \(who)")],
                    content: json.map { .bytes(Array($0.utf8)) } ?? .none))
        }
        let list = try JSONSerialization.jsonObject(with: Data(ask("owner", .get, "/v1/pins").bytes)) as? [String: Any]
        let pin = try #require((list?["pins"] as? [[String: Any]])?.first?["id"] as? String)
        func names(_ who: String) -> Bool {
            let text = String(decoding: ask(who, .get, "/v1/scene.json?track=\(track.id)").bytes, as: UTF8.self)
            #expect(text.contains("\"kind\":\"mark\""), "\(who): \(text)")
            return text.contains("Key below the mat")
        }
        #expect(names("viewer") && names("bea"))
        #expect(ask("owner", .patch, "/v1/pins/\(pin)", "{\"visibility\":\"here\"}").status == .ok)
        #expect(!names("viewer") && !names("ada") && names("bea") && names("owner"))
    }
}
