import Foundation
import HTTPCore
import Testing

@testable import PlaceService
@testable import TileService

/// Names of places.
@Suite struct PlaceNameTests {
    private struct Address: Decodable, Equatable {
        var place: String
        var region: String?
        var country: String
        var metres: Int
        var kind: String
        var source: String
    }

    private struct List: Decodable {
        struct Place: Decodable {
            var name: String
            var otherName: String?
            var country: String
            var lon: Double
            var lat: Double
        }
        var places: [Place]
        var source: String
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ response: Response) throws -> Value {
        #expect(response.status == .ok, "\(response.text)")
        return try JSONDecoder().decode(type, from: Data(response.bytes))
    }

    @Test func `an address is the nearest place, its distance and its source`() throws {
        let town = try Town()
        let address = try decoded(Address.self, town.get("/v1/address?lon=8.55&lat=47.3667"))
        #expect(
            address.place.hasPrefix("Z\u{FC}rich") && address.country == "CH" && address.region == "Zurich"
                && address.metres < 500 && address.kind == "nearest" && address.source == "GeoNames")
        let sea = try decoded(Address.self, town.get("/v1/address?lon=-140&lat=-45"))
        #expect(sea.metres > 1_000_000)
    }

    @Test func `places are listed by the beginning of their names`() throws {
        let town = try Town()
        let list = try decoded(List.self, town.get("/v1/places?q=zur&limit=3"))
        #expect(list.places.count == 3 && list.source == "GeoNames")
        let first = try #require(list.places.first)
        #expect(first.name == "Z\u{FC}rich" && first.country == "CH" && first.otherName == nil)
        #expect(abs(first.lon - 8.55) < 0.1 && abs(first.lat - 47.37) < 0.1)
        #expect(try decoded(List.self, town.get("/v1/places?q=zur")).places.count == PlaceNameHandler.defaultLimit)
        #expect(try decoded(List.self, town.get("/v1/places?q=xqzvw")).places.isEmpty)
        #expect(try decoded(List.self, town.get("/v1/places?q=paris%2C%20texas")).places.first?.country == "US")
        #expect(try decoded(List.self, town.get("/v1/places?q=")).places.isEmpty)
    }

    @Test(arguments: [
        "address", "address?lon=8", "address?lat=8", "address?lon=181&lat=0", "address?lon=0&lat=90.1",
        "address?lon=nan&lat=0", "address?lon=8&lon=9&lat=0", "places", "places?q=a&limit=0", "places?q=a&limit=51",
        "places?q=a&limit=x", "places?q=a&q=b", "places?q=" + String(repeating: "a", count: 101),
    ])
    func `queries that make no sense are refused`(query: String) throws {
        #expect(try Town().get("/v1/\(query)").status == .badRequest)
    }

    @Test(arguments: ["/v1/address?lon=8.55&lat=47.3667", "/v1/places?q=zur"])
    func `answers can be kept, and are compared by their ETag`(target: String) throws {
        let town = try Town()
        let answer = town.get(target)
        let tag = try #require(answer[.eTag])
        #expect(answer[.cacheControl]?.contains("max-age=86400") == true)
        #expect(town.get(target, [(.ifNoneMatch, tag)]).status == .notModified)
    }
}
