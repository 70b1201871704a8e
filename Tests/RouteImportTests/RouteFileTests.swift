import Journeys
import RouteImport
import TestSupport
import Testing
import Text
import TileMath

private func routes(_ text: String) throws(JourneyError) -> [JourneyRoute] {
    try RouteFile.routes(Array(text.utf8), name: "file")
}

private func gpx(_ content: String, version: String = "1/1") -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="Other" xmlns="http://www.topografix.com/GPX/\(version)">\(content)</gpx>
    """
}

/// A line along the equator, in hundredths of a degree.
private func track(_ hundredths: [Int], _ facts: String = "") -> String {
    let points = hundredths.map { "<trkpt lat=\"0\" lon=\"\(Double($0) / 100)\"><ele>4</ele></trkpt>" }
    return "<trk>\(facts)<trkseg>\(points.joined())</trkseg></trk>"
}

private func waypoint(_ name: String, _ longitude: Double, _ more: String = "") -> String {
    "<wpt lat=\"0.0001\" lon=\"\(longitude)\"><name>\(name)</name>\(more)</wpt>"
}

@Suite struct RouteFileTests {
    @Test func `named points of a rte are its places, and all points its line`() throws {
        let text = gpx(
            """
            <metadata><name>All</name><desc>nothing</desc></metadata>
            <wpt lat="9" lon="9"><name>Not on it</name></wpt>
            <rte><name>Coast</name><number>3</number>
            <rtept lat="1" lon="2"><ele>3</ele><name> Port </name><desc>The\nquay</desc><type>harbour</type><sym>Anchor</sym></rtept>
            <rtept lat="1.5" lon="2"/><rtept lat="2" lon="2.5"><name>Cape</name><cmt>Windy</cmt><sym>Cape</sym></rtept>
            <rtept lat="3" lon="2.5"><name></name></rtept></rte>
            <rte><rtept lat="1" lon="2"/></rte>
            <rte><rtept lat="1" lon="2"><name>A</name></rtept><rtept lat="2" lon="2"><name>B</name></rtept></rte>
            """)
        let found = try routes(text)
        #expect(found.map(\.name) == ["Coast", "All 2"])
        #expect(found[0].line.count == 4 && found[0].level == 1800 && !found[0].isSingle)
        #expect(found[0].places.map(\.name) == ["Port", "Cape"])
        #expect(found[0].places.map(\.description) == ["The\nquay", "Windy"])
        #expect(found[0].places.map(\.tags) == [["harbour", "Anchor"], ["Cape"]])
        #expect(found[1].places.map(\.name) == ["A", "B"])
    }

    @Test func `without named points the waypoints are places in the order along the line`() throws {
        let points = (0...10).map { "<rtept lat=\"0\" lon=\"0.\(String($0 + 10))\"/>" }.joined()
        let text = gpx(
            waypoint("C", 0.2) + waypoint("B", 0.15, "<desc>b</desc>") + waypoint("A", 0.1) + "<rte>\(points)</rte>")
        let route = try #require(try routes(text).first)
        #expect(route.name == "file" && route.places.map(\.name) == ["A", "B", "C"])
        #expect(route.places[1].description == "b")
        let bare = try #require(try routes(gpx("<name>Old</name><rte>\(points)</rte>", version: "1/0")).first)
        #expect(bare.name == "Old" && bare.places.map(\.name) == ["Start", "End"])
        #expect(bare.places.map(\.point) == [bare.line[0], bare.line[10]])
    }

    @Test func `the line of a track has its segments joined, and its ends are places where none is near`() throws {
        let text = gpx(
            waypoint("Mill", 0.32) + waypoint("Bridge", 0.12)
                + "<trk><name>Walk</name><trkseg><trkpt lat=\"0\" lon=\"0\"/><trkpt lat=\"0\" lon=\"0.2\"/></trkseg><trkseg>"
                + "<trkpt lat=\"0\" lon=\"0.3\"/><trkpt lat=\"0\" lon=\"0.4\"/></trkseg></trk>")
        let route = try #require(try routes(text).first)
        #expect(route.name == "Walk" && route.line.map(\.longitude) == [0, 0.2, 0.3, 0.4])
        #expect(route.places.map(\.name) == ["Start", "Bridge", "Mill", "End"])
        let named = try #require(
            try routes(gpx(waypoint("Home", 0.001) + waypoint("Work", 0.4) + track([0, 20, 40]))).first)
        #expect(named.places.map(\.name) == ["Home", "Work"])
    }

    @Test func `a line that passes places twice keeps the order of the file`() throws {
        let line = track(Array(0...20) + (0..<20).reversed())
        let there = [waypoint("Home", 0), waypoint("Out", 0.1), waypoint("Turn", 0.2), waypoint("Back", 0.05)]
        let route = try #require(try routes(gpx(there.joined() + line)).first)
        #expect(route.places.map(\.name) == ["Home", "Out", "Turn", "Back", "End"])
        let loop = try #require(
            try routes(gpx(waypoint("Home", 0) + waypoint("Turn", 0.2) + waypoint("Home again", 0) + line)).first)
        #expect(loop.places.map(\.name) == ["Home", "Turn", "Home again"])
        let mixed = try #require(
            try routes(gpx(waypoint("Turn", 0.2) + waypoint("Home", 0) + waypoint("Out", 0.1) + line)).first)
        #expect(
            mixed.places.map(\.name) == ["Home", "Out", "Turn", "End"]
                || mixed.places.map(\.name) == ["Start", "Turn", "Home"])
    }

    @Test func `several tracks share the waypoints by their distance`() throws {
        let text = gpx(
            waypoint("East", 10.1) + waypoint("West", 0.1) + track([0, 20], "<name>One</name>") + track([1000, 1020]))
        let found = try routes(text)
        #expect(found.map(\.name) == ["One", "file 2"])
        #expect(found.map { $0.places.map(\.name) } == [["Start", "West", "End"], ["Start", "East", "End"]])
    }

    @Test func `names may have any prefix, and extensions count only in the namespace`() throws {
        let text = """
             \n<?xml version="1.0"?><g:gpx xmlns:g="http://www.topografix.com/GPX/1/1" xmlns:x="urn:tileserve:routes:1" \
            xmlns:o="urn:other">
            <g:rte><g:name>R</g:name><g:extensions><x:level>60</x:level><o:level>70</o:level><x:single>true</x:single>\
            </g:extensions>
            <g:rtept lat="0" lon="0"><g:name>A</g:name><g:extensions><o:seconds>3</o:seconds><x:tag>one</x:tag>\
            <x:tag>two</x:tag></g:extensions></g:rtept>
            <g:rtept lat="0" lon="1"><g:name>B</g:name><g:extensions><seconds xmlns="urn:tileserve:routes:1">90</seconds>\
            <x:credit>CC0</x:credit></g:extensions></g:rtept></g:rte></g:gpx>
            """
        let route = try #require(try routes(text).first)
        #expect(route.level == 60 && route.isSingle)
        #expect(route.places.map(\.seconds) == [nil, 90] && route.places.map(\.credit) == [nil, "CC0"])
        #expect(route.places.map(\.tags) == [["one", "two"], []])
    }

    @Test(arguments: 0..<60) func `a route is the same after GPX`(seed: Int) throws {
        var random = SeededRandom(seed: seed)
        let texts = ["Köln & <Bonn>", " blank ", "a\r\nb\tc", "\"'", "日本 🗻", "]]>", "&amp;"]
        func point() throws -> GeoPoint {
            let (longitude, latitude) = (random.below(3_600_000_001), random.below(1_800_000_001))
            return try #require(
                GeoPoint(longitude: Double(longitude) / 1e7 - 180, latitude: Double(latitude) / 1e7 - 90))
        }
        func text() -> String { texts[random.below(texts.count)] + "\(random.below(10))" }
        var places: [JourneyPlace] = []
        for _ in 0..<(2 + random.below(9)) {
            var place = JourneyPlace(text(), at: try point())
            if random.once(in: 2) { place.description = text() }
            for _ in 0..<random.below(4) { place.tags.append(text()) }
            if random.once(in: 3) { place.credit = text() }
            if random.once(in: 3) { place.seconds = 1 + random.below(86_400) }
            places.append(place)
        }
        var line: [GeoPoint] = []
        for _ in 0..<(random.once(in: 2) ? 0 : 2 + random.below(40)) { line.append(try point()) }
        let route = try JourneyRoute(
            text(), level: 1 + random.below(86_400), isSingle: random.once(in: 2), line: line, places: places)
        #expect(try RouteFile.routes(route.gpx, name: "x") == [route])
        #expect(try RouteFile.routes(Array(route.json.text.utf8), name: "x") == [route])
        #expect(try RouteFile.routes([0xEF, 0xBB, 0xBF] + Array(route.geoJSON.text.utf8), name: "x") == [route])
    }

    @Test func `a line with more points than a route may have is thinned, and its shape stays`() throws {
        // A wave of 150,000 points; every seventh is off it.
        let points = (0..<150_000).map { index in
            "<trkpt lat=\"\(index % 7 == 0 ? 0.5 : 0.0)\" lon=\"\(Double(index) / 1000)\"/>"
        }
        let whole = try routes(gpx("<trk><trkseg>\(points.joined())</trkseg></trk>"))[0]
        #expect(whole.line.count == JourneyLimits.linePoints)
        #expect(whole.line.filter { $0.latitude == 0.5 }.count == 21_429)
        #expect(whole.line.first?.longitude == 0 && whole.line.last?.longitude == 149.999)
        let places = (0..<990).map { waypoint("P\($0)", Double($0) * 0.02) }
        let many = try routes(gpx(places.joined() + "<trk><trkseg>\(points.prefix(20_000).joined())</trkseg></trk>"))[0]
        #expect(many.places.count >= 990 && many.line.count * many.places.count <= JourneyLimits.placesTimesPoints)
    }

    @Test(arguments: [
        ("", "neither GPX nor GeoJSON nor JSON"), ("name,lat,lon", "neither GPX"),
        ("<kml></kml>", "begins with kml"), ("<gpx></gpx>", "neither a route (rte) nor a track"),
        ("<gpx><rte><rtept lat='1' lon='2'/></rte></gpx>", "at least two points"),
        ("<gpx>\n<rte>\n<rtept lat='91' lon='2'/></rte></gpx>", "line 3: a point has to have lat and lon"),
        ("<gpx>\n<rte><rtept lon='2'/></rte></gpx>", "line 2: a point"),
        ("<gpx>\n<rte><rtept lat='1' lon='2'/>", "line 2: "),
        ("<!DOCTYPE a [<!ENTITY b 'c'>]><gpx/>", "declarations"),
        (
            "<gpx xmlns:t='urn:tileserve:routes:1'><rte><extensions>\n<t:level>x</t:level></extensions></rte></gpx>",
            "line 2: level has to be a whole number"
        ),
        (
            "<gpx xmlns:t='urn:tileserve:routes:1'><rte><extensions><t:level>0</t:level></extensions>"
                + "<rtept lat='1' lon='2'/><rtept lat='1' lon='3'/></rte></gpx>", "1 to 86400"
        ),
        ("{\"type\":\"FeatureCollection\",\"features\":[]}", "2 to 1000 places, not 0"), ("{", "not valid JSON"),
        ("[]", "JSON object"),
    ]) func `what is wrong in a file is named`(text: String, words: String) throws {
        do throws(JourneyError) {
            _ = try routes(text)
            Issue.record("\(text) is no route")
        } catch {
            #expect(error.reason.contains(words), "\(error.reason)")
        }
    }

    @Test func `more waypoints than a route may have places are refused`() throws {
        let places = (0...1000).map { waypoint("P\($0)", Double($0) * 0.001) }
        #expect(throws: JourneyError.placeCount(1001)) { try routes(gpx(places.joined() + track([0, 20]))) }
    }

    @Test func `an ampersand that is written as it is, and wrong bytes, are repaired`() throws {
        let text = "<gpx><rte><name>Bed & Breakfast</name><rtept lat='1' lon='2'/><rtept lat='1' lon='3'/></rte></gpx>"
        #expect(try routes(text)[0].name == "Bed & Breakfast")
        let latin = text.replacing("Bed", with: "Bäd").unicodeScalars.map { UInt8($0.value) }
        #expect(try RouteFile.routes(latin, name: "x")[0].name == "Bäd & Breakfast")
    }

    @Test func `files in UTF-16 and other encodings are read`() throws {
        let text =
            "<?xml version=\"1.0\" encoding=\"%\"?><gpx><rte><name>Köln</name><rtept lat=\"1\" lon=\"2\"/><rtept lat=\"1\" lon=\"3\"/></rte></gpx>"
        let wide = text.replacing("%", with: "UTF-16").utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(try RouteFile.routes([0xFF, 0xFE] + wide, name: "x")[0].name == "Köln")
        let narrow = text.replacing("%", with: "ISO-8859-1").unicodeScalars.map { UInt8($0.value) }
        #expect(try RouteFile.routes(narrow, name: "x")[0].name == "Köln")
    }
}
