import Decompression
import Foundation
import TestSupport
import Testing
import Text
import TileMath

@testable import Places

@Suite struct GazetteerTests {
    /// The nearest place by the haversine formula, and its distance in metres.
    private func nearestOfAll(_ positions: [GeoPoint], to position: GeoPoint) -> (index: Int, metres: Double) {
        var best = (index: 0, metres: Double.infinity)
        for (index, place) in positions.enumerated() {
            let metres = haversine(place, position)
            if metres < best.metres { best = (index, metres) }
        }
        return best
    }

    private func haversine(_ one: GeoPoint, _ other: GeoPoint) -> Double {
        let unit = Double.pi / 180
        let north = sin((other.latitude - one.latitude) * unit / 2)
        let east = sin((other.longitude - one.longitude) * unit / 2)
        let root = north * north + cos(one.latitude * unit) * cos(other.latitude * unit) * east * east
        return 2 * 6_371_008.8 * asin(min(1, root.squareRoot()))
    }

    private func position(_ longitude: Double, _ latitude: Double) throws -> GeoPoint {
        try #require(GeoPoint(longitude: longitude, latitude: latitude))
    }

    @Test func `the nearest place is that of a comparison with every place`() throws {
        let gazetteer = Gazetteer.embedded
        let places = (0..<gazetteer.count).map { gazetteer.position(of: $0) }
        var random = SeededRandom(seed: 3)
        var positions = try [
            (180.0, 0.0), (-180, 0), (0, 90), (77, 90), (0, -90), (179.999, -16.8), (-179.999, -16.8), (0, 0),
            (-123.393, -48.877), (8.5417, 47.3769),
        ].map { try position($0.0, $0.1) }
        for _ in 0..<80 {
            // Uniform on the sphere: most are in the sea, far from every place.
            let height = Double.random(in: -1...1, using: &random)
            positions.append(
                try position(Double.random(in: -180...180, using: &random), asin(height) * 180 / .pi))
        }
        for _ in 0..<80 {
            let town = gazetteer.position(of: random.below(gazetteer.count))
            let reach = Double.random(in: -0.2...0.2, using: &random)
            positions.append(
                try position(
                    max(-180, min(180, town.longitude + reach)), max(-90, min(90, town.latitude - reach / 3))))
        }
        for position in positions {
            let found = gazetteer.nearest(to: position)
            let expected = nearestOfAll(places, to: position)
            // Two ways to compute a distance differ in the last digits; places at the same distance are equally near.
            let difference = haversine(gazetteer.position(of: found.index), position) - expected.metres
            #expect(abs(difference) < 0.001, "\(position)")
            #expect(abs(found.metres - expected.metres) < 0.01, "\(position)")
        }
    }

    @Test func `every place is the nearest to its own centre, or has the same centre as that one`() {
        let gazetteer = Gazetteer.embedded
        for index in stride(from: 0, to: gazetteer.count, by: 7) {
            let (found, metres) = gazetteer.nearest(to: gazetteer.position(of: index))
            #expect(gazetteer.codes[found] == gazetteer.codes[index] && found <= index && metres == 0)
        }
    }

    @Test(arguments: [
        (8.5417, 47.3769, "CH", "Zurich"), (-0.1276, 51.5072, "GB", "England"), (139.69, 35.69, "JP", "Tokyo"),
        (-74.006, 40.7128, "US", "New York"),
    ])
    func `known places have their countries and regions`(
        longitude: Double, latitude: Double, country: String, region: String
    ) throws {
        let gazetteer = Gazetteer.embedded
        let (index, metres) = gazetteer.nearest(to: try position(longitude, latitude))
        #expect(gazetteer[index].country == country && gazetteer[index].region == region, "\(gazetteer[index])")
        #expect(metres < 3_000)
    }

    @Test func `all places of the program are complete`() {
        let gazetteer = Gazetteer.embedded
        #expect(gazetteer.count > 150_000)
        var regionless = 0
        for index in 0..<gazetteer.count {
            let place = gazetteer[index]
            #expect(!place.name.isEmpty && !place.name.contains("\u{FFFD}") && place.country.utf8.count == 2)
            if place.region == nil { regionless += 1 }
        }
        #expect(regionless < 1_000)
    }

