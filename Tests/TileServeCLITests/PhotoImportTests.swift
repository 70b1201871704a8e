import Digest
import Files
import Foundation
import JPEG
import PhotoLocating
import Pins
import PrimaryStore
import SQLite
import Testing
import TileMath
import TrackStore
import Tracks

@testable import TileServeCLI

@Suite("photos import")
struct PhotoImportTests {
    /// A JPEG file with a picture, whose metadata are in an XMP packet.
    private static func photo(_ attributes: String, shade: UInt8) throws -> [UInt8] {
        var pixels: [UInt8] = []
        for index in 0..<(400 * 300) {
            pixels.append(shade)
            pixels.append(UInt8(index % 251))
            pixels.append(UInt8(index / 400 % 256))
        }
        let plain = try JPEGCodec.encode(JPEGPicture(width: 400, height: 300, pixels: pixels), quality: 90)
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
            tiff:Make="Acme" \(attributes)/></rdf:RDF></x:xmpmeta>
            """
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let count = content.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + content + plain.dropFirst(2)
    }

    private static func time(_ text: String) -> String { "exif:DateTimeOriginal=\"\(text)\"" }

    /// A library with a walk near Zurich from 2025-06-01T10:00:00Z, 20 points in 20 s, and a folder of photos.
    private func harness() throws -> (line: CommandLineHarness, photos: String) {
        let line = try CommandLineHarness()
        #expect(line.run("import", try line.walk("a.gpx")).code == .done)
        let photos = line.folder.path + "/DCIM"
        try FileManager.default.createDirectory(atPath: photos + "/sub", withIntermediateDirectories: true)
        let files: [(String, String, UInt8)] = [
            ("on.jpg", Self.time("2025-06-01T10:00:05+00:00"), 1),
            ("sub/exif.jpg", "exif:GPSLatitude=\"47,30.0N\" exif:GPSLongitude=\"8,15.0E\"", 2),
            ("late.jpg", Self.time("2026-06-01T10:00:05+00:00"), 3),
        ]
        for (name, attributes, shade) in files {
            try AtomicFile.write(Self.photo(attributes, shade: shade), to: photos + "/" + name, durability: .cached)
        }
        try AtomicFile.write(Array("notes".utf8), to: photos + "/notes.txt", durability: .cached)
        return (line, photos)
    }

    /// The digests of all files of a folder.
    private func digests(_ folder: String) throws -> [String: ContentDigest] {
        var found: [String: ContentDigest] = [:]
        try Folder.walk(folder, refused: { Issue.record("\($0)") }) { path in
            found[path] = (try? AtomicFile.read(path)).flatMap { $0 }.map { ContentDigest(of: $0) }
        }
        return found
    }

    private func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test("Photos become pins with a receipt for each, twice is once, and an undone import was never there")
    func imported() throws {
        let (line, photos) = try harness()
        let before = try digests(photos)
        #expect(before.count == 4)
        let dry = line.run("photos", "import", "--dry-run", photos)
        #expect(dry.code == .incomplete && dry.out.contains("3 photos: 2 would be stored"), "\(dry.out)\(dry.err)")
        #expect(line.run("pins", "list", "--json").out == "")
        let first = line.run("photos", "import", "--json", "--category", "Trip", photos)
        #expect(first.code == .incomplete, "\(first.err)")
        let receipts = try objects(first.out)
        #expect(receipts.count == 4)
        let results = Dictionary(
            uniqueKeysWithValues: receipts.dropLast().map {
                ((($0["file"] as? String) ?? "").split(separator: "/").last.map(String.init) ?? "", $0)
            })
        #expect(results["on.jpg"]?["result"] as? String == "stored")
        #expect(results["on.jpg"]?["located"] as? String == "track")
        #expect(results["exif.jpg"]?["located"] as? String == "exif" && results["exif.jpg"]?["lon"] as? Double == 8.25)
        #expect(results["late.jpg"]?["result"] as? String == "not-located")
        #expect((results["late.jpg"]?["reason"] as? String)?.contains("tracks end earlier") == true)
        #expect(receipts[3]["stored"] as? Int == 2 && receipts[3]["notLocated"] as? Int == 1)
        let number = try #require(receipts[3]["import"] as? Int)
        let pins = try objects(line.run("pins", "list", "--json").out)
        #expect(pins.count == 2)
        #expect(
            pins.allSatisfy {
                $0["source"] as? String == "photo" && $0["photo"] as? Bool == true
                    && $0["category"] as? String == "trip"
            })
        let id = try #require(results["on.jpg"]?["pin"] as? String)
        let shown = try #require(try objects(line.run("pins", "show", "--json", id).out).first)
        #expect(shown["pictures"] as? [String] == ["thumb", "screen"] && shown["camera"] as? String == "Acme")
        #expect(shown["width"] as? Int == 400 && shown["method"] as? String == "track")
        // Again, under another name: nothing is new, and no import is left.
        try FileManager.default.copyItem(atPath: photos + "/on.jpg", toPath: photos + "/copy.jpg")
        let again = line.run("photos", "import", photos)
        #expect(again.out.contains("4 photos: 0 stored, 3 stored already, 1 not located, 0 unreadable"), "\(again.out)")
        #expect(try objects(line.run("pins", "list", "--json").out).count == 2)
        let second = try #require(again.out.split(separator: " ").last.flatMap { Int($0.filter(\.isNumber)) })
        // What both added stays until both are undone.
        #expect(line.run("imports", "undo", "\(number)").code == .done)
        #expect(try objects(line.run("pins", "list", "--json").out).count == 2)
        #expect(line.run("imports", "undo", "\(second)").out.contains("2 pins"))
        #expect(line.run("pins", "list", "--json").out == "")
        #expect(line.run("verify").code == .done)
        try FileManager.default.removeItem(atPath: photos + "/copy.jpg")
        #expect(try digests(photos) == before)
    }

    @Test("Originals are kept if asked for, also later, and a person's photos are theirs")
    func originals() throws {
        let (line, photos) = try harness()
        let file = photos + "/sub/exif.jpg"
        #expect(line.run("photos", "import", "--person", "bea", file).code == .done)
        let kept = line.run("photos", "import", "--person", "bea", "--keep-originals", file)
        #expect(kept.code == .done && kept.out.contains("1 stored already"))
        let pins = try objects(line.run("pins", "list", "--json", "--person", "bea").out)
        let id = try #require(pins.first?["id"] as? String)
        #expect(pins.count == 1)
        let shown = try #require(try objects(line.run("pins", "show", "--json", id).out).first)
        #expect(shown["pictures"] as? [String] == ["thumb", "screen", "original"])
        // The tracks are not those of bea.
        let other = line.run("photos", "import", "--person", "bea", photos + "/on.jpg")
        #expect(other.code == .incomplete && other.out.contains("not located: no track is near this time"))
    }

    @Test("Originals that an undone import kept of photos that are stored already are removed, the photos stay")
    func undoneOriginals() throws {
        let (line, photos) = try harness()
        let file = photos + "/sub/exif.jpg"
        func pictures() throws -> [String]? {
            let id = try #require(try objects(line.run("pins", "list", "--json").out).first?["id"] as? String)
            return try objects(line.run("pins", "show", "--json", id).out).first?["pictures"] as? [String]
        }
        func lastImport() throws -> String {
            try "\(#require(Library(folder: line.library).database.imports(limit: 1).first).number)"
        }
        #expect(line.run("photos", "import", file).code == .done)
        #expect(line.run("photos", "import", "--keep-originals", file).code == .done)
        let first = try lastImport()
        // The original is stored already, and belongs to this import, too.
        #expect(line.run("photos", "import", "--keep-originals", file).code == .done)
        let second = try lastImport()
        #expect(line.run("imports", "undo", first).code == .done)
        #expect(try pictures() == ["thumb", "screen", "original"])
        #expect(line.run("imports", "undo", second).code == .done)
        #expect(try pictures() == ["thumb", "screen"])
        #expect(line.run("verify").code == .done)
    }

    @Test("A photo of which pictures are missing gets them when it is imported again")
    func missingPictures() throws {
        let (line, photos) = try harness()
        let file = photos + "/sub/exif.jpg"
        let bytes = try #require(try AtomicFile.read(file))
        let library = try Library(folder: line.library)
        let place = try #require(PinPlace(longitude: 8.25, latitude: 47.5))
        let photo = PinPhoto(
            digest: ContentDigest(of: bytes), contentType: "image/jpeg", byteCount: Int64(bytes.count), method: .exif)
        let pin = try library.database.addPin(
            PinContent(place, source: .photo, located: .exif), PhotoContent(photo, pictures: [:])
        ).pin
        #expect(try pin.photo == nil && library.database.pictureSizes(ofPin: pin.id) == [])
        let run = line.run("photos", "import", file)
        #expect(run.code == .done && run.out.contains("1 stored already"), "\(run.out)\(run.err)")
        #expect(try library.database.pictureSizes(ofPin: pin.id) == [.thumb, .screen])
        #expect(try library.database.pin(pin.id)?.photo == photo.digest.description)
        #expect(line.run("verify").code == .done)
    }

    @Test("An original of which a part is missing is stored anew, also without --keep-originals")
    func incompleteOriginal() throws {
        let (line, photos) = try harness()
        let file = photos + "/large.jpg"
        // Three parts.
        let bytes = try #require(try AtomicFile.read(photos + "/sub/exif.jpg")) + [UInt8](repeating: 7, count: 600_000)
        try AtomicFile.write(bytes, to: file, durability: .cached)
        #expect(line.run("photos", "import", "--keep-originals", file).code == .done)
        let pin = try #require(try objects(line.run("pins", "list", "--json").out).first?["id"] as? String)
        func pictures() throws -> [String]? {
            try objects(line.run("pins", "show", "--json", pin).out).first?["pictures"] as? [String]
        }
        let connection = try Connection(path: line.library + "/tracks.sqlite", options: OpenOptions(mode: .create))
        try connection.execute("DELETE FROM photo_part WHERE size = 0 AND ordinal = 0")
        #expect(try pictures() == ["thumb", "screen"])
        #expect(line.run("photos", "import", file).code == .done)
        #expect(try pictures() == ["thumb", "screen", "original"])
        let library = try Library(folder: line.library)
        #expect(try library.database.picture(ofPin: #require(PinID(pin)), .original) == bytes)
    }

    @Test("A photo whose pin is removed after it has been read is stored with its pictures")
    func removedMeanwhile() throws {
        let (line, photos) = try harness()
        let file = photos + "/sub/exif.jpg"
        #expect(line.run("photos", "import", file).code == .done)
        let (command, known) = try importOf(file, line)
        let library = try Library(folder: line.library)
        let prepared = try command.prepare(known, library)
        let number = try library.database.beginImportRun([file])
        let old = try #require(try objects(line.run("pins", "list", "--json").out).first?["id"] as? String)
        #expect(line.run("pins", "remove", old).code == .done)
        let receipt = try command.storePrepared(prepared, of: known, number, library)
        guard case .stored(let id?) = receipt.outcome else { return #expect(Bool(false), "\(receipt.outcome)") }
        #expect(try library.database.pictureSizes(ofPin: id) == [.thumb, .screen])
        #expect(try library.database.pin(id)?.photo != nil)
        #expect(try library.database.verify() == [])
    }

    @Test("A photo whose original is removed after it has been read is stored with its original")
    func removedOriginalMeanwhile() throws {
        let (line, photos) = try harness()
        let file = photos + "/sub/exif.jpg"
        #expect(line.run("photos", "import", file).code == .done)
        #expect(line.run("photos", "import", "--keep-originals", file).code == .done)
        let library = try Library(folder: line.library)
        let undone = try #require(try library.database.imports(limit: 1).first).number
        let (command, known) = try importOf(file, line, "--keep-originals")
        let prepared = try command.prepare(known, library)
        let number = try library.database.beginImportRun([file])
        #expect(line.run("imports", "undo", "\(undone)").code == .done)
        let receipt = try command.storePrepared(prepared, of: known, number, library)
        guard case .duplicate(let id) = receipt.outcome else { return #expect(Bool(false), "\(receipt.outcome)") }
        #expect(try library.database.pictureSizes(ofPin: id) == Set(PinPhoto.Size.allCases))
        #expect(try library.database.picture(ofPin: id, .original) == AtomicFile.read(file))
        #expect(try library.database.verify() == [])
    }

    /// The command that imports a photo, and the photo as it has been located.
    private func importOf(
        _ file: String, _ line: CommandLineHarness, _ options: String...
    ) throws -> (command: PhotoImportCommand, file: LocatedFile) {
        let command = try PhotoImportCommand(
            CommandLineArguments(
                ["--library", line.library] + options + [file], options: PhotoImportCommand.screen.options,
                operands: PhotoImportCommand.operands), environment: [:])
        let zone = try #require(DayCalendar(zone: "UTC"))
        let place = try #require(GeoPoint(longitude: 8.25, latitude: 47.5))
        let located = try PhotoLocator(libraryZone: zone, zone: { _ in nil }, timelines: { _ in [] })
            .locate(PhotoLocator.Question(PhotoMetadata(), givenPlace: place))
        return (command, LocatedFile(path: file, metadata: PhotoMetadata(), photo: located))
    }

    @Test("The clock of a camera is learned from all photos of the command")
    func learned() throws {
        let (line, photos) = try harness()
        // The clock is 3 h 10 min 7 s ahead.
        let wrong = photos + "/wrong.jpg"
        let known = photos + "/known.jpg"
        try AtomicFile.write(Self.photo(Self.time("2025-06-01T13:10:17"), shade: 9), to: wrong, durability: .cached)
        try AtomicFile.write(Self.photo(Self.time("2025-06-01T13:10:12"), shade: 8), to: known, durability: .cached)
        let all = line.run("photos", "import", "--json", "--at", "known.jpg=8.54,47.3705", wrong, known)
        let receipts = try objects(all.out)
        #expect(receipts.count == 3, "\(all.out)\(all.err)")
        #expect((receipts[0]["time"] as? String)?.hasPrefix("2025-06-01T10:00:1") == true, "\(all.out)")
        #expect(receipts[0]["located"] as? String == "track" && receipts[1]["located"] as? String == "hand")
    }

    @Test("Files that are no photos, or damaged, are reported and do not stop the others")
    func damaged() throws {
        let (line, photos) = try harness()
        let broken = photos + "/broken.jpg"
        let bytes = try Self.photo(Self.time("2025-06-01T10:00:05+00:00"), shade: 7)
        try AtomicFile.write(Array(bytes.prefix(bytes.count / 2)), to: broken, durability: .cached)
        let run = line.run("photos", "import", broken, photos + "/notes.txt", photos + "/gone.jpg", photos + "/on.jpg")
        #expect(run.code == .incomplete)
        #expect(run.out.contains("1 stored, 0 stored already, 0 not located, 3 unreadable"), "\(run.out)")
        #expect(run.out.contains("broken.jpg: ") && run.out.contains("notes.txt: not a photo"))
        #expect(line.run("verify").code == .done)
    }
}
