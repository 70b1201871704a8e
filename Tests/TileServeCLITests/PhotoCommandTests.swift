import Files
import Foundation
import Testing

@testable import TileServeCLI

@Suite("photos locate")
struct PhotoCommandTests {
    private let line = try? CommandLineHarness()

    /// A JPEG file whose time is in an XMP packet.
    private static func photo(_ attributes: String) -> [UInt8] {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
            tiff:Make="Acme" \(attributes)/></rdf:RDF></x:xmpmeta>
            """
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let count = content.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + content
            + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    }

    /// A library with a walk near Zurich from 2025-06-01T10:00:00Z, 20 points in 20 s.
    private func harness() throws -> CommandLineHarness {
        let line = try #require(line)
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        return line
    }

    static func write(_ line: CommandLineHarness, _ name: String, _ attributes: String) throws -> String {
        let path = line.folder.path + "/" + name
        try AtomicFile.write(photo(attributes), to: path, durability: .cached)
        return path
    }

    private func time(_ text: String) -> String { "exif:DateTimeOriginal=\"\(text)\"" }

    @Test("A photo is located with and without its zone, and the original is not changed")
    func located() throws {
        let line = try harness()
        let zoned = try Self.write(line, "zoned.jpg", time("2025-06-01T10:00:05+00:00"))
        let local = try Self.write(line, "local.jpg", time("2025-06-01T12:00:05.500"))
        let before = try [zoned, local].map { try AtomicFile.read($0) }
        let found = line.run("photos", "locate", "--csv", zoned, local)
        #expect(found.code == .done && found.err == "", "\(found.err)")
        let rows = found.out.split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        #expect(rows.count == 3 && rows.allSatisfy { $0.count == 12 })
        #expect(
            rows[1][2...8] == [
                "2025-06-01T10:00:05Z", "Europe/Zurich", "offset", "8.5400000", "47.3705000", rows[1][7], "track",
            ])
        #expect(rows[2][2...6] == ["2025-06-01T10:00:05.500Z", "Europe/Zurich", "place", "8.5400000", "47.3705500"])
        let geoJSON = line.run("photos", "locate", "--geojson", zoned, local).out
        let collection = try #require(try JSONSerialization.jsonObject(with: Data(geoJSON.utf8)) as? [String: Any])
        #expect((collection["features"] as? [[String: Any]])?.count == 2)
        #expect(
            line.run("photos", "locate", zoned).out.contains(
                "2025-06-01T12:00:05+02:00 (Europe/Zurich), 8.5400000,47.3705000"))
        #expect(line.run("photos", "locate", "--xmp", zoned, local).code == .done)
        #expect(try [zoned, local].map { try AtomicFile.read($0) } == before)
    }

    @Test("A photo outside of the tracks has no place, and the reason is given")
    func outside() throws {
        let line = try harness()
        let early = try Self.write(line, "early.jpg", time("2025-06-01T07:00:00Z"))
        let found = line.run("photos", "locate", early)
        #expect(
            found.code == .incomplete && found.out.contains("no place: the tracks begin later, at 2025-06-01T10:00:00Z")
        )
        #expect(line.run("photos", "locate", "--xmp", early).code == .incomplete)
        #expect(FileStatus.ifExists(of: early + ".xmp") == nil)
    }

    @Test("Sidecars are written and written again, but one of another program is kept unless it may be replaced")
    func sidecars() throws {
        let line = try harness()
        let photo = try Self.write(line, "a.jpg", time("2025-06-01T10:00:05Z"))
        #expect(line.run("photos", "locate", "--xmp", photo).code == .done)
        let first = try #require(try AtomicFile.read(photo + ".xmp"))
        #expect(String(decoding: first, as: UTF8.self).contains("exif:GPSLatitude=\"47,22.2300000N\""))
        let again = line.run("photos", "locate", "--xmp", photo)
        #expect(again.code == .done && again.out.contains("track") && !again.out.contains("exif"))
        #expect(try AtomicFile.read(photo + ".xmp") == first)
        let foreign = Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" x:xmptk=\"other\"/>".utf8)
        try AtomicFile.write(foreign, to: photo + ".xmp")
        let kept = line.run("photos", "locate", "--xmp", photo)
        #expect(kept.code == .incomplete && kept.err.contains("another program wrote this sidecar"))
        #expect(try AtomicFile.read(photo + ".xmp") == foreign)
        let replaced = line.run("photos", "locate", "--xmp", "--replace", photo)
        #expect(replaced.err.contains("replaced the sidecar of another program"))
        #expect(try AtomicFile.read(photo + ".xmp") == first)
    }

    @Test("A wrong clock is given as an offset, or learned from a photo whose place is given")
    func clocks() throws {
        let line = try harness()
        // The clock is 3 h 7 min ahead of local time, which is 2 h ahead of UTC.
        let first = try Self.write(line, "first.jpg", time("2025-06-01T15:07:05"))
        let second = try Self.write(line, "second.jpg", time("2025-06-01T15:07:10"))
        let given = line.run("photos", "locate", "--csv", "--offset", "+05:07", first, second)
        #expect(given.out.contains("2025-06-01T10:00:05Z,Europe/Zurich,given"))
        let learned = line.run("photos", "locate", "--csv", "--at", "first.jpg=8.54,47.3705", first, second)
        #expect(
            learned.out.contains("first.jpg,1,2025-06-01T10:00:05Z,Europe/Zurich,camera,8.5400000,47.3705000,10.0,hand")
        )
        #expect(learned.out.contains("second.jpg,1,2025-06-01T10:00:10Z,Europe/Zurich,camera,8.5400000,47.3710000"))
    }

    @Test("A folder is searched for photos; what is no photo is refused only if it is named")
    func folders() throws {
        let line = try harness()
        _ = try Self.write(line, "a.jpg", time("2025-06-01T10:00:05Z"))
        let text = try line.file("notes.txt", "no photo")
        let found = line.run("photos", "locate", "--csv", line.folder.path)
        #expect(found.code == .done && found.out.split(separator: "\n").count == 2, "\(found.out)\(found.err)")
        let refused = line.run("photos", "locate", text)
        #expect(
            refused.code == .incomplete && refused.err.contains("notes.txt: not a photo or video of a known format"))
        #expect(line.run("photos", "locate", line.folder.path + "/missing.jpg").err.contains("check the path"))
    }

    @Test(
        "Without a library, photos have the times and places in their files, and the command says that there are no tracks"
    )
    func withoutLibrary() throws {
        let line = try #require(line)
        let photo = try Self.write(
            line, "a.jpg",
            time("2025-06-01T10:00:05+02:00") + " exif:GPSLatitude=\"47,30.0N\" exif:GPSLongitude=\"8,15.0E\"")
        let found = line.run("photos", "locate", "--csv", photo)
        #expect(
            found.code == .done && found.out.contains("2025-06-01T08:00:05Z,Europe/Zurich,offset,8.2500000,47.5000000"))
        #expect(found.err.contains("there is no library, so there are no tracks"), "\(found.err)")
        #expect(FileStatus.ifExists(of: line.library) == nil)
        let bare = try Self.write(line, "b.jpg", time("2025-06-01T10:00:05+02:00"))
        let without = line.run("photos", "locate", bare)
        #expect(without.code == .incomplete && without.out.contains("no place: no track is near this time"))
    }

    @Test("The time in a sidecar of another program is used, also if its name is without the extension of the photo")
    func foreignSidecars() throws {
        let line = try harness()
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreateDate="2025-06-01T10:00:05Z"/>
            </rdf:RDF></x:xmpmeta>
            """
        for (name, sidecar) in [("a.jpg", "a.jpg.xmp"), ("b.jpg", "b.xmp")] {
            let photo = try Self.write(line, name, "")
            #expect(line.run("photos", "locate", photo).code == .incomplete)
            _ = try line.file(sidecar, packet)
            #expect(
                line.run("photos", "locate", "--csv", photo).out.contains("2025-06-01T10:00:05Z,Europe/Zurich,offset"))
        }
    }

    @Test("A GPS time that cannot be that of the clock is reported")
    func doubtfulClock() throws {
        let line = try harness()
        let photo = try Self.write(
            line, "a.jpg", time("2025-06-01T12:00:05") + " exif:GPSTimeStamp=\"2025-05-28T10:00:05Z\"")
        let found = line.run("photos", "locate", photo)
        #expect(found.out.contains("2025-06-01T12:00:05+02:00 (Europe/Zurich)"), "\(found.out)")
        #expect(found.out.contains("    the GPS time is 4 days before the clock of the camera"), "\(found.out)")
    }

    @Test("Only the tracks of a person are used, if one is named")
    func persons() throws {
        let line = try harness()
        #expect(line.run("import", "--person", "bea", try line.walk("b.gpx", north: 1)).code == .done)
        let photo = try Self.write(line, "a.jpg", time("2025-06-01T10:00:05Z"))
        let everyone = line.run("photos", "locate", "--csv", photo).out
        #expect(everyone.contains("47.3705000") && everyone.contains("48.3705000"))
        let one = line.run("photos", "locate", "--csv", "--person", "bea", photo).out
        #expect(!one.contains("47.3705000") && one.contains("48.3705000") && one.contains(",bea,"))
        #expect(line.run("photos", "locate", "--person", "eve", photo).code == .noInput)
    }

    @Test(
        "Invalid options are refused in one line",
        arguments: [
            (["--csv", "--geojson", "a.jpg"], "cannot be combined"),
            (["--offset", "2 hours", "a.jpg"], "not an offset"),
            (["--at", "a.jpg=200,1", "a.jpg"], "not a file with its place"), ([], "no FILE given"),
        ])
    func mistakes(_ words: [String], _ part: String) throws {
        let recorder = try #require(line).run(["photos", "locate"] + words)
        #expect(recorder.code == .usage && recorder.err.contains(part), "\(recorder.err)")
    }

    @Test(
        "Offsets of clocks are read with signs, seconds and as durations",
        arguments: [
            ("+02:00", 7_200_000), ("-05:30", -19_800_000), ("+02:03:20", 7_400_000), ("1h3m20s", 3_800_000),
            ("-36h", -129_600_000), ("0", 0),
        ] as [(String, Int64)])
    func offsets(_ text: String, _ milliseconds: Int64) {
        #expect(Quantity.clockOffset(text) == milliseconds)
        for wrong in ["", "+", "2", "02:60", "1:2:3:4", "99999999999h", "::", "+2h30"] {
            #expect(Quantity.clockOffset(wrong) == nil, "\(wrong)")
        }
    }
}
