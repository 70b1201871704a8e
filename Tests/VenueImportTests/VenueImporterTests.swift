import Files
import Foundation
import TestVenues
import Testing
import VenueImport
import Venues

private let campus = SampleCampus(seed: 1)

private func members(in folder: String = "") -> [(name: String, bytes: [UInt8])] {
    campus.imdfMembers().map { (folder + $0.name, Array($0.text.utf8)) }
}

private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

private func venue(_ outcome: VenueOutcome) throws -> Venue { try outcome.result.get().venue }

@Suite struct VenueImporterTests {
    @Test func `An archive, a folder and the members in any order are the same venue`() throws {
        let archive = VenueImporter.read(bytes: zip(members()), name: "campus.zip")
        #expect(archive.map(\.name) == ["campus.zip"])
        let first = try venue(archive[0])
        #expect(first.name == "Sample Campus")
        #expect(archive[0].lines.isEmpty)
        let turned = VenueImporter.read(bytes: zip(members(in: "inner/").reversed()), name: "other.zip")
        #expect(try venue(turned[0]).contentDigest == first.contentDigest)
        #expect(try venue(turned[0]).units.map(\.id) == first.units.map(\.id))
        let folder = try TemporaryFolder()
        for member in members() {
            try Data(member.bytes).write(to: URL(filePath: folder.path + "/" + member.name))
        }
        let read = VenueImporter.read(path: folder.path)
        #expect(read.count == 1)
        #expect(try venue(read[0]).contentDigest == first.contentDigest)
    }

    @Test func `Files are recognised by content, whatever they are called`() throws {
        #expect(try venue(VenueImporter.read(bytes: bytes(campus.osmXML()), name: "a.txt")[0]).format == .openStreetMap)
        let geoJSON = VenueImporter.read(bytes: bytes(campus.osmGeoJSON()), name: "b")
        #expect(try venue(geoJSON[0]).format == .openStreetMap)
        let opening = try #require(campus.imdfMembers().first { $0.name == "opening.geojson" })
        let lone = VenueImporter.read(bytes: bytes(opening.text), name: "opening.geojson")
        #expect(try venue(lone[0]).openings.count == campus.doors.count)
        for text in [
            "<gpx version=\"1.1\"></gpx>", "{\"type\":\"FeatureCollection\",\"features\":[]}", "a,b,c", "", "[1,2]",
        ] {
            #expect(VenueImporter.read(bytes: bytes(text), name: "x").isEmpty, "\(text)")
        }
    }

    @Test func `An archive may have several venues, and other files are left alone`() throws {
        var files = members(in: "one/")
        files += [
            ("two/floor.osm", bytes(campus.osmXML())), ("two/track.gpx", bytes("<gpx></gpx>")),
            ("readme.txt", bytes("x")),
        ]
        files += [("__MACOSX/._unit.geojson", [0, 5, 22, 7])]
        let outcomes = VenueImporter.read(bytes: zip(files), name: "all.zip")
        #expect(outcomes.map(\.name) == ["all.zip", "two/floor.osm"])
        #expect(outcomes.allSatisfy { (try? $0.result.get()) != nil })
        #expect(VenueImporter.read(bytes: zip([("a.gpx", bytes("<gpx></gpx>"))]), name: "tracks.zip").isEmpty)
    }

    @Test func `Broken archives and members fail alone with a clear word`() throws {
        let whole = zip(members())
        let cut = VenueImporter.read(bytes: Array(whole.prefix(whole.count / 3)), name: "cut.zip")
        #expect(cut.count == 1)
        guard case .failure(let error) = cut[0].result else {
            Issue.record("a truncated archive was read")
            return
        }
        #expect(error.reason.contains("ends too early"))
        var flipped = whole
        flipped[whole.count / 2] ^= 0x20
        #expect(
            VenueImporter.read(bytes: flipped, name: "flipped.zip").map { $0.lines.joined() }.joined().contains(
                "checksum"))
        var files = members()
        files[files.count - 2].bytes = bytes("{\"type\":\"FeatureCollection\",\"features\":[\n{,")
        let broken = VenueImporter.read(bytes: zip(files + [("b/ok.osm", bytes(campus.osmXML()))]), name: "broken.zip")
        #expect(broken.count == 2)
        #expect(broken.contains { (try? $0.result.get()) != nil })
        let failed = try #require(broken.first { (try? $0.result.get()) == nil })
        #expect(failed.lines[0].hasPrefix(files[files.count - 2].name + ": line 2: "))
        #expect(VenueImporter.read(bytes: bytes("{\"type\":"), name: "x.geojson").map(\.isVenue) == [false])
    }

    @Test func `A folder with a broken file reads the others`() throws {
        let folder = try TemporaryFolder()
        try Data(zip(members())).write(to: URL(filePath: folder.path + "/good.zip"))
        try Data(zip(members()).prefix(5000)).write(to: URL(filePath: folder.path + "/bad.zip"))
        try Data(bytes(campus.osmGeoJSON())).write(to: URL(filePath: folder.path + "/floor.geojson"))
        let outcomes = VenueImporter.read(path: folder.path)
        #expect(outcomes.map(\.name) == ["bad.zip", "floor.geojson", "good.zip"])
        #expect(outcomes.map { (try? $0.result.get()) != nil } == [false, true, true])
        #expect(VenueImporter.read(path: folder.path + "/none").map(\.lines) == [["No such file or directory"]])
        let stopped = VenueImporter.read(path: folder.path, isStopped: { true })
        #expect(stopped.map(\.lines) == [["it was stopped"]])
    }

    @Test func `Damaged bytes never trap`() {
        let whole = zip(members())
        var state: UInt64 = 5
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 0..<60 {
            var damaged = whole
            for _ in 0..<(1 + next(20)) { damaged[next(damaged.count)] = UInt8(next(256)) }
            _ = VenueImporter.read(bytes: Array(damaged.prefix(1 + next(damaged.count))), name: "x.zip")
        }
    }

    @Test func `A real archive is read`() throws {
        guard let path = sharedFile("indoor/westport-house-imdf.zip") else { return }
        let outcomes = VenueImporter.read(path: path)
        #expect(outcomes.count == 1)
        let venue = try venue(outcomes[0])
        #expect(venue.levels.count == 7 && venue.units.count == 317)
        #expect(outcomes[0].lines.isEmpty, "\(outcomes[0].lines)")
    }

    private func sharedFile(_ path: String) -> String? {
        let given = ProcessInfo.processInfo.environment["TILESERVE_SHARED_DATA"]
        let beside = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL.path()
        return [given, beside].compactMap(\.self).map { $0 + "/" + path }.first {
            FileManager.default.fileExists(atPath: $0)
        }
    }
}
