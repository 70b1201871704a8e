import Foundation
import Geography
import TestSupport
import Testing
import TileMath
import Tracks

@testable import Countries

@Suite struct BorderTests {
    /// Places 2 km apart or less along the border of two countries.
    private func border(_ one: String, _ other: String) throws -> [(lon: Double, lat: Double)] {
        let geography = Geography.embedded
        let codes = geography.countries.map(\.code)
        let arcs = geography.arcs.filter { arc in
            Set([arc.left, arc.right].compactMap { $0.map { codes[$0] } }) == [one, other]
        }
        let longest = try #require(arcs.max { $0.line.range.count < $1.line.range.count })
        return longest.line.range.map {
            (Double(geography.vertices.longitudes[$0]) / 1e4, Double(geography.vertices.latitudes[$0]) / 1e4)
        }
    }

    private func country(_ longitude: Double, _ latitude: Double) -> String? {
        GeoPoint(longitude: longitude, latitude: latitude).flatMap { CountryIndex.embedded.country(at: $0) }
            .map { Geography.embedded.countries[$0].code }
    }

    @Test(arguments: [("DE", "PL"), ("BE", "NL"), ("PT", "ES")], 1...3)
    func `along a border, a track stays in its country`(pair: (String, String), seed: Int) throws {
        let places = try border(pair.0, pair.1)
        var numbers = SeededRandom(seed: seed)
        // It begins well within the first country.
        let first = try #require(places.first)
        let start = try #require(
            (0..<200).lazy.map { _ in
                (
                    first.lon + Double.random(in: -0.06...0.06, using: &numbers),
                    first.lat + Double.random(in: -0.06...0.06, using: &numbers)
                )
            }.first { place in
                country(place.0, place.1) == pair.0
                    && CountryIndex.embedded.distanceToOutline(
                        of: GeoPoint(longitude: place.0, latitude: place.1)!, limit: 5000
                    ) ?? 5000 > 900
            })
        var journey = TestJourney(start.0, start.1)
        for place in places.prefix(60) {
            // Up to some 300 m on both sides.
            journey.go(
                to: place.lon + Double.random(in: -0.003...0.003, using: &numbers),
                place.lat + Double.random(in: -0.002...0.002, using: &numbers), speed: 6, every: 5)
        }
        let crossings = journey.points.filter { country($0.lon, $0.lat) == pair.1 }.count
        #expect(crossings > 50, "the track is on both sides of the border")
        #expect(journey.rows().texts == ["ground \(pair.0)"])
        // With a point each ten minutes, kilometres apart, neither is its way unknown.
        var sparse = TestJourney(start.0, start.1)
        sparse.stay(minutes: 10)
        for place in places.prefix(60).enumerated().filter({ $0.offset % 4 == 3 }).map(\.element) {
            sparse.jump(
                to: place.lon + Double.random(in: -0.003...0.003, using: &numbers),
                place.lat + Double.random(in: -0.002...0.002, using: &numbers), afterMinutes: 10)
        }
        #expect(sparse.rows().texts == ["ground \(pair.0)"])
        // A track that begins beside the border is not cut there either.
        var beside = TestJourney(first.lon, first.lat)
        for place in places.prefix(20) {
            beside.go(
                to: place.lon + Double.random(in: -0.003...0.003, using: &numbers),
                place.lat + Double.random(in: -0.002...0.002, using: &numbers), speed: 6, every: 5)
        }
        #expect(beside.rows().texts.count == 1)
    }

    @Test func `a border is crossed where it is, not where the crossing is certain`() throws {
        // From Aachen to Maastricht, and back: the border is at 6.01° E or so.
        var journey = TestJourney(6.08, 50.775)
        journey.go(to: 5.75, 50.86, speed: 20)
        let rows = journey.rows()
        #expect(rows.texts == ["ground DE", "ground NL"])
        let begin = try #require(rows.last { $0.text == "ground DE" }?.time?.upperBound)
        let last = try #require(journey.points.last { country($0.lon, $0.lat) == "DE" }?.time)
        #expect(abs(begin - last) <= 2000)
        #expect(rows.millimetres == journey.millimetres() || abs(rows.millimetres - journey.millimetres()) < 10)
    }

    @Test func `a point of poor accuracy crosses no border`() throws {
        // 900 m beyond the border between Germany and Poland at Frankfurt (Oder), for ten minutes.
        let places = try border("DE", "PL")
        let middle = places[places.count / 2]
        var numbers = SeededRandom(seed: 7)
        func place(_ code: String, _ range: ClosedRange<Double>) throws -> (lon: Double, lat: Double) {
            for _ in 0..<20_000 {
                let longitude = middle.lon + Double.random(in: -0.04...0.04, using: &numbers)
                let latitude = middle.lat + Double.random(in: -0.03...0.03, using: &numbers)
                let point = try #require(GeoPoint(longitude: longitude, latitude: latitude))
                guard country(longitude, latitude) == code,
                    let metres = CountryIndex.embedded.distanceToOutline(of: point, limit: 4000), range.contains(metres)
                else { continue }
                return (longitude, latitude)
            }
            throw NoPlace()
        }
        let home = try place("DE", 1200...1500)
        let beyond = try place("PL", 700...800)
        func texts(minutes: Double, accuracy: Int64) -> [String] {
            var journey = TestJourney(home.lon, home.lat)
            journey.go(to: beyond.lon, beyond.lat, speed: 10)
            journey.stay(minutes: minutes, every: 10)
            journey.go(to: home.lon, home.lat, speed: 10)
            journey.setAccuracy(accuracy)
            return journey.rows().texts
        }
        #expect(texts(minutes: 15, accuracy: 10) == ["ground DE", "ground PL", "ground DE"])
        #expect(texts(minutes: 15, accuracy: 950) == ["ground DE"])
        #expect(texts(minutes: 1, accuracy: 10) == ["ground DE"])
    }

    private struct NoPlace: Error {}
}
