import Foundation
import HTTPCore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore
import Tracks

@Suite struct StayNameRouteTests {
    private struct List: Decodable {
        struct Place: Decodable, Equatable {
            var id: String
            var person: String
            var lon: Double
            var lat: Double
            var name: String?
            var seconds: Double
            var stays: Int
            var first: String?
            var last: String?
        }
        var places: [Place]
    }

    private struct Stay: Decodable {
        var arrive: String
        var lon: Double
        var lat: Double
        var name: String?
    }

    /// Two mornings of the person: 40 minutes at home, a ride, and 30 minutes at work, 1.4 km away.
    private func mornings(_ library: Library, days: Range<Int>, person: String? = nil) throws {
        for day in days {
            var journey = TestJourney(8.68, 50.11, at: TestJourney.morning + Int64(day) * 86_400_000)
            journey.stay(minutes: 40)
            journey.go(to: 8.70, 50.11, speed: 6)
            journey.stay(minutes: 30)
            try library.database.add(
                [journey.chunk], RecordingHeader(activity: "ride", person: person, source: "\(person ?? "")\(day).gpx"))
        }
    }

    private func town(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> Town {
        let town = try Town(configure: configure)
        try mornings(town.library, days: 0..<2)
        try mornings(town.library, days: 0..<1, person: "ada")
        try town.library.catchUp()
        town.server.poll()
        return town
    }

    private func ask(
        _ town: Town, _ method: Method, _ path: String, _ json: String? = nil, as who: String? = "owner"
    ) -> Response {
        var headers: [(HeaderName, String)] = [(.host, "192.0.2.1")]
        if let who { headers.append((.authorization, "Bearer \(who)")) }
        return town.server.ask(
            Request(method, path, headers: headers, content: json.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    private func guarded() throws -> Town {
        try town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
    }

    private func places(_ town: Town, _ query: String = "person=&from=2025-06-01") throws -> [List.Place] {
        let response = ask(town, .get, "/v1/stays/places?\(query)")
        #expect(response.status == .ok && response[.contentType] == "application/json")
        return try JSONDecoder().decode(List.self, from: Data(response.bytes)).places
    }

    private func names(_ town: Town, _ query: String = "person=&from=2025-06-01") throws -> [String?] {
        let response = ask(town, .get, "/v1/stays?\(query)")
        return try JSONDecoder().decode([Stay].self, from: Data(response.bytes)).map(\.name)
    }

    @Test func `places are listed by time spent, and their names are those of stays, of later ones too`() throws {
        let town = try guarded()
        let before = try places(town)
        #expect(before.map(\.stays) == [2, 2] && before.allSatisfy { $0.name == nil })
        #expect(before[0].seconds > before[1].seconds && abs(before[0].lon - 8.68) < 0.001)
        let tag = ask(town, .get, "/v1/stays?person=")[.eTag]
        let named = ask(town, .put, "/v1/stays/places/\(before[0].id)", #"{"name":" My  home "}"#)
        #expect(named.status == .ok && named.text.contains(#""name":"My home""#), "\(named.text)")
        #expect(ask(town, .get, "/v1/stays?person=")[.eTag] != tag)
        #expect(try names(town) == ["My home", nil, "My home", nil])
        var expected = before[0]
        expected.name = "My home"
        #expect(try places(town) == [expected, before[1]])
        // Ada's places have names of their own.
        #expect(try names(town, "person=ada") == [nil, nil])
        // 30 m to the north is the same place, 200 m are not.
        let (lon, lat) = (before[0].lon, before[0].lat)
        #expect(
            ask(town, .put, "/v1/stays/places/\(lon),\(lat + 0.00027)", #"{"name":"Home"}"#).text.contains(before[0].id)
        )
        #expect(ask(town, .put, "/v1/stays/places/\(lon),\(lat + 0.0018)", #"{"name":"Kiosk"}"#).status == .ok)
        #expect(try places(town).map(\.name) == ["Home", nil, "Kiosk"])
        try mornings(town.library, days: 2..<3)
        try town.library.catchUp()
        town.server.poll()
        #expect(try names(town) == ["Home", nil, "Home", nil, "Home", nil])
        #expect(ask(town, .delete, "/v1/stays/places/\(lon),\(lat)").status == .noContent)
        #expect(ask(town, .delete, "/v1/stays/places/\(lon),\(lat)").status == .notFound)
        #expect(try names(town).allSatisfy { $0 == nil })
        #expect(try places(town, "from=2025-06-04&person=").map(\.stays) == [1, 1, 0])
    }

    @Test func `bad positions, names and persons are refused`() throws {
        let town = try guarded()
        let place = "/v1/stays/places/8.68,50.11"
        let long = String(repeating: "x", count: 101)
        for body in ["", "{}", #"{"name":1}"#, #"{"name":" "}"#, #"{"name":"a","x":1}"#, #"{"name":"\#(long)"}"#, "[]"]
        {
            #expect(ask(town, .put, place, body).status == .badRequest, "\(body)")
        }
        for id in ["8.68", "8.68,50.11,3", "181,3", "8,91", "nan,3", "home", "8.68,"] {
            #expect(ask(town, .put, "/v1/stays/places/\(id)", #"{"name":"a"}"#).status == .notFound, "\(id)")
            #expect(ask(town, .delete, "/v1/stays/places/\(id)").status == .notFound, "\(id)")
        }
        #expect(ask(town, .put, place + "?person=nobody", #"{"name":"a"}"#).status == .notFound)
        #expect(ask(town, .get, "/v1/stays/places?person=nobody").status == .notFound)
        #expect(try places(town).allSatisfy { $0.name == nil })
    }

    @Test func `the owner names places, everybody with a token reads them`() throws {
        let town = try guarded()
        let place = "/v1/stays/places/8.68,50.11"
        for who in [nil, "viewer", "recorder", "ada", "owner"] {
            let isOwner = who == "owner"
            let refused: Status = who == nil ? .unauthorized : .forbidden
            let read: Status = who == nil ? .unauthorized : .ok
            #expect(ask(town, .get, "/v1/stays/places", as: who).status == read, "\(who ?? "nobody")")
            // The same whether the place has a name or not.
            for id in [place, "/v1/stays/places/1,1", "/v1/stays/places/x"] {
                let named = ask(town, .put, id, #"{"name":"Home"}"#, as: who)
                let removed = ask(town, .delete, id, as: who)
                if isOwner { continue }
                #expect(named.status == refused && removed.status == refused, "\(who ?? "nobody")")
            }
            if isOwner { #expect(ask(town, .put, place, #"{"name":"Home"}"#).status == .ok) }
        }
        #expect(try places(town).map(\.name) == ["Home", nil])
    }
}
