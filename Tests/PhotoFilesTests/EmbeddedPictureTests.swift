import JPEG
import PhotoLocating
import Testing

@testable import PhotoFiles

/// Pictures of raw photos and videos.
struct EmbeddedPictureTests {
    /// A JPEG file of one colour.
    private static func jpeg(_ width: Int, _ height: Int, _ color: [UInt8]) throws -> [UInt8] {
        let pixels = (0..<(width * height)).flatMap { _ in color }
        return try JPEGCodec.encode(JPEGPicture(width: width, height: height, pixels: pixels), quality: 90)
    }

    private static let red: [UInt8] = [255, 0, 0]
    private static let green: [UInt8] = [0, 160, 0]

    private func shown(_ bytes: [UInt8]) throws -> JPEGPicture {
        let made = try Thumbnail.jpeg(of: try PhotoFile(bytes: bytes), .screen)
        return try JPEGCodec.decode(made, side: 10_000, pixelLimit: 10_000_000)
    }

    private func isRed(_ picture: JPEGPicture) -> Bool { picture.pixels[0] > 200 && picture.pixels[1] < 60 }

    // MARK: Files

    private static let canon = "85C0B687820F11E08111F4CE462B6A48"
    private static let preview = "EAF42B5E1C984B88B9FBB7DC406E4D16"

    private static func unique(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let digits = name.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: 32, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        return PhotoBuilder.box("uuid", bytes + content)
    }

    /// A track whose first sample is `range` of the file.
    private static func track(_ range: Range<Int>, isLong: Bool) -> [UInt8] {
        let sizes = PhotoBuilder.box(
            "stsz", PhotoBuilder.big(0) + PhotoBuilder.big(0) + PhotoBuilder.big(1) + PhotoBuilder.big(range.count))
        let offsets = PhotoBuilder.box(
            isLong ? "co64" : "stco",
            PhotoBuilder.big(0) + PhotoBuilder.big(1) + PhotoBuilder.big(range.lowerBound, isLong ? 8 : 4))
        return PhotoBuilder.box(
            "trak", PhotoBuilder.box("mdia", PhotoBuilder.box("minf", PhotoBuilder.box("stbl", sizes + offsets))))
    }

    /// A raw photo of Canon: a thumbnail, a preview, and a full picture in a track, each if it is given.
    private static func cr3(
        thumbnail: [UInt8] = [], preview: [UInt8] = [], full: [UInt8] = [], orientation: UInt16 = 1
    ) -> [UInt8] {
        let head = PhotoBuilder.box("ftyp", Array("crx ".utf8) + PhotoBuilder.big(1))
        let data = PhotoBuilder.box("mdat", full)
        let exif = PhotoBuilder.tiff([.text(0x010F, "Canon"), .short(0x0112, orientation)])
        let small = PhotoBuilder.box(
            "THMB",
            PhotoBuilder.big(0) + [0, 160, 0, 120] + PhotoBuilder.big(thumbnail.count)
                + [0, 1, 0, 0] + thumbnail)
        let large = PhotoBuilder.box(
            "PRVW",
            PhotoBuilder.big(0) + [0, 1, 6, 0x54, 4, 0x38, 0, 1]
                + PhotoBuilder.big(preview.count) + preview)
        let start = head.count + 8
        let movie = PhotoBuilder.box(
            "moov",
            unique(canon, PhotoBuilder.box("CMT1", exif) + (thumbnail.isEmpty ? [] : small))
                + (full.isEmpty ? [] : track(start..<(start + full.count), isLong: true)))
        return head + data + movie
            + (preview.isEmpty ? [] : unique(Self.preview, [UInt8](repeating: 0, count: 8) + large))
    }

