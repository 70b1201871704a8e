import Files
import Foundation
import Pins
import PrimaryStore
import Testing
import TrackExport
import TrackStore
import Tracks

@testable import TileServeCLI

@Suite("Pin commands") struct PinCommandTests {
    /// Waypoints of every format, with texts and places that are hard to write.
    private func write(_ line: CommandLineHarness) throws -> [String] {
        let gpx = """
            <gpx version="1.1" xmlns:x="urn:x" creator="other">
            <wpt lat="47.1234567" lon="8.7654321"><ele>431.50</ele><time>2025-06-01T10:00:00.250Z</time>
            <name>Hut &amp; &lt;inn&gt;</name><desc>line 1&#10;line 2</desc><link href="http://example.org/?a=1&amp;b=2"/>
            <sym>Flag, Blue</sym><type>Shelter</type><extensions><x:source>survey</x:source><x:person>nobody</x:person>
            </extensions></wpt>
            <wpt lat="0" lon="180"/>
            <wpt lat="-90" lon="-180"><name> \u{00E9}\u{1F6B2} </name><ele>n/a</ele><fix>2d</fix></wpt>
            <wpt lat="91" lon="0"><name>nowhere</name></wpt>
            <trk><trkseg><trkpt lat="47" lon="8"><time>2025-06-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>
            """
        let kml = """
            <kml><Document><Placemark><name>Café</name><description><![CDATA[<b>good</b>]]></description>
            <ExtendedData><Data name="phone number"><value>12_x34</value></Data></ExtendedData>
            <Point><coordinates>8.5,47.5,12</coordinates></Point></Placemark></Document></kml>
            """
        let geojson = """
            {"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[7.5,46.5,3]},
            "properties":{"title":"Lake","marker-symbol":"water","depth":{"max":12}}}]}
            """
        let tcx = """
            <TrainingCenterDatabase><Courses><Course><Name>Tour</Name><Track><Trackpoint><Time>2025-06-02T10:00:00Z</Time>
            <Position><LatitudeDegrees>46</LatitudeDegrees><LongitudeDegrees>7</LongitudeDegrees></Position></Trackpoint>
            </Track><CoursePoint><Name>Left</Name><Time>2025-06-02T10:00:00Z</Time><Position><LatitudeDegrees>46.01</LatitudeDegrees>
            <LongitudeDegrees>7.01</LongitudeDegrees></Position><PointType>Left</PointType></CoursePoint></Course></Courses>
            </TrainingCenterDatabase>
            """
        return [
            try line.file("a.gpx", gpx), try line.file("b.kml", kml), try line.file("c.geojson", geojson),
            try line.file("d.tcx", tcx),
        ]
    }

    private func pins(_ line: CommandLineHarness, _ options: String...) throws -> [[String: Any]] {
        try line.objects(line.run(["pins", "list", "--json"] + options).out)
    }

    /// Everything but the time at which they were stored.
    private func comparable(_ pins: [[String: Any]]) throws -> [String] {
        try pins.map { pin in
            let data = try JSONSerialization.data(
                withJSONObject: pin.filter { $0.key != "created" }, options: .sortedKeys)
            return String(decoding: data, as: UTF8.self)
        }.sorted()
    }

    @Test func `Waypoints of files become pins, and the receipt counts them`() throws {
        let line = try CommandLineHarness()
        let files = try write(line)
        let dry = line.run(["import", "--dry-run"] + files)
        #expect(dry.out.contains("6 pins"), "\(dry.out)")
        #expect(FileStatus.ifExists(of: line.library) == nil)
        let imported = line.run(["import"] + files)
        #expect(imported.out.contains("a.gpx: GPX, 1 track, 1 point, 3 pins"), "\(imported.out)")
        #expect(imported.out.contains("latitude 91"), "\(imported.out)")
        let found = try pins(line)
        #expect(found.count == 6)
        let hut = try #require(found.first { $0["caption"] as? String == "Hut & <inn>" })
        #expect(hut["category"] as? String == "shelter" && hut["time"] as? String == "2025-06-01T10:00:00.250Z")
        #expect(hut["lon"] as? Double == 8.7654321 && hut["lat"] as? Double == 47.1234567)
        let notes = try #require(hut["notes"] as? [String: String])
        #expect(notes["ele"] == "431.50" && notes["desc"] == "line 1\nline 2" && notes["source"] == "survey")
        #expect(found.contains { $0["caption"] as? String == "Left" && $0["category"] as? String == "left" })
        let repeated = line.run(["import"] + files)
        #expect(repeated.out.contains("6 pins already stored"), "\(repeated.out)")
        #expect(try pins(line).count == 6)
        #expect(line.run("stats").out.contains("pins"))
        let undone = line.run("imports", "undo", "1")
        #expect(undone.code == .done)
        #expect(try pins(line).count == 6, "the second import added them, too")
        #expect(line.run("imports", "undo", "2").out.contains("6 pins"))
        #expect(try pins(line).isEmpty)
        #expect(line.run("verify").code == .done)
    }

