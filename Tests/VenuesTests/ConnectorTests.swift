import TestVenues
import Testing
import Text
import TileMath
import Venues

@Suite struct ConnectorTests {
    /// Two levels of a hall with two escalators.
    private func escalators(_ relationships: Bool) throws -> SmallRouter {
        var small = SmallVenue()
        for (level, ordinal) in [("l0", 0), ("l1", 1)] {
            small.level(level, ordinal, (0, 0, 30, 20))
            small.unit("hall\(ordinal)", "walkway", level, (0, 0, 30, 16))
            small.unit("up\(ordinal)", "escalator", level, (4, 16, 6, 20))
            small.unit("down\(ordinal)", "escalator", level, (20, 16, 22, 20))
            small.opening("a\(ordinal)", level, (4.1, 16), (5.9, 16))
            small.opening("b\(ordinal)", level, (20.1, 16), (21.9, 16))
        }
        if relationships {
            small.relationship("r1", "escalator", from: "up0", to: "up1", isDirected: true)
            small.relationship("r2", "escalator", from: "down1", to: "down0", isDirected: true)
        }
        return try SmallRouter(try small.venue())
    }

    @Test func `Relationships come first: an escalator leads one way`() throws {
        let router = try escalators(true)
        let up = try router.route("hall0", "hall1")
        #expect(up.legs.contains { $0.instruction == "Take the escalator up to level 1." })
        let venue = router.venue
        func uses(_ route: Route, _ name: String) -> Bool {
            route.legs.filter { $0.mode == .escalator }.allSatisfy { leg in
                venue.unit(at: leg.line[0], level: leg.endLevel).map {
                    venue.units[$0].name?.text().hasPrefix(name) ?? false
                } ?? false
            }
        }
        #expect(uses(up, "up"))
        #expect(uses(try router.route("hall1", "hall0"), "down"))
        #expect(throws: RouteFailure.closedWay) { try router.route("hall1", "hall0", closed: ["down1"]) }
        #expect(throws: RouteFailure.notStepFree) { try router.route("hall0", "hall1", .wheelchair) }
    }

    @Test func `Without relationships units that lie above each other are joined`() throws {
        let router = try escalators(false)
        #expect(try router.route("hall1", "hall0", closed: ["down1"]).legs.contains { $0.mode == .escalator })
    }

    @Test func `Stairs that overlap by less than half are not joined, nor those of other buildings`() throws {
        func made(_ shift: Double, _ buildings: (String, String)) throws -> SmallRouter {
            var small = SmallVenue()
            small.building("x")
            small.building("y")
            small.level("l0", 0, (0, 0, 30, 20), building: buildings.0)
            small.level("l1", 1, (0, 0, 30, 20), building: buildings.1)
            for (level, west) in [("l0", 10.0), ("l1", 10.0 + shift)] {
                small.unit("hall" + level, "walkway", level, (0, 0, 30, 16))
                small.unit("stairs" + level, "stairs", level, (west, 16, west + 4, 20))
                small.opening("d" + level, level, (west + 1, 16), (west + 3, 16))
            }
            return try SmallRouter(try small.venue())
        }
        #expect(try made(1.9, ("x", "x")).route("halll0", "halll1").legs.contains { $0.mode == .stairs })
        #expect(throws: RouteFailure.noWay) { try made(2.1, ("x", "x")).route("halll0", "halll1") }
        #expect(throws: RouteFailure.noWay) { try made(0, ("x", "y")).route("halll0", "halll1") }
    }

    @Test func `Stairs without a door are entered from the hall, and are no short cut between two halls`() throws {
        var small = SmallVenue()
        for (level, ordinal) in [("l0", 0), ("l1", 1)] {
            small.level(level, ordinal, (0, 0, 30, 20))
            small.unit("south\(ordinal)", "walkway", level, (0, 0, 30, 8))
            small.unit("stairs\(ordinal)", "stairs", level, (10, 8, 14, 12))
            small.unit("north\(ordinal)", "walkway", level, (0, 12, 30, 20))
        }
        let router = try SmallRouter(try small.venue())
        let up = try router.route("south0", "south1")
        #expect(up.legs.contains { $0.mode == .stairs })
        #expect(!up.isApproximate)
        // From hall to hall only over the other level, which is no walk on this one.
        let across = try? router.route("south0", "north0")
        #expect(across?.legs.contains { $0.mode == .stairs } ?? true)
    }