    /// A TIFF file that names JPEG pictures in its first directory and in one that this points to.
    private static func raw(_ first: [UInt8], _ second: [UInt8] = [], orientation: UInt16 = 1) -> [UInt8] {
        func entry(_ tag: Int, _ type: Int, _ value: Int) -> [UInt8] {
            [tag, type].flatMap { PhotoBuilder.number($0, 2, big: false) } + PhotoBuilder.number(1, 4, big: false)
                + PhotoBuilder.number(value, 4, big: false)
        }
        let firstStart = 8 + 2 + 4 * 12 + 4
        let secondDirectory = firstStart + first.count
        let secondStart = secondDirectory + 2 + 2 * 12 + 4
        return Array("II".utf8) + [42, 0, 8, 0, 0, 0] + [4, 0] + entry(0x0112, 3, Int(orientation))
            + entry(0x014A, 4, secondDirectory) + entry(0x0201, 4, firstStart) + entry(0x0202, 4, first.count)
            + [0, 0, 0, 0] + first + [2, 0] + entry(0x0111, 4, secondStart) + entry(0x0117, 4, second.count)
            + [0, 0, 0, 0] + second
    }

    // MARK: Tests

    @Test("A raw photo of Canon has the largest of its three pictures, turned as its EXIF demands")
    func canon() throws {
        let small = try Self.jpeg(160, 120, Self.green)
        let middle = try Self.jpeg(324, 216, Self.red)
        let full = try Self.jpeg(600, 400, Self.red)
        let pictures = try shown(Self.cr3(thumbnail: small, preview: middle, full: full))
        #expect(pictures.width == 600 && pictures.height == 400 && isRed(pictures))
        let previewed = try shown(Self.cr3(thumbnail: small, preview: middle, orientation: 6))
        #expect(previewed.width == 216 && previewed.height == 324 && isRed(previewed))
        #expect(try shown(Self.cr3(thumbnail: small)).width == 160)
        // A damaged picture is passed over for a smaller one.
        let cut = Array(full[..<(full.count / 2)])
        #expect(try shown(Self.cr3(thumbnail: small, preview: middle, full: cut)).width == 324)
        #expect(throws: PhotoError.noPicture("CR3")) { try shown(Self.cr3()) }
    }

    @Test("A raw photo like TIFF has the largest JPEG picture that its directories name")
    func raw() throws {
        let small = try Self.jpeg(160, 120, Self.green)
        let full = try Self.jpeg(600, 400, Self.red)
        for bytes in [Self.raw(small, full), Self.raw(full, small)] {
            let picture = try shown(bytes)
            #expect(picture.width == 600 && isRed(picture))
        }
        #expect(try shown(Self.raw(small, orientation: 8)).height == 160)
        // Raw pixels are often lossless JPEG, which is larger, and cannot be decoded.
        let frame: [UInt8] = [0xFF, 0xC3, 0, 11, 14, 0x10, 0, 0x18, 0, 1, 1, 0x11, 0]
        let lossless = [0xFF, 0xD8] + frame + [0xFF, 0xDA, 0, 2] + [UInt8](repeating: 9, count: 50)
        #expect(try shown(Self.raw(lossless, small)).width == 160)
        #expect(throws: PhotoError.noPicture("TIFF")) { try shown(Self.raw(lossless)) }
    }

    @Test("A video has its cover or its first picture, else a drawn one in its shape with its duration")
    func videos() throws {
        let cover = try Self.jpeg(300, 300, Self.red)
        let head = PhotoBuilder.box(
            "mvhd",
            [UInt8](repeating: 0, count: 12) + PhotoBuilder.big(600) + PhotoBuilder.big(600 * 75)
                + [UInt8](repeating: 0, count: 80))
        let item = PhotoBuilder.box(
            "covr", PhotoBuilder.box("data", PhotoBuilder.big(13) + PhotoBuilder.big(0) + cover))
        let tags = PhotoBuilder.box(
            "udta", PhotoBuilder.box("meta", PhotoBuilder.big(0) + PhotoBuilder.box("ilst", item)))
        let covered = try shown(PhotoBuilder.movie(brand: "isom", head + tags))
        #expect(covered.width == 300 && covered.height == 300 && isRed(covered))

        // Motion JPEG: `movie` puts 100 bytes of other data first.
        let start = PhotoBuilder.box("ftyp", Array("isom".utf8) + PhotoBuilder.big(0)).count + 8
        let film =
            PhotoBuilder.box("ftyp", Array("isom".utf8) + PhotoBuilder.big(0)) + PhotoBuilder.box("mdat", cover)
            + PhotoBuilder.box("moov", head + Self.track(start..<(start + cover.count), isLong: false))
        #expect(isRed(try shown(film)))

        let portrait = [0, 65_536, 0, -65_536, 0, 0, 0, 0, 1 << 30, 1920 << 16, 1080 << 16]
        let trackHead = PhotoBuilder.box(
            "trak",
            PhotoBuilder.box("tkhd", [UInt8](repeating: 0, count: 40) + portrait.flatMap { PhotoBuilder.big($0) }))
        let drawn = try shown(PhotoBuilder.movie(brand: "isom", head + trackHead))
        #expect(drawn.width == 360 && drawn.height == 640 && !isRed(drawn))
        // The triangle is white.
        let middle = 3 * (320 * drawn.width + 180)
        #expect(drawn.pixels[middle] > 200 && drawn.pixels[0] < 60)
        // The duration changes the picture.
        let longer = try shown(
            PhotoBuilder.movie(brand: "isom", PhotoBuilder.movieHead(3_800_000_000) + trackHead))
        #expect(longer.width == 360 && longer.pixels != drawn.pixels)
        #expect(throws: PhotoError.self) { try shown(PhotoBuilder.box("ftyp", Array("isom".utf8) + [0, 0, 0, 0])) }
    }

