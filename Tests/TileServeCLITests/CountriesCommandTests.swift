import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite struct CountriesCommandTests {
    @Test func `countries are a table or JSON`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try line.walk("a.gpx"))
        let text = line.run("countries")
        #expect(text.code == .done && text.out.hasPrefix("CODE"))
        let code = text.out.split(separator: "\n")[1].prefix(2)
        let json = try #require(try line.objects(line.run("countries", "--json").out).first)
        let countries = try #require(json["countries"] as? [[String: Any]])
        #expect(countries.count == 1 && countries[0]["code"] as? String == String(code))
        #expect(countries[0]["status"] as? String == "transited")
        #expect(line.run("countries", "--by", "region").out.contains("REGION"))
        // Every walk is a visit to who says so.
        for options in [["--stay", "1ms"], ["--ground", "1s"]] {
            let visited = line.run(["countries"] + options)
            #expect(visited.out.contains("visited"), "\(options)")
        }
        #expect(line.run("countries", "--view", "iso", "--airport", "0", "--night", "23").code == .done)
        #expect(line.run("countries", "--to", "2020-01-01").code == .incomplete)
        #expect(line.run("countries", "--layer", "nope").code == .noInput)
        #expect(line.run("countries", "--person", "nobody").code == .noInput)
        for options in [
            ["--by", "town"], ["--view", "un"], ["--stay", "long"], ["--night", "24"], ["--airport", "-1"],
            ["--from", "2025-02-01", "--to", "2025-01-01"], ["extra"],
        ] { #expect(line.run(["countries"] + options).code == .usage, "\(options)") }
    }
}
