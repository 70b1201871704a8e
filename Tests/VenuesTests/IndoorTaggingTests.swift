import TestVenues
import Testing
import TileMath
import Venues

@Suite struct IndoorTaggingTests {
    private func fromGeoJSON(_ campus: SampleCampus) throws -> Venue {
        try Venue.reading([try FeatureCollection(Array(campus.osmGeoJSON().utf8))], name: "campus").venue
    }

    private func fromXML(_ text: String) throws -> VenueReading {
        try Venue.reading(openStreetMap: Array(text.utf8), name: "campus")
    }

    /// A document with one square for each list of tags; `nodes` are points at its south-west corner.
    private func document(_ areas: [[String: String]], nodes: [[String: String]] = [], line: [String: String]? = nil)
        -> String
    {
        func tags(_ tags: [String: String]) -> String {
            tags.sorted { $0.key < $1.key }.map { "<tag k=\"\($0.key)\" v=\"\($0.value)\"/>" }.joined()
        }
        var text = "<osm version=\"0.6\">"
        for (index, area) in areas.enumerated() {
            let west = 11 + Double(index) * 0.0001
            for (number, corner) in [(0.0, 0.0), (0.0001, 0), (0.0001, 0.0001), (0, 0.0001)].enumerated() {
                text += "<node id=\"\(10 * index + number + 1)\" lon=\"\(west + corner.0)\" lat=\"\(48 + corner.1)\"/>"
            }
            let references = [1, 2, 3, 4, 1].map { "<nd ref=\"\(10 * index + $0)\"/>" }.joined()
            text += "<way id=\"\(index + 1)\">\(references)\(tags(area))</way>"
        }
        for (index, node) in nodes.enumerated() {
            text += "<node id=\"\(900 + index)\" lon=\"11\" lat=\"48.00005\">\(tags(node))</node>"
        }
        if let line { text += "<way id=\"800\"><nd ref=\"1\"/><nd ref=\"3\"/>\(tags(line))</way>" }
        return text + "</osm>"
    }

    @Test func `The two forms of a campus give the same levels, units and routes`() throws {
        let campus = SampleCampus(seed: 2)
        let one = try fromGeoJSON(campus)
        let other = try fromXML(campus.osmXML()).venue
        #expect(one.format == .openStreetMap)
        #expect(one.levels.map(\.number) == [0, 0, 1, 1, 2, 3])
        #expect(one.levels.map { $0.buildings.count } == [1, 1, 1, 1, 1, 1])
        #expect(other.levels.map(\.number) == one.levels.map(\.number))
        #expect(other.units.count == one.units.count)
        #expect(other.openings.count == one.openings.count)
        #expect(other.openings.count == campus.doors.count)
        #expect(Set(other.units.map(\.category.name)) == Set(one.units.map(\.category.name)))
        let graphs = try [one, other].map { try VenueGraph($0) }
        #expect(graphs[0].nodeCount == graphs[1].nodeCount && graphs[0].edgeCount == graphs[1].edgeCount)
    }

