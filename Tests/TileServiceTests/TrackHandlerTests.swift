import Foundation
import HTTPCore
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

@Suite(.eachStore) struct TrackHandlerTests {
    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    private func ids(_ response: Response) throws -> [String] {
        try #require(try object(response)["tracks"] as? [[String: Any]]).compactMap { $0["id"] as? String }
    }

    @Test func `Tracks are listed newest first, page by page`() throws {
        let town = try Town()
        let whole = try ids(town.get("/v1/tracks"))
        #expect(whole.count == 3)
        var paged: [String] = []
        var next: String? = ""
        while let after = next {
            let page = town.get("/v1/tracks?limit=1" + (after.isEmpty ? "" : "&after=\(after)"))
            #expect(page.status == .ok && page[.contentType] == "application/json")
            paged += try ids(page)
            next = try object(page)["next"] as? String
        }
        #expect(paged == whole)
        #expect(try ids(town.get("/v1/tracks?layer=ride")).count == 2)
        #expect(try ids(town.get("/v1/tracks?from=2019-06-02")).count == 1)
        #expect(try ids(town.get("/v1/tracks?to=2019-06-01")).count == 2)
        #expect(try ids(town.get("/v1/tracks?bbox=13,52.501,14,53")).count == 1)
    }

    @Test func `A track has the members of its list entry, and an ETag`() throws {
        let town = try Town()
        let id = try #require(try ids(town.get("/v1/tracks")).first)
        let answer = town.get("/v1/tracks/\(id)")
        let track = try object(answer)
        #expect(track["id"] as? String == id && track["points"] as? Int == 60 && track["activity"] as? String == "ride")
        #expect(track["start"] as? String == "2019-06-02T12:00:00Z" && (track["bbox"] as? [Double])?.count == 4)
        #expect(town.get("/v1/tracks/\(id)", [(.ifNoneMatch, answer[.eTag] ?? "")]).status == .notModified)
        #expect(town.get("/v1/tracks/nope").status == .notFound)
    }

    @Test func `activities have one name in lists and layers, and requests take any word for them`() throws {
        let town = try Town()
        let chunk = PointColumns(
            unit: .decimal(places: 6), longitudes: [13_400_000, 13_410_000], latitudes: [52_500_000, 52_510_000],
            times: [1_600_000_000_000, 1_600_000_100_000], segmentStarts: [0], fields: [])
        try town.library.database.add([chunk], RecordingHeader(activity: "radtour", source: "x.gpx"))
        let rides = try ids(town.get("/v1/tracks?layer=ride"))
        #expect(rides.count == 3)
        for query in [
            "layer=Radtour", "layer=cycling", "activity=ride", "activity=bike", "layer=ride&activity=radtour",
        ] {
            #expect(try ids(town.get("/v1/tracks?\(query)")) == rides, "\(query)")
        }
        #expect(try ids(town.get("/v1/tracks?layer=ride&activity=walk")).isEmpty)
        #expect(try ids(town.get("/v1/tracks?activity=race")).isEmpty)
        #expect(town.get("/v1/tracks?layer=swim").status == .notFound)
        let track = try object(town.get("/v1/tracks/\(rides[0])"))
        #expect(track["activity"] as? String == "ride" && track["activityRecorded"] as? String == "radtour")
        let server = try town.library.server()
        let path = try Town.path(14)
        #expect(server.get("\(path)?layer=cycling").bytes == server.get("\(path)?layer=ride").bytes)
        #expect(server.get("\(path)?layer=nope").status == .notFound)
    }

