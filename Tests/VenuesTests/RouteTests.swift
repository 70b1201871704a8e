import GEOS
import TestVenues
import Testing
import TileMath
import Venues

@Suite struct RouteTests {
    let fixture: CampusFixture
    let router: VenueRouter

    init() throws {
        fixture = try CampusFixture()
        router = fixture.router()
    }

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func `No segment of 1,000 random routes crosses a wall`(seed: UInt64) throws {
        let fixture = try CampusFixture(seed: seed)
        let router = fixture.router()
        let walls = try WallCheck(fixture.venue)
        // From a room into the stairs behind it: there is a wall.
        #expect(try walls.isCrossed([fixture.point(3, 3), fixture.point(3, 9)], level: fixture.level(0, 1)))
        var stops = RandomStops(fixture.venue, fixture.graph, seed: seed)
        var found = 0
        for _ in 0..<250 {
            let (one, other) = (stops.next(), stops.next())
            guard
                let route = try? router.route([
                    .point(one.place, level: one.level), .point(other.place, level: other.level),
                ])
            else { continue }
            found += 1
            for leg in route.legs where leg.mode == .walk && !route.isApproximate {
                let level = try #require(leg.level)
                #expect(try !walls.isCrossed(leg.line, level: level), "\(one) to \(other): \(leg)")
            }
        }
        #expect(found > 200)
    }

    @Test(arguments: [1, 5] as [UInt64]) func `Nor does one in the campus of OpenStreetMap's tags`(seed: UInt64) throws
    {
        let text = SampleCampus(seed: seed).osmGeoJSON()
        let venue = try Venue.reading([try FeatureCollection(Array(text.utf8))], name: "campus").venue
        let graph = try VenueGraph(venue)
        let router = VenueRouter(venue, graph: graph)
        let walls = try WallCheck(venue)
        var stops = RandomStops(venue, graph, seed: seed)
        var found = 0
        for _ in 0..<200 {
            let (one, other) = (stops.next(), stops.next())
            let ends = [RouteStop.point(one.place, level: one.level), .point(other.place, level: other.level)]
            guard let route = try? router.route(ends), !route.isApproximate else { continue }
            found += 1
            for leg in route.legs where leg.mode == .walk {
                let level = try #require(leg.level)
                #expect(try !walls.isCrossed(leg.line, level: level), "\(one) to \(other): \(leg)")
            }
        }
        #expect(found > 120)
    }

    @Test func `Routes on a level are as long as the shortest path by brute force`() throws {
        let level = fixture.level(0, 1)
        let free = fixture.graph.plan(ofLevel: level).freePolygons
        let paths = BruteForcePaths(free.map { $0.map { $0.map { ($0.x, $0.y) } } })
        var stops = RandomStops(fixture.venue, fixture.graph, seed: 7)
        var (compared, equal) = (0, 0)
        for _ in 0..<120 {
            let (one, other) = (stops.next(level: level), stops.next(level: level))
            guard let route = try? router.route([.point(one.place, level: level), .point(other.place, level: level)])
            else {
                continue
            }
            let ends = [one, other].compactMap { fixture.venue.unit(at: $0.place, level: level) }
            let isPlain = !ends.contains { fixture.venue.units[$0].access.isRestricted }
            guard isPlain, !route.isApproximate, route.legs.allSatisfy({ $0.level == level }) else { continue }
            let exact = paths.length(from: (one.point.x, one.point.y), to: (other.point.x, other.point.y))
            // Never shorter; longer only where the shortest path leads through a restricted room.
            #expect(route.metres > exact - 0.01, "\(one) to \(other)")
            compared += 1
            if route.metres < exact + 0.01 { equal += 1 }
        }
        #expect(compared > 60)
        #expect(equal * 10 >= compared * 9)
    }

    @Test func `Restricted rooms are never crossed unless the route begins or ends there`() throws {
        let level = fixture.level(0, 1)
        let archive = fixture.unit("Archive 1")
        let unit = try #require(fixture.venue.units.first { $0.id == archive })
        #expect(unit.access == .restricted("employeesonly"))
        // The room in the north has a second door into the archive, which has one to the corridor.
        let through = try router.route([fixture.stop(38, 21, 1), fixture.stop(33, 15, 1)])
        for leg in through.legs {
            for place in leg.line {
                #expect(fixture.venue.unit(at: place, level: level).map { fixture.venue.units[$0].id } != archive)
            }
        }
        let into = try router.route([fixture.stop(33, 15, 1), .place(archive)])
        #expect(into.metres < 10)
        #expect(into.legs.last?.access == "employeesonly")
        #expect(into.legs.last?.instruction == "Enter Archive 1.")
        #expect(into.legs.first?.access == nil)
    }

