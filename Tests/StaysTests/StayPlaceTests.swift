import TestSupport
import Testing
import Tracks

@testable import Stays

@Suite struct StayPlaceTests {
    /// A stay at so many metres east and north of a place at the equator, where a metre is 90 units.
    private func stay(_ east: Int32, _ north: Int32, from hour: Int64, hours: Int64) -> Stay {
        Stay(
            arrive: hour * 3_600_000, leave: (hour + hours) * 3_600_000, longitude: 100_000_000 + east * 90,
            latitude: north * 90, radiusMetres: 5, points: 10, bridgedMilliseconds: 0)
    }

    /// Stays around some places, many of them between two.
    private func stays(_ random: inout SeededRandom) -> [Stay] {
        (0..<80).map { index in
            stay(
                Int32(random.below(6) * 70 + random.below(60)), Int32(random.below(3) * 70 + random.below(60)),
                from: Int64(index * 10), hours: Int64(1 + random.below(5)))
        }
    }

    private func name(_ east: Int32, _ north: Int32, _ name: String) -> StayName {
        StayName(longitude: 100_000_000 + east * 90, latitude: north * 90, name: name)
    }

    private func metres(_ stay: Stay, _ place: StayPlace) -> Double {
        Geodesy.sphereMetres(stay.longitude, stay.latitude, place.longitude, place.latitude)
    }

    @Test(arguments: 0..<20)
    func `each stay is at one place, near its position, in whatever order stays and names come`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var all = stays(&random)
        var names = [name(30, 30, "Home"), name(75, 30, "Work"), name(2000, 0, "Nowhere")]
        let places = StayPlace.places(of: all, names: names)
        #expect(places.reduce(0) { $0 + $1.count } == all.count)
        #expect(
            places.reduce(0) { $0 + $1.milliseconds } == all.reduce(0) { $0 + $1.leave - $1.arrive })
        #expect(places.map(\.milliseconds) == places.map(\.milliseconds).sorted(by: >))
        #expect(places.contains { $0.name == "Nowhere" && $0.count == 0 && $0.span == nil })
        for one in all {
            let nearest = StayName.nearest(toLongitude: one.longitude, latitude: one.latitude, of: names)
            let near = places.filter { metres(one, $0) <= StayPlace.radiusMetres }
            #expect(near.contains { $0.name == nearest?.name })
            let named = near.filter { $0.name != nil }.min { metres(one, $0) < metres(one, $1) }
            #expect(named?.name == nearest?.name)
        }
        all.shuffle(using: &random)
        names.shuffle(using: &random)
        #expect(StayPlace.places(of: all, names: names) == places)
    }

    @Test(arguments: 0..<20)
    func `a place that gets a name at its position keeps its stays, unless another place is nearer to them`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        let all = stays(&random)
        let longest = StayPlace.places(of: all, names: [])
        // The first place has all stays within 50 m.
        let first = longest.max {
            ($0.longest.map { $0.leave - $0.arrive } ?? 0, $1.longest?.arrive ?? 0)
                < ($1.longest.map { $0.leave - $0.arrive } ?? 0, $0.longest?.arrive ?? 0)
        }
        guard let first else { return }
        let named = StayPlace.places(
            of: all, names: [StayName(longitude: first.longitude, latitude: first.latitude, name: "Home")])
        var expected = first
        expected.name = "Home"
        #expect(named.contains(expected))
        #expect(named.filter { $0.name == nil }.count == longest.count - 1)
    }

    @Test func `names are within 50 m, also across 180 degrees, and are lines of text`() {
        let names = [StayName(longitude: 1_799_999_000, latitude: 0, name: "Edge")]
        #expect(StayName.nearest(toLongitude: -1_799_998_000, latitude: 0, of: names)?.name == "Edge")
        #expect(StayName.nearest(toLongitude: -1_799_990_000, latitude: 0, of: names) == nil)
        #expect(StayName.text("  My \n home ") == "My home")
        #expect(StayName.text(String(repeating: "ä", count: 100)) != nil)
        for text in ["", " \t", String(repeating: "x", count: 101), "a\u{0}b"] { #expect(StayName.text(text) == nil) }
    }
}
