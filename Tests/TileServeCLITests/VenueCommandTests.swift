import Files
import Foundation
import TestVenues
import Testing

@testable import TileServeCLI

@Suite("Venue commands")
struct VenueCommandTests {
    private let line: CommandLineHarness
    private let campus = SampleCampus(seed: 5)

    init() throws { line = try CommandLineHarness() }

    private var members: [(name: String, bytes: [UInt8])] {
        campus.imdfMembers().map { ($0.name, Array($0.text.utf8)) }
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = line.folder.path + "/" + name
        try Folder.make((path as NSString).deletingLastPathComponent)
        try AtomicFile.write(bytes, to: path, durability: .cached)
        return path
    }

    private func venues() throws -> [[String: Any]] { try line.objects(line.run("venues", "list", "--json").out) }

    private func ids() throws -> [String] { try venues().compactMap { $0["id"] as? String } }

    @Test("import recognises archives, maps and GeoJSON of buildings, and twice is once")
    func plainImport() throws {
        let paths = [
            try file("campus.zip", zip(members)), try file("house.osm", Array(campus.osmXML().utf8)),
            try line.walk("a.gpx"),
        ]
        let tried = line.run(["import", "--dry-run"] + paths)
        #expect(tried.code == .done && tried.out.contains("venue Sample Campus added: 2 buildings,"))
        #expect(tried.out.hasSuffix("would be stored: 3 files, 1 track, 20 points, 2 venues\n"), "\(tried.out)")
        #expect(FileStatus.ifExists(of: line.library) == nil)
        let first = line.run(["import"] + paths)
        #expect(first.code == .done && first.err == "", "\(first)")
        #expect(first.out.hasSuffix("3 files, 1 track, 20 points, 2 venues\n"), "\(first.out)")
        let known = try ids()
        #expect(known.count == 2)
        let again = try line.objects(line.run(["import", "--json"] + paths).out)
        let changes = again.compactMap { ($0["venues"] as? [[String: Any]])?.first?["change"] as? String }
        #expect(changes == ["unchanged", "unchanged"])
        #expect(try ids() == known && line.ids().count == 1)
        // GeoJSON of the same map has the same ids.
        let map = line.run("import", try file("indoor.geojson", Array(campus.osmGeoJSON().utf8)))
        #expect(map.code == .done && map.out.contains(" replaced: 2 buildings"), "\(map.out)")
        // Only a dry run tells what another content would do.
        let other = try file(
            "campus.zip", zip(SampleCampus(seed: 6).imdfMembers().map { ($0.name, Array($0.text.utf8)) }))
        #expect(line.run("import", "--dry-run", other).out.contains("venue Sample Campus replaced"))
        #expect(line.run("import", other).out.contains("venue Sample Campus replaced"))
        #expect(try Set(ids()) == Set(known))
    }

    @Test("the members of a folder are one venue, and a mixed archive has its tracks, too")
    func folders() throws {
        for member in members { _ = try file("plans/\(member.name)", member.bytes) }
        let walk = try #require(try FileSource(path: line.walk("plans/walk.gpx")).readAll(limit: 1 << 20))
        let folder = line.run("import", line.folder.path + "/plans")
        #expect(folder.code == .done && folder.err == "")
        #expect(folder.out.components(separatedBy: "venue Sample Campus added").count == 2, "\(folder.out)")
        #expect(folder.out.contains(", 1 track, 20 points, 1 venue"), "\(folder.out)")
        #expect(!folder.out.contains("nothing to store"))
        let id = try #require(try ids().first)
        #expect(line.run("venues", "remove", id).code == .done)
        let mixed = try file("mixed.zip", zip(members.map { ("plans/\($0.name)", $0.bytes) } + [("walk.gpx", walk)]))
        let archive = line.run("import", mixed)
        #expect(archive.code == .done && archive.out.contains("venue Sample Campus added"), "\(archive.out)")
        #expect(archive.out.contains("mixed.zip/walk.gpx: GPX, 0 tracks, 0 points, 20 points already stored"))
        #expect(try ids() == [id])
    }

