import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite struct StatsCommandTests {
    @Test func `totals by month are a table, CSV or JSON`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try line.walk("a.gpx"))
        let table = line.run("stats", "--by", "month")
        #expect(line.run("stats", "--by", "Month").out == table.out)
        #expect(table.code == .done)
        #expect(
            table.out.hasPrefix("PERIOD") && table.out.contains("\ntotal") && table.out.contains("Eddington number"))
        let csv = line.run("stats", "--by", "year", "--csv")
        #expect(csv.out.split(separator: "\n").count == 2)
        let json = line.run("stats", "--by", "day", "--json")
        let object = try #require(try line.objects(json.out).first)
        let rows = try #require(object["rows"] as? [[String: Any]])
        let total = try #require(object["total"] as? [String: Any])
        #expect(rows.count == 1 && rows[0]["metres"] as? Double == total["metres"] as? Double)
        let plain = line.run("stats", "--json")
        let metres = try #require(try line.objects(plain.out).first?["metres"] as? Double)
        #expect(abs(metres - (total["metres"] as? Double ?? 0)) <= 0.5)
    }

    @Test func `options select tracks, and none is a result of its own`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", "--person", "ada", try line.walk("a.gpx"))
        for option in [
            ["--activity", "Wandern"], ["--person", "ada"], ["--layer", "hiking"], ["--from", "1990-01-01"],
        ] {
            #expect(
                line.run(["stats", "--by", "day", "--csv"] + option).out.split(separator: "\n").count == 2, "\(option)")
        }
        #expect(line.run("stats", "--by", "day", "--activity", "ride").code == .incomplete)
        #expect(line.run("stats", "--by", "day", "--person", "bea").code == .noInput)
        #expect(line.run("stats", "--by", "day", "--layer", "nope").code == .noInput)
        #expect(line.run("stats", "--by", "decade").code == .usage)
        #expect(line.run("stats", "--csv").code == .usage)
        #expect(line.run("stats", "--by", "day", "--csv", "--json").code == .usage)
        #expect(line.run("stats", "--by", "day", "--from", "2020-01-01", "--to", "2019-01-01").code == .usage)
    }
}
