import Files
import Foundation
import Pins
import PrimaryStore
import SQLite
import Testing
import TrackStore

@testable import TileServeCLI

/// `photos import --again`. Another sidecar stands for a reader that reads a photo otherwise.
@Suite struct PhotoAgainTests {
    private let line: CommandLineHarness

    init() throws {
        line = try CommandLineHarness()
    }

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        let path = line.folder.path + "/DCIM/" + name
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try AtomicFile.write(bytes, to: path, durability: .cached)
        return path
    }

    /// A photo without time and place, and the sidecar that has both.
    private func photo(_ name: String, time: String, north: String) throws -> String {
        let path = try write(name, SmallPhoto.still("exif:Flash=\"\(name.count)\""))
        try say(of: path, time: time, north: north)
        return path
    }

    private func say(of path: String, time: String, north: String) throws {
        let attributes =
            "exif:DateTimeOriginal=\"\(time)\" exif:GPSLatitude=\"\(north)\" exif:GPSLongitude=\"8,15.0E\""
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" \(attributes)/></rdf:RDF></x:xmpmeta>
            """
        try AtomicFile.write(Array(packet.utf8), to: path + ".xmp", durability: .cached)
    }

    private func pins() throws -> [[String: Any]] { try line.objects(line.run("pins", "list", "--json").out) }

    private func database() throws -> TrackDatabase { try Library(folder: line.library).database }

    private func id(_ pin: [String: Any]?) throws -> PinID {
        try #require((pin?["id"] as? String).flatMap { PinID($0) })
    }

    private let noon = "2025-06-01T12:00:00Z"
    private let one = "2025-06-01T13:00:00Z"

    @Test func `A photo that was misread is corrected in its pin, which keeps what persons added`() throws {
        let path = try photo("a.jpg", time: noon, north: "47,30.0N")
        #expect(line.run("photos", "import", "--category", "trip", path).code == .done)
        let pin = try id(pins().first)
        var edit = PinEdit()
        edit.caption = .set("Mine")
        edit.visibility = .been
        _ = try database().editPin(pin, edit)
        _ = try database().addComment("Nice", of: "bea", on: pin)
        _ = try database().setVote(true, of: "bea", on: pin)
        try say(of: path, time: one, north: "47,36.0N")
        let before = try pins()
        let dry = line.run("photos", "import", "--again", "--dry-run", "--json", path)
        #expect(dry.code == .done, "\(dry.out)\(dry.err)")
        #expect(try NSArray(array: pins()).isEqual(to: before))
        let real = line.run("photos", "import", "--again", "--json", path)
        let receipts = try line.objects(real.out)
        #expect(
            real.code == .done && dry.out.split(separator: "\n")[0] == real.out.split(separator: "\n")[0],
            "\(dry.out)\(real.out)")
        #expect(receipts[0]["result"] as? String == "again" && receipts[0]["changed"] as? Bool == true)
        #expect((receipts[0]["before"] as? [String: Any])?["time"] as? String == noon)
        #expect(receipts[1]["again"] as? Int == 1 && receipts[1]["changed"] as? Int == 1)
        let now = try #require(try pins().first)
        #expect(try pins().count == 1 && id(now) == pin)
        #expect(now["time"] as? String == one && now["lat"] as? Double == 47.6 && now["lon"] as? Double == 8.25)
        let stored = try #require(try database().pin(pin))
        #expect(stored.caption == "Mine" && stored.category == "trip" && stored.visibility == .been)
        #expect(stored.score == 1 && stored.comments == 1 && stored.located == .exif)
        // Once more, nothing changes, and the receipt says so.
        let third = line.run("photos", "import", "--again", path)
        #expect(third.out.contains("a.jpg: read again as pin \(pin), as before"), "\(third.out)")
        #expect(third.out.contains("1 photo: 0 stored, 0 stored already, 1 read again (0 changed)"), "\(third.out)")
        #expect(try database().verify() == [])
        #expect(line.run("verify").code == .done)
    }

    @Test func `A time and a place that somebody has set stay, unless the command names a place`() throws {
        let path = try photo("a.jpg", time: noon, north: "47,30.0N")
        _ = line.run("photos", "import", path)
        let pin = try id(pins().first)
        var edit = PinEdit()
        edit.place = PinPlace(e7Longitude: 90_000_000, latitude: 460_000_000)
        edit.time = .set(1_700_000_000_000)
        _ = try database().editPin(pin, edit)
        try say(of: path, time: one, north: "47,36.0N")
        for _ in 0..<2 {
            let run = line.run("photos", "import", "--again", path)
            #expect(run.code == .done && run.out.contains("as before"), "\(run.out)")
            let now = try #require(try pins().first)
            #expect(now["time"] as? String == "2023-11-14T22:13:20Z" && now["lat"] as? Double == 46)
        }
        let given = line.run("photos", "import", "--again", "--at", "a.jpg=8.5,47.4", path)
        #expect(given.out.contains("before: 2023-11-14T22:13:20Z, 9.0000000,46.0000000"), "\(given.out)")
        #expect(given.out.contains("the time that was set stays"), "\(given.out)")
        let now = try #require(try pins().first)
        #expect(now["time"] as? String == "2023-11-14T22:13:20Z" && now["lat"] as? Double == 47.4)
        // What was given stays, too.
        #expect(line.run("photos", "import", "--again", path).out.contains("as before"))
        #expect(try pins().first?["lat"] as? Double == 47.4)
    }

    @Test func `A time that was removed from a pin stays removed, and one of an upload stays`() throws {
        let path = try photo("a.jpg", time: noon, north: "47,30.0N")
        _ = line.run("photos", "import", path)
        let pin = try id(pins().first)
        var edit = PinEdit()
        edit.time = .set(nil)
        _ = try database().editPin(pin, edit)
        _ = line.run("photos", "import", "--again", path)
        #expect(try database().pin(pin)?.time == nil)
        // An upload has no receipt that would say whether its time was read or set.
        let connection = try Connection(path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
        try connection.execute("UPDATE pin SET time = 1000; DELETE FROM import_file")
        try say(of: path, time: one, north: "47,36.0N")
        _ = line.run("photos", "import", "--again", path)
        #expect(try database().pin(pin)?.time == 1000)
        #expect(try pins().first?["lat"] as? Double == 47.6)
    }

    @Test func `Pictures that an earlier version made wrongly are made again`() throws {
        let path = try photo("a.jpg", time: noon, north: "47,30.0N")
        _ = line.run("photos", "import", path)
        let pin = try id(pins().first)
        let right = try #require(try database().picture(ofPin: pin, .thumb))
        let connection = try Connection(path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
        try connection.execute("UPDATE photo_part SET bytes = x'FFD8' WHERE size = 1; UPDATE photo SET orientation = 6")
        let run = line.run("photos", "import", "--again", path)
        #expect(run.out.contains("pictures and facts of the photo are replaced"), "\(run.out)")
        #expect(try database().picture(ofPin: pin, .thumb) == right && database().photo(ofPin: pin)?.orientation == 1)
    }

    @Test func `A photo whose place is no longer known keeps its pin`() throws {
        let path = try photo("a.jpg", time: noon, north: "47,30.0N")
        _ = line.run("photos", "import", path)
        let before = try pins()
        try FileManager.default.removeItem(atPath: path + ".xmp")
        let run = line.run("photos", "import", "--again", path)
        #expect(run.code == .incomplete && run.out.contains("not located"), "\(run.out)")
        #expect(try NSArray(array: pins()).isEqual(to: before))
    }

    /// The still and the movie of a Live Photo, which two imports from two folders have made two pins, in one folder.
    private func twoPins() throws -> (still: String, movie: String, pins: [PinID]) {
        let place = " exif:GPSLatitude=\"40,43.4N\" exif:GPSLongitude=\"73,57.0W\""
        let still = SmallPhoto.still("exif:DateTimeOriginal=\"2025-07-05T11:30:00-04:00\"" + place)
        let movie = SmallPhoto.movie("2025-07-05T11:30:01-0400")
        for path in [try write("still/IMG_0001.JPG", still), try write("movie/IMG_0001.MOV", movie)] {
            #expect(line.run("photos", "import", path).code == .done)
        }
        let all = try pins()
        #expect(all.count == 2)
        let ids = try ["2025-07-05T15:30:00Z", "2025-07-05T15:30:01Z"].map { time in
            try id(all.first { $0["time"] as? String == time })
        }
        return (try write("both/IMG_0001.JPG", still), try write("both/IMG_0001.MOV", movie), ids)
    }

    @Test(arguments: [false, true])
    func `Two pins of one Live Photo become one, with what persons added to both`(movieFirst: Bool) throws {
        let (still, movie, ids) = try twoPins()
        let database = try database()
        for (index, pin) in ids.enumerated() {
            _ = try database.addComment("to \(index)", of: "bea", on: pin)
            _ = try database.setVote(true, of: "bea", on: pin)
            _ = try database.setVote(true, of: "voter \(index)", on: pin)
        }
        let moved = try #require(try database.addComment("voted", of: "cid", on: ids[1]))
        _ = try database.setVote(true, of: "bea", onComment: moved.number, of: ids[1])
        var edit = PinEdit()
        edit.caption = .set("Of the movie")
        edit.place = PinPlace(e7Longitude: -739_000_000, latitude: 407_000_000)
        _ = try database.editPin(ids[1], edit)
        let dry = line.run("photos", "import", "--again", "--dry-run", still, movie)
        #expect(dry.out.contains("joined with pin \(ids[1])"), "\(dry.out)")
        #expect(try pins().count == 2)
        let run = line.run(["photos", "import", "--again"] + (movieFirst ? [movie, still] : [still, movie]))
        #expect(run.code == .done, "\(run.out)\(run.err)")
        #expect(run.out.contains("read again as pin \(ids[0])") && run.out.contains("joined with pin \(ids[1])"))
        #expect(run.out.contains("IMG_0001.MOV: part of the photo IMG_0001.JPG"))
        let pin = try #require(try database.pin(ids[0]))
        #expect(try pins().count == 1 && database.pin(ids[1]) == nil)
        #expect(pin.score == 3 && pin.comments == 3 && pin.caption == "Of the movie")
        // The place that the owner gave the movie is that of the photo.
        #expect(pin.place.degrees.longitude == -73.9 && pin.located == .hand)
        let comments = try database.read { try $0.comments(on: ids[0]) }
        #expect(Set(comments.map(\.text)) == ["to 0", "to 1", "voted"])
        #expect(comments.first { $0.number == moved.number }?.score == 1)
        #expect(line.run("photos", "import", "--again", still, movie).out.contains("as before"))
        // The pin stays until all imports of both files are undone.
        for number in [1, 2, 3] {
            #expect(line.run("imports", "undo", "\(number)").code == .done)
            #expect(try pins().count == 1)
        }
        #expect(line.run("verify").code == .done)
        #expect(line.run("imports", "undo", "4").code == .done)
        #expect(try pins().isEmpty)
        #expect(line.run("verify").code == .done)
    }

    @Test func `A photo that is a pin of its movie alone becomes one of the still`() throws {
        let (still, movie, ids) = try twoPins()
        #expect(line.run("pins", "remove", ids[0].description).code == .done)
        _ = try database().addComment("kept", of: "bea", on: ids[1])
        let run = line.run("photos", "import", "--again", still, movie)
        #expect(run.code == .done && run.out.contains("joined with pin \(ids[1])"), "\(run.out)\(run.err)")
        let pin = try #require(try database().pin(id(pins().first)))
        #expect(try pins().count == 1 && pin.comments == 1 && pin.id == ids[0])
        #expect(try database().photo(ofPin: pin.id)?.contentType == "image/jpeg")
        #expect(line.run("verify").code == .done)
    }

    @Test func `A movie that is named alone is not joined with the pin of its still`() throws {
        let (_, movie, ids) = try twoPins()
        let run = line.run("photos", "import", "--again", movie)
        #expect(run.code == .done && run.out.contains("read again as pin \(ids[1])"), "\(run.out)")
        #expect(try pins().count == 2)
    }
}
