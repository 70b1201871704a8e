import TestVenues
import Testing
import TileMath
import Venues

/// A heat grid in which people walked along a line only.
private func cells(along line: [GeoPoint], days: Int) -> (cells: HeatCells, walked: Set<[Int]>) {
    var walked: Set<[Int]> = []
    for (one, other) in zip(line, line.dropFirst()) {
        for step in 0...2000 {
            let part = Double(step) / 2000
            guard
                let place = GeoPoint(
                    longitude: one.longitude + (other.longitude - one.longitude) * part,
                    latitude: one.latitude + (other.latitude - one.latitude) * part)
            else { continue }
            let world = WorldPoint(place)
            walked.insert([Int(world.x >> 8), Int(world.y >> 8)])
        }
    }
    let known = walked
    return (HeatCells { known.contains([$0, $1]) ? days : 0 }, walked)
}

private func share(of route: Route, in walked: Set<[Int]>) -> Double {
    var (hits, all) = (0, 0)
    for leg in route.legs where leg.mode == .outdoors {
        for (one, other) in zip(leg.line, leg.line.dropFirst()) {
            for step in 0..<50 {
                let part = Double(step) / 50
                guard
                    let place = GeoPoint(
                        longitude: one.longitude + (other.longitude - one.longitude) * part,
                        latitude: one.latitude + (other.latitude - one.latitude) * part)
                else { continue }
                let world = WorldPoint(place)
                all += 1
                if walked.contains([Int(world.x >> 8), Int(world.y >> 8)]) { hits += 1 }
            }
        }
    }
    return all == 0 ? 0 : Double(hits) / Double(all)
}

@Suite struct OutdoorTests {
    @Test func `A way outdoors follows the cells where people walk`() throws {
        func place(_ x: Double, _ y: Double) throws -> GeoPoint {
            try #require(GeoPoint(longitude: 11 + x, latitude: 48 + y))
        }
        // Round three sides of a square, 1.5 times as long as the straight way.
        let line = [try place(0, 0), try place(0, 0.0005), try place(0.003, 0.0008), try place(0.003, 0)]
        let heat = cells(along: line, days: 50)
        let route = try #require(heat.cells.route(from: line[0], to: line[3]))
        #expect(share(of: route, in: heat.walked) > 0.8)
        #expect(!route.isApproximate)
        // Where nobody walked, it goes straight on, as far as eight directions allow.
        let empty = try #require(HeatCells { _, _ in 0 }.route(from: line[0], to: line[3]))
        #expect(empty.metres < route.metres)
        #expect(empty.isApproximate)
    }

    @Test func `Between buildings without a footway a route follows the heat, and no wall is crossed`() throws {
        let fixture = try CampusFixture()
        let path = [fixture.point(20, -1), fixture.point(20, -8), fixture.point(70, -8), fixture.point(70, -1)]
        let heat = cells(along: path, days: 30)
        let router = VenueRouter(fixture.venue, graph: fixture.graph, cells: heat.cells)
        let route = try router.route([fixture.stop(20, 7.5, 0), fixture.stop(70, 5, 0, building: 1)])
        #expect(share(of: route, in: heat.walked) > 0.8)
        #expect(route.legs.contains { $0.mode == .outdoors })
        #expect(route.legs.last?.level == fixture.level(1, 0))
        let walls = try WallCheck(fixture.venue)
        for leg in route.legs where leg.mode == .outdoors {
            // The ends are at the doors, which are in the outlines.
            #expect(try !walls.isCrossed(leg.line, level: fixture.level(0, 0)))
            #expect(try !walls.isCrossed(leg.line, level: fixture.level(1, 0)))
        }
    }

    @Test func `Without footways and heat the way over open ground goes round buildings and is approximate`() throws {
        let fixture = try CampusFixture()
        let route = try fixture.router().route([fixture.stop(20, 7.5, 0), fixture.stop(70, 5, 0, building: 1)])
        #expect(route.isApproximate)
        let around = try fixture.router().route([
            .point(fixture.point(20, -4), level: nil), .point(fixture.point(20, 28), level: nil),
        ])
        // Round the main building, 40 × 24 m.
        #expect(around.metres > 50 && around.metres < 75)
        let walls = try WallCheck(fixture.venue)
        for leg in around.legs { #expect(try !walls.isCrossed(leg.line, level: fixture.level(0, 0))) }
    }

    @Test func `A stop outdoors is joined to the nearest path`() throws {
        let venue = try Venue.reading(
            [try FeatureCollection(Array(SampleCampus(seed: 1).osmGeoJSON().utf8))], name: "campus"
        ).venue
        let router = VenueRouter(venue, graph: try VenueGraph(venue))
        let fixture = try CampusFixture()
        let hall = try #require(venue.units.first { $0.name?.text() == "Hall" })
        let route = try router.route([.point(fixture.point(45, -9), level: nil), .place(hall.id)])
        #expect(!route.isApproximate)
        #expect(route.legs[0].mode == .outdoors)
        // 3 m to the path, 25 m along it, and to the door.
        #expect(abs(route.legs.filter { $0.mode == .outdoors }.reduce(0) { $0 + $1.metres } - 34) < 3)
    }
}

@Suite struct UnmappedEntranceTests {
    /// Two houses of one building each, 30 m apart; the first has a floor above.
    private func houses(hasDoor: Bool) throws -> SmallRouter {
        var small = SmallVenue()
        small.building("x")
        small.building("y")
        small.level("x0", 0, (0, 0, 20, 10), building: "x")
        small.level("x1", 1, (0, 0, 20, 10), building: "x")
        small.level("y0", 0, (50, 0, 70, 10), building: "y")
        for (level, west) in [("x0", 0.0), ("x1", 0.0), ("y0", 50.0)] {
            small.unit("hall" + level, "walkway", level, (west, 0, west + 20, 10))
        }
        if hasDoor { small.opening("door", "x0", (20, 4), (20, 6)) }
        return try SmallRouter(try small.venue())
    }

    @Test func `a building without an entrance is left and entered where it is nearest to the outside, approximately`()
        throws
    {
        for hasDoor in [false, true] {
            let router = try houses(hasDoor: hasDoor)
            let route = try router.route("hallx0", "hally0")
            #expect(route.isApproximate && route.legs.contains { $0.mode == .outdoors })
            #expect(route.metres > 30 && route.metres < 75, "\(route.metres)")
        }
        // What lies above the ground has none, and no stairs lead there.
        #expect(throws: RouteFailure.noWay) { try houses(hasDoor: false).route("hallx0", "hallx1") }
        #expect(throws: RouteFailure.noWay) { try houses(hasDoor: true).route("hallx1", "hally0") }
    }

    @Test func `a point beside the building is outdoors, also if it is said to be on its ground floor`() throws {
        let router = try houses(hasDoor: true)
        let venue = router.venue
        let ground = try #require(venue.levels.firstIndex { $0.ordinal == 0 })
        let beside = try #require(SmallVenue.place(30, 20))
        let graph = try VenueGraph(venue)
        let made = VenueRouter(venue, graph: graph)
        let hall = router.id("hallx0")
        let plain = try made.route([.place(hall), .point(beside, level: nil)])
        #expect(try made.route([.place(hall), .point(beside, level: ground)]) == plain)
        #expect(throws: RouteFailure.unreachableStop) {
            let above = try #require(venue.levels.firstIndex { $0.ordinal == 1 })
            return try made.route([.place(hall), .point(beside, level: above)])
        }
    }
}
