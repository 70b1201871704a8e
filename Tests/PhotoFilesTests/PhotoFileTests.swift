import Decompression
import Files
import Foundation
import JPEG
import PhotoLocating
import Testing
import TileMath

@testable import PhotoFiles

/// Metadata of photos and videos of all formats.
struct PhotoFileTests {
    private static let photo: [PhotoBuilder.Field] = [
        .text(0x9003, "2025:08:31 10:25:44"), .text(0x9291, "25"), .text(0x9011, "+02:00"), .text(0xA431, "S-17"),
    ]
    private static let image: [PhotoBuilder.Field] = [.text(0x010F, "Acme"), .text(0x0110, "M1"), .short(0x0112, 6)]
    private static let position: [PhotoBuilder.Field] = [
        .text(1, "S"), .fractions(2, [(33, 1), (52, 1), (3000, 100)]), .text(3, "E"),
        .fractions(4, [(151, 1), (12, 1), (36, 1)]), .fractions(7, [(8, 1), (25, 1), (4325, 100)]),
        .text(0x1D, "2025:08:31"), .fractions(0x1F, [(75, 10)]),
    ]
    /// 2025-08-31T08:25:43.25Z, the time of the receiver.
    private static let instant: Int64 = 1_756_628_743_250

    private func check(_ metadata: PhotoMetadata, _ format: String) {
        let shown: Int64 = 1_756_635_944_250
        #expect(
            metadata.readings.first
                == ClockReading(shown: shown, meaning: .offset(seconds: 7200), field: "DateTimeOriginal"), "\(format)")
        #expect(metadata.make == "Acme" && metadata.model == "M1" && metadata.serial == "S-17", "\(format)")
        #expect(metadata.orientation == 6, "\(format)")
        #expect(metadata.stamp.instant == Self.instant, "\(format)")
        #expect(abs((metadata.stamp.place?.latitude ?? 0) + 33.875) < 1e-9, "\(format)")
        #expect(abs((metadata.stamp.place?.longitude ?? 0) - 151.21) < 1e-9, "\(format)")
        #expect(metadata.stamp.accuracyMetres == 7.5, "\(format)")
    }

    @Test("EXIF is read the same from JPEG, TIFF, PNG, WebP and CR3, in both byte orders", arguments: [false, true])
    func formats(big: Bool) throws {
        let tiff = PhotoBuilder.tiff(Self.image, photo: Self.photo, position: Self.position, big: big)
        check(try PhotoFile(bytes: tiff).metadata(), "TIFF")
        let jpeg = try PhotoFile(bytes: PhotoBuilder.jpeg(exif: tiff)).metadata()
        check(jpeg, "JPEG")
        #expect(jpeg.size == PixelSize(width: 640, height: 480))
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            PhotoBuilder.big(content.count) + Array(type.utf8) + content + PhotoBuilder.big(0)
        }
        let head = PhotoBuilder.big(640) + PhotoBuilder.big(480) + [8, 2, 0, 0, 0]
        let png =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head) + chunk("eXIf", tiff)
            + chunk("IEND", [])
        check(try PhotoFile(bytes: png).metadata(), "PNG")
        func part(_ type: String, _ content: [UInt8]) -> [UInt8] {
            Array(type.utf8) + PhotoBuilder.number(content.count, 4, big: false) + content
                + (content.count % 2 == 1 ? [0] : [])
        }
        let webp =
            Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)
            + part("VP8X", [8, 0, 0, 0, 0x7F, 2, 0, 0xDF, 1, 0]) + part("EXIF", tiff)
        let webpMetadata = try PhotoFile(bytes: webp).metadata()
        check(webpMetadata, "WebP")
        #expect(webpMetadata.size == PixelSize(width: 640, height: 480))
        let canon: [UInt8] = [
            0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
        ]
        let boxes =
            PhotoBuilder.box("CMT1", PhotoBuilder.tiff(Self.image, big: big))
            + PhotoBuilder.box("CMT2", PhotoBuilder.tiff(Self.photo, big: big))
            + PhotoBuilder.box("CMT3", PhotoBuilder.tiff([.text(0x10, "the maker's notes")], big: big))
            + PhotoBuilder.box("CMT4", PhotoBuilder.tiff(Self.position, big: big))
        let cr3 = PhotoBuilder.movie(brand: "crx ", PhotoBuilder.box("uuid", canon + boxes))
        check(try PhotoFile(bytes: cr3).metadata(), "CR3")
    }

    @Test("EXIF and XMP of PNG are read from plain and compressed texts, and from raw profiles")
    func pngTexts() throws {
        func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
            PhotoBuilder.big(content.count) + Array(type.utf8) + content + PhotoBuilder.big(0)
        }
        func png(_ chunk: [UInt8]) -> [UInt8] {
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk
        }
        func text(_ text: String) -> [UInt8] { Array(text.utf8) }
        func packed(_ bytes: [UInt8]) throws -> [UInt8] {
            try DeflateWriter(.zlib, level: .fastest).compress(bytes, isLast: true)
        }
        func profile(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
            let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            let lines = stride(from: 0, to: digits.count, by: 36).map {
                digits[$0..<min(digits.count, $0 + 36)].joined()
            }
            return text("\n\(name)\n    \(bytes.count)\n\(lines.joined(separator: "\n"))\n")
        }
        let tiff = PhotoBuilder.tiff(Self.image, photo: Self.photo, position: Self.position)
        let exif = profile("exif", text("Exif\0\0") + tiff)
        let packet = text(
            """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:DateTimeOriginal="2025-08-31T10:25:44"/>
            </rdf:RDF></x:xmpmeta>
            """)
        let end = chunk("IEND", [])
        for (content, type) in [
            (text("Raw profile type exif\0") + exif, "tEXt"),
            (text("Raw profile type APP1\0\0") + (try packed(exif)), "zTXt"),
            (text("Raw profile type exif\0\0") + (try packed(profile("exif", tiff))), "zTXt"),
        ] {
            check(try PhotoFile(bytes: png(chunk(type, content) + end)).metadata(), type)
        }
        let xmp = [
            ("iTXt", text("XML:com.adobe.xmp\0\0\0\0\0") + packet),
            ("iTXt", text("XML:com.adobe.xmp\0\0\0x-default\0translated\0") + packet),
            ("iTXt", text("XML:com.adobe.xmp\0\u{1}\0\0\0") + (try packed(packet))),
            ("zTXt", text("Raw profile type xmp\0\0") + (try packed(profile("xmp", packet)))),
        ]
        for (type, content) in xmp {
            let metadata = try PhotoFile(bytes: png(chunk(type, content) + end)).metadata()
            #expect(metadata.readings.map(\.field) == ["XMP DateTimeOriginal"], "\(content.prefix(30))")
            // A cut text is no error.
            for count in stride(from: 0, to: content.count, by: 7) {
                _ = try PhotoFile(bytes: png(chunk(type, Array(content.prefix(count))) + end)).metadata()
            }
        }
    }

    @Test("HEIC is read, and its orientation is that of the picture, not that of EXIF")
    func heic() throws {
        let metadata = try PhotoFile(bytes: Self.heicBytes()).metadata()
        #expect(metadata.orientation == 1 && metadata.size == PixelSize(width: 96, height: 64))
        #expect(metadata.make == "Acme" && metadata.stamp.place == GeoPoint(longitude: -3.25, latitude: 51.5))
        #expect(metadata.readings.first?.meaning == .offset(seconds: 7200))
        #expect(metadata.readings.first?.shown == 1_756_635_944_250)
    }

    @Test("The notes of the camera's maker never reach the EXIF library, and directories may be anywhere in a file")
    func makerNotes() throws {
        let notes = PhotoBuilder.Field.raw(0x927C, type: 7, count: 90_000, [UInt8](repeating: 0x41, count: 90_000))
        let tiff = PhotoBuilder.tiff(Self.image, photo: [notes] + Self.photo, position: Self.position)
        check(try PhotoFile(bytes: tiff).metadata(), "TIFF of more than 64 KiB")
        var directories = TIFFDirectories()
        #expect(try directories.read(MemoryBytes(tiff)))
        let block = try #require(directories.block)
        #expect(block.count < 1000)
        #expect(
            !block.contains(0x7C) || !block.indices.dropLast().contains { block[$0] == 0x7C && block[$0 + 1] == 0x92 })
    }

    @Test("The time of an MP4 video is UTC, Apple's creation date counts first, and MOV of a camera may be local")
    func videos() throws {
        let seconds = 1_756_628_744
        let head = PhotoBuilder.movieHead(seconds + 2_082_844_800)
        let mp4 = try PhotoFile(bytes: PhotoBuilder.movie(brand: "isom", head)).metadata()
        #expect(mp4.readings == [ClockReading(shown: Int64(seconds) * 1000, meaning: .utc, field: "mvhd")])
        let mov = try PhotoFile(bytes: PhotoBuilder.movie(brand: "qt  ", head)).metadata()
        #expect(mov.readings.map(\.meaning) == [.utcOrLocal])
        let apple = PhotoBuilder.appleMetadata([
            ("com.apple.quicktime.make", "Apple"), ("com.apple.quicktime.creationdate", "2025-08-31T10:25:40+0200"),
            ("com.apple.quicktime.location.ISO6709", "-33.8750+151.2100+012.345/"),
            ("com.apple.quicktime.location.accuracy.horizontal", "12.5"),
        ])
        let phone = try PhotoFile(bytes: PhotoBuilder.movie(brand: "qt  ", head + apple)).metadata()
        #expect(
            phone.readings.first?.meaning == .offset(seconds: 7200) && phone.readings.first?.shown == 1_756_635_940_000)
        #expect(phone.readings.last?.meaning == .utc && phone.make == "Apple")
        #expect(
            phone.stamp.place == GeoPoint(longitude: 151.21, latitude: -33.875) && phone.stamp.accuracyMetres == 12.5)
        let text = Array("+48.8577+002.2950/".utf8)
        let place = PhotoBuilder.box(
            "udta", PhotoBuilder.box("\u{A9}xyz", PhotoBuilder.big(text.count, 2) + [0x15, 0xC7] + text))
        let android = try PhotoFile(bytes: PhotoBuilder.movie(brand: "mp42", head + place)).metadata()
        #expect(android.stamp.place == GeoPoint(longitude: 2.295, latitude: 48.8577))
        // Counted from 1970, as some cameras do.
        let early = try PhotoFile(bytes: PhotoBuilder.movie(brand: "isom", PhotoBuilder.movieHead(seconds))).metadata()
        #expect(early.readings.first?.shown == Int64(seconds) * 1000)
    }

    @Test("The place of 3GPP has the longitude first, unlike ISO 6709")
    func threeGPP() throws {
        let degrees = { (value: Double) in PhotoBuilder.big(Int((value * 65_536).rounded())) }
        let place = [0, 0, 0, 0, 0x15, 0xC7, 0, 0] + degrees(-122.5) + degrees(45.25) + degrees(0)
        let bytes = PhotoBuilder.movie(
            brand: "3gp4",
            PhotoBuilder.movieHead(3_800_000_000) + PhotoBuilder.box("udta", PhotoBuilder.box("loci", place)))
        #expect(try PhotoFile(bytes: bytes).metadata().stamp.place == GeoPoint(longitude: -122.5, latitude: 45.25))
    }

    @Test("XMP fills in what EXIF leaves out, and names the zone of the same time")
    func xmp() throws {
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" exif:GPSLatitude="48,51.462N"
              exif:DateTimeOriginal="2025-08-31T10:25:44.25+02:00">
            <exif:GPSLongitude>2,17,42W</exif:GPSLongitude></rdf:Description></rdf:RDF></x:xmpmeta>
            """
        let tiff = PhotoBuilder.tiff(Self.image, photo: [.text(0x9003, "2025:08:31 10:25:44"), .text(0x9291, "250")])
        let metadata = try PhotoFile(bytes: PhotoBuilder.jpeg(exif: tiff, xmp: packet)).metadata()
        #expect(PhotoLocator.reading(metadata)?.meaning == .offset(seconds: 7200))
        #expect(abs((metadata.stamp.place?.latitude ?? 0) - 48.8577) < 1e-9)
        #expect(abs((metadata.stamp.place?.longitude ?? 0) + 2.295) < 1e-9)
        #expect(metadata.make == "Acme")
    }

    @Test("A place 0/0, a receiver without a fix, and impossible times and places count as missing")
    func traps() throws {
        let zero: [PhotoBuilder.Field] = [
            .text(1, "N"), .fractions(2, [(0, 1), (0, 1), (0, 1)]), .text(3, "E"),
            .fractions(4, [(0, 1), (0, 1), (0, 1)]),
        ]
        #expect(try PhotoFile(bytes: PhotoBuilder.tiff([], position: zero)).metadata().stamp.place == nil)
        let void = try PhotoFile(bytes: PhotoBuilder.tiff([], position: Self.position + [.text(9, "V")])).metadata()
        #expect(void.stamp == PositionStamp())
        let far: [PhotoBuilder.Field] = [
            .text(1, "N"), .fractions(2, [(91, 1), (0, 1), (0, 1)]), .text(3, "E"),
            .fractions(4, [(1, 0), (0, 0), (0, 1)]),
            .fractions(7, [(25, 1), (0, 1), (0, 1)]), .text(0x1D, "2025:02:30"),
        ]
        #expect(try PhotoFile(bytes: PhotoBuilder.tiff([], position: far)).metadata().stamp == PositionStamp())
        for text in ["0000:00:00 00:00:00", "    :  :     :  :  ", "2025:02:30 10:00:00", "2025:08:31 24:00:00", ""] {
            let tiff = PhotoBuilder.tiff([], photo: [.text(0x9003, text)])
            #expect(try PhotoFile(bytes: tiff).metadata().readings.isEmpty, "\(text)")
        }
    }

    // MARK: Sidecars

    @Test("A sidecar of this program is recognised, read back to the millimetre, and does not confirm itself")
    func sidecars() throws {
        let place = try #require(GeoPoint(longitude: -3.3775465, latitude: 51.3538436))
        let bytes = PhotoSidecar.bytes(place: place, radiusMetres: 13.2, instant: Self.instant, zoneAhead: 7_200_000)
        #expect(PhotoSidecar.isOwn(bytes) && PhotoSidecar.metadata(bytes) == nil)
        let read = try #require(PhotoMetadata(xmp: bytes))
        #expect(abs((read.stamp.place?.latitude ?? 0) - place.latitude) < 1e-8)
        #expect(abs((read.stamp.place?.longitude ?? 0) - place.longitude) < 1e-8)
        #expect(read.stamp.instant == Self.instant)
        #expect(read.readings.first?.meaning == .offset(seconds: 7200))
        #expect(!PhotoSidecar.isOwn(Array("<x:xmpmeta xmlns:x=\"adobe:ns:meta/\" x:xmptk=\"other\"/>".utf8)))
        #expect(!PhotoSidecar.isOwn([]) && !PhotoSidecar.isOwn(Array("no XML".utf8)))
    }

    // MARK: Real files

    @Test("Photos of real cameras give what their tags say")
    func realPhotos() throws {
        let folder = "../shared/data/photos/"
        guard FileStatus.ifExists(of: folder + "DSC00001.JPG") != nil else { return }
        let sony = try PhotoFile(path: folder + "DSC00001.JPG").metadata()
        #expect(sony.readings.first?.meaning == .offset(seconds: -25_200))
        #expect(sony.stamp.instant == 1_528_489_451_000)
        #expect(abs((sony.stamp.place?.longitude ?? 0) + 122.5728) < 1e-4)
        let nikon = try PhotoFile(path: folder + "DSCN0010.jpg").metadata()
        #expect(nikon.readings.first?.meaning == .local && nikon.stamp.instant == 1_224_772_027_240)
        let trail = try PhotoFile(path: folder + "test_exif.jpg").metadata()
        #expect(trail.readings.first.map { $0.shown % 1000 } == 847)
        #expect(try PhotoFile(path: folder + "empty_exif.jpg").metadata().readings.isEmpty)
    }

    static func heicBytes() throws -> [UInt8] {
        let text = """
            AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAYNtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
            AA5waXRtAAAAAAABAAAANGlsb2MAAAAAREAAAgABAAAAAAMpAAEAAAAAAAAANAACAAAAAAAAAAEAAAGnAAABggAAADhpaW5mAAAA
            AAACAAAAFWluZmUCAAAAAAEAAGh2YzEAAAAAFWluZmUCAAABAAIAAEV4aWYAAAAAGmlyZWYAAAAAAAAADmNkc2MAAgABAAEAAADC
            aXBycAAAAKRpcGNvAAAAeGh2Y0MBA3AAAAAAAAAAAAAe8AD8/fj4AAAPAyAAAQAYQAEMAf//A3AAAAMAkAAAAwAAAwAeugJAIQAB
            ACtCAQEDcAAAAwCQAAADAAADAB6gMIEFlupJKa5uBAQMCAAAAwAIAAADAAhAIgABAAdEAcFysCJAAAAAFGlzcGUAAAAAAAAAYAAA
            AEAAAAAQcGl4aQAAAAADCAgIAAAAFmlwbWEAAAAAAAAAAQABA4ECgwAAAb5tZGF0AAAABkV4aWYAAE1NACoAAAAIAAkBDwACAAAA
            BQAAAHoBEAACAAAAA00xAAABEgADAAAAAQAGAAABGgAFAAAAAQAAAIABGwAFAAAAAQAAAIgBKAADAAAAAQACAAACEwADAAAAAQAB
            AACHaQAEAAAAAQAAAJCIJQAEAAAAAQAAAQYAAAAAQWNtZQAAAAAASAAAAAEAAABIAAAAAQAHkAAABwAAAAQwMjMykAMAAgAAABQA
            AADqkBEAAgAAAAcAAAD+kQEABwAAAAQBAgMAkpEAAgAAAAMyNQAAoAAABwAAAAQwMTAwoAEAAwAAAAH//wAAAAAAADIwMjU6MDg6
            MzEgMTA6MjU6NDQAKzAyOjAwAAAABQAAAAEAAAAEAgMAAAABAAIAAAACTgAAAAACAAUAAAADAAABSAADAAIAAAACVwAAAAAEAAUA
            AAADAAABYAAAAAAAAAAzAAAAAQAAAB4AAAABAAAAAAAAAAEAAAADAAAAAQAAAA8AAAABAAAAAAAAAAEAAAAwKAGvGYD3fIU3//ih
            h/5rWv+v4LtP/+WfHfER5/rVqgDDn/8YzsfCRvf1ijRN9YTA
            """
        return Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }
}