    @Test func `Levels of the same height are joined by the doors between their buildings`() throws {
        var small = SmallVenue()
        small.building("x")
        small.building("y")
        small.level("lx", 2, (0, 0, 20, 10), building: "x")
        small.level("ly", 2, (20, 0, 40, 10), building: "y")
        small.unit("west", "walkway", "lx", (0, 0, 20, 10))
        small.unit("east", "walkway", "ly", (20, 0, 40, 10))
        small.opening("d", "lx", (20, 4), (20, 5.5))
        small.opening("e", "ly", (20, 4), (20, 5.5))
        let router = try SmallRouter(try small.venue())
        let route = try router.route("west", "east")
        #expect(!route.isApproximate)
        #expect(Set(route.legs.map(\.level)).count == 2)
        #expect(route.metres > 19.9 && route.metres < 22)
    }

    @Test func `A closed part of a hall is walked round, as closely as it can be`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 30, 20))
        small.unit("a", "walkway", "l", (0, 0, 10, 20))
        small.unit("middle", "lobby", "l", (10, 4, 20, 20))
        small.unit("south", "walkway", "l", (10, 0, 20, 4))
        small.unit("b", "walkway", "l", (20, 0, 30, 20))
        let router = try SmallRouter(try small.venue())
        #expect(abs(try router.route("a", "b").metres - 20) < 0.01)
        // From (5, 10) over the corners (10, 4) and (20, 4) to (25, 10).
        let round = try router.route("a", "b", closed: ["middle"])
        #expect(abs(round.metres - (10 + 2 * 61.0.squareRoot())) < 0.02)
    }

    @Test func `Rooms in rooms without doors are entered one through the other`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 30, 20))
        small.unit("hall", "walkway", "l", (0, 0, 30, 6))
        small.unit("outer", "room", "l", (0, 6, 30, 13))
        small.unit("inner", "room", "l", (0, 13, 30, 20))
        let router = try SmallRouter(try small.venue())
        let route = try router.route("hall", "inner")
        #expect(route.isApproximate)
        #expect(route.metres > 13 && route.metres < 14.5)
    }

    @Test func `Narrow doors are passed, and walls that the source leaves out are bridged by their doors`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 20, 20.3))
        small.unit("hall", "walkway", "l", (0, 0, 20, 10))
        // A wall of 0.3 m between the two that is no unit.
        small.unit("room", "room", "l", (0, 10.3, 20, 20.3))
        small.opening("d", "l", (10, 10.15), (10.3, 10.15))
        let router = try SmallRouter(try small.venue())
        let route = try router.route("hall", "room")
        #expect(!route.isApproximate)
        #expect(route.metres < 11)
    }

    @Test func `A route to where one is has one leg`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 20, 20))
        small.unit("hall", "walkway", "l", (0, 0, 20, 20))
        let route = try SmallRouter(try small.venue()).route("hall", "hall")
        #expect(route.metres == 0 && route.legs.map(\.instruction) == ["You are there already."])
    }

    @Test func `Doors beside their wall, and halls with a seam between them, are passed`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 40, 20))
        small.unit("hall", "walkway", "l", (0, 0, 20, 10))
        small.unit("other", "lobby", "l", (20.03, 0, 40, 10))
        small.unit("room", "room", "l", (0, 10, 20, 20))
        // The door is 0.2 m from the wall that it leads through.
        small.opening("d", "l", (9, 10.2), (10, 10.2))
        let router = try SmallRouter(try small.venue())
        #expect(try router.route("hall", "room").metres < 11)
        #expect(abs(try router.route("hall", "other").metres - 20.015) < 0.02)
    }

    @Test func `A door that asks for a badge is told`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 20, 20))
        small.unit("hall", "walkway", "l", (0, 0, 20, 10))
        small.unit("room", "room", "l", (0, 10, 20, 20))
        small.opening("d", "l", (9, 10), (10, 10), more: ",\"access_control\":[\"badgereader\"]")
        let route = try SmallRouter(try small.venue()).route("hall", "room")
        #expect(route.legs.contains { $0.access == "badgereader" })
    }

    @Test func `Closures end at their instant`() throws {
        var small = SmallVenue()
        small.level("l", 0, (0, 0, 20, 20))
        small.unit("hall", "walkway", "l", (0, 0, 20, 10))
        small.unit("room", "room", "l", (0, 10, 20, 20))
        small.opening("d", "l", (9, 10), (10, 10))
        let venue = try small.venue()
        let graph = try VenueGraph(venue)
        let room = try #require(venue.units.first { $0.name?.text() == "room" })
        let hall = try #require(venue.units.first { $0.name?.text() == "hall" })
        let closures = [VenueClosure(feature: room.id, until: Instant(seconds: 100))]
        func route(at seconds: Int64) throws -> Route? {
            let now = try #require(Instant(seconds: seconds))
            return try? VenueRouter(venue, graph: graph, closures: closures, now: now).route([
                .place(hall.id), .place(room.id),
            ])
        }
        #expect(try route(at: 99) == nil)
        #expect(try route(at: 100) != nil)
        let now = try #require(Instant(seconds: 0))
        #expect(VenueClosure(feature: room.id, until: nil).isClosed(at: now))
    }
}
