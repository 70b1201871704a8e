import Decompression
import Testing
import Text
import TileMath

@testable import Places

@Suite struct ZoneFinderTests {
    private let table = PlaceTable(
        rows: [
            .init(name: "Z\u{FC}rich", longitude: 8.55, latitude: 47.3667, region: 1, zone: 0),
            .init(name: "El Paso", longitude: -106.4869, latitude: 31.7587, region: 2, zone: 2),
            .init(name: "Paris", longitude: -95.5555, latitude: 33.6609, region: 2, zone: 1),
        ], points: [("US", -104, 31, 1), ("AQ", 10, 47, 2)])

    private func finder(_ table: PlaceTable) throws -> ZoneFinder {
        try ZoneFinder(
            try Gazetteer(try table.packed), number: { ["CH": 0, "US": 1][$0] },
            numberAt: { $0.longitude > 0 ? 7 : nil })
    }

    private func name(
        _ finder: ZoneFinder, _ longitude: Double, _ latitude: Double, _ country: Int?,
        where admits: (Int) -> Bool = { _ in true }
    ) throws -> String? {
        let place = try #require(GeoPoint(longitude: longitude, latitude: latitude))
        return finder.zone(nearest: place, inCountry: country, where: admits).map { finder.names[$0.zone] }
    }

    @Test func `the nearest place or point of the country gives the zone`() throws {
        let finder = try finder(table)
        #expect(try name(finder, -106, 31.7, 1) == "America/Denver")
        // The point is nearer than the town.
        #expect(try name(finder, -104.5, 31.2, 1) == "America/Chicago")
        #expect(try name(finder, -104.5, 31.2, 0) == "Europe/Zurich")
        #expect(try name(finder, -96, 33, 1) { $0 != 1 } == "America/Denver")
        #expect(try name(finder, 9, 47, 3) == nil)
    }

    @Test func `without a country all count, and a point of an unnumbered country counts where it lies`() throws {
        let finder = try finder(table)
        #expect(try name(finder, 9.9, 47, nil) == "America/Denver")
        #expect(try name(finder, 0, 0, 7) == "America/Denver")
        #expect((0..<9).filter(finder.hasPlaces) == [0, 1, 7])
    }

    @Test func `one place can be left out`() throws {
        let finder = try finder(table)
        let gazetteer = try Gazetteer(try table.packed)
        let city = try #require((0..<gazetteer.count).first { gazetteer[$0].name == "El Paso" })
        #expect(finder.names[finder.zone(ofPlace: city)] == "America/Denver")
        let found = finder.zone(nearest: gazetteer.position(of: city), inCountry: 1, exceptPlace: city)
        #expect(found.map { finder.names[$0.zone] } == "America/Chicago")
    }

    @Test func `any change of a byte of the zones gives an error or zones that can be used`() throws {
        let bytes = table.bytes
        let first = bytes.count - (try Gazetteer(try table.packed)).zoneBytes.count
        var refused = 0
        for index in first..<bytes.count {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 1, bytes[index] &+ 1] {
                var changed = bytes
                changed[index] = value
                let gazetteer = try Gazetteer(try Gzip.compress(changed))
                do {
                    let finder = try ZoneFinder(gazetteer, number: { _ in 0 }, numberAt: { _ in nil })
                    let place = try #require(GeoPoint(longitude: 8, latitude: 47))
                    let found = try #require(finder.zone(nearest: place, inCountry: 0))
                    #expect(finder.names.indices.contains(found.zone))
                } catch is TableError {
                    refused += 1
                }
            }
        }
        #expect(refused > 50)
    }
}
