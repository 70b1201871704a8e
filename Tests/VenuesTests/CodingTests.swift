import TestSupport
import TestVenues
import Testing
import TileMath
import Venues

@Suite struct CodingTests {
    @Test func `A stored venue is the same venue`() throws {
        let fixture = try CampusFixture()
        let bytes = fixture.venue.encoded()
        let again = try Venue(decoding: bytes)
        #expect(again.id == fixture.venue.id && again.name == fixture.venue.name)
        #expect(again.units == fixture.venue.units && again.openings == fixture.venue.openings)
        #expect(again.levels == fixture.venue.levels && again.buildings == fixture.venue.buildings)
        #expect(again.encoded() == bytes)
        let tagged = try Venue.reading(
            openStreetMap: Array(SampleCampus(seed: 1).osmXML().utf8), name: "campus"
        ).venue
        let stored = try Venue(decoding: tagged.encoded())
        #expect(stored.id == tagged.id && stored.units == tagged.units && stored.openings == tagged.openings)
        #expect(stored.footways == tagged.footways)
    }

    @Test func `A stored graph answers the same routes, and only for its venue`() throws {
        let fixture = try CampusFixture()
        let bytes = fixture.graph.encoded()
        let again = try VenueGraph(decoding: bytes, of: fixture.venue)
        #expect(again.encoded() == bytes)
        let router = VenueRouter(fixture.venue, graph: again)
        let stops = [fixture.stop(8, 8, 0), RouteStop.place(fixture.unit("C-3.12"))]
        #expect(try router.route(stops) == fixture.router().route(stops))
        let other = try CampusFixture.reading(SampleCampus(seed: 9)).venue
        #expect(throws: VenueError.damaged("the graph is of another venue")) {
            try VenueGraph(decoding: bytes, of: other)
        }
        #expect(bytes.count < 100_000)
    }

    @Test func `Damaged bytes are refused, and never trap`() throws {
        let fixture = try CampusFixture()
        let (venue, graph) = (fixture.venue.encoded(), fixture.graph.encoded())
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            var bytes = graph
            let at = Int(random.below(UInt64(bytes.count)))
            bytes[at] ^= UInt8(1 + random.below(UInt64(255)))
            #expect(throws: VenueError.self) { try VenueGraph(decoding: bytes, of: fixture.venue) }
            bytes = venue
            bytes[Int(random.below(UInt64(bytes.count)))] ^= 1
            #expect(throws: VenueError.self) { try Venue(decoding: bytes) }
        }
        for length in [0, 1, 8, 20, 100, graph.count - 1] {
            #expect(throws: VenueError.self) {
                try VenueGraph(decoding: Array(graph.prefix(length)), of: fixture.venue)
            }
            #expect(throws: VenueError.self) { try Venue(decoding: Array(venue.prefix(length))) }
        }
    }

    @Test func `Damaged numbers with a right checksum are refused, or give a graph that can be asked`() throws {
        let fixture = try CampusFixture()
        let graph = fixture.graph.encoded()
        var random = SeededRandom(seed: 4)
        let head = graph.count - 8
        for _ in 0..<150 {
            var bytes = Array(graph[..<head])
            // After the name and the digest of the venue.
            let at = 60 + Int(random.below(UInt64(head - 60)))
            bytes[at] = UInt8(random.below(UInt64(256)))
            guard let made = try? VenueGraph(decoding: sealed(bytes), of: fixture.venue) else { continue }
            _ = try? VenueRouter(fixture.venue, graph: made).route([fixture.stop(8, 8, 0), fixture.stop(8, 8, 1)])
        }
    }

    @Test func `Exported members are imported as the same venue`() throws {
        let fixture = try CampusFixture()
        let members = fixture.venue.exportedMembers()
        #expect(members.first?.name == "manifest.json")
        #expect(members.map(\.name).contains("unit.geojson"))
        let again = try Venue.reading(
            try members.dropFirst().map { try FeatureCollection($0.bytes) }, name: "other", manifest: members[0].bytes)
        #expect(again.notices.isEmpty)
        #expect(again.venue.contentDigest == fixture.venue.contentDigest)
        #expect(again.venue.id == fixture.venue.id)
        let whole = try Venue.reading(
            [try FeatureCollection(fixture.venue.exportedCollection())], name: "other", manifest: [])
        #expect(whole.venue.units == fixture.venue.units)
    }

    @Test func `A venue of OpenStreetMap is exported in the terms of IMDF`() throws {
        let venue = try Venue.reading(
            [try FeatureCollection(Array(SampleCampus(seed: 1).osmGeoJSON().utf8))], name: "campus"
        ).venue
        let members = venue.exportedMembers()
        let again = try Venue.reading(
            try members.dropFirst().map { try FeatureCollection($0.bytes) }, name: "x", manifest: members[0].bytes
        ).venue
        #expect(again.format == .imdf)
        #expect(again.units.count == venue.units.count && again.openings.count == venue.openings.count)
        #expect(again.levels.map(\.ordinal) == venue.levels.map(\.ordinal))
        // As recorded, it is itself.
        let same = try Venue.reading([try FeatureCollection(venue.exportedCollection())], name: "x").venue
        #expect(same.id == venue.id && same.units == venue.units)
    }
}
