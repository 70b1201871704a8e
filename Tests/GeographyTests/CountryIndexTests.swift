import Foundation
import Geography
import TestSupport
import Testing
import TileMath

@Suite struct CountryIndexTests {
    private func country(_ longitude: Double, _ latitude: Double) -> String? {
        GeoPoint(longitude: longitude, latitude: latitude).flatMap { CountryIndex.embedded.country(at: $0) }
            .map { Geography.embedded.countries[$0].code }
    }

    @Test func `Towns are in their countries`() {
        let places: [(Double, Double, String?)] = [
            (8.54, 47.37, "CH"), (9.52, 47.14, "LI"), (2.35, 48.85, "FR"), (12.453, 41.903, "VA"), (12.45, 43.94, "SM"),
            (28.23, -29.6, "LS"), (-58.4, -34.6, "AR"), (174.76, -36.85, "NZ"), (-177.5, 66.3, "RU"),
            (179.3, 68.9, "RU"), (0, -89.5, "AQ"), (100, -80, "AQ"), (-3.5, 40.4, "ES"), (37.6, 55.75, "RU"),
            (20.5, 54.7, "RU"),
            (44.06, 9.56, "X-SOL"), (21.16, 42.66, "XK"), (-30, 40, nil), (0, 89.9, nil), (-180, 0, nil), (180, 0, nil),
        ]
        for (longitude, latitude, expected) in places {
            #expect(country(longitude, latitude) == expected, "\(longitude) \(latitude)")
        }
    }

    @Test(arguments: 1...3) func `Places are in the country whose rings contain them`(seed: UInt64) throws {
        let geography = Geography.embedded
        var numbers = SeededRandom(seed: seed)
        for _ in 0..<60 {
            let place = try #require(
                GeoPoint(
                    longitude: Double.random(in: -180..<180, using: &numbers),
                    latitude: Double.random(in: -89...84, using: &numbers)))
            let spot = MapVertex(place)
            let containing = geography.rings.indices.filter { index in
                let ring = geography.rings[index]
                let isNear =
                    Double(ring.bounds.minX) <= spot.x + 1e-5 && Double(ring.bounds.maxX) >= spot.x - 1e-5
                    && Double(ring.bounds.minY) <= spot.y + 1e-5 && Double(ring.bounds.maxY) >= spot.y - 1e-5
                return isNear && contains(geography, ring, place)
            }
            // Rings of enclaves lie in holes, whose rings count, too: an odd number of rings contains a country's place.
            let byCountry = Dictionary(grouping: containing) { geography.rings[$0].country }
            let expected = byCountry.filter { $0.value.count % 2 == 1 }.keys.sorted()
            let found = CountryIndex.embedded.country(at: place)
            #expect(expected == (found.map { [$0] } ?? []), "\(place)")
        }
    }

    private func contains(_ geography: Geography, _ ring: Geography.Ring, _ place: GeoPoint) -> Bool {
        let (x, y) = (place.longitude * 10_000, place.latitude * 10_000)
        var isInside = false
        for (index, _) in ring.arcs {
            let range = geography.arcs[index].line.range
            for vertex in range.dropLast() {
                let (ax, ay) = (
                    Double(geography.vertices.longitudes[vertex]), Double(geography.vertices.latitudes[vertex])
                )
                let (bx, by) = (
                    Double(geography.vertices.longitudes[vertex + 1]), Double(geography.vertices.latitudes[vertex + 1])
                )
                if (ay > y) != (by > y), x < ax + (y - ay) / (by - ay) * (bx - ax) { isInside.toggle() }
            }
        }
        return isInside
    }

    @Test func `Borders near a place name the countries on both sides, across 180° as well`() throws {
        let geography = Geography.embedded
        let basel = try #require(GeoPoint(longitude: 7.59, latitude: 47.57))
        let near = CountryIndex.embedded.countries(within: 6000, of: basel).map { geography.countries[$0].code }
            .sorted()
        #expect(near == ["CH", "DE", "FR"])
        #expect(CountryIndex.embedded.countries(within: 1, of: basel).count == 1)
        let offshore = try #require(GeoPoint(longitude: 179.999, latitude: 69.5))
        let found = CountryIndex.embedded.outlines(within: 100_000, of: offshore, except: nil)
        #expect(found.countries.map { geography.countries[$0.country].code } == ["RU"])
        let ocean = try #require(GeoPoint(longitude: -30, latitude: 40))
        #expect(CountryIndex.embedded.outlines(within: 50_000, of: ocean, except: nil).countries.isEmpty)
    }

    @Test func `Distances to borders are those of a hand-made map`() throws {
        let index = CountryIndex(try Geography(GeographyWriter.twoSquares))
        let place = try #require(GeoPoint(longitude: 10.9, latitude: 0.5))
        #expect(index.country(at: place) == 0)
        let distance = try #require(index.distanceToOutline(of: place, limit: 20_000))
        #expect(abs(distance - 11_119) < 20)
        #expect(index.distanceToOutline(of: place, limit: 11_000) == nil)
        #expect(index.countries(within: 12_000, of: place) == [0, 1])
        let sea = try #require(GeoPoint(longitude: 10.5, latitude: -0.01))
        #expect(index.country(at: sea) == nil)
        #expect(index.outlines(within: 2000, of: sea, except: nil).countries.map(\.country) == [0])
    }
}