    @Test(
        "Durations are hours, minutes and seconds",
        arguments: [
            (0.2, "0:00"), (7, "0:07"), (59.6, "1:00"), (754, "12:34"), (3723, "1:02:03"), (1e300, "99:59:59"),
        ])
    func durations(_ seconds: Double, _ text: String) {
        #expect(MoviePlaceholder.duration(seconds) == text)
    }

    @Test("Raw photos and videos cut or changed at any byte have a picture, or are refused, within bounds")
    func hostile() throws {
        let small = try Self.jpeg(24, 16, Self.red)
        let files = [Self.cr3(thumbnail: small, preview: small, full: small), Self.raw(small, small)]
        for bytes in files {
            for count in stride(from: 0, to: bytes.count, by: 3) {
                _ = try? Thumbnail.jpeg(of: try PhotoFile(bytes: Array(bytes[..<count])), .thumb)
            }
            for index in bytes.indices {
                for value in [UInt8(0), 0x7F, 0xFF] {
                    var changed = bytes
                    changed[index] = value
                    guard let file = try? PhotoFile(bytes: changed) else { continue }
                    _ = try? Thumbnail.jpeg(of: file, [.thumb], pixelLimit: 1 << 16)
                }
            }
        }
    }

    @Test(
        "Directories and boxes that lead in circles or nest without end, and previews of too many pixels, are refused")
    func bombs() throws {
        // The second directory points to the first one, thousands of times.
        var circle = Self.raw([0xFF, 0xD8, 0xFF])
        circle.replaceSubrange(30..<34, with: [8, 0, 0, 0])
        #expect(throws: PhotoError.noPicture("TIFF")) { try shown(circle) }
        // 65,500 x 65,500 pixels, in a raw photo and in one of Canon; and no pixels.
        for side in [65_500, 0] {
            let large = PhotoBuilder.jpeg(width: side, height: side)
            #expect(throws: PhotoError.noPicture("TIFF")) { try shown(Self.raw(large, large)) }
            #expect(throws: PhotoError.noPicture("CR3")) { try shown(Self.cr3(thumbnail: large, full: large)) }
        }
        for type in ["minf", "stbl", "mdia", "trak", "moov", "udta", "meta", "ilst"] {
            // Each box contains all that follow.
            let levels = 19_000
            let nested = (0..<levels).flatMap { PhotoBuilder.big(8 * (levels - $0)) + Array(type.utf8) }
            #expect(throws: PhotoError.self) {
                try shown(
                    PhotoBuilder.movie(
                        brand: "crx ", PhotoBuilder.box("trak", PhotoBuilder.box("mdia", nested)) + nested))
            }
        }
        // A picture beyond the end of the file.
        let small = try Self.jpeg(24, 16, Self.red)
        var beyond = Self.raw(small)
        beyond.replaceSubrange((8 + 2 + 3 * 12 + 8)..<(8 + 2 + 4 * 12), with: [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(throws: PhotoError.noPicture("TIFF")) { try shown(beyond) }
    }
}