    @Test("what has times stays a recording, and a broken archive fails alone")
    func others() throws {
        let polygon = """
            {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[8,47],[8.001,47],[8.001,47.001],[8,47]]]},
            "properties":{"level":"0","indoor":"room"}}
            """
        let ride = """
            {"type":"Feature","geometry":{"type":"LineString","coordinates":[[8,47],[8.001,47.001]]},
            "properties":{"coordTimes":["2025-06-01T10:00:00Z","2025-06-01T10:01:00Z"]}}
            """
        func collection(_ features: String...) -> String {
            "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
        }
        for (name, features) in [("a", [polygon, ride]), ("b", [ride, polygon])] {
            let path = try line.file("\(name).geojson", collection(features[0], features[1]))
            let result = line.run("import", "--json", path)
            let total = try #require(try line.objects(result.out).last)
            #expect(total["points"] as? Int == (name == "a" ? 2 : 0) && total["failed"] as? Int == 0, "\(result.out)")
        }
        #expect(try line.ids().count == 1 && venues().isEmpty)
        // A polygon with a level alone is a venue; one with another property is skipped as before.
        let plain = polygon.replacingOccurrences(of: ",\"indoor\":\"room\"", with: "")
        #expect(line.run("import", try line.file("c.geojson", collection(plain))).out.contains("venue c added"))
        let area = polygon.replacingOccurrences(of: "\"level\":\"0\",\"indoor\":\"room\"", with: "\"name\":\"Lake\"")
        #expect(line.run("import", try line.file("d.geojson", collection(area))).out.contains("1 area skipped"))
        let map = "<osm version=\"0.6\"><node id=\"1\" lat=\"1\" lon=\"1\"/></osm>"
        let plainMap = line.run("import", try line.file("map.osm", map))
        #expect(plainMap.code != .done && plainMap.out.contains("unsupported format (a map of OpenStreetMap)"))
        // Broken archives.
        let known = try ids()
        let whole = zip(members)
        let cut = try file("cut.zip", Array(whole.prefix(whole.count / 2)))
        let broken = try file(
            "broken.zip",
            zip(members.map { $0.name == "unit.geojson" ? ($0.name, Array("{\"type\":".utf8)) : $0 }))
        let good = try file("good.zip", whole)
        let result = line.run("import", cut, broken, good, try line.walk("w.gpx"))
        #expect(result.out.contains("venue Sample Campus added") && result.out.contains("20 points"), "\(result.out)")
        #expect(result.out.contains("broken.zip: the map of a building cannot be read: "), "\(result.out)")
        #expect(result.out.contains("2 files failed"), "\(result.out)")
        #expect(try ids().count == known.count + 1)
    }

    @Test("a venue is imported, shown, exported, closed, opened and removed")
    func commands() throws {
        #expect(line.run("venues", "list").err.contains("no"))
        let path = try file("campus.zip", zip(members))
        #expect(line.run("venues", "import", path).out.contains("Sample Campus added, 2 buildings"))
        #expect(line.run("venues", "import", path).out.contains("unchanged"))
        let listed = try #require(try venues().first)
        let id = try #require(listed["id"] as? String)
        #expect(listed["name"] as? String == "Sample Campus" && listed["source"] as? String == "campus.zip")
        #expect(line.run("venues", "list").out.contains(id))
        let shown = try #require(try line.objects(line.run("venues", "show", "--json", id).out).first)
        #expect((shown["levels"] as? [Any])?.isEmpty == false && (shown["places"] as? Int ?? 0) > 10)
        #expect(line.run("venues", "show", id).out.contains("Sample Campus"))
        // What is exported is the same venue.
        let exported = line.run("venues", "export", id)
        #expect(exported.code == .done && !exported.out.isEmpty)
        let copy = try line.file("copy.geojson", exported.out)
        #expect(line.run("venues", "import", copy).code == .done)
        #expect(try ids() == [id], "the export has the ids of the source")
        // Closing needs an id of a part.
        let unit = try #require(Self.unit(in: exported.out))
        let until = "2999-01-01T00:00:00Z"
        #expect(line.run("venues", "close", "--until", until, unit).code == .done)
        #expect(line.run("venues", "show", id).out.contains("2999-01-01"))
        #expect(line.run("venues", "open", unit).code == .done)
        #expect(line.run("venues", "open", unit).code != .done)
        #expect(line.run("venues", "close", "--until", until, String(repeating: "0", count: 32)).code != .done)
        #expect(line.run("venues", "close", unit).code == .usage)
        // Errors name what is missing.
        #expect(line.run("venues", "show", "zz").code != .done)
        #expect(line.run("venues", "import", line.folder.path + "/none.zip").code != .done)
        #expect(line.run("venues", "import", try line.walk("a.gpx")).err.contains("no venue"))
        #expect(line.run("venues", "remove", id).code == .done)
        #expect(try venues().isEmpty)
        #expect(line.run("venues", "remove", id).code != .done)
    }

    /// The id that the first unit of an export has in the source.
    private static func unit(in text: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let features = object?["features"] as? [[String: Any]] ?? []
        let unit = features.first { ($0["feature_type"] as? String) == "unit" }
        return unit?["id"] as? String
    }
}
