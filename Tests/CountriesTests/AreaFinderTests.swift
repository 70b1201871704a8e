import Foundation
import Geography
import Places
import TestSupport
import Testing
import TileMath

@testable import Countries

@Suite struct AreaFinderTests {
    private let map = LedgerMap.embedded

    private func place(_ longitude: Double, _ latitude: Double) throws -> GeoPoint {
        try #require(GeoPoint(longitude: longitude, latitude: latitude))
    }

    private func text(_ area: Area) -> String {
        switch area {
        case .country(let index): Geography.embedded.countries[index].code
        case .coastal: "coastal"
        case .sea: "sea"
        }
    }

    @Test func `water belongs to the nearest country, the coastal waters or the sea`() throws {
        // Westwards from the straight coast of the Landes: 0, 3, 10, 40 km.
        for (longitude, expected) in [(-1.10, "FR"), (-1.29, "FR"), (-1.40, "coastal"), (-1.80, "sea")] {
            #expect(text(map.finder.lookup(try place(longitude, 44.3)).area) == expected, "\(longitude)")
        }
        #expect(text(map.finder.lookup(try place(-30, 40)).area) == "sea")
        #expect(text(map.finder.lookup(try place(0, 90)).area) == "sea")
    }

    @Test(arguments: 1...4) func `every place near enough to a place has its area`(seed: Int) throws {
        var numbers = SeededRandom(seed: seed)
        // Around the Adriatic and the Aegean, where land, islands, borders and seas are near each other.
        for _ in 0..<150 {
            let center = try place(
                Double.random(in: 12...29, using: &numbers), Double.random(in: 35...46, using: &numbers))
            let lookup = map.finder.lookup(center)
            for _ in 0..<12 {
                let metres = lookup.sameAreaMetres * 0.99 * Double.random(in: 0...1, using: &numbers)
                let angle = Double.random(in: 0..<2 * .pi, using: &numbers)
                let north = metres * sin(angle) / 111_195
                let east = metres * cos(angle) / 111_195 / cos(center.latitude * .pi / 180)
                let near = try place(center.longitude + east, center.latitude + north)
                #expect(
                    map.finder.lookup(near).area == lookup.area,
                    "\(center) \(text(lookup.area)) same area \(lookup.sameAreaMetres) at \(metres)")
            }
        }
    }

    @Test(arguments: 1...3) func `a cell of one area has it throughout`(seed: Int) throws {
        var numbers = SeededRandom(seed: seed)
        var mixed = 0
        for _ in 0..<300 {
            let longitude = Double.random(in: -10...30, using: &numbers)
            let latitude = Double.random(in: 36...70, using: &numbers)
            let cell = LedgerCell(
                LedgerPlace(longitude: Int32(longitude * 1e7), latitude: Int32(latitude * 1e7)))
            guard let area = map.area(of: cell) else {
                mixed += 1
                continue
            }
            for _ in 0..<6 {
                let box = cell.box
                let inside = LedgerPlace(
                    longitude: Int32.random(in: box.west...box.east, using: &numbers),
                    latitude: Int32.random(in: box.south...box.north, using: &numbers))
                #expect(map.finder.lookup(inside.geoPoint).area == area, "\(inside)")
            }
        }
        #expect((1...150).contains(mixed))
    }

    @Test func `cells cover the Earth`() {
        for longitude: Int32 in [-1_800_000_000, -1, 0, 499_999, 500_000, 1_799_999_999, 1_800_000_000] {
            for latitude: Int32 in [-900_000_000, -1, 0, 899_999_999, 900_000_000] {
                let place = LedgerPlace(longitude: longitude, latitude: latitude)
                let cell = LedgerCell(place)
                #expect(cell.box.contains(place), "\(place)")
                #expect(LedgerCell(number: cell.number)?.center == cell.center)
            }
        }
        #expect(LedgerCell(number: -1) == nil && LedgerCell(number: 7200 * 3600) == nil)
    }

    @Test(arguments: 1...3) func `the region is that of the nearest town of the country`(seed: Int) throws {
        var numbers = SeededRandom(seed: seed)
        let gazetteer = Gazetteer.embedded
        let geography = Geography.embedded
        for _ in 0..<12 {
            let center = LedgerCell(
                LedgerPlace(
                    longitude: Int32.random(in: -100_000_000...300_000_000, using: &numbers),
                    latitude: Int32.random(in: 380_000_000...600_000_000, using: &numbers)))
            guard let country = CountryIndex.embedded.country(at: center.center) else { continue }
            let code = CountryView.isoCode(of: geography.countries[country].code)
            var best: (metres: Double, region: String?)?
            for index in 0..<gazetteer.count where gazetteer[index].country == code {
                let metres = metres(gazetteer.position(of: index), center.center)
                if metres < best?.metres ?? .infinity { best = (metres, gazetteer[index].region) }
            }
            let found = map.region(of: center, in: country).flatMap { gazetteer.regionName($0) }
            #expect(found == best?.region, "\(center.center) \(code)")
        }
    }

    private func metres(_ one: GeoPoint, _ other: GeoPoint) -> Double {
        func units(_ degrees: Double) -> Double { degrees * .pi / 180 }
        let (north, east) = (units(one.latitude - other.latitude), units(one.longitude - other.longitude))
        let root =
            sin(north / 2) * sin(north / 2) + cos(units(one.latitude)) * cos(units(other.latitude)) * sin(east / 2)
            * sin(east / 2)
        return 2 * asin(root.squareRoot())
    }

    @Test func `views differ in areas without a code`() throws {
        let (de, iso) = (CountryList(.ne), CountryList(.iso))
        func code(_ list: CountryList, _ longitude: Double, _ latitude: Double) throws -> String {
            let index = try #require(CountryIndex.embedded.country(at: try place(longitude, latitude)))
            return list.code(of: list.country(of: index))
        }
        #expect(try code(de, 33.36, 35.25) == "X-CYN" && code(iso, 33.36, 35.25) == "CY")
        #expect(try code(de, 44.06, 9.56) == "X-SOL" && code(iso, 44.06, 9.56) == "SO")
        #expect(try code(de, 21.16, 42.66) == "XK" && code(iso, 21.16, 42.66) == "RS")
        #expect(try code(de, 8.54, 47.37) == "CH" && code(iso, 8.54, 47.37) == "CH")
        #expect(de.country(code: "x-sol") != nil && iso.country(code: "X-SOL") == nil)
        #expect(de.country(code: "nl").map(de.name) == "Netherlands")
        #expect(de.country(code: "BR").map(de.name) == "Brazil")
        #expect(de.country(code: "ZZ") == nil)
        // Every area counts for a country, whose code leads back to it.
        for list in [de, iso] {
            for index in 0..<list.count {
                let main = list.country(of: index)
                #expect(list.country(code: list.code(of: main)) == main)
            }
        }
    }
}
