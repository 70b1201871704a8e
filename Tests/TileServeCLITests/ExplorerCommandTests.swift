import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite struct ExplorerCommandTests {
    @Test func `figures of visited tiles are text or JSON`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try line.walk("a.gpx"))
        let text = line.run("explorer")
        #expect(text.code == .done && text.out.hasPrefix("tiles") && text.out.contains("square"))
        let json = try #require(try line.objects(line.run("explorer", "--zoom", "17", "--json").out).first)
        #expect(json["zoom"] as? Int == 17 && (json["tiles"] as? Int ?? 0) > 0)
        #expect(json["tiles"] as? Int == json["new"] as? Int)
        #expect(line.run("explorer", "--from", "2025-06-01", "--to", "2025-06-01").out.contains("\nnew"))
        #expect(line.run("explorer", "--to", "2025-05-31").code == .incomplete)
        #expect(line.run("explorer", "--layer", "nope").code == .noInput)
        #expect(line.run("explorer", "--zoom", "15").code == .usage)
        #expect(line.run("explorer", "--from", "2025-02-01", "--to", "2025-01-01").code == .usage)
    }
}
