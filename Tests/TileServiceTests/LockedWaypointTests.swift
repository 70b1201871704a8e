import Foundation
import HTTPCore
import Pins
import PrimaryStore
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

/// Names and notes of marked points stand in tracks, too: there, they are given to those who may read the pin.
struct LockedWaypointTests {
    private let town: Town
    private let track: String

    private static let secret = "Key below the mat"
    private static let note = "door code 4711"

    init() throws {
        town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        var points = PointColumns(
            unit: .decimal(places: 6), longitudes: [8_000_000, 8_001_000, 8_002_000],
            latitudes: [47_000_000, 47_001_000, 47_002_000],
            times: [1_748_772_000_000, 1_748_772_060_000, 1_748_772_120_000],
            segmentStarts: [0])
        points.fields = [
            FieldColumn(name: FieldName.elevation, values: .numbers(places: 0, [400, 410, 420])),
            FieldColumn(name: FieldName.waypoint, values: .numbers(places: 0, [FieldColumn.absent, 1, 1])),
            FieldColumn(name: FieldName.pointName, values: .texts([nil, Self.secret, "Viewpoint"])),
            FieldColumn(name: "desc", values: .texts([nil, Self.note, nil])),
        ]
        try town.library.database.add([([points], RecordingHeader(person: "bea", source: "walk.gpx"))])
        try town.library.catchUp()
        town.server.poll()
        let tracks = try #require(try town.library.database.tracks(limit: 9)?.tracks)
        track = try #require(tracks.first { $0.personName == "bea" }).id
    }

    private func ask(_ who: String, _ method: HTTPCore.Method, _ path: String, _ json: String? = nil) -> Response {
        town.server.ask(
            Request(
                method, path, headers: [(.host, "192.0.2.1"), (.authorization, "Bearer \(who)")],
                content: json.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    /// Everything in which the names of the track's points stand.
    private var paths: [String] {
        ["gpx", "geojson", "csv", "kml"].flatMap { ["/v1/tracks/\(track).\($0)", "/v1/export?format=\($0)"] }
    }

    private func text(_ who: String, _ path: String) throws -> String {
        let response = ask(who, .get, path)
        #expect(response.status == .ok, "\(path)")
        return String(decoding: response.bytes, as: UTF8.self)
    }

    /// The id of the pin of the named waypoint.
    private func pin() throws -> String {
        let list = try JSONSerialization.jsonObject(with: Data(ask("owner", .get, "/v1/pins").bytes))
        let pins = try #require((list as? [String: Any])?["pins"] as? [[String: Any]])
        let found = pins.first { ($0["lat"] as? Double) == 47.001 }
        return try #require(found?["id"] as? String)
    }

    @Test(arguments: ["here", "been"])
    func `a name that only some may read is in no file for others`(visibility: String) throws {
        let pin = try pin()
        for path in paths {
            for who in ["viewer", "ada", "bea", "owner"] {
                #expect(try text(who, path).contains(Self.secret), "\(who) \(path)")
            }
        }
        #expect(
            ask("owner", .patch, "/v1/pins/\(pin)", "{\"visibility\":\"\(visibility)\",\"lon\":9,\"lat\":46}").status
                == .ok)
        for path in paths {
            for who in ["viewer", "ada"] {
                let text = try text(who, path)
                #expect(!text.contains(Self.secret) && !text.contains(Self.note), "\(who) \(path)")
                // The others stay, and so do the points.
                #expect(text.contains("Viewpoint") && text.contains("410"), "\(who) \(path)")
            }
            for who in ["bea", "owner"] {
                let text = try text(who, path)
                #expect(text.contains(Self.secret), "\(who) \(path)")
            }
        }
        #expect(ask("owner", .patch, "/v1/pins/\(pin)", "{\"visibility\":\"open\"}").status == .ok)
        #expect(try text("viewer", paths[0]).contains(Self.secret))
    }

    @Test func `the replay names no waypoint of a locked pin for others`() throws {
        let pin = try pin()
        #expect(ask("owner", .patch, "/v1/pins/\(pin)", "{\"visibility\":\"here\"}").status == .ok)
        for (who, isTold) in [("viewer", false), ("ada", false), ("bea", true), ("owner", true)] {
            let response = ask(who, .get, "/v1/tracks/\(track)/replay?speed=max")
            guard case .events(let channel) = response.body else {
                Issue.record("\(who): \(response.status)")
                continue
            }
            let events = EventStreamTests.text(of: channel)
            #expect(events.contains("event: mark") && events.contains("Viewpoint"), "\(who)")
            #expect(events.contains(Self.secret) == isTold, "\(who)")
        }
    }
}
