import Foundation
import HTTPCore
import Journeys
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackQuery
import TrackStore
import Tracks

/// Journeys by recorded metres agree with the statistics, and follow what is imported and removed.
@Suite struct JourneyMetresTests {
    private let town: Town

    init() throws { town = try Town() }

    private func route() throws -> String {
        let places = try (0..<3).map { index in
            JourneyPlace("P\(index)", at: try #require(GeoPoint(longitude: 8 + Double(index) / 1000, latitude: 47)))
        }
        return try town.library.database.add(JourneyRoute("Short", places: places), source: "test").id
    }

    private struct Journey: Decodable {
        var id: String, metres: Double, done: Double, unlocked: [String], ahead: Double?
    }
    private struct Totals: Decodable {
        struct Sum: Decodable { var metres: Double }
        var total: Sum
    }

    private func send(_ method: HTTPCore.Method, _ path: String, _ json: String) -> Response {
        town.server.ask(Request(method, path, headers: [(.host, "127.0.0.1")], content: .bytes(Array(json.utf8))))
    }

    private func add(_ members: String) throws -> Journey {
        let response = send(.post, "/v1/journeys", "{\"by\":\"metres\",\(members)}")
        #expect(response.status == .created, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try JSONDecoder().decode(Journey.self, from: Data(response.bytes))
    }

    private func journey(_ id: String, _ query: String = "") throws -> Journey {
        try JSONDecoder().decode(Journey.self, from: Data(town.get("/v1/journeys/\(id)\(query)").bytes))
    }

    private func metres(_ query: String = "") throws -> Double {
        try JSONDecoder().decode(Totals.self, from: Data(town.get("/v1/stats\(query)").bytes)).total.metres
    }

    @Test("the metres are those of the statistics, times the factors")
    func statistics() throws {
        let route = try self.route()
        let longest = try self.route(scale: 1)
        let all = try add(#""route":"\#(longest)""#)
        try #expect(abs(all.done - metres()) < 0.01 && all.done > 0)
        let walks = try add(#""route":"\#(longest)","where":"activity = walk""#)
        try #expect(abs(walks.done - metres("?activity=walk")) < 0.01)
        let weighed = try add(#""route":"\#(longest)","factors":[{"where":"activity = walk","factor":4}]"#)
        struct Activities: Decodable {
            struct One: Decodable { var activity: String?, metres: Double }
            var activities: [One]
        }
        // Each minute belongs to one activity: that of the track that claims it.
        let activities = try JSONDecoder().decode(Activities.self, from: Data(town.get("/v1/stats").bytes)).activities
        let expected = activities.reduce(0) { $0 + $1.metres * ($1.activity == "walk" ? 4 : 1) }
        #expect(abs(weighed.done - expected) < 0.01)
        let second = try add(#""route":"\#(longest)","since":"2019-06-02""#)
        try #expect(abs(second.done - metres("?from=2019-06-02")) < 0.01)
        // As of the end of a day.
        try #expect(abs(journey(all.id, "?asof=2019-06-01").done - metres("?to=2019-06-01")) < 0.01)
        #expect(try journey(all.id, "?asof=2019-05-01").done == 0)
        // The way ends at the last place.
        let short = try add(#""route":"\#(route)","factors":[{"where":"activity = ride","factor":1000}]"#)
        #expect(short.done == short.metres && short.unlocked.count == 3)
    }

    private func route(scale: Double) throws -> String {
        let places = try (0..<3).map { index in
            JourneyPlace("Q\(index)", at: try #require(GeoPoint(longitude: 8 + Double(index) * scale, latitude: 47)))
        }
        return try town.library.database.add(JourneyRoute("Long", places: places), source: "test").id
    }

    @Test("a removed track takes its metres back, and one that a phone recorded, too, counts once")
    func removal() throws {
        let journey = try add(#""route":"\#(try route(scale: 1))""#)
        // A phone that records the same ride a second later.
        try town.library.ride(day: 0, latitude: Town.latitude + 0.00001, activity: "ride")
        try town.library.catchUp()
        town.server.poll()
        let both = try self.journey(journey.id)
        try #expect(abs(both.done - metres()) < 0.01)
        #expect(abs(both.done - journey.done) < 5)
        let ids = try #require(try town.library.database.tracks(limit: 9)).tracks.map(\.id)
        let without =
            try town.library.database.tracks(limit: 9)?.tracks.filter { $0.start ?? 0 > 1_559_476_000_000 }.map(\.id)
            ?? []
        #expect(ids.count == 4 && without.count == 1)
        _ = try town.library.remove(without) { _ in }
        try town.library.catchUp()
        town.server.poll()
        let less = try self.journey(journey.id)
        try #expect(less.done < both.done && abs(less.done - metres()) < 0.01)
    }

    @Test("what cannot be is refused with its reason")
    func refusals() throws {
        let route = try self.route()
        for (members, word) in [
            (#""by":"metres","where":"colour = red""#, "where"),
            (#""by":"focus","where":"activity = walk""#, "by=metres"),
            (#""by":"metres","factors":[{"where":"activity = walk","factor":0}]"#, "factors"),
            (#""by":"metres","since":"yesterday""#, "since"), (#""by":"walking""#, "by has to be"),
            (#""by":"metres","since":"2026-02-01","until":"2026-01-01""#, "until"), (#""persons":[]"#, "persons"),
        ] {
            let response = send(.post, "/v1/journeys", "{\"route\":\"\(route)\",\(members)}")
            #expect(response.status == .badRequest, "\(members)")
            #expect(String(decoding: response.bytes, as: UTF8.self).contains(word), "\(members)")
        }
        #expect(send(.post, "/v1/journeys", #"{"route":"nowhere"}"#).status == .notFound)
        let journey = try add(#""route":"\#(route)""#)
        #expect(send(.post, "/v1/journeys/\(journey.id)/sessions", #"{"seconds":60}"#).status == .conflict)
    }

    @Test("a date of arrival tells how far ahead of an even pace a journey is")
    func pace() throws {
        let journey = try add(#""route":"\#(try route(scale: 1))","since":"2019-06-01","until":"2019-06-10""#)
        #expect(journey.ahead.map { abs($0 - (journey.done - journey.metres)) < 1 } == true)
        let early = try self.journey(journey.id, "?asof=2019-06-05T12:00:00%2B02:00")
        // Half of ten days has passed (and half of the fifth day).
        let expected = early.done - journey.metres * 4.5 / 10
        #expect(abs((early.ahead ?? 0) - expected) < 1)
    }
}