    @Test func `A track is shared as GeoJSON, its points as they were recorded`() throws {
        let town = try Town()
        let chunk = PointColumns(
            unit: .decimal(places: 6), longitudes: [13_400_001, -5, 7], latitudes: [52_500_000, 0, 1],
            times: [1_600_000_000_000, PointColumns.untimed, 1_600_000_001_250], segmentStarts: [0, 2],
            fields: [
                FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, [345, FieldColumn.absent, -5]))
            ])
        try town.library.database.add([chunk], RecordingHeader(name: "A \"b\"", source: "x.gpx"))
        let id = try #require(try ids(town.get("/v1/tracks")).first)
        let answer = town.get("/v1/tracks/\(id).geojson")
        #expect(answer.status == .ok && answer[.contentType] == "application/geo+json")
        #expect(answer[HeaderName("Content-Disposition")] == "attachment; filename=\"2020-09-13-\(id).geojson\"")
        #expect(
            answer.text.contains(
                #"{"type":"MultiLineString","coordinates":[[[13.400001,52.500000,34.5],[-0.000005,0.000000]],[[0.000007,0.000001,-0.5],[0.000007,0.000001,-0.5]]]}"#
            ))
        let feature = try object(answer)
        let properties = try #require(feature["properties"] as? [String: Any])
        #expect(properties["name"] as? String == "A \"b\"" && feature["id"] as? String == id)
        let beside = try #require(properties["coordinateProperties"] as? [String: Any])
        let times = beside["times"] as? [[Any]]
        #expect(times?.map(\.count) == [2, 2] && times?[0][0] as? String == "2020-09-13T12:26:40Z")
        #expect(times?[0][1] is NSNull && times?[1][0] as? String == "2020-09-13T12:26:41.250Z")
        #expect(beside["doubled"] as? [Int] == [1])
        #expect((feature["bbox"] as? [Double])?.count == 4)
        #expect(town.get("/v1/tracks/nope.geojson").status == .notFound)
    }

    @Test func `The calendar has the days of a year in the zone asked for`() throws {
        let town = try Town()
        let here = try object(town.get("/v1/calendar?year=2019"))
        let days = try #require(here["days"] as? [[String: Any]])
        #expect(here["tz"] as? String == "Europe/Berlin")
        #expect(days.compactMap { $0["day"] as? String } == ["2019-06-01", "2019-06-02"])
        #expect(days.compactMap { $0["tracks"] as? Int } == [2, 1])
        let there = try object(town.get("/v1/calendar?year=2019&tz=Pacific/Kiritimati"))
        #expect(
            (there["days"] as? [[String: Any]])?.compactMap { $0["day"] as? String } == ["2019-06-02", "2019-06-03"])
    }

    @Test func `A position at an instant has a method`() throws {
        let town = try Town()
        let place = try object(town.get("/v1/position?t=2019-06-02T12:00:10Z"))
        #expect(place["method"] as? String == "recorded" && (place["p"] as? [Double])?.first == 13.4007)
        #expect(try object(town.get("/v1/position?t=2019-06-02T12:00:10.5Z"))["method"] as? String == "interpolated")
        #expect(try object(town.get("/v1/position?t=2020-01-01T00:00:00Z"))["method"] as? String == "held")
        #expect(town.get("/v1/position?t=2000-01-01T00:00:00Z").status == .notFound)
    }

    @Test func `A manifest describes the replay`() throws {
        let town = try Town()
        let manifest = try object(town.get("/v1/replay/manifest?from=2019-06-01&speed=10"))
        #expect((manifest["tracks"] as? [Any])?.count == 3)
        #expect(manifest["playMs"] as? Int == 3 * 5900 && manifest["points"] as? Int == 180)
        let id = try #require(try ids(town.get("/v1/tracks")).first)
        #expect((try object(town.get("/v1/tracks/\(id)/replay/manifest"))["tracks"] as? [Any])?.count == 1)
        #expect(town.get("/v1/tracks/nope/replay/manifest").status == .notFound)
    }

    @Test(
        .onlySQLite("the request is refused before the library is read"),
        arguments: [
            "/v1/tracks?limit=0", "/v1/tracks?limit=1001", "/v1/tracks?after=x", "/v1/tracks?bbox=1,2,3",
            "/v1/tracks?bbox=0,10,1,5", "/v1/tracks?from=yesterday", "/v1/tracks?from=2020-01-02&to=2020-01-01",
            "/v1/tracks?limit=1&limit=2", "/v1/calendar", "/v1/calendar?year=0", "/v1/calendar?year=2019&tz=Mars/Base",
            "/v1/position", "/v1/position?t=2019-06-01", "/v1/replay/manifest?speed=0", "/v1/replay/manifest?fps=61",
            "/v1/replay/manifest?gap=jump", "/v1/replay/manifest?together=yes",
        ])
    func `A malformed parameter is refused`(target: String) throws {
        let town = try Town()
        let answer = town.get(target)
        #expect(answer.status == .badRequest && answer[.contentType] == "application/problem+json")
    }

    @Test func `An unknown layer is not found`() throws {
        let town = try Town()
        for path in ["tracks?", "calendar?year=2019&", "position?t=2019-06-02T12:00:10Z&", "replay/manifest?"] {
            #expect(town.get("/v1/\(path)layer=nope").status == .notFound)
        }
    }
}
