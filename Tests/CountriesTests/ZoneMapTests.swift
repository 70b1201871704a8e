import Geography
import Places
import Testing
import TileMath

@testable import Countries

@Suite struct ZoneMapTests {
    private func zone(_ longitude: Double, _ latitude: Double, lacking: Set<String> = []) throws -> String? {
        let place = try #require(GeoPoint(longitude: longitude, latitude: latitude))
        return ZoneMap.embedded.zone(at: place) { !lacking.contains($0) }
    }

    @Test(arguments: [
        (116.4, 39.9, "Asia/Shanghai"), (72.88, 19.08, "Asia/Kolkata"), (13.4, 52.5, "Europe/Berlin"),
        (3.22, 51.21, "Europe/Brussels"), (-70.0, -18.4, "America/Santiago"), (-70.2, -18.0, "America/Lima"),
        (-87.6, 41.9, "America/Chicago"), (-112.1, 33.4, "America/Phoenix"), (115.9, -32.0, "Australia/Perth"),
        (20.5, 54.7, "Europe/Kaliningrad"), (25.86, -17.85, "Africa/Lusaka"), (-54.6, -25.5, "America/Sao_Paulo"),
        (174.8, -36.9, "Pacific/Auckland"),
    ])
    func `a place has the zone of the nearest place of its country`(
        longitude: Double, latitude: Double, expected: String
    ) throws {
        #expect(try zone(longitude, latitude) == expected)
    }

    @Test(arguments: [
        (-52.3, 4.9, "America/Cayenne"), (55.5, -21.1, "Indian/Reunion"), (-61.5, 16.2, "America/Guadeloupe"),
        (15.6, 78.2, "Arctic/Longyearbyen"), (-68.27, 12.15, "America/Kralendijk"),
        (105.67, -10.45, "Indian/Christmas"),
    ])
    func `parts of a country that have a code of their own have their zone`(
        longitude: Double, latitude: Double, expected: String
    ) throws {
        #expect(try zone(longitude, latitude) == expected)
    }

    @Test(arguments: [
        // Northern Cyprus and Somaliland have no code of ISO 3166-1; the Siachen Glacier has no place.
        (33.94, 35.12, "Asia/Famagusta"), (44.06, 9.56, "Africa/Mogadishu"), (77.1, 35.4, "Asia/Kolkata"),
        (21.17, 42.67, "Europe/Belgrade"), (166.7, -77.8, "Antarctica/McMurdo"), (110.5, -66.3, "Antarctica/Casey"),
    ])
    func `areas without a code and Antarctica have a zone`(
        longitude: Double, latitude: Double, expected: String
    ) throws {
        #expect(try zone(longitude, latitude) == expected)
    }

    @Test(arguments: [
        // Beaches and ferries, islands without an outline, and oceans at both sides of 180°.
        (-1.4, 44.3, "Europe/Paris"), (1.4, 51.05, "Europe/London"), (10.0, 43.3, "Europe/Rome"),
        (-30.0, 30.0, "Etc/GMT+2"), (-5.0, -20.0, "Etc/GMT"), (80.0, -10.0, "Etc/GMT-5"), (180.0, 40.0, "Etc/GMT-12"),
        (-180.0, 40.0, "Etc/GMT+12"), (0.0, 90.0, "Etc/GMT"),
    ])
    func `places at sea have the zone of the nearest coast, and that of ships far from it`(
        longitude: Double, latitude: Double, expected: String
    ) throws {
        #expect(try zone(longitude, latitude) == expected)
    }

    @Test func `a zone that the system does not know is its former name, or a neighbour of the country`() throws {
        #expect(try zone(30.5, 50.45) == "Europe/Kyiv")
        #expect(try zone(30.5, 50.45, lacking: ["Europe/Kyiv"]) == "Europe/Kiev")
        #expect(try zone(-72.07, -45.57) == "America/Coyhaique")
        let neighbour = try zone(-72.07, -45.57, lacking: ["America/Coyhaique"])
        #expect(["America/Santiago", "America/Punta_Arenas"].contains(neighbour))
        let place = try #require(GeoPoint(longitude: 30.5, latitude: 50.45))
        #expect(ZoneMap.embedded.zone(at: place) { _ in false } == nil)
    }

    @Test func `of the cities above 100,000 inhabitants, 99 % have the zone of their neighbours`() throws {
        let gazetteer = Gazetteer.embedded
        let finder = try ZoneFinder(gazetteer, number: { _ in 0 }, numberAt: { _ in nil })
        var cities = 0
        var wrong: [String] = []
        for city in 0..<gazetteer.count where gazetteer[city].population ?? 0 >= 100_000 {
            cities += 1
            // The city itself is left out, so that its zone is an answer that the search does not know.
            let found = ZoneMap.embedded.zone(at: gazetteer.position(of: city), exceptPlace: city) { _ in true }
            let own = finder.names[finder.zone(ofPlace: city)]
            if found != own { wrong.append("\(gazetteer[city].name): \(found ?? "none"), not \(own)") }
        }
        #expect(cities > 5_000)
        #expect(wrong.count * 100 <= cities, "\(wrong.count) of \(cities): \(wrong)")
    }
}
