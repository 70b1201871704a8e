import Database
import Digest
import Files
import Foundation
import Pins
import SQLite
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite("Photos of pins in the library", .eachStore) struct PinPhotoTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Bytes that occur nowhere else.
    private static func noise(_ seed: UInt64, _ count: Int) -> [UInt8] {
        var random = SplitMix64(seed: seed)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count {
            let word = random.next()
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        return Array(bytes.prefix(count))
    }

    private static func photo(_ seed: UInt64, original: Int? = 700_000, screen: Int = 300_000) -> PhotoContent {
        let bytes = noise(seed, original ?? 1000)
        var photo = PinPhoto(
            digest: ContentDigest(of: bytes), contentType: "image/jpeg", byteCount: Int64(bytes.count), method: .track)
        photo.radiusMetres = 12.5
        photo.pixels = (4000, 3000)
        photo.orientation = 6
        photo.camera = "Acme One"
        var pictures: [PinPhoto.Size: [UInt8]] = [
            .thumb: noise(seed &+ 1000, 9000), .screen: noise(seed &+ 2000, screen),
        ]
        if original != nil { pictures[.original] = bytes }
        return PhotoContent(photo, pictures: pictures)
    }

    /// As a file of pins adds a pin.
    private static func addWithoutPhoto(
        _ content: PinContent, to store: TrackDatabase, import number: Int64
    ) throws {
        try store.write { writer in
            try writer.session.transaction {
                var draft = ChangeLog.Draft()
                _ = try writer.put(content, origin: ImportOrigin(import: number).rawValue, &draft)
            }
        }
    }

    private static func content(_ number: Int, person: String? = nil) throws -> PinContent {
        let place = try #require(PinPlace(e7Longitude: Int64(number) * 10_000_000, latitude: 470_000_000))
        var content = PinContent(place, source: .photo, located: .track)
        content.time = Int64(number) * 1000
        content.person = person
        return content
    }

    private func pins(_ store: TrackDatabase) throws -> [Pin] {
        var pins: [Pin] = []
        try store.read { try $0.forEachPin { pins.append($0) } }
        return pins.sorted { $0.id < $1.id }
    }

    private func rows(_ table: String, _ store: TrackDatabase) throws -> Int64? {
        try store.read { try $0.session.integer("SELECT count(*) FROM \(table)") }
    }

    @Test func `What is stored is read again, byte for byte`() throws {
        let store = try TrackDatabase.fresh(folder)
        let photo = Self.photo(1)
        let added = try store.addPin(try Self.content(1), photo)
        let pin = added.pin
        #expect(added.isNew && pin.photo == photo.photo.digest.description)
        #expect(try store.photo(ofPin: pin.id) == photo.photo)
        for size in PinPhoto.Size.allCases {
            #expect(try store.picture(ofPin: pin.id, size) == photo.pictures[size], "\(size)")
        }
        #expect(try store.pictureSizes(ofPin: pin.id) == Set(PinPhoto.Size.allCases))
        #expect(try store.verify() == [])
    }

    @Test func `The same photo of a person is stored once, in any library under the same id`() throws {
        let store = try TrackDatabase.fresh(folder)
        let first = try store.beginImportRun(["x"])
        let one = try store.addPin(try Self.content(1, person: "bea"), Self.photo(1), import: first)
        let second = try store.beginImportRun(["x"])
        // Found at another place, because more tracks are there now.
        let two = try store.addPin(try Self.content(2, person: "bea"), Self.photo(1), import: second)
        #expect(one.isNew && !two.isNew && two.pin == one.pin)
        let other = try store.addPin(try Self.content(1, person: "cid"), Self.photo(1), import: second)
        #expect(other.isNew && other.pin.id != one.pin.id)
        #expect(try rows("photo", store) == 1 && rows("pin_photo", store) == 2)
        let elsewhere = try TrackDatabase.fresh(folder, "elsewhere")
        let number = try elsewhere.beginImportRun(["x"])
        #expect(
            try elsewhere.addPin(try Self.content(3, person: "bea"), Self.photo(1), import: number).pin.id == one.pin.id
        )
        #expect(try store.verify() == [])
    }

    @Test func `An original that is kept later is added to the photo`() throws {
        let store = try TrackDatabase.fresh(folder)
        var photo = Self.photo(1)
        let original = photo.pictures.removeValue(forKey: .original)
        let first = try store.addPin(try Self.content(1), photo, import: store.beginImportRun(["x"])).pin
        #expect(try store.picture(ofPin: first.id, .original) == nil)
        photo.pictures = [.original: original ?? []]
        _ = try store.addPin(try Self.content(1), photo, import: store.beginImportRun(["x"]))
        #expect(try store.picture(ofPin: first.id, .original) == original)
        #expect(try store.picture(ofPin: first.id, .thumb) == Self.photo(1).pictures[.thumb])
        #expect(try store.verify() == [])
    }

    @Test func `A photo without any picture is known, but the pin has none`() throws {
        let store = try TrackDatabase.fresh(folder)
        let empty = PhotoContent(Self.photo(1).photo, pictures: [:])
        let pin = try store.addPin(try Self.content(1), empty, import: store.beginImportRun(["x"])).pin
        #expect(pin.photo == nil)
        let again = try store.addPin(try Self.content(1), Self.photo(1), import: store.beginImportRun(["x"]))
        #expect(!again.isNew && again.pin.id == pin.id && again.pin.photo != nil)
        #expect(try store.verify() == [])
    }

    @Test(arguments: 0..<24) func `An undone import was never there, whatever the others added`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let imports = (0..<3).map { _ in (0..<4).map { _ in random.below(6) } }
        // Photos, photos with originals, or a file of pins.
        let kinds = (0..<3).map { _ in random.below(3) }
        let without = random.below(3)
        func run(_ store: TrackDatabase, _ index: Int) throws -> Int64 {
            let number = try store.beginImportRun(["x"])
            for photo in imports[index] {
                var photos = Self.photo(UInt64(photo), original: 5000, screen: 5000)
                // Of some, no small pictures can be made.
                if photo < 2 { photos.pictures = photos.pictures.filter { $0.key == .original } }
                // Of some, only one of the imports needs the pictures to be given: the others know the photo.
                photos.keepsOriginal = kinds[index] == 1
                // As if an earlier import of another person had shown it.
                let content = try Self.content(photo, person: photo % 3 == 0 && index == 1 ? "bea" : nil)
                if kinds[index] == 2 {
                    try Self.addWithoutPhoto(content.with(photos.photo), to: store, import: number)
                } else {
                    _ = try store.addPin(content, photos, import: number)
                }
            }
            return number
        }
        let reference = try TrackDatabase.fresh(folder, "reference")
        for index in 0..<3 where index != without { _ = try run(reference, index) }
        let store = try TrackDatabase.fresh(folder, "other")
        var number: Int64 = 0
        for index in (0..<3).shuffled(using: &random) {
            let made = try run(store, index)
            if index == without { number = made }
        }
        _ = try store.undoImport(importNumber: number)
        // Before the erasure, too.
        try expectSamePictures(store, reference)
        #expect(try store.verify() == [])
        try store.eraseRemoved()
        try expectSamePictures(store, reference)
        for table in ["pin", "photo", "photo_part", "pin_photo", "photo_origin", "unused_original"] {
            #expect(try rows(table, store) == rows(table, reference), "\(table)")
        }
        #expect(try store.verify() == [])
        #expect(try store.write { try $0.dueErasure() } == nil)
    }

    private func expectSamePictures(_ store: TrackDatabase, _ reference: TrackDatabase) throws {
        let pins = try pins(store)
        #expect(try pins.map(\.id) == self.pins(reference).map(\.id))
        #expect(try pins.map(\.photo) == self.pins(reference).map(\.photo))
        for pin in pins {
            #expect(try store.pictureSizes(ofPin: pin.id) == reference.pictureSizes(ofPin: pin.id))
            #expect(try store.picture(ofPin: pin.id, .original) == reference.picture(ofPin: pin.id, .original))
        }
    }

    @Test(.onlySQLite("it looks into the files"))
    func `A removed photo leaves nothing on the disk; that of another pin is kept`() throws {
        let path = folder.path + "/secret"
        let library = try Library(folder: path, zoneIfNew: "UTC")
        let store = library.database
        let gone = Self.photo(1)
        let kept = Self.photo(2)
        let first = try store.addPin(try Self.content(1, person: "bea"), gone).pin
        let second = try store.addPin(try Self.content(1, person: "cid"), gone).pin
        let other = try store.addPin(try Self.content(2), kept).pin
        #expect(try library.removePins([first.id]) == library.completeRemoval)
        #expect(try store.picture(ofPin: second.id, .original) == gone.pictures[.original])
        #expect(try library.removePins([second.id]) == library.completeRemoval)
        #expect(try rows("photo", store) == 1 && rows("pin_photo", store) == 1)
        #expect(try store.picture(ofPin: other.id, .original) == kept.pictures[.original])
        #expect(try store.verify() == [])
        // Any 64 bytes of a picture, from the beginning, the middle and the end.
        for file in try Folder.entries(of: path).map(\.path) {
            let name = file.hasPrefix("/") ? file : path + "/" + file
            guard let bytes = try? Data(contentsOf: URL(fileURLWithPath: name)) else { continue }
            for picture in gone.pictures.values {
                for start in stride(from: 0, to: picture.count - 64, by: picture.count / 7) {
                    #expect(bytes.range(of: Data(picture[start..<(start + 64)])) == nil, "\(name)")
                }
            }
        }
    }

    @Test func `A photo that an interrupted removal left is overwritten when the library is next opened`() throws {
        let path = folder.path + "/interrupted"
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            let pin = try library.database.addPin(try Self.content(1), Self.photo(1)).pin
            _ = try library.database.markRemoved(pins: [pin.id])
            #expect(try library.database.picture(ofPin: pin.id, .thumb) == nil)
            #expect(try rows("photo_part", library.database) ?? 0 > 0)
        }
        let library = try Library(folder: path)
        #expect(try rows("photo_part", library.database) == 0 && rows("photo", library.database) == 0)
        #expect(try library.database.verify() == [])
    }

    @Test func `A photo that is stored again while it is erased is whole, whatever the erasure has left`() throws {
        let photo = Self.photo(1, original: Int(PhotoRows.erasedParts + 2) * PhotoRows.partBytes)
        for person in [nil, "bea"] {
            for steps in 0...2 {
                let store = try TrackDatabase.fresh(folder, "erased \(person ?? "") \(steps)")
                let first = try store.addPin(try Self.content(1), photo).pin
                let parts = try rows("photo_part", store)
                _ = try store.markRemoved(pins: [first.id])
                for _ in 0..<steps { #expect(try store.write { try $0.eraseSomePhotos() }) }
                #expect(try steps == 0 || rows("photo_part", store) ?? 0 < parts ?? 0)
                let again = try store.addPin(try Self.content(1, person: person), photo).pin
                try store.eraseRemoved()
                for size in PinPhoto.Size.allCases {
                    #expect(try store.picture(ofPin: again.id, size) == photo.pictures[size], "\(size) after \(steps)")
                }
                #expect(try rows("photo_part", store) == parts && rows("photo", store) == 1)
                #expect(try store.verify() == [])
            }
        }
    }

    @Test func `What an erasure has left of a photo is not shown by a pin without pictures`() throws {
        let store = try TrackDatabase.fresh(folder)
        let photo = Self.photo(1, original: Int(PhotoRows.erasedParts + 2) * PhotoRows.partBytes)
        _ = try store.markRemoved(pins: [try store.addPin(try Self.content(1), photo).pin.id])
        #expect(try store.write { try $0.eraseSomePhotos() })
        let pin = try store.addPin(try Self.content(1), PhotoContent(photo.photo, pictures: [:])).pin
        #expect(try pin.photo == nil && store.pictureSizes(ofPin: pin.id) == [])
        #expect(try store.verify() == [])
    }

    @Test(arguments: [[0], [0, 1], [1], [2]])
    func `A picture of which parts are missing is not read, and is stored anew with the same file`(
        missing: [Int64]
    ) throws {
        let store = try TrackDatabase.fresh(folder)
        let photo = Self.photo(1, original: 1_000_000)
        let pin = try store.addPin(try Self.content(1), photo).pin
        // As earlier versions left it.
        try store.write { writer in
            for ordinal in missing {
                try writer.session.run("DELETE FROM photo_part WHERE size = 0 AND ordinal = $1", [.integer(ordinal)])
            }
        }
        #expect(try store.verify() != [])
        #expect(try store.picture(ofPin: pin.id, .original) == nil)
        #expect(try store.storedPictures(ofPin: pin.id) == ([.thumb, .screen], [.original]))
        #expect(try store.addPin(try Self.content(1), photo).pin.id == pin.id)
        for size in PinPhoto.Size.allCases { #expect(try store.picture(ofPin: pin.id, size) == photo.pictures[size]) }
        #expect(try store.storedPictures(ofPin: pin.id) == (Set(PinPhoto.Size.allCases), []))
        #expect(try store.verify() == [])
    }

    @Test func `A pin that a file added without its photo gets it from an import of photos`() throws {
        let store = try TrackDatabase.fresh(folder)
        let photo = Self.photo(1, original: nil)
        let content = try Self.content(1).with(photo.photo)
        let number = try store.beginImportRun(["pins.geojson"])
        try Self.addWithoutPhoto(content, to: store, import: number)
        #expect(try store.pin(content.id)?.photo == nil)
        let pin = try store.addPin(try Self.content(1), photo, import: store.beginImportRun(["DCIM"])).pin
        #expect(pin.id == content.id && pin.photo == photo.photo.digest.description)
        #expect(try store.picture(ofPin: pin.id, .thumb) == photo.pictures[.thumb])
        #expect(try pins(store).count == 1 && store.verify() == [])
        // And loses it with this import.
        _ = try store.undoImport(importNumber: try #require(try store.imports(limit: 1).first).number)
        #expect(try store.pin(content.id)?.photo == nil && store.pictureSizes(ofPin: pin.id) == [])
        try store.eraseRemoved()
        #expect(try rows("photo", store) == 0 && pins(store).count == 1 && store.verify() == [])
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `A library of the version before photos is upgraded, and takes photos`() throws {
        let path = folder.path + "/old"
        let old: Pin
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            old = try library.database.addPin(try Self.content(1))
        }
        do {
            let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute(
                """
                DROP TABLE photo; DROP TABLE photo_part; DROP TABLE pin_photo;
                DROP TABLE photo_origin; DROP TABLE unused_original;
                DELETE FROM sqlite_sequence WHERE name IN ('photo', 'photo_part');
                PRAGMA user_version = 8
                """)
        }
        let library = try Library(folder: path)
        #expect(try library.database.pin(old.id) == old)
        let pin = try library.database.addPin(try Self.content(2), Self.photo(1)).pin
        #expect(try library.database.picture(ofPin: pin.id, .screen) == Self.photo(1).pictures[.screen])
        #expect(try library.database.verify() == [])
    }
}
