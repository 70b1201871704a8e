import TestSupport
import TestVenues
import Testing
import TileMath
import Venues

private func collection(_ features: String...) throws -> FeatureCollection {
    try FeatureCollection(
        Array("{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}".utf8))
}

private func feature(_ geometry: String, _ properties: String, _ more: String = "") -> String {
    "{\"type\":\"Feature\"\(more),\"geometry\":\(geometry),\"properties\":{\(properties)}}"
}

private let square =
    "{\"type\":\"Polygon\",\"coordinates\":[[[11,48],[11.001,48],[11.001,48.001],[11,48.001],[11,48]]]}"
private let line = "{\"type\":\"LineString\",\"coordinates\":[[11,48],[11.001,48]]}"

@Suite struct ReadingTests {
    @Test func `An IMDF archive is read with names, addresses and levels`() throws {
        let reading = try CampusFixture.reading(SampleCampus(seed: 1))
        let venue = reading.venue
        #expect(venue.format == .imdf)
        #expect(venue.names?.text(in: "de") == "Mustergelände")
        #expect(venue.name == "Sample Campus")
        #expect(venue.contact.hours == "Mo-Fr 08:00-20:00")
        #expect(venue.addresses[0].line == "1 Test Street, Testing, DE, 12345")
        #expect(venue.buildings.map { $0.name?.text() } == ["Main", "East"])
        #expect(venue.levels.map(\.ordinal) == [0, 0, 1, 1, 2, 3])
        #expect(venue.levels.allSatisfy { $0.buildings.count == 1 })
        #expect(venue.units.count == SampleCampus(seed: 1).rooms.count)
        #expect(venue.openings.count == SampleCampus(seed: 1).doors.count)
        #expect(reading.notices.isEmpty)
        #expect(venue.groundLevels == [0, 1])
    }

    @Test func `Reading again gives the same ids, and the order of features does not matter`() throws {
        let campus = SampleCampus(seed: 3)
        let first = try CampusFixture.reading(campus)
        var random = SeededRandom(seed: 5)
        let members = campus.imdfFeatures().values.flatMap { $0 }.shuffled(using: &random)
        let mixed = try FeatureCollection(Array("[\(members.joined(separator: ","))]".utf8))
        let second = try Venue.reading([mixed], name: "campus", manifest: [])
        #expect(second.venue.id == first.venue.id)
        #expect(second.venue.units.map(\.id) == first.venue.units.map(\.id))
        #expect(second.venue.openings == first.venue.openings)
        #expect(second.venue.contentDigest == first.venue.contentDigest)
        #expect(try VenueGraph(second.venue).encoded() == VenueGraph(first.venue).encoded())
        #expect(second.venue.exportedCollection() == first.venue.exportedCollection())
    }

    @Test(arguments: FeatureKind.allCases.map(\.rawValue)) func `A missing type is accepted and told`(kind: String)
        throws
    {
        let features = SampleCampus(seed: 1).imdfFeatures().filter { $0.key != kind }.values.flatMap { $0 }
        let reading = try Venue.reading(
            [try FeatureCollection(Array("[\(features.joined(separator: ","))]".utf8))], name: "campus", manifest: [])
        #expect(!reading.venue.levels.isEmpty)
        let needed = ["venue", "address", "building", "level"].contains(kind)
        #expect(reading.notices.isEmpty == !needed, "\(reading.notices.map(\.line))")
        if kind == "venue" { #expect(reading.notices.map(\.rule) == ["VenueCountMustBeExactlyOne"]) }
        if kind == "level" {
            #expect(
                reading.notices.contains {
                    $0.rule == "ReferencedFeatureIDMustBeResolvable" && $0.severity == .violation
                })
        }
    }

    @Test func `Violations are told with IMDF's rule and severity, and leave the rest as it is`() throws {
        let unit = feature(
            square, "\"category\":\"room\",\"name\":{\"en\":\"A\"}", ",\"feature_type\":\"unit\",\"id\":\"u1\"")
        let twice = feature(
            square, "\"category\":\"room\",\"level_id\":\"l1\"", ",\"feature_type\":\"unit\",\"id\":\"u2\"")
        let level = feature(square, "\"ordinal\":0", ",\"feature_type\":\"level\",\"id\":\"l1\"")
        let point = feature(
            "{\"type\":\"Point\",\"coordinates\":[11,48]}", "\"level_id\":\"l1\"",
            ",\"feature_type\":\"unit\",\"id\":\"u3\"")
        let reading = try Venue.reading([try collection(unit, twice, twice, level, point)], name: "x")
        #expect(reading.venue.units.count == 1)
        let rules = Set(reading.notices.map(\.rule))
        for rule in [
            "UnitMustHaveLevelId", "FeatureIdMustBeUnique", "LevelMustHaveShortName", "VenueCountMustBeExactlyOne",
            "ManifestFileMustBePresent", "GeometryTypeMustBeValid", "UnitShouldHaveDisplayPoint",
        ] { #expect(rules.contains(rule), "\(rule)") }
        #expect(reading.notices.first?.severity == .violation)
        let notice = try #require(reading.notices.first { $0.rule == "UnitMustHaveLevelId" })
        #expect(
            notice.line == "Violation UnitMustHaveLevelId: a feature names no level of the file; it was left out (u1)")
    }

