import Foundation
import Geography
import Places
import TestSupport
import Testing
import TileMath
import Tracks

@testable import Countries

@Suite struct TownStayTests {
    private static let konstanz = (lon: 9.1758, lat: 47.6603)
    private static let vatican = (lon: 12.4541, lat: 41.9027)

    /// A town, with the code of its country.
    struct Town: CustomStringConvertible {
        var name: String
        var country: String

        init(_ name: String, _ country: String) { (self.name, self.country) = (name, country) }

        var description: String { "\(name) (\(country))" }
    }

    /// Towns at borders, in pairs or more.
    static let towns = [
        Town("Konstanz", "DE"), Town("Kreuzlingen", "CH"), Town("Basel", "CH"), Town("Weil am Rhein", "DE"),
        Town("Saint-Louis", "FR"), Town("Geneva", "CH"), Town("Annemasse", "FR"), Town("Ferney-Voltaire", "FR"),
        Town("Tornio", "FI"), Town("Haparanda", "SE"), Town("Baarle-Hertog", "BE"), Town("Baarle-Nassau", "NL"),
        Town("Görlitz", "DE"), Town("Zgorzelec", "PL"), Town("Frankfurt (Oder)", "DE"), Town("Słubice", "PL"),
        Town("Tijuana", "MX"), Town("San Ysidro", "US"), Town("El Paso", "US"), Town("Ciudad Juárez", "MX"),
        Town("Vatican City", "VA"), Town("Rome", "IT"), Town("Trastevere", "IT"), Town("Prati", "IT"),
        Town("Monaco", "MC"), Town("Monte-Carlo", "MC"), Town("Beausoleil", "FR"), Town("Nice", "FR"),
        Town("Gorizia", "IT"), Town("Nova Gorica", "SI"), Town("Singapore", "SG"), Town("Johor Bahru", "MY"),
        Town("Woodlands", "SG"), Town("Niagara Falls", "US"), Town("Niagara Falls", "CA"),
        Town("Büsingen", "DE"), Town("Campione", "IT"), Town("Lugano", "CH"), Town("San Marino", "SM"),
        Town("Strasbourg", "FR"), Town("Kehl", "DE"), Town("Aachen", "DE"), Town("Vaals", "NL"),
        Town("Kerkrade", "NL"), Town("Herzogenrath", "DE"), Town("Narva", "EE"), Town("Ivangorod", "RU"),
        Town("Valga", "EE"), Town("Valka", "LV"), Town("Chiasso", "CH"), Town("Como", "IT"),
        Town("Vaduz", "LI"), Town("Buchs", "CH"), Town("Macau", "MO"), Town("Zhuhai", "CN"),
        Town("Ceuta", "ES"), Town("Gibraltar", "GI"), Town("La Línea de la Concepción", "ES"),
    ]

    /// The town of most inhabitants with a name, or a name that begins with it.
    private func position(of town: Town) throws -> GeoPoint {
        let gazetteer = Gazetteer.embedded
        var best: (place: NamedPlace, isEqual: Bool)?
        for index in 0..<gazetteer.count {
            let place = gazetteer[index]
            guard place.country == town.country, place.name.hasPrefix(town.name) else { continue }
            let isEqual = place.name == town.name
            if let known = best {
                guard isEqual || !known.isEqual else { continue }
                if isEqual == known.isEqual, place.population ?? 0 <= known.place.population ?? 0 { continue }
            }
            best = (place, isEqual)
        }
        return try #require(best, "\(town)").place.position
    }

    /// Four hours at a place, with errors of the receiver.
    private func visit(_ place: GeoPoint, seed: Int) -> TestJourney {
        var numbers = SeededRandom(seed: seed)
        let noise = Double.random(in: 5...15, using: &numbers)
        func error(_ degrees: Double) -> Double {
            // The sum of a few equal distributions is near enough to a normal one.
            (0..<4).reduce(0) { sum, _ in sum + Double.random(in: -1...1, using: &numbers) } * noise / 111_195 / degrees
        }
        let narrow = cos(place.latitude * .pi / 180)
        var journey = TestJourney(place.longitude + error(narrow), place.latitude + error(1))
        for _ in 0..<120 {
            journey.jump(to: place.longitude + error(narrow), place.latitude + error(1), afterMinutes: 2)
        }
        journey.setAccuracy(Int64.random(in: 5...50, using: &numbers))
        return journey
    }

    @Test(arguments: towns) func `a stay in a border town is in the country of the town`(town: Town) throws {
        for seed in 1...3 {
            let rows = visit(try position(of: town), seed: seed).rows()
            #expect(rows.texts == ["ground \(town.country)"], "\(town)")
        }
    }

    @Test func `a Roman beside the Vatican is in Italy`() throws {
        // About 600 m from the walls in all directions, where the nearest town of the table is often the Vatican.
        for (longitude, latitude) in [(12.4660, 41.9030), (12.4390, 41.9010), (12.4530, 41.8935), (12.4520, 41.9130)] {
            let place = try #require(GeoPoint(longitude: longitude, latitude: latitude))
            #expect(visit(place, seed: 1).rows().texts == ["ground IT"], "\(place)")
        }
    }

