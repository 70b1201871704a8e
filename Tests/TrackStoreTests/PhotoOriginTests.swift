import Database
import Digest
import Files
import Foundation
import Pins
import SQLite
import TestLibrary
import TestSupport
import Testing

@testable import PrimaryStore
@testable import TrackStore

@Suite("Origins of photos and originals", .eachStore) struct PhotoOriginTests {
    private let folder: TemporaryFolder
    private static let bytes = (0..<(Int(PhotoRows.erasedParts + 2) * PhotoRows.partBytes)).map {
        UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9)
    }

    private let original = bytes

    init() throws {
        folder = try TemporaryFolder()
    }

    private func photo(keepingOriginal keeps: Bool) -> PhotoContent {
        let photo = PinPhoto(
            digest: ContentDigest(of: original), contentType: "image/jpeg", byteCount: Int64(original.count),
            method: .exif)
        var pictures: [PinPhoto.Size: [UInt8]] = [.thumb: [1, 2, 3], .screen: [4, 5, 6, 7]]
        if keeps { pictures[.original] = original }
        return PhotoContent(photo, pictures: pictures)
    }

    private func content(of person: String? = nil) throws -> PinContent {
        var content = PinContent(
            try #require(PinPlace(longitude: 8.25, latitude: 47.5)), source: .photo, located: .exif)
        content.person = person
        return content
    }

    /// Imports the photo in an import of its own, and returns its pin and the number of the import.
    private func add(
        to store: TrackDatabase, of person: String? = nil, keepingOriginal keeps: Bool
    ) throws -> (pin: PinID, number: Int64) {
        let number = try store.beginImportRun(["DCIM"])
        let result = try store.addPin(
            try content(of: person), photo(keepingOriginal: keeps), import: number)
        return (result.pin.id, number)
    }

    private func originalParts(_ store: TrackDatabase) throws -> Int64? {
        try store.read { try $0.session.integer("SELECT count(*) FROM photo_part WHERE size = 0") }
    }

    @Test(.onlySQLite("it looks into the files"))
    func `An original goes with the import that kept it, at once for readers, then from the disk`() throws {
        let path = folder.path + "/library"
        let library = try Library(folder: path, zoneIfNew: "UTC")
        let store = library.database
        let (pin, _) = try add(to: store, keepingOriginal: false)
        let (_, number) = try add(to: store, keepingOriginal: true)
        #expect(try store.picture(ofPin: pin, .original) == original)
        _ = try store.undoImport(importNumber: number)
        #expect(try store.picture(ofPin: pin, .original) == nil)
        #expect(try store.pictureSizes(ofPin: pin) == [.thumb, .screen] && originalParts(store) ?? 0 > 0)
        #expect(try store.verify() == [])
        #expect(try store.write { try $0.eraseSomeOriginals() } && store.verify() == [])
        #expect(try store.eraseRemoved() != .prevented && originalParts(store) == 0)
        #expect(try store.picture(ofPin: pin, .screen) == [4, 5, 6, 7])
        for file in try Folder.entries(of: path).map(\.path) {
            guard let bytes = try AtomicFile.read(file.hasPrefix("/") ? file : path + "/" + file) else { continue }
            for start in stride(from: 0, to: original.count - 64, by: original.count / 7) {
                #expect(Data(bytes).range(of: Data(original[start..<(start + 64)])) == nil, "\(file)")
            }
        }
    }

    @Test func `An original stays while another pin or import keeps it`() throws {
        let store = try TrackDatabase.fresh(folder)
        let (ada, _) = try add(to: store, of: "ada", keepingOriginal: false)
        let (bea, _) = try add(to: store, of: "bea", keepingOriginal: true)
        let (_, number) = try add(to: store, of: "ada", keepingOriginal: true)
        _ = try store.undoImport(importNumber: number)
        try store.eraseRemoved()
        #expect(try store.picture(ofPin: ada, .original) == original)
        _ = try store.markRemoved(pins: [bea])
        #expect(try store.picture(ofPin: ada, .original) == nil && store.verify() == [])
        try store.eraseRemoved()
        #expect(try originalParts(store) == 0 && store.pictureSizes(ofPin: ada) == [.thumb, .screen])
        #expect(try store.verify() == [])
    }

    @Test(arguments: 0...2) func `An original that is stored again while it is erased is whole`(steps: Int) throws {
        let store = try TrackDatabase.fresh(folder)
        let (pin, _) = try add(to: store, keepingOriginal: false)
        let (_, number) = try add(to: store, keepingOriginal: true)
        _ = try store.undoImport(importNumber: number)
        for _ in 0..<steps { #expect(try store.write { try $0.eraseSomeOriginals() }) }
        // Nothing but the pictures that this import adds is stored.
        _ = try add(to: store, keepingOriginal: false)
        #expect(try store.picture(ofPin: pin, .original) == nil)
        let (_, last) = try add(to: store, keepingOriginal: true)
        try store.eraseRemoved()
        #expect(try store.picture(ofPin: pin, .original) == original && store.verify() == [])
        _ = try store.undoImport(importNumber: last)
        try store.eraseRemoved()
        #expect(try originalParts(store) == 0 && store.verify() == [])
    }

    @Test func `An upload keeps the pin, the photo and the original that imports added, too`() throws {
        let store = try TrackDatabase.fresh(folder)
        let (pin, first) = try add(to: store, keepingOriginal: false)
        let (_, second) = try add(to: store, keepingOriginal: true)
        #expect(try store.addPin(try content(), photo(keepingOriginal: true)).pin.id == pin)
        for number in [second, first] { _ = try store.undoImport(importNumber: number) }
        try store.eraseRemoved()
        #expect(try store.picture(ofPin: pin, .original) == original && store.verify() == [])
        // In the other order: the upload adds the original, and an import finds it.
        let other = try TrackDatabase.fresh(folder, "other")
        let (bea, _) = try add(to: other, of: "bea", keepingOriginal: false)
        let (mine, before) = try add(to: other, keepingOriginal: false)
        #expect(try other.addPin(try content(), photo(keepingOriginal: true)).pin.id == mine)
        let (_, last) = try add(to: other, keepingOriginal: true)
        for number in [last, before] { _ = try other.undoImport(importNumber: number) }
        #expect(try other.picture(ofPin: bea, .original) == original)
        _ = try other.markRemoved(pins: [mine])
        try other.eraseRemoved()
        #expect(try other.pictureSizes(ofPin: bea) == [.thumb, .screen] && originalParts(other) == 0)
        #expect(try other.verify() == [])
    }

    @Test func `A pin that has lost the photo of two imports is one problem`() throws {
        let store = try TrackDatabase.fresh(folder)
        _ = try add(to: store, keepingOriginal: false)
        _ = try add(to: store, keepingOriginal: true)
        #expect(try store.read { try $0.photoOriginProblems() } == [])
        try store.write { try $0.session.run("DELETE FROM pin_photo") }
        #expect(
            try store.read { try $0.photoOriginProblems() } == ["1 pins have lost the photo that an import added"])
    }

    @Test func `All pins of a photo name it while the library has a picture of it`() throws {
        let store = try TrackDatabase.fresh(folder)
        // A raw photo: no small pictures can be made.
        func add(_ person: String, _ given: PhotoContent, keeps: Bool) throws -> (pin: PinID, number: Int64) {
            var photo = given
            photo.keepsOriginal = keeps
            let number = try store.beginImportRun(["DCIM"])
            return (try store.addPin(try content(of: person), photo, import: number).pin.id, number)
        }
        let none = PhotoContent(photo(keepingOriginal: false).photo, pictures: [:])
        let whole = PhotoContent(none.photo, pictures: [.original: original])
        let (ada, _) = try add("ada", none, keeps: false)
        #expect(try store.pin(ada)?.photo == nil)
        let (bea, number) = try add("bea", whole, keeps: true)
        #expect(try store.pin(ada)?.photo != nil && store.pin(bea)?.photo != nil)
        let (_, last) = try add("ada", none, keeps: true)
        _ = try store.undoImport(importNumber: number)
        #expect(try store.pin(bea) == nil && store.pin(ada)?.photo != nil)
        #expect(try store.picture(ofPin: ada, .original) == original && store.verify() == [])
        _ = try store.undoImport(importNumber: last)
        #expect(try store.pin(ada)?.photo == nil && store.verify() == [])
        try store.eraseRemoved()
        #expect(try originalParts(store) == 0 && store.verify() == [])
    }

    @Test func `A repair does not restore an original that was removed meanwhile`() throws {
        let store = try TrackDatabase.fresh(folder)
        let (pin, _) = try add(to: store, keepingOriginal: false)
        let (_, number) = try add(to: store, keepingOriginal: true)
        var repair = photo(keepingOriginal: true)
        repair.keepsOriginal = false
        _ = try store.undoImport(importNumber: number)
        #expect(try !store.addPin(try content(), repair, import: store.beginImportRun(["DCIM"])).lacksOriginal)
        #expect(try store.picture(ofPin: pin, .original) == nil)
        try store.eraseRemoved()
        #expect(try originalParts(store) == 0 && store.verify() == [])
    }

    @Test func `Whoever needs an original that was removed meanwhile does not keep it`() throws {
        let store = try TrackDatabase.fresh(folder)
        let (pin, _) = try add(to: store, keepingOriginal: false)
        var known = photo(keepingOriginal: false)
        known.keepsOriginal = true
        #expect(try store.addPin(try content(), known, import: store.beginImportRun(["DCIM"])).lacksOriginal)
        #expect(try store.picture(ofPin: pin, .original) == nil && store.verify() == [])
    }

    @Test func `An interrupted erasure of an original is finished when the library is next opened`() throws {
        let path = folder.path + "/interrupted"
        do {
            let store = try Library(folder: path, zoneIfNew: "UTC").database
            _ = try add(to: store, keepingOriginal: false)
            _ = try store.undoImport(importNumber: try add(to: store, keepingOriginal: true).number)
            #expect(try store.write { try $0.eraseSomeOriginals() } && originalParts(store) ?? 0 > 0)
        }
        let store = try Library(folder: path).database
        #expect(try originalParts(store) == 0 && store.verify() == [])
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `An original that is new to a library of the previous version goes with its import`() throws {
        let path = folder.path + "/old"
        do {
            _ = try add(to: try Library(folder: path, zoneIfNew: "UTC").database, keepingOriginal: false)
        }
        try downgrade(path)
        let store = try Library(folder: path).database
        let (pin, number) = try add(to: store, keepingOriginal: true)
        #expect(try store.picture(ofPin: pin, .original) == original)
        _ = try store.undoImport(importNumber: number)
        try store.eraseRemoved()
        #expect(try store.pictureSizes(ofPin: pin) == [.thumb, .screen] && originalParts(store) == 0)
        #expect(try store.verify() == [])
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `Originals of the previous version stay as long as their photo`() throws {
        let path = folder.path + "/old"
        let pin: PinID
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            pin = try add(to: library.database, keepingOriginal: true).pin
        }
        try downgrade(path)
        let store = try Library(folder: path).database
        var number = try add(to: store, keepingOriginal: true).number
        _ = try store.undoImport(importNumber: number)
        try store.eraseRemoved()
        #expect(try store.picture(ofPin: pin, .original) == original)
        number = try #require(try store.imports(limit: 1).first).number
        _ = try store.undoImport(importNumber: number)
        try store.eraseRemoved()
        #expect(try originalParts(store) == 0)
        #expect(try store.verify() == [])
    }

    /// Makes a library one of the previous version.
    private func downgrade(_ path: String) throws {
        let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
        try connection.execute(
            """
            DROP TABLE photo_origin; DROP TABLE unused_original; DELETE FROM row_sum WHERE name = 'photo_origin';
            PRAGMA user_version = 11
            """)
    }
}