    @Test(
        arguments: [
            ("0", [0.0], 0), ("-1;0;1", [-1, 0, 1], 0), ("-2--1", [-2, -1], 0), ("0-3", [0, 1, 2, 3], 0),
            ("3-0", [0, 1, 2, 3], 0),
            ("0.5", [0.5], 0), ("-0.5;1", [-0.5, 1], 0), ("1;1", [1], 0), ("ground", [], 1), ("1;x;2", [1, 2], 1),
            ("", [], 0),
            ("1e9", [], 1), ("0-100000", [], 1), ("--1", [], 1), ("99999999999999999999", [], 1), ("-3", [-3], 0),
            ("0;", [0], 0),
        ] as [(String, [Double], Int)]) func `Levels are read in all their forms`(
            text: String, numbers: [Double], nonsense: Int
        )
    {
        let expression = LevelExpression(text)
        #expect(expression.numbers == numbers)
        #expect(expression.nonsense.count == nonsense)
    }

    @Test func `Venues are told from recordings`() throws {
        func isVenue(_ features: String...) throws -> Bool {
            let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
            return VenueRecognition.isVenue(try FeatureCollection(Array(text.utf8)).features)
        }
        #expect(try isVenue(feature(square, "\"level\":\"0\"")))
        #expect(try isVenue(feature(square, "\"level\":1")))
        #expect(try isVenue(feature(line, "", ",\"feature_type\":\"opening\"")))
        #expect(try isVenue(feature(line, "\"highway\":\"corridor\",\"level\":\"0\"")))
        #expect(try !isVenue(feature(line, "\"name\":\"a road\",\"level\":\"120\"")))
        #expect(try !isVenue(feature(square, "\"name\":\"a lake\"")))
        #expect(try !isVenue(feature(square, "\"level\":\"0\""), feature(line, "\"times\":[1,2]")))
        // The time of an edit is none of a recording.
        let edited = feature(line, "\"timestamp\":\"2018-02-20T09:11:42Z\",\"version\":\"1\",\"changeset\":\"5\"")
        #expect(try isVenue(feature(square, "\"level\":\"0\",\"indoor\":\"room\""), edited))
    }

    @Test func `GeoJSON that is no venue, or no JSON, is refused with a reason`() throws {
        #expect(throws: VenueError.notAVenue) {
            try Venue.reading([try collection(feature(line, "\"name\":\"x\""))], name: "x")
        }
        let failure = #expect(throws: VenueError.self) {
            try FeatureCollection(Array("{\"features\":[\n{\"type\":".utf8))
        }
        #expect(failure?.reason == "line 2: the file is truncated")
    }

    @Test func `Plain GeoJSON with levels has its polygons as units`() throws {
        let reading = try Venue.reading(
            [
                try collection(
                    feature(square, "\"level\":\"0\",\"name\":\"Hall\",\"category\":\"lobby\""),
                    feature(square, "\"level\":\"1;2\",\"name\":\"Void\""))
            ], name: "plan")
        #expect(reading.venue.format == .geoJSON)
        #expect(reading.venue.levels.map(\.number) == [0, 1, 2])
        #expect(reading.venue.units.map { $0.name?.text() } == ["Hall", "Void", "Void"])
        #expect(reading.venue.units[0].category.name == "lobby")
        #expect(Set(reading.venue.units.map(\.id)).count == 3)
    }

    @Test func `Bytes of any kind never trap`() throws {
        let text = Array(SampleCampus(seed: 1).osmGeoJSON().utf8.prefix(6000))
        let xml = Array(SampleCampus(seed: 1).osmXML().utf8)
        var random = SeededRandom(seed: 11)
        for _ in 0..<150 {
            var bytes = text
            for _ in 0..<(1 + random.below(8)) {
                bytes[Int(random.below(UInt64(bytes.count)))] = UInt8(random.below(UInt64(256)))
            }
            if let read = try? FeatureCollection(bytes) { _ = try? Venue.reading([read], name: "x") }
            bytes = xml
            for _ in 0..<4 { bytes[Int(random.below(UInt64(bytes.count)))] = UInt8(random.below(UInt64(256))) }
            _ = try? Venue.reading(
                openStreetMap: Array(bytes.prefix(Int(random.below(UInt64(bytes.count))))), name: "x")
        }
    }
}