    @Test func `a walk through the Vatican without a stay is in Italy, and a stay there divides it`() throws {
        func walk(minutes: Double) -> [LedgerRow] {
            var journey = TestJourney(12.4663, 41.9031)
            journey.go(to: 12.4568, 41.9022, speed: 1.4, every: 5)
            journey.go(to: Self.vatican.lon, Self.vatican.lat, speed: 1.4, every: 5)
            journey.stay(minutes: minutes)
            journey.go(to: 12.4476, 41.8985, speed: 1.4, every: 5)
            journey.go(to: 12.4380, 41.8960, speed: 1.4, every: 5)
            return journey.rows()
        }
        #expect(walk(minutes: 0).texts == ["ground IT"])
        let rows = walk(minutes: 70)
        #expect(rows.texts == ["ground IT", "ground VA", "ground IT"])
        #expect(rows.map(\.stayMilliseconds).max() == rows.first { $0.text == "ground VA" }?.stayMilliseconds)
        // The way from St. Peter's Square belongs to it, and that through the city does not.
        #expect((1_200_000..<2_000_000).contains(rows.filter { $0.text == "ground IT" }.millimetres))
    }

    @Test func `the way to a stay in a town that the outlines misplace is in its country`() throws {
        // The outlines put the centre of Konstanz 1 km into Switzerland. From Allensbach, and back.
        var journey = TestJourney(9.0713, 47.7153)
        journey.stay(minutes: 30)
        journey.go(to: 9.1450, 47.6850, speed: 14)
        journey.go(to: Self.konstanz.lon, Self.konstanz.lat, speed: 8)
        journey.stay(minutes: 120)
        journey.go(to: 9.1450, 47.6850, speed: 8)
        journey.go(to: 9.0713, 47.7153, speed: 14)
        let rows = journey.rows()
        #expect(rows.texts == ["ground DE"])
        #expect(abs(rows.millimetres - journey.millimetres()) < 20)
        // On to Kreuzlingen, and to Zürich.
        var abroad = TestJourney(Self.konstanz.lon, Self.konstanz.lat)
        abroad.stay(minutes: 60)
        abroad.go(to: 9.1750, 47.6505, speed: 1.4, every: 5)
        abroad.stay(minutes: 60)
        abroad.go(to: 8.54, 47.37, speed: 25)
        #expect(abroad.rows().texts == ["ground DE", "ground CH"])
    }

    @Test func `a ride from a town that the outlines misplace begins in the country of the town`() throws {
        var ride = TestJourney(Self.konstanz.lon, Self.konstanz.lat)
        ride.go(to: 9.1450, 47.6850, speed: 6)
        ride.go(to: 9.0713, 47.7153, speed: 6)
        #expect(ride.rows().texts == ["ground DE"])
        #expect(ride.reversed.rows().texts == ["ground DE"])
        // From Kreuzlingen, which the outlines put into Switzerland, where it is.
        var swiss = TestJourney(9.1750, 47.6505)
        swiss.go(to: 9.1000, 47.6450, speed: 6)
        swiss.go(to: 9.0500, 47.6000, speed: 6)
        #expect(swiss.rows().texts == ["ground CH"])
        // A ride through both without a stop keeps the rules of borders: it is in Switzerland, and nowhere twice.
        var through = TestJourney(9.0713, 47.7153)
        through.go(to: 9.1450, 47.6850, speed: 6)
        through.go(to: Self.konstanz.lon, Self.konstanz.lat, speed: 6)
        through.go(to: 9.1750, 47.6505, speed: 6)
        through.go(to: 9.0500, 47.6000, speed: 6)
        #expect(through.rows().texts == ["ground DE", "ground CH"])
    }

    @Test func `the night of a stay counts, recorded or not`() throws {
        var evening = TestJourney(Self.konstanz.lon, Self.konstanz.lat, at: TestJourney.morning + 12 * 3_600_000)
        evening.stay(minutes: 15)
        evening.jump(to: Self.konstanz.lon, Self.konstanz.lat + 0.0005, afterMinutes: 12 * 60)
        evening.stay(minutes: 5)
        for gap in [GapRule.none, .standard] {
            #expect(Set(evening.rows(gap: gap).texts) == ["ground DE"])
        }
        // A few minutes are no stay, but with the night between them they are.
        var short = TestJourney(Self.konstanz.lon, Self.konstanz.lat, at: TestJourney.morning + 12 * 3_600_000)
        short.stay(minutes: 3)
        short.jump(to: Self.konstanz.lon, Self.konstanz.lat + 0.0005, afterMinutes: 12 * 60)
        short.stay(minutes: 3)
        #expect(Set(short.rows(gap: .standard).texts) == ["ground DE"])
    }

    @Test func `a stay whose points are inaccurate shows no country`() throws {
        var journey = TestJourney(Self.konstanz.lon, Self.konstanz.lat)
        journey.stay(minutes: 60)
        let points = journey.points.count
        journey.setAccuracy(900)
        let inaccurate = journey.rows()
        #expect(inaccurate.texts.count == 1 && inaccurate.reduce(0) { $0 + $1.points } == points)
        #expect(inaccurate.texts != ["ground DE"])
        journey.setAccuracy(50)
        #expect(journey.rows().texts == ["ground DE"])
    }

    @Test(arguments: [1, 7, 100]) func `chunks and the order of time make no difference to stays`(size: Int) throws {
        var journey = TestJourney(9.0713, 47.7153)
        journey.go(to: Self.konstanz.lon, Self.konstanz.lat, speed: 8)
        journey.stay(minutes: 120)
        journey.go(to: 9.1750, 47.6505, speed: 1.4, every: 5)
        journey.stay(minutes: 30)
        journey.go(to: 9.0713, 47.7153, speed: 8)
        #expect(journey.rows(chunk: size) == journey.rows(chunk: 100_000))
        #expect(journey.reversed.rows().texts == journey.rows().texts.reversed())
        #expect(abs(journey.rows(zone: "Pacific/Kiritimati").millimetres - journey.millimetres()) < 20)
    }
}