    @Test func `a table reads as it was written`() throws {
        let table = PlaceTable(rows: [
            .init(name: "Z\u{FC}rich", longitude: 8.55, latitude: 47.3667, population: 187, region: 1, others: ["ZRH"]),
            .init(name: "Paris", longitude: -95.5555, latitude: 33.6609, population: 146, region: 2),
            .init(name: "Taveuni", longitude: 180, latitude: -16.85),
        ])
        let gazetteer = try Gazetteer(try table.packed)
        let places = (0..<gazetteer.count).map { gazetteer[$0] }.sorted { $0.name < $1.name }
        #expect(
            places == [
                NamedPlace(
                    name: "Paris", region: "Texas", country: "US", position: try position(-95.5555, 33.6609),
                    population: 25_000),
                NamedPlace(
                    name: "Taveuni", region: nil, country: "CH", position: try position(-180, -16.85), population: nil),
                NamedPlace(
                    name: "Z\u{FC}rich", region: "Z\u{FC}rich", country: "CH", position: try position(8.55, 47.3667),
                    population: 430_000),
            ])
        // 180° and the poles are like other places.
        let far = gazetteer.nearest(to: try position(179.99, -16.85))
        #expect(gazetteer[far.index].name == "Taveuni" && far.metres < 1_100)
        #expect(gazetteer[gazetteer.nearest(to: try position(100, 90)).index].name == "Z\u{FC}rich")
    }

    @Test func `of places at the same distance the first is taken`() throws {
        let rows = (0..<40).map { PlaceTable.Row(name: "\($0)", longitude: 10, latitude: 50) }
        let gazetteer = try Gazetteer(try PlaceTable(rows: rows).packed)
        #expect(gazetteer.nearest(to: try position(11, 51)).index == 0)
    }

    private let small = PlaceTable(rows: [
        .init(name: "Z\u{FC}rich", longitude: 8.55, latitude: 47.3667, population: 187, region: 1, others: ["ZRH"]),
        .init(name: "Paris", longitude: -95.5555, latitude: 33.6609, population: 146, region: 2),
    ])

    @Test func `a table that ends too early or goes on is refused`() throws {
        let bytes = small.bytes
        for count in 0..<bytes.count {
            let packed = try Gzip.compress(Array(bytes[..<count]))
            #expect(throws: TableError.self, "\(count) bytes") { try Gazetteer(packed) }
        }
        let longer = try Gzip.compress(bytes + [0])
        #expect(throws: TableError.damaged(offset: bytes.count)) { try Gazetteer(longer) }
    }

    @Test func `a stream that is damaged, incomplete or something else is refused`() throws {
        let packed = try small.packed
        #expect(throws: TableError.otherFormat) { try Gazetteer([]) }
        #expect(throws: TableError.otherFormat) { try Gazetteer(Array("PK\u{3}\u{4}".utf8)) }
        #expect(throws: TableError.otherFormat) { try Gazetteer(try Gzip.compress(Array("no table".utf8))) }
        for count in 3..<packed.count {
            #expect(throws: TableError.self, "\(count) bytes") { try Gazetteer(Array(packed[..<count])) }
        }
    }

    @Test func `any change of a byte gives an error or a table that can be used`() throws {
        let bytes = small.bytes
        var read = 0
        for index in bytes.indices {
            for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 1, bytes[index] &+ 1] {
                var changed = bytes
                changed[index] = value
                let packed = try Gzip.compress(changed)
                guard let gazetteer = try? Gazetteer(packed) else { continue }
                read += 1
                for place in 0..<gazetteer.count { #expect(gazetteer[place].country.utf8.count < 1_000) }
                #expect(gazetteer.nearest(to: try position(8, 47)).metres < 20_100_000)
                #expect(PlaceSearch(gazetteer).places(matching: "z", limit: 3).count < 4)
            }
        }
        #expect(read > 50)
    }
}