    @Test func `Stairs lead from the ground floor to the third, and are told once`() throws {
        let route = try router.route([fixture.stop(20, 7.5, 0), .place(fixture.unit("C-3.01"))])
        let changes = route.legs.filter { $0.mode != .walk }
        #expect(changes.count == 1)
        #expect(changes[0].instruction == "Take the stairs up to level 3.")
        #expect(changes[0].seconds == 45)
        #expect(changes[0].level == fixture.level(0, 0) && changes[0].endLevel == fixture.level(0, 3))
        let down = try router.route([.place(fixture.unit("C-3.01")), fixture.stop(20, 7.5, 0)])
        #expect(down.legs.contains { $0.instruction == "Take the stairs down to level G." })
    }

    @Test func `A wheelchair takes the lift, and a building without one has no step-free route`() throws {
        let stops = [fixture.stop(20, 7.5, 0), RouteStop.place(fixture.unit("C-2.02"))]
        let route = try router.route(stops, profile: .wheelchair)
        #expect(route.legs.filter { $0.mode != .walk }.map(\.mode) == [.lift])
        #expect(route.legs.first { $0.mode == .lift }?.seconds == 55)
        #expect(try router.route(stops, profile: .withoutLift).legs.allSatisfy { $0.mode != .lift })
        let up = [fixture.stop(70, 5, 0, building: 1), fixture.stop(70, 5, 1, building: 1)]
        #expect(try router.route(up).legs.contains { $0.mode == .stairs })
        #expect(throws: RouteFailure.notStepFree) { try router.route(up, profile: .wheelchair) }
        #expect(RouteFailure.notStepFree.reason == "There is no step-free route.")
    }

    @Test func `A closed stair is avoided until it opens, and closed ways say so`() throws {
        let stops = [fixture.stop(8, 8, 0), fixture.stop(8, 8, 1)]
        let stairs = fixture.units("stairs", fixture.level(0, 0)).sorted {
            $0.shape.points[0].longitude < $1.shape.points[0].longitude
        }
        let west = stairs[0].id
        let open = try router.route(stops, profile: .withoutLift)
        let closed = try fixture.router(closed: [west]).route(stops, profile: .withoutLift)
        #expect(closed.metres > open.metres + 20)
        let all = Set(stairs.map(\.id))
        #expect(throws: RouteFailure.closedWay) { try fixture.router(closed: all).route(stops, profile: .withoutLift) }
        #expect(try fixture.router(closed: all).route(stops).legs.contains { $0.mode == .lift })
    }

