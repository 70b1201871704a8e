import GEOS
import TestVenues
import Testing
import TileMath
import Venues

@Suite struct PlanTests {
    private func area(_ polygons: [[[PlanePoint]]]) throws -> Geometry {
        let context = try GEOSContext()
        let parts = try polygons.map { try Geometry.polygon($0[0], holes: Array($0.dropFirst()), context) }
        return try Geometry.collection(parts, context).unaryUnion()
    }

    @Test func `In room style the free space keeps 0.2 m from walls and leads through doors`() throws {
        let fixture = try CampusFixture()
        let plan = fixture.graph.plan(ofLevel: fixture.level(0, 0))
        #expect(plan.style == .rooms)
        let free = try area(plan.freePolygons)
        let walls = try Geometry.collection(
            try plan.wallLines.map { try Geometry.line($0, free.context) }, free.context)
        // Arcs have two segments in a quarter turn: 0.185 m in their middles.
        #expect(try free.distance(to: walls) > 0.18)
        // Rooms, corridor and courtyard are one: 960 m² less what is along the walls.
        let largest = plan.freePolygons.map { (try? area([$0]).area()) ?? 0 }.max() ?? 0
        #expect(largest > 750 && largest < 900)
    }

    @Test func `In wall style structures are the walls`() throws {
        func polygon(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
            let corners = [(west, south), (east, south), (east, north), (west, north), (west, south)].map { corner in
                let place = SampleCampus.place((corner.0, corner.1))
                return "[\(place.longitude),\(place.latitude)]"
            }
            return "{\"type\":\"Polygon\",\"coordinates\":[[\(corners.joined(separator: ","))]]}"
        }
        func feature(_ id: String, _ type: String, _ geometry: String, _ properties: String) -> String {
            "{\"id\":\"\(id)\",\"type\":\"Feature\",\"feature_type\":\"\(type)\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
        }
        let features = [
            feature("l", "level", polygon(0, 0, 20, 10), "\"ordinal\":0"),
            // A wall of 0.3 m with a gap of 1 m.
            feature("a", "unit", polygon(10, 0, 10.3, 4), "\"category\":\"structure\",\"level_id\":\"l\""),
            feature("b", "unit", polygon(10, 5, 10.3, 10), "\"category\":\"structure\",\"level_id\":\"l\""),
            feature("c", "unit", polygon(14, 1, 16, 3), "\"category\":\"elevator\",\"level_id\":\"l\""),
        ]
        let venue = try Venue.reading(
            [try FeatureCollection(Array("[\(features.joined(separator: ","))]".utf8))], name: "x"
        ).venue
        let plan = try venue.plan(ofLevel: 0)
        #expect(plan.style == .walls)
        #expect(plan.wallAreas.count == 2)
        let free = try area(plan.freePolygons)
        #expect(plan.freePolygons.count == 1)
        // The walls with 0.05 m around them, within the level.
        #expect(abs(try free.area() - (200 - 0.4 * 4.05 - 0.4 * 5.05)) < 0.05)
        let router = VenueRouter(venue, graph: try VenueGraph(venue))
        func stop(_ x: Double, _ y: Double) throws -> RouteStop {
            let place = SampleCampus.place((x, y))
            let found = try #require(
                GeoPoint(longitude: Double(place.longitude) ?? 0, latitude: Double(place.latitude) ?? 0))
            return .point(found, level: 0)
        }
        // Through the gap: over its two corners.
        let route = try router.route([try stop(5, 1), try stop(15, 9.5)])
        #expect(route.metres > 13.1 && route.metres < 13.5)
    }

    @Test func `A pillar makes no walls of its level, nor does a level that is half mapped`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 40, 20))
        small.unit("hall", "walkway", "l", (0, 0, 20, 10))
        small.unit("room", "room", "l", (0, 10, 20, 20))
        small.unit("pillar", "column", "l", (4, 4, 5, 5))
        small.opening("d", "l", (9, 10), (10, 10))
        let venue = try small.venue()
        let plan = try venue.plan(ofLevel: 0)
        #expect(plan.style == .rooms)
        #expect(plan.freePolygons.count == 1)
    }

    @Test func `Without its level a floor between walls is that of the building`() throws {
        guard let members = try realBuilding() else { return }
        let whole = try Venue.reading(members, name: "x", manifest: []).venue
        let rest = members.filter { collection in !collection.features.contains { $0.kind == .level } }
        let venue = try Venue.reading(rest, name: "x", manifest: []).venue
        #expect(venue.levels.count == 7 && venue.levels.allSatisfy { $0.ordinal == 0 })
        #expect(try venue.levels.indices.allSatisfy { try venue.plan(ofLevel: $0).style == .walls })
        #expect(venue.units.count == whole.units.count)
    }

    @Test func `Equal venues have equal plans`() throws {
        let plans = try [1, 1].map { seed in
            let venue = try CampusFixture.reading(SampleCampus(seed: UInt64(seed))).venue
            return try venue.levels.indices.map { try venue.plan(ofLevel: $0).freePolygons }
        }
        #expect(plans[0] == plans[1])
    }
}

@Suite struct WallPlanTests {
    @Test(arguments: [0, 1, 2] as [UInt64]) func `walls for drawing are those of the whole plan`(seed: UInt64) throws {
        let members = SampleCampus(seed: seed).imdfMembers().filter { $0.name != "manifest.json" }
        let collections = try members.map { try FeatureCollection(Array($0.text.utf8)) }
        let indoor = try FeatureCollection(Array(SampleCampus(seed: seed).osmGeoJSON().utf8))
        for venue in try [Venue.reading(collections, name: "a").venue, Venue.reading([indoor], name: "b").venue] {
            for level in venue.levels.indices {
                let (whole, walls) = (try venue.plan(ofLevel: level), try venue.wallPlan(ofLevel: level))
                #expect(walls.wallLines == whole.wallLines && walls.wallAreas == whole.wallAreas)
                #expect(walls.style == whole.style && walls.level == whole.level)
            }
        }
    }
}
