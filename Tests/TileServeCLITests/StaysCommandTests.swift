import Foundation
import Testing

@testable import TileServeCLI

@Suite struct StaysCommandTests {
    /// 40 minutes at a place, a way, and 30 minutes at another one.
    private func file(_ line: CommandLineHarness) throws -> String {
        let lines = (0..<100).map { minute in
            let place = min(max(minute - 40, 0), 30)
            let clock = "0\(8 + minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
            let time = "2025-06-02T\(clock):00Z"
            return "<trkpt lat=\"52.5\" lon=\"\(13.3 + Double(place) * 0.004)\"><time>\(time)</time></trkpt>"
        }
        return try line.file(
            "stays.gpx", "<gpx version=\"1.1\"><trk><trkseg>\(lines.joined())</trkseg></trk></gpx>")
    }

    @Test func `places get names, which stays and trips show`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try file(line))
        #expect(line.run("stays", "name", "--at", "13.3,52.5", "My", "home").out == "13.3,52.5 My home\n")
        #expect(line.run("stays", "name", "--at", "13.42,52.5002", "Work").code == .done)
        let places = line.run("stays", "places")
        #expect(places.code == .done && places.out.hasPrefix("TIME") && places.out.split(separator: "\n").count == 3)
        #expect(places.out.contains("My home") && places.out.contains("13.42,52.5002"))
        let trips = line.run("stays", "--trips").out
        #expect(trips.contains("My home") && trips.contains("Work"))
        #expect(line.run("stays", "--json").out.contains(#""name":"Work""#))
        #expect(line.run("stays", "places", "--json").out.contains(#""name":"My home","seconds":2400,"stays":1"#))
        #expect(line.run("stays", "name", "--at", "13.3,52.5", "--remove").code == .done)
        #expect(line.run("stays", "name", "--at", "13.3,52.5", "--remove").code == .incomplete)
        #expect(!line.run("stays").out.contains("My home"))
        #expect(line.run("stays", "name", "--at", "13.3,52.5", "--person", "nobody", "x").code == .noInput)
        for options in [
            ["name"], ["name", "Home"], ["name", "--at", "13.3"], ["name", "--at", "13.3,52.5"],
            ["name", "--at", "13.3,52.5", " "], ["name", "--at", "13.3,52.5", "--remove", "x"], ["places", "x"],
        ] { #expect(line.run(["stays"] + options).code == .usage, "\(options)") }
    }

    @Test(arguments: ["list", "places"])
    func `an empty list is told, and is a failure only if something was looked for`(command: String) throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try line.walk("a.gpx"))
        let all = line.run("stays", command)
        #expect(all.code == .done && all.out.isEmpty && all.err.contains("tileserve stays \(command): no "))
        let some = line.run("stays", command, "--to", "2020-01-01")
        #expect(some.code == .incomplete && some.out.isEmpty && some.err == all.err)
        let json = line.run("stays", command, "--json")
        #expect(json.code == .done && json.err == all.err)
    }

    @Test func `stays and trips are tables or JSON`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try file(line))
        let text = line.run("stays")
        #expect(text.code == .done && text.out.hasPrefix("ARRIVE"))
        #expect(text.out.split(separator: "\n").count == 3)
        #expect(text.out.contains("0:40") && text.out.contains("13.30000"))
        let json = line.run("stays", "--json").out
        let stays = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]]
        #expect(stays?.count == 2)
        #expect(stays?.first?["arrive"] as? String == "2025-06-02T08:00:00Z")
        let trips = line.run("stays", "--trips")
        #expect(trips.code == .done && trips.out.hasPrefix("DEPART") && trips.out.split(separator: "\n").count == 2)
        #expect(line.run("stays", "--trips", "--json").out.contains("\"depart\":\"2025-06-02T08:40:00Z\""))
        #expect(line.run("stays", "--to", "2020-01-01").code == .incomplete)
        #expect(line.run("stays", "--person", "nobody").code == .noInput)
        for options in [["--from", "x"], ["--from", "2025-02-01", "--to", "2025-01-01"], ["extra"]] {
            #expect(line.run(["stays"] + options).code == .usage, "\(options)")
        }
    }

    /// A phone export with visits at three places, with or without their ends.
    private func timeline(_ line: CommandLineHarness, _ name: String, withEnds: Bool) throws -> String {
        let visits = [("09:00", "12:30", 48.1), ("13:30", "16:00", 48.15), ("19:00", "22:00", 48.2)].map { visit in
            let end = withEnds ? "\"endTime\": \"2025-06-02T\(visit.1):00.000+02:00\", " : ""
            return """
                {"startTime": "2025-06-02T\(visit.0):00.000+02:00", \(end)"visit": {"topCandidate": {"placeLocation":
                {"latLng": "\(visit.2)°, 11.5°"}}}}
                """
        }
        return try line.file(name, "{\"semanticSegments\": [\(visits.joined(separator: ","))]}")
    }

    @Test func `visits of a phone are stays, and a library without their ends gets only these`() throws {
        let line = try CommandLineHarness()
        _ = line.run("import", try timeline(line, "old.json", withEnds: false))
        #expect(!line.run("stays", "--json").out.contains("arrive"))
        let file = try timeline(line, "Timeline.json", withEnds: true)
        #expect(line.run("import", file).out.contains("3 points"))
        let stays = try JSONSerialization.jsonObject(with: Data(line.run("stays", "--json").out.utf8))
        let times = (stays as? [[String: Any]] ?? []).map { "\($0["arrive"] ?? "") \($0["leave"] ?? "")" }
        #expect(
            times == [
                "2025-06-02T07:00:00Z 2025-06-02T10:30:00Z", "2025-06-02T11:30:00Z 2025-06-02T14:00:00Z",
                "2025-06-02T17:00:00Z 2025-06-02T20:00:00Z",
            ])
        let before = line.run("tracks", "list", "--json").out
        _ = line.run("import", file)
        #expect(line.run("tracks", "list", "--json").out == before)
    }
}
