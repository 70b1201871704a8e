import Testing
import TileMath
import Venues

@Suite struct RealBuildingTests {
    @Test func `A real building in wall style is read whole, and its ground floor leads to the third by stairs`() throws
    {
        guard let members = try realBuilding() else { return }
        let reading = try Venue.reading(members, name: "x", manifest: [])
        let venue = reading.venue
        #expect(venue.levels.map(\.ordinal) == Array(0...6))
        #expect(venue.units.count == 317 && venue.openings.count == 333 && venue.amenities.count == 52)
        #expect(reading.notices.isEmpty, "\(reading.notices.map(\.line))")
        let graph = try VenueGraph(venue)
        #expect((0..<7).allSatisfy { graph.plan(ofLevel: $0).style == .walls })
        let router = VenueRouter(venue, graph: graph)
        let stairs = venue.units.filter { $0.category.name == "stairs" && $0.level == 0 }
        let third = venue.units.filter { $0.category.name == "stairs" && $0.level == 3 }
        var found = 0
        for one in stairs {
            for other in third {
                guard let route = try? router.route([.place(one.id), .place(other.id)], profile: .withoutLift) else {
                    continue
                }
                found += 1
                #expect(route.legs.contains { $0.mode == .stairs })
                #expect(!route.legs.contains { $0.mode == .lift })
            }
        }
        #expect(found > 0)
        #expect(router.places.search("servr room").first?.name == "Server room")
    }

    @Test(arguments: ["caserne", "gare-de-l-est"]) func `Real stations are read, and routes lead through their halls`(
        name: String
    ) throws {
        guard let bytes = realFile("indoor/osm-indoor/\(name).geojson") else { return }
        let venue = try Venue.reading([try FeatureCollection(bytes)], name: name).venue
        let router = VenueRouter(venue, graph: try VenueGraph(venue))
        var found = 0
        let places = router.places.all
        for (one, other) in zip(places, places.reversed()) {
            guard let route = try? router.route([.place(one.id), .place(other.id)]) else { continue }
            found += 1
            #expect(route.metres >= 0 && route.seconds >= 0)
        }
        #expect(found > 5)
    }

    @Test(arguments: ["caserne", "gare-de-l-est"]) func `Routes in real stations cross no wall`(name: String) throws {
        guard let bytes = realFile("indoor/osm-indoor/\(name).geojson") else { return }
        let venue = try Venue.reading([try FeatureCollection(bytes)], name: name).venue
        let graph = try VenueGraph(venue)
        let router = VenueRouter(venue, graph: graph)
        let walls = try WallCheck(venue)
        var stops = RandomStops(venue, graph, seed: 3)
        var found = 0
        for _ in 0..<300 {
            let one = stops.next()
            let other = stops.next(level: one.level)
            let ends = [RouteStop.point(one.place, level: one.level), .point(other.place, level: other.level)]
            guard let route = try? router.route(ends), !route.isApproximate else { continue }
            found += 1
            for leg in route.legs where leg.mode == .walk {
                let level = try #require(leg.level)
                #expect(try !walls.isCrossed(leg.line, level: level), "\(one) to \(other): \(leg)")
            }
        }
        #expect(found > 30)
    }

    @Test func `A real document of OpenStreetMap is read`() throws {
        guard let bytes = realFile("indoor/osm-indoor/paris-gare-de-lyon.osm") else { return }
        let venue = try Venue.reading(openStreetMap: bytes, name: "x").venue
        #expect(venue.levels.map(\.number).contains(-3))
        #expect(venue.levels.contains { $0.label == "Hall 1" })
    }
}
