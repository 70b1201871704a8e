import Files
import Foundation
import Testing

@testable import TileServeCLI

/// Files that are one photo, and the sidecars of Google Takeout, in imports.
@Suite("photos import, parts of photos")
struct PhotoPartTests {
    private let line = try? CommandLineHarness()

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let folder = try #require(line).folder.path + "/DCIM"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try AtomicFile.write(bytes, to: folder + "/" + name, durability: .cached)
        return folder + "/" + name
    }

    private func livePhoto() throws -> (still: String, movie: String) {
        (
            try write("IMG_0001.JPG", SmallPhoto.still("exif:DateTimeOriginal=\"2025-07-05T11:30:00\"")),
            try write("IMG_0001.MOV", SmallPhoto.movie("2025-07-05T11:30:01-0400"))
        )
    }

    private func pins() throws -> [[String: Any]] {
        try #require(line).run("pins", "list", "--json").out.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("A Live Photo is one pin: the still, with the zone and the place of its movie", arguments: [false, true])
    func livePhotos(movieFirst: Bool) throws {
        let line = try #require(line)
        let (still, movie) = try livePhoto()
        _ = try write("IMG_0001.AAE", Array("<plist/>".utf8))
        let run = line.run(
            ["photos", "import"] + (movieFirst ? [movie, still] : [still, movie, still + "/../IMG_0001.AAE"]))
        #expect(run.code == .done, "\(run.out)\(run.err)")
        #expect(run.out.contains("(one photo with IMG_0001.MOV)"), "\(run.out)")
        #expect(run.out.contains("IMG_0001.MOV: part of the photo IMG_0001.JPG"))
        #expect(
            run.out.contains(
                "1 photo: 1 stored, 0 stored already, 0 not located, 0 unreadable, 1 file as part of another"))
        let pin = try #require(try pins().first)
        #expect(try pins().count == 1)
        #expect(pin["time"] as? String == "2025-07-05T15:30:00Z" && pin["lon"] as? Double == -73.95)
        let again = line.run("photos", "import", line.folder.path + "/DCIM")
        #expect(again.code == .done && again.out.contains("1 photo: 0 stored, 1 stored already"), "\(again.out)")
    }

    @Test("The still and the movie of two imports are one pin, whichever comes first", arguments: [false, true])
    func separately(movieFirst: Bool) throws {
        let line = try #require(line)
        let (still, movie) = try livePhoto()
        let first = line.run("photos", "import", movieFirst ? movie : still)
        #expect(first.code == .done && first.out.contains("1 stored"), "\(first.out)")
        let second = line.run("photos", "import", movieFirst ? still : movie)
        let id = try #require(try pins().first?["id"] as? String)
        #expect(second.code == .done && second.out.contains("stored already as pin \(id)"), "\(second.out)")
        #expect(try pins().count == 1)
        #expect(line.run("verify").code == .done)
    }

    @Test("An edited version and the photo are one pin, which shows the edited version")
    func edited() throws {
        let line = try #require(line)
        _ = try livePhoto()
        let time = "exif:DateTimeOriginal=\"2025-07-05T11:30:00\" exif:Flash=\"0\""
        _ = try write("IMG_E0001.JPG", SmallPhoto.still(time))
        let run = line.run("photos", "import", line.folder.path + "/DCIM")
        #expect(run.out.contains("IMG_E0001.JPG: stored as pin"), "\(run.out)")
        #expect(run.out.contains("1 photo: 1 stored") && run.out.contains("2 files as part of another"), "\(run.out)")
        #expect(try pins().first?["lon"] as? Double == -73.95)
    }

    @Test("A movie of another time with the same name is a pin of its own")
    func others() throws {
        let line = try #require(line)
        _ = try livePhoto()
        _ = try write("IMG_0001.MOV", SmallPhoto.movie("2025-07-05T11:40:01-0400"))
        let place = " exif:GPSLatitude=\"40,43.0N\" exif:GPSLongitude=\"73,57.0W\""
        _ = try write("IMG_0001.JPG", SmallPhoto.still("exif:DateTimeOriginal=\"2025-07-05T11:30:00-04:00\"" + place))
        let run = line.run("photos", "import", line.folder.path + "/DCIM")
        #expect(run.code == .done && run.out.contains("2 photos: 2 stored"), "\(run.out)")
    }

    @Test("A photo of Google Takeout has the time and place of its sidecar, also if all files are named")
    func takeout() throws {
        let line = try #require(line)
        let sidecar = """
            {"title": "x.jpg", "photoTakenTime": {"timestamp": "1753020000"},
            "geoData": {"latitude": 48.1, "longitude": 11.5}, "geoDataExif": {"latitude": 0.0, "longitude": 0.0}}
            """
        let photo = try write("a(1).jpg", SmallPhoto.still("exif:DateTimeOriginal=\"2025-07-20T10:00:00\""))
        let json = try write("a.jpg.supplemental-metadata(1).json", Array(sidecar.utf8))
        let run = line.run("photos", "import", photo, json)
        #expect(run.code == .done && run.out.contains("1 photo: 1 stored"), "\(run.out)\(run.err)")
        let pin = try #require(try pins().first)
        #expect(pin["time"] as? String == "2025-07-20T14:00:00Z")
        #expect(pin["lat"] as? Double == 48.1 && pin["lon"] as? Double == 11.5)
        // Other JSON files are no sidecars.
        let other = line.run("photos", "import", try write("other.json", Array("{}".utf8)))
        #expect(other.code == .incomplete && other.out.contains("other.json: not a photo"), "\(other.out)")
    }
}
