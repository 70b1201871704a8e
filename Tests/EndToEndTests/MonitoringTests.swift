import Foundation
import Testing

/// The dashboard and the alerts of `Scripts/monitoring`.
@Suite("Monitoring")
struct MonitoringTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Scripts/monitoring").standardizedFileURL

    @Test(arguments: ["dashboard.json", "alerts.yml"])
    func `every metric that is named exists, with the type that it is used as`(_ file: String) throws {
        let fixture = try LibraryFixture()
        let server = try Server(fixture)
        let answer = try RawHTTPClient(server.origin).ask("GET", "/metrics")
        let metrics = String(decoding: answer.body, as: UTF8.self)
        let text = try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8)
        var types: [String: String] = [:]
        for line in metrics.split(separator: "\n") where line.hasPrefix("# TYPE ") {
            let words = line.split(separator: " ").map(String.init)
            types[words[2]] = words[3]
        }
        var found: Set<String> = []
        for match in text.matches(of: /tileserve_[a-z_]+/) { found.insert(String(match.output)) }
        #expect(found.count > 4)
        for name in found {
            let histogram = name.hasSuffix("_bucket") ? String(name.dropLast("_bucket".count)) : nil
            #expect(histogram.map { types[$0] == "histogram" } ?? (types[name] != nil), "\(name)")
        }
        // Only what increases has a rate.
        for match in text.matches(of: /(?:rate|increase)\((tileserve_[a-z_]+)/) {
            let name = String(match.output.1)
            #expect(name.hasSuffix("_bucket") || types[name] == "counter", "\(name)")
        }
    }

    @Test func `the dashboard is JSON, and its panels do not overlap`() throws {
        let data = try Data(contentsOf: Self.folder.appending(path: "dashboard.json"))
        let dashboard = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        var cells: Set<[Int]> = []
        for panel in panels {
            let place = try #require(panel["gridPos"] as? [String: Int])
            let (x, y) = (try #require(place["x"]), try #require(place["y"]))
            let (width, height) = (try #require(place["w"]), try #require(place["h"]))
            #expect(x + width <= 24)
            for column in x..<(x + width) {
                for row in y..<(y + height) { #expect(cells.insert([column, row]).inserted, "\(panel)") }
            }
        }
    }
}