    @Test func `Stairs and lifts on a range of levels are on each of them, and lead from one to the next`() throws {
        let venue = try fromGeoJSON(SampleCampus(seed: 2))
        let lifts = venue.units.filter { $0.category.name == "elevator" }
        #expect(lifts.count == 4)
        #expect(Set(lifts.map(\.shared)).count == 1)
        #expect(Set(lifts.map(\.id)).count == 4)
        let router = VenueRouter(venue, graph: try VenueGraph(venue))
        let upstairs = try #require(venue.units.first { $0.code?.hasPrefix("C-3") ?? false })
        let hall = try #require(venue.units.first { $0.name?.text() == "Cloister" })
        let route = try router.route([.place(hall.id), .place(upstairs.id)], profile: .wheelchair)
        #expect(route.legs.contains { $0.instruction == "Take the lift up to level 3." })
        // The whole lift is closed by its one object.
        let shared = try #require(lifts[0].shared)
        let closed = VenueRouter(venue, graph: try VenueGraph(venue), closed: [shared])
        #expect(throws: RouteFailure.closedWay) {
            try closed.route([.place(hall.id), .place(upstairs.id)], profile: .wheelchair)
        }
    }

    @Test func `Between buildings a route follows the footway`() throws {
        let venue = try fromGeoJSON(SampleCampus(seed: 2))
        #expect(venue.footways.count == 1)
        let router = VenueRouter(venue, graph: try VenueGraph(venue))
        let hall = try #require(venue.units.first { $0.name?.text() == "Hall" })
        let court = try #require(venue.units.first { $0.name?.text() == "Cloister" })
        let route = try router.route([.place(court.id), .place(hall.id)])
        #expect(!route.isApproximate)
        let outdoors = route.legs.filter { $0.mode == .outdoors }
        // Down 6 m, 50 m along the houses, and up again.
        #expect(abs(outdoors.reduce(0) { $0 + $1.metres } - 62) < 3)
        #expect(outdoors.allSatisfy { $0.level == nil })
        #expect(outdoors.contains { $0.instruction.contains("outdoors") })
    }

    @Test func `Levels are repeated, nonsense is told, and level 0 is taken for what names none`() throws {
        let reading = try fromXML(
            document([
                ["indoor": "room", "level": "1", "repeat_on": "3;5", "name": "R"],
                ["indoor": "corridor", "level": "1-2"],
                ["indoor": "room", "level": "first"], ["indoor": "area", "level": "0.5"],
            ]))
        #expect(reading.venue.levels.map(\.number) == [0, 0.5, 1, 2, 3, 5])
        #expect(reading.venue.levels.map(\.ordinal) == [0, 0, 1, 2, 3, 5])
        #expect(reading.venue.units.count { $0.name?.text() == "R" } == 3)
        #expect(reading.notices.contains { $0.message == "\"first\" is no level" && $0.feature == "way/3" })
        #expect(reading.notices.contains { $0.rule == "LevelMissing" })
    }

    @Test func `Levels have the names that their objects refer to`() throws {
        let reading = try fromXML(
            document([
                ["indoor": "room", "level": "1", "level:ref": "EG"],
                ["indoor": "corridor", "level": "1", "level:ref": "EG"],
                ["indoor": "room", "level": "2"],
            ]))
        #expect(reading.venue.levels.map(\.label) == ["EG", "2"])
    }

    @Test func `Tags become IMDF's categories, access and facts`() throws {
        let reading = try fromXML(
            document(
                [
                    ["indoor": "room", "level": "0", "amenity": "toilets", "female": "yes"],
                    [
                        "indoor": "room", "level": "0", "room": "office", "access": "private", "ref": "A1",
                        "name:de": "Büro",
                    ],
                    [
                        "indoor": "room", "level": "0", "shop": "bakery", "opening_hours": "Mo-Fr 08:00-18:00",
                        "phone": "1",
                    ],
                    ["indoor": "room", "stairs": "yes", "level": "0;1", "duration": "00:00:40"],
                    ["indoor": "area", "level": "1"],
                ],
                nodes: [
                    ["amenity": "atm", "level": "0"], ["highway": "elevator", "level": "0;1"], ["amenity": "bench"],
                ],
                line: ["highway": "corridor", "level": "1", "width": "3"]))
        let venue = reading.venue
        #expect(
            venue.units.map(\.category.name).sorted() == [
                "elevator", "elevator", "office", "restroom.female", "shop", "stairs", "stairs", "unenclosedarea",
                "walkway",
            ])
        let office = try #require(venue.units.first { $0.category.name == "office" })
        #expect(office.access == .restricted("private") && office.code == "A1" && office.name?.text(in: "de") == "Büro")
        let shop = try #require(venue.units.first { $0.category.name == "shop" })
        #expect(shop.contact.hours == "Mo-Fr 08:00-18:00" && shop.contact.phone == "1")
        #expect(venue.units.first { $0.category.name == "stairs" }?.seconds == 40)
        #expect(venue.amenities.map(\.category) == ["atm"])
        #expect(VenuePlaces(venue).places(category: "restroom").count == 1)
    }

    @Test func `Single nodes with levels are places of their levels`() throws {
        let reading = try fromXML(
            document([], nodes: [["amenity": "cafe", "level": "2", "name": "Café"], ["shop": "kiosk", "level": "0"]]))
        #expect(reading.venue.levels.map(\.number) == [0, 2])
        #expect(VenuePlaces(reading.venue).all.map(\.category) == ["shop", "foodservice"])
        #expect(try VenueGraph(reading.venue).nodeCount == 0)
    }

    @Test func `A corridor and a node are a venue without any room`() throws {
        let reading = try fromXML(
            document([], nodes: [["amenity": "cafe", "level": "2", "name": "Café"]]).replacing(
                "</osm>",
                with: """
                    <node id="1" lon="11" lat="48"/><node id="2" lon="11.0005" lat="48.0001"/>
                    <way id="5"><nd ref="1"/><nd ref="2"/><tag k="highway" v="corridor"/><tag k="level" v="2"/></way></osm>
                    """))
        #expect(reading.venue.units.map(\.category.name) == ["walkway"])
        let cafe = try #require(VenuePlaces(reading.venue).search("cafe").first)
        let router = VenueRouter(reading.venue, graph: try VenueGraph(reading.venue))
        #expect(throws: RouteFailure.unreachableStop) {
            try router.route([.place(cafe.id), .place(reading.venue.units[0].id)])
        }
    }

    @Test(
        arguments: [
            (["conveying": "forward", "incline": "up"], true, false),
            (["conveying": "backward", "incline": "up"], false, true),
            (["conveying": "forward", "incline": "-50%"], false, true),
            (["conveying": "yes", "incline": "up"], true, true),
        ] as [([String: String], Bool, Bool)]) func `Escalators go where their tags say`(
            tags: [String: String], up: Bool, down: Bool
        ) throws
    {
        let steps = tags.merging(["highway": "steps", "level": "0;1"]) { one, _ in one }
        let reading = try fromXML(
            document(
                [
                    ["indoor": "corridor", "level": "0", "name": "below"],
                    ["indoor": "corridor", "level": "1", "name": "above"],
                ], line: steps
            )
            .replacing("<nd ref=\"1\"/><nd ref=\"3\"/>", with: "<nd ref=\"2\"/><nd ref=\"3\"/>"))
        let router = try SmallRouter(reading.venue)
        #expect(reading.venue.units.count { $0.category.name == "escalator" } == 2)
        #expect(((try? router.route("below", "above")) != nil) == up)
        #expect(((try? router.route("above", "below")) != nil) == down)
    }

    @Test func `A document that is no map, ends early or declares entities is refused`() throws {
        #expect(throws: VenueError.notAVenue) { try fromXML("<gpx version=\"1.1\"></gpx>") }
        #expect(throws: VenueError.notAVenue) { try fromXML("<osm version=\"0.6\"></osm>") }
        #expect(throws: VenueError.self) { try fromXML("<osm version=\"0.6\"><node") }
        #expect(throws: VenueError.self) { try fromXML("<!DOCTYPE osm [<!ENTITY a \"b\">]><osm/>") }
    }
}
