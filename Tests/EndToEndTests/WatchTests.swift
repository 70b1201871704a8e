import Foundation
import Testing

@Suite("Watched folders of the built server")
struct WatchTests {
    @Test func `A file that a slow writer extends is united with its beginning under the first id`() throws {
        let fixture = try LibraryFixture()
        let source = try fixture.walk("source.gpx")
        let text = try #require(String(data: Data(contentsOf: URL(fileURLWithPath: source)), encoding: .utf8))
        let points = text.components(separatedBy: "</trkpt>")
        #expect(points.count == 21)
        let beginning = points[..<8].joined(separator: "</trkpt>") + "</trkpt>"
        let dropped = fixture.folder + "/dropped"
        try FileManager.default.createDirectory(atPath: dropped, withIntermediateDirectories: true)
        let path = dropped + "/walk.gpx"
        let server = try Server(fixture, "--watch", dropped)
        func tracks() throws -> [[String: Any]] {
            try LibraryFixture.objects(fixture.run("tracks", "list", "--json").out)
        }

        // The writer pauses for longer than the period of the scans, so the beginning is read.
        try Data(beginning.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try eventually(60) { try tracks().count == 1 }, "\(server.running.err)")
        let first = try #require(try tracks().first)
        let id = try #require(first["id"] as? String)
        #expect(first["points"] as? Int == 8)

        // It goes on point by point, without a pause as long as the period.
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        var rest = text.dropFirst(beginning.count)
        while !rest.isEmpty {
            let length = rest.range(of: "</trkpt>").map { rest.distance(from: rest.startIndex, to: $0.upperBound) }
            try file.write(contentsOf: Data(rest.prefix(length ?? rest.count).utf8))
            rest = rest.dropFirst(length ?? rest.count)
            Thread.sleep(forTimeInterval: 0.3)
        }
        try file.close()
        #expect(try eventually(60) { try tracks().first?["points"] as? Int == 20 }, "\(server.running.err)")
        #expect(try tracks().compactMap { $0["id"] as? String } == [id])
        let ended = server.end()
        #expect(ended.code == 0)
        // What was written is what an import of the whole file stores.
        let whole = fixture.folder + "/whole"
        #expect(try fixture.run("import", source, library: whole).code == 0)
        #expect(try fixture.contents() == fixture.contents(library: whole))
    }
}