    @Test(arguments: ExportFormat.allCases.filter(\.supportsPins))
    func `Exported pins are not new when they are imported again, and are the same in another library`(
        format: ExportFormat
    ) throws {
        let line = try CommandLineHarness()
        _ = line.run(["import"] + (try write(line)))
        let added = line.run(
            "pins", "add", "--at", "-180,85.5", "--caption", "by <hand>\n& more", "--person", "bea", "--visibility",
            "here",
            "--expires", "2099-01-01T00:00:00Z", "--time", "2024-02-29T00:00:00Z", "--category", "Odd  One")
        #expect(added.code == .done, "\(added.err)")
        let before = try pins(line)
        #expect(before.count == 7)
        let path = line.folder.path + "/exported"
        let written = line.run("tracks", "export", "--format", format.rawValue, "--output", path)
        #expect(written.code == .done, "\(written.err)")
        let again = line.run("import", "--json", path)
        #expect(again.code == .done, "\(again.err)\(again.out)")
        let total = try #require(try line.objects(again.out).last)
        #expect(total["pins"] as? Int == 0 && total["points"] as? Int == 0)
        #expect(try comparable(pins(line)) == comparable(before))
        let other = try CommandLineHarness()
        #expect(other.run("import", path).code == .done)
        #expect(try comparable(pins(other)) == comparable(before))
    }

    @Test func `A range exports the pins of that time only`() throws {
        let line = try CommandLineHarness()
        _ = line.run(["import"] + (try write(line)))
        let out = line.run("tracks", "export", "--format", "gpx", "--from", "2025-06-02").out
        #expect(out.components(separatedBy: "<wpt").count - 1 == 1)
        #expect(line.run("pins", "export", "--format", "gpx").out.components(separatedBy: "<wpt").count - 1 == 6)
        #expect(line.run("pins", "export", "--format", "csv").code == .usage)
    }

    @Test func `A category that is too long is refused, not cut`() throws {
        let line = try CommandLineHarness()
        let category = String(repeating: "c", count: 64)
        #expect(line.run("pins", "add", "--at", "8,47", "--category", category + "c").code == .usage)
        #expect(line.run("pins", "add", "--at", "8,47", "--category", category).code == .done)
    }

    @Test func `Pins are removed by id and by selection`() throws {
        let line = try CommandLineHarness()
        _ = line.run(["import"] + (try write(line)))
        #expect(line.run("pins", "remove").code == .usage)
        #expect(line.run("pins", "remove", "nonsense").code == .noInput)
        #expect(line.run("pins", "remove", "--category", "shelter").out.contains("deleted 1 pin"))
        let id = try #require(try pins(line).first?["id"] as? String)
        #expect(line.run("pins", "show", id).out.contains(id))
        #expect(line.run("pins", "remove", id).code == .done)
        #expect(line.run("pins", "show", id).code == .noInput)
        #expect(try pins(line).count == 4)
    }

    @Test func `A person's pins are removed with the votes and comments of the person`() throws {
        let line = try CommandLineHarness()
        let mine = line.run("pins", "add", "--at", "8,47", "--person", "bea").out.dropLast()
        let other = line.run("pins", "add", "--at", "9,47", "--person", "cid").out.dropLast()
        let (id, gone) = (try #require(PinID(other)), try #require(PinID(mine)))
        do {
            let database = try Library(folder: line.library).database
            _ = try database.setVote(true, of: "bea", on: id)
            _ = try database.setVote(true, of: "dan", on: id)
            _ = try database.setReport(true, of: "bea", on: id, reason: "spam")
            _ = try database.addComment("a remark that nobody else wrote", of: "bea", on: id)
        }
        // With another condition, only the pins go.
        #expect(line.run("pins", "remove", "--person", "bea", "--category", "x").code == .incomplete)
        let removed = line.run("pins", "remove", "--person", "bea")
        #expect(
            removed.code == .done && removed.out == "deleted 1 pin, and 3 votes, reports and comments\n", "\(removed)")
        let database = try Library(folder: line.library).database
        let left = try #require(try database.pin(id))
        #expect(left.score == 1 && left.comments == 0)
        #expect(try database.pin(gone) == nil)
        #expect(try !database.persons().contains { $0.name == "bea" })
        for file in try FileManager.default.contentsOfDirectory(atPath: line.library)
        where file.hasPrefix("tracks.sqlite") {
            let text = String(decoding: try AtomicFile.read(line.library + "/" + file) ?? [], as: UTF8.self)
            #expect(!text.contains("a remark"), "\(file)")
        }
        #expect(line.run("pins", "remove", "--person", "bea").code == .incomplete)
        #expect(line.run("verify").code == .done)
    }

    @Test func `Pins are listed by layers, and a layer that does not exist is an error`() throws {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        let on = line.run("pins", "add", "--at", "8,47", "--time", "2025-06-01T10:00:05Z").out.dropLast()
        _ = line.run("pins", "add", "--at", "8,47", "--time", "2025-06-01T11:00:05Z")
        let listed = try pins(line, "--layer", "hike").compactMap { $0["id"] as? String }
        #expect(listed == [String(on)])
        #expect(try pins(line, "--layer", "all").count == 2)
        let unknown = line.run("pins", "list", "--layer", "nope")
        #expect(unknown.code == .noInput && unknown.err.contains("layer 'nope': no such layer"))
        #expect(line.run("pins", "remove", "--layer", "hike").out == "deleted 1 pin\n")
        #expect(try pins(line, "--layer", "all").count == 1)
    }
}
