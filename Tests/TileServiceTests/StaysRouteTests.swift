import Foundation
import HTTPCore
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore
import Tracks

@Suite struct StaysRouteTests {
    private struct Answer: Decodable, Equatable {
        struct Place: Decodable, Equatable {
            var place: String
            var region: String?
            var country: String
            var metres: Int
            var kind: String
            var source: String
        }
        var person: String
        var arrive: String
        var leave: String
        var lon: Double
        var lat: Double
        var radius: Double
        var points: Int
        var bridgedSeconds: Double
        var place: Place
    }

    private func answer(_ town: Town, _ query: String) throws -> [Answer] {
        let response = town.get("/v1/stays?\(query)")
        #expect(response.status == .ok && response[.contentType] == "application/json", "\(query)")
        return try JSONDecoder().decode([Answer].self, from: Data(response.bytes))
    }

    /// A town, and a day of Ada: a ride, 90 minutes in Frankfurt, and a ride from there on the next morning.
    private func town() throws -> Town {
        let town = try Town()
        var ride = TestJourney(8.60, 50.11)
        ride.go(to: 8.68, 50.11, speed: 6)
        ride.stay(minutes: 90)
        var morning = TestJourney(8.68, 50.11, at: ride.time + 36_000_000)
        morning.go(to: 8.60, 50.11, speed: 6)
        for (number, journey) in [ride, morning].enumerated() {
            try town.library.database.add(
                [journey.chunk], RecordingHeader(activity: "ride", person: "ada", source: "\(number).gpx"))
        }
        try town.library.catchUp()
        town.server.poll()
        return town
    }

    @Test func `stays have their times, their pauses and their place`() throws {
        let town = try town()
        let stays = try answer(town, "person=ada")
        #expect(stays.count == 1)
        let stay = try #require(stays.first)
        #expect(stay.person == "ada" && stay.bridgedSeconds == 36_000 && stay.radius < 50 && stay.points >= 90)
        #expect(abs(stay.lon - 8.68) < 0.001 && abs(stay.lat - 50.11) < 0.001)
        #expect(stay.arrive.hasPrefix("2025-06-02T08:") && stay.leave.hasPrefix("2025-06-02T19:"))
        #expect(stay.place.country == "DE" && stay.place.kind == "nearest" && stay.place.source == "GeoNames")
        // They say the same as the address of the place.
        let address = town.get("/v1/address?lon=\(stay.lon)&lat=\(stay.lat)")
        let expected = try JSONDecoder().decode(Answer.Place.self, from: Data(address.bytes))
        #expect(stay.place == expected)
    }

    @Test func `windows and persons select, and answers follow the library`() throws {
        let town = try town()
        #expect(try answer(town, "from=2025-06-02&to=2025-06-02&person=ada").count == 1)
        #expect(try answer(town, "from=2025-06-04&person=ada").isEmpty)
        #expect(try answer(town, "to=2025-06-01&person=ada").isEmpty)
        #expect(try answer(town, "from=2025-06-02").map(\.person) == ["ada"])
        for (query, status) in [
            ("person=nobody", Status.notFound), ("from=x", .badRequest), ("from=2020-01-01&to=2019-01-01", .badRequest),
        ] { #expect(town.get("/v1/stays?\(query)").status == status, "\(query)") }
        let first = town.get("/v1/stays?person=ada")
        #expect(town.get("/v1/stays?person=ada", [(.ifNoneMatch, first[.eTag] ?? "")]).status == .notModified)
        let page = try #require(try town.library.database.tracks(limit: 99))
        _ = try town.library.remove(page.tracks.filter { $0.source == "1.gpx" }.map(\.id), drop: { _ in })
        town.server.poll()
        let rest = try answer(town, "person=ada")
        #expect(rest.count == 1 && rest[0].bridgedSeconds == 0)
    }
}
