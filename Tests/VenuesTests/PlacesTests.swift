import TestVenues
import Testing
import TileMath
import Venues

@Suite struct PlacesTests {
    let fixture: CampusFixture
    let places: VenuePlaces

    init() throws {
        fixture = try CampusFixture()
        places = VenuePlaces(fixture.venue)
    }

    @Test(arguments: ["C-1.02", "c-1.02", "C1.02", "C102", "c 1 02", "C-1.2", "c1.2", "C-01.02", "C_1_02"])
    func `Room codes are found with or without dots and leading zeros`(text: String) throws {
        let known = places.search("C-1.02").first
        #expect(known?.name == "C-1.02")
        #expect(places.search(text).first?.name == known?.name)
    }

    @Test(arguments: [
        "courtyard", "COURTYARD", "courtyrd", "courtyarrd", "cuortyard", "courtyars", "Cóurtyard", "court", "courty",
    ])
    func `Names are found in any case, with accents, as beginnings and with one error`(text: String) {
        #expect(places.search(text).first?.name == "Courtyard")
    }

    @Test(arguments: ["courtxyrd", "cloistxxr", "wxyz"]) func `Two errors are too many`(text: String) {
        #expect(places.search(text).isEmpty)
    }

    @Test func `A code is not forgiven, because the next room has it`() {
        #expect(places.search("C-1.02").map(\.name) == ["C-1.02"])
    }

    @Test func `All languages of a name are searched`() throws {
        let square =
            "{\"type\":\"Polygon\",\"coordinates\":[[[11,48],[11.001,48],[11.001,48.001],[11,48.001],[11,48]]]}"
        let unit =
            "{\"id\":\"u\",\"type\":\"Feature\",\"feature_type\":\"unit\",\"geometry\":\(square),\"properties\":{\"category\":\"library\",\"level_id\":\"l\",\"name\":{\"en\":\"Reading Room\",\"de\":\"Lesesaal\",\"ja\":\"閲覧室\",\"fr\":\"Straße\"},\"alt_name\":{\"en\":\"Old Hall\"}}}"
        let level =
            "{\"id\":\"l\",\"type\":\"Feature\",\"feature_type\":\"level\",\"geometry\":\(square),\"properties\":{\"ordinal\":0}}"
        let venue = try Venue.reading([try FeatureCollection(Array("[\(unit),\(level)]".utf8))], name: "x").venue
        let places = VenuePlaces(venue)
        for text in ["reading", "Lesesal", "閲覧室", "old hall", "library", "strasse", "room reading"] {
            #expect(places.search(text).map(\.name) == ["Reading Room"], "\(text)")
        }
        #expect(places.search("閲覧館").isEmpty)
    }

    @Test func `Places are narrowed by building, level and category`() throws {
        var filter = VenuePlaces.Filter()
        filter.category = "restroom"
        #expect(places.search("", filter).count == 6)
        filter.building = fixture.venue.buildings.first { $0.name?.text() == "East" }?.id
        #expect(places.search("", filter).map(\.category) == ["restroom.wheelchair", "restroom.wheelchair"])
        filter.levels = [fixture.level(1, 1)]
        #expect(places.search("", filter).map(\.name) == ["WC east 1"])
        #expect(places.search("wc", filter).map(\.name) == ["WC east 1"])
        #expect(places.search("courtyard", filter).isEmpty)
    }

    @Test func `Solid units are no places, and places name their building and address`() throws {
        #expect(!places.all.contains { $0.category == "column" || $0.category == "opentobelow" })
        let archive = try #require(places.search("Archive 2").first)
        #expect(archive.building == fixture.venue.buildings.first { $0.name?.text() == "Main" }?.id)
        #expect(archive.address == "1 Test Street, Testing, DE, 12345")
        #expect(places[archive.id] == archive)
    }

    @Test func `The room at a place is the smallest one there`() throws {
        func name(_ x: Double, _ y: Double, _ level: Int?) -> String? {
            fixture.venue.unit(at: fixture.point(x, y), level: level).flatMap { fixture.venue.units[$0].name?.text() }
        }
        #expect(name(20, 12, fixture.level(0, 0)) == "Courtyard")
        #expect(name(36, 15, fixture.level(0, 2)) == "Archive 2")
        #expect(name(20, 7.5, nil) == "Cloister")
        // Open to below, a pillar, outside.
        #expect(fixture.venue.unit(at: fixture.point(20, 12), level: fixture.level(0, 2)) == nil)
        #expect(fixture.venue.unit(at: fixture.point(-3, 12), level: fixture.level(0, 2)) == nil)
        #expect(name(70, 5, fixture.level(1, 1)) == "Gallery")
    }
}
