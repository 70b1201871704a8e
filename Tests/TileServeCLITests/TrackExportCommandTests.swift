import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite("tileserve tracks export")
struct TrackExportCommandTests {
    private let line = try? CommandLineHarness()

    private func imported() throws -> CommandLineHarness {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx"), try line.walk("b.gpx", points: 9, north: 0.1)).code == .done)
        return line
    }

    @Test(
        "An exported track that is imported again is a duplicate, point for point",
        arguments: ["gpx", "geojson", "geojson-points", "kml", "tcx", "csv", "mfjson", "gpslog"])
    func roundTrip(format: String) throws {
        let line = try imported()
        let path = line.folder.path + "/out"
        let exported = line.run("tracks", "export", "--format", format, "--output", path)
        #expect(exported.code == .done && exported.out == "" && exported.err == "")
        #expect(line.run("tracks", "export", "--format", format).out == (try text(path)))
        let again = try line.objects(line.run("import", "--json", path).out)
        #expect(again.last?["points"] as? Int == 0 && again.last?["duplicates"] as? Int == 29)
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try AtomicFile.read(path) ?? [], as: UTF8.self)
    }

    @Test("A folder gets a file for each track, named by day and id")
    func folder() throws {
        let line = try imported()
        let folder = line.folder.path + "/out/"
        let exported = line.run("tracks", "export", "--format", "gpx", "--output", folder)
        let expected = try line.ids().map { folder + "2025-06-01-\($0).gpx" }.sorted()
        #expect(exported.code == .done)
        #expect(exported.out.split(separator: "\n").map(String.init).sorted() == expected)
        #expect(try Folder.entries(of: folder).map(\.path) == expected)
    }

    @Test("Each written file is listed, although the export of one skipped points")
    func incompleteFile() throws {
        let line = try imported()
        let mixed = try line.file(
            "c.gpx",
            """
            <gpx version="1.1"><trk><trkseg><trkpt lat="48" lon="8"><time>2025-05-01T10:00:00Z</time></trkpt>
            <trkpt lat="48" lon="8.001"></trkpt></trkseg></trk></gpx>
            """)
        #expect(line.run("import", mixed).code == .done)
        let folder = line.folder.path + "/out/"
        let exported = line.run("tracks", "export", "--format", "tcx", "--output", folder)
        #expect(exported.code == .incomplete && exported.err.contains("skipped 1 point without a time"))
        #expect(exported.out.split(separator: "\n").count == 3)
        #expect(try Folder.entries(of: folder).count == 3)
    }

    @Test("Ids, dates, a layer and a condition select tracks; an empty selection is reported")
    func choosing() throws {
        let line = try imported()
        let id = try #require(try line.ids().first)
        func tracks(_ words: String...) -> Int {
            line.run(["tracks", "export", "--format", "gpx"] + words).out.components(separatedBy: "<trk>").count - 1
        }
        #expect(tracks() == 2 && tracks(id) == 1 && tracks(id, id) == 1)
        #expect(tracks("--layer", "hike") == 2 && tracks("--where", "metres < 100") == 1)
        #expect(tracks("--from", "2025-06-01", "--to", "2025-06-01") == 2 && tracks("--from", "2025-06-02") == 0)
        let none = line.run("tracks", "export", "--format", "gpx", "--to", "2000-01-01")
        #expect(none.code == .incomplete && none.err == "tileserve tracks export: no track matches\n")
        #expect(line.run("tracks", "export", "--format", "gpx", "nope").code == .noInput)
        #expect(line.run("tracks", "export", "--format", "gpx", "--layer", "nope").code == .noInput)
        #expect(line.run("tracks", "export").code == .usage)
        #expect(line.run("tracks", "export", "--format", "doc").code == .usage)
    }
}