    @Test func `A closed door, a closed room and a closed part of a corridor are avoided`() throws {
        let level = fixture.level(0, 0)
        let lobby = fixture.unit("C-0.03")
        let target = RouteStop.place(lobby)
        #expect(throws: RouteFailure.self) {
            try fixture.router(closed: [lobby]).route([fixture.stop(20, 7.5, 0), target])
        }
        let court = fixture.unit("Courtyard")
        let door = try #require(
            fixture.venue.openings.first { opening in
                opening.level == level
                    && opening.line.allSatisfy { abs($0.latitude - fixture.point(19, 9).latitude) < 1e-7 }
            })
        #expect(try router.route([fixture.stop(20, 7.5, 0), .place(court)]).metres < 10)
        #expect(throws: RouteFailure.closedWay) {
            try fixture.router(closed: [door.id]).route([fixture.stop(20, 7.5, 0), .place(court)])
        }
        #expect(throws: RouteFailure.closedStop("Courtyard")) {
            try fixture.router(closed: [court]).route([fixture.stop(20, 7.5, 0), .place(court)])
        }
    }

    @Test func `Several stops are visited in order, and the nearest of a category ends the route`() throws {
        let (one, two, three) = (fixture.stop(8, 8, 0), fixture.stop(30, 17, 0), fixture.stop(8, 17, 1))
        let whole = try router.route([one, two, three])
        let parts = [try router.route([one, two]), try router.route([two, three])]
        #expect(whole.legs == parts.flatMap(\.legs))
        #expect(abs(whole.seconds - parts[0].seconds - parts[1].seconds) < 1e-9)
        let nearest = try router.route([fixture.stop(8, 14, 2), .nearest(category: "restroom")])
        #expect(nearest.destination == fixture.unit("WC 2"))
        // Every other restroom is farther.
        for place in router.places.places(category: "restroom") {
            guard let other = try? router.route([fixture.stop(8, 14, 2), .place(place.id)]) else { continue }
            #expect(other.seconds >= nearest.seconds - 1e-9)
        }
        #expect(throws: RouteFailure.unknownCategory("atm")) {
            try router.route([one, .nearest(category: "atm")])
        }
        #expect(throws: RouteFailure.stopCount) { try router.route([one]) }
        #expect(throws: RouteFailure.unknownPlace(fixture.venue.id)) {
            try router.route([one, .place(fixture.venue.id)])
        }
    }

    @Test func `A room without a mapped door is entered from the corridor, and the route says that it is approximate`()
        throws
    {
        let room = fixture.unit("C-2.13")
        let route = try router.route([fixture.stop(8, 8, 2), .place(room)])
        #expect(route.isApproximate)
        #expect(route.legs.last?.instruction == "Enter C-2.13.")
        #expect(try !router.route([fixture.stop(8, 8, 2), .place(fixture.unit("C-2.12"))]).isApproximate)
    }

    @Test func `Instructions are plain, and lengths and seconds add up`() throws {
        let route = try router.route([.place(fixture.unit("WC 0")), .place(fixture.unit("C-0.05"))])
        #expect(route.legs[0].instruction.hasPrefix("Leave WC 0 and go straight "))
        #expect(route.legs.last?.instruction == "Enter C-0.05.")
        #expect(abs(route.legs.reduce(0) { $0 + $1.metres } - route.metres) < 1e-9)
        #expect(abs(route.metres / 1.3 - route.seconds) < 0.05)
        let allowed = ["Leave ", "Go straight ", "Bear ", "Turn ", "Enter "]
        for leg in route.legs { #expect(allowed.contains { leg.instruction.hasPrefix($0) }, "\(leg.instruction)") }
        // Each leg begins where the one before ends.
        for (one, other) in zip(route.legs, route.legs.dropFirst()) { #expect(one.line.last == other.line.first) }
    }

    @Test func `Along the way the next instruction and the metres left are told`() throws {
        let route = try router.route([fixture.stop(8, 8, 0), .place(fixture.unit("C-1.12"))])
        let start = try #require(route.progress(at: fixture.point(8, 8), level: fixture.level(0, 0)))
        #expect(abs(start.metresLeft - route.metres) < 0.5)
        #expect(start.nextInstruction == route.legs[1].instruction)
        #expect(!start.isOffRoute && !start.isAtEnd)
        let last = try #require(route.legs.last?.line.last)
        let end = try #require(route.progress(at: last, level: fixture.level(0, 1)))
        #expect(end.isAtEnd && end.metresLeft < 0.1)
        let far = try #require(route.progress(at: fixture.point(33, 17), level: fixture.level(0, 0)))
        #expect(far.isOffRoute)
        let elsewhere = try #require(route.progress(at: fixture.point(8, 8), level: fixture.level(0, 3)))
        #expect(elsewhere.isOffRoute)
        // The metres left never grow along the way.
        var left = Double.infinity
        for leg in route.legs where leg.mode == .walk {
            for place in leg.line {
                let here = try #require(route.progress(at: place, level: leg.level))
                #expect(here.metresLeft <= left + 0.01)
                left = here.metresLeft
            }
        }
    }

    @Test func `The timeline of a route goes through its levels in order and ends with it`() throws {
        let route = try router.route([fixture.stop(8, 8, 0), .place(fixture.unit("C-3.12"))])
        let moments = route.timeline
        #expect(moments.first?.seconds == 0 && moments.first?.level == fixture.level(0, 0))
        #expect(abs((moments.last?.seconds ?? 0) - route.seconds) < 0.1)
        #expect(moments.last?.level == fixture.level(0, 3))
        #expect(zip(moments, moments.dropFirst()).allSatisfy { $0.seconds <= $1.seconds && $0.leg <= $1.leg })
        // On the stairs both levels have the same place, 45 s apart.
        let stairs = moments.filter { route.legs[$0.leg].mode == .stairs }
        #expect(stairs.count == 2 && stairs[0].place == stairs[1].place)
        #expect(stairs[1].seconds - stairs[0].seconds == 45)
    }

    @Test func `A stop in a wall or off the map is told`() {
        #expect(throws: RouteFailure.unreachableStop) {
            try router.route([.point(fixture.point(20, 12), level: fixture.level(0, 2)), fixture.stop(8, 8, 0)])
        }
        #expect(throws: RouteFailure.unreachableStop) {
            try router.route([.point(fixture.point(8, 8), level: 99), fixture.stop(8, 8, 0)])
        }
    }

    @Test func `Routes are the same on every thread`() async throws {
        let stops = [fixture.stop(8, 8, 0), fixture.stop(30, 21, 3)]
        let router = router
        let expected = try router.route(stops)
        let routes = await withTaskGroup(of: Route?.self) { group in
            for _ in 0..<8 { group.addTask { try? router.route(stops) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(routes.allSatisfy { $0 == expected })
    }
}
