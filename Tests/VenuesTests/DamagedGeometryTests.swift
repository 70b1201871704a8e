import TestSupport
import TestVenues
import Testing
import TileMath
import Venues

@Suite struct DamagedGeometryTests {
    /// The campus with corners moved, dropped and exchanged: rings that cross themselves, rooms over rooms, doors in the open.
    private func damaged(_ seed: Int) -> String {
        var random = SeededRandom(seed: seed)
        var text = ""
        for part in SampleCampus(seed: UInt64(1 + seed % 3)).osmGeoJSON().split(
            separator: "[", omittingEmptySubsequences: false)
        {
            if !text.isEmpty { text += "[" }
            let numbers = part.prefix { $0 != "]" }
            let isPosition =
                numbers.contains(",") && numbers.allSatisfy { $0.isNumber || $0 == "." || $0 == "," || $0 == "-" }
            guard isPosition, random.once(in: 12) else {
                text += part
                continue
            }
            let values = numbers.split(separator: ",").compactMap { Double($0) }
            func moved() -> Double { (Double(random.below(UInt64(2001))) - 1000) / 1000 * 0.0001 }
            text += "\(values[0] + moved()),\(values[1] + moved())" + part.dropFirst(numbers.count)
        }
        return text
    }

    @Test(arguments: 0..<40) func `Damaged shapes still give plans and routes`(seed: Int) throws {
        let venue = try Venue.reading([try FeatureCollection(Array(damaged(seed).utf8))], name: "x").venue
        let graph = try VenueGraph(venue)
        let router = VenueRouter(venue, graph: graph)
        var stops = RandomStops(venue, graph, seed: UInt64(seed))
        var found = 0
        for _ in 0..<20 {
            let (one, other) = (stops.next(), stops.next())
            let route = try? router.route([
                .point(one.place, level: one.level), .point(other.place, level: other.level),
            ])
            if let route {
                found += 1
                #expect(route.metres.isFinite && route.seconds.isFinite)
            }
        }
        #expect(found > 0)
        #expect(try VenueGraph(decoding: graph.encoded(), of: venue).encoded() == graph.encoded())
    }
}
