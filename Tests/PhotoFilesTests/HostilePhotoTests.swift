import Foundation
import PhotoLocating
import Testing

@testable import PhotoFiles

/// Files that want to crash or to fill the memory.
struct HostilePhotoTests {
    private static let tiff = PhotoBuilder.tiff(
        [.text(0x010F, "Acme")], photo: [.text(0x9003, "2025:08:31 10:25:44")], position: [.text(1, "N")])

    private static func seeds() throws -> [[UInt8]] {
        let head = PhotoBuilder.movieHead(3_800_000_000)
        let apple = PhotoBuilder.appleMetadata([("com.apple.quicktime.creationdate", "2025-08-31T10:25:40+0200")])
        return [
            tiff, PhotoBuilder.jpeg(exif: tiff), PhotoBuilder.movie(brand: "qt  ", head + apple),
            try PhotoFileTests.heicBytes(),
        ]
    }

    @Test("A file cut at any byte is read as far as it goes, or refused with an error")
    func truncated() throws {
        for bytes in try Self.seeds() {
            for count in 0..<bytes.count {
                let file = try? PhotoFile(bytes: Array(bytes[..<count]))
                _ = try? file?.metadata()
            }
            // The whole file is readable.
            _ = try PhotoFile(bytes: bytes).metadata()
        }
        let jpeg = PhotoBuilder.jpeg(exif: Self.tiff)
        #expect(throws: PhotoError.truncated) { try PhotoFile(bytes: Array(jpeg[..<40])).metadata() }
    }

    @Test("A file with any byte changed to an extreme is read or refused, in bounded time")
    func changed() throws {
        for bytes in try Self.seeds() {
            for index in bytes.indices {
                for value in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
                    var changed = bytes
                    changed[index] = value
                    _ = try? PhotoFile(bytes: changed).metadata()
                }
            }
        }
    }

    @Test("Boxes of every type and every short length are read or refused, at every level")
    func shortBoxes() throws {
        let types = [
            "ftyp", "moov", "mvhd", "trak", "tkhd", "udta", "meta", "keys", "ilst", "data", "uuid", "loci", "©xyz",
        ]
        for type in types {
            for count in 0..<40 {
                let box = PhotoBuilder.box(type, [UInt8](repeating: 0, count: count))
                for outer in ["", "moov", "udta", "meta", "ilst"] {
                    let inner = outer.isEmpty ? box : PhotoBuilder.box(outer, box)
                    for isInMovie in [false, true] {
                        let content = isInMovie ? PhotoBuilder.box("moov", inner) : inner
                        // Bytes behind the box must not be taken for its content.
                        let rest = PhotoBuilder.box("free", [UInt8](repeating: 0x85, count: 64))
                        let file = PhotoBuilder.box("ftyp", Array("qt  ".utf8) + [0, 0, 0, 0]) + content + rest
                        _ = try? PhotoFile(bytes: file).metadata()
                    }
                }
            }
        }
    }

    @Test("Pictures without pixels and pictures of 100,000 × 100,000 pixels are refused with their size")
    func sizes() throws {
        func png(_ width: Int, _ height: Int) -> [UInt8] {
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + PhotoBuilder.big(13) + Array("IHDR".utf8)
                + PhotoBuilder.big(width) + PhotoBuilder.big(height) + [8, 2, 0, 0, 0] + PhotoBuilder.big(0)
                + PhotoBuilder.big(0) + Array("IEND".utf8) + PhotoBuilder.big(0)
        }
        #expect(throws: PhotoError.empty) { try PhotoFile(bytes: png(0, 0)).metadata() }
        let empty = PhotoBuilder.jpeg(width: 0, height: 0)
        #expect(throws: PhotoError.empty) { try PhotoFile(bytes: empty).metadata() }
        let error = #expect(throws: PhotoError.self) { try PhotoFile(bytes: png(100_000, 100_000)).metadata() }
        #expect("\(error.map { "\($0)" } ?? "")".hasPrefix("100000 x 100000 pixels are more than the limit"))
        let large = try PhotoFile(bytes: PhotoBuilder.jpeg(width: 60_000, height: 10_000))
        #expect(try large.metadata().size == PixelSize(width: 60_000, height: 10_000))
        #expect(throws: PhotoError.tooLarge(width: 60_000, height: 10_000, limit: Thumbnail.pixelLimit)) {
            try Thumbnail.jpeg(of: large, .thumb)
        }
    }

    @Test("Counts and offsets beyond the end, and directories that point to themselves, are skipped")
    func bombs() throws {
        let fields: [PhotoBuilder.Field] = [
            .raw(0x010F, type: 2, count: .max, PhotoBuilder.number(8, 4, big: false)),
            .raw(0x0110, type: 5, count: 0x2000_0000, PhotoBuilder.number(8, 4, big: false)),
            .raw(0x8769, type: 4, count: 1, PhotoBuilder.number(8, 4, big: false)),
            .raw(0x8825, type: 4, count: 1, [0xFF, 0xFF, 0xFF, 0xFF]),
        ]
        let metadata = try PhotoFile(bytes: PhotoBuilder.tiff(fields)).metadata()
        #expect(metadata.make == nil && metadata.model == nil && metadata.stamp == PositionStamp())
        // Thousands of boxes within a box.
        let boxes = (0..<30_000).flatMap { _ in PhotoBuilder.box("free", []) }
        #expect(throws: PhotoError.damaged("there are more than 20000 boxes")) {
            try PhotoFile(bytes: PhotoBuilder.movie(brand: "isom", boxes)).metadata()
        }
    }

    @Test("Bytes of no known format are refused with the formats that are known")
    func unknown() {
        for bytes in [[], [1, 2, 3], Array("GIF89a and more bytes".utf8), [UInt8](repeating: 0, count: 100)] {
            #expect(throws: PhotoError.unknownFormat) { try PhotoFile(bytes: bytes) }
        }
        #expect("\(PhotoError.unknownFormat)".contains("JPEG"))
    }
}
