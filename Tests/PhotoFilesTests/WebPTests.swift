import Foundation
import JPEG
import PhotoLocating
import Testing

@testable import PhotoFiles

/// Pictures of WebP files. The files were written by Pillow: 96 x 64 blue pixels, whose upper left quarter is red.
struct WebPTests {
    private static let lossy = """
        UklGRoYAAABXRUJQVlA4IHoAAACwBgCdASpgAEAAPm00lUekIyIhKUgAgA2JYwDUTdp+AfirpgPxd/UnjAuTPO+wSqNv/so9f96mJeyXUyoPAAD+
        8Jsxa1snRlZ1K+pK/iRZ8fsH4bXhd3hHf2USh3yFeosQ+QvuKd+luCEItwAkolAB6Iv+kCcDgAAAAA==
        """
    private static let lossless =
        "UklGRiwAAABXRUJQVlA4TCAAAAAvX8APAA8Q87//8x8O1LRtwJQ/6Q2gZ0T/J4AT83P/Bw=="
    /// The lower right quarter is transparent.
    private static let alpha = """
        UklGRsYAAABXRUJQVlA4WAoAAAAQAAAAXwAAPwAAQUxQSBMAAAABIJO2qX/T/Stgi4gJ8C4kv88BAFZQOCCMAAAAcAcAnQEqYABAAD5tMpRGpCMi
        IS1bOACADYlBDgAyWy0/gH43bYHwD8YP0z4wLkrzvsEqrJs+zICMbd1l8HZ5jC8NpJAA/i8uRS6tM5F9kc+2b/ek/lkozPtf4dWaw0lLpP40gJKM
        v+SqSGp00tTtMZvzspdg4URyJBTjSAQThq6H3g8ul2nKODUAAAA=
        """
    /// EXIF has the orientation 6.
    private static let turned = """
        UklGRnIAAABXRUJQVlA4WAoAAAAIAAAAXwAAPwAAVlA4TCAAAAAvX8APAA8Q87//8x8O1LRtwJQ/6Q2gZ0T/J4AT83P/B0VYSUYsAAAATU0AKgAA
        AAgAAgEPAAIAAAAFAAAAJgESAAMAAAABAAYAAAAAAABBY21lAAA=
        """
    /// The second frame is green.
    private static let animated = """
        UklGRsYAAABXRUJQVlA4WAoAAAACAAAAXwAAPwAAQU5JTQYAAAAAAAAAAABBTk1GagAAAAAAAAAAAF8AAD8AAGQAAAJWUDhMUgAAAC9fwA8ADxDz
        v//zHw4UtW0DmT/p7gKwZ0T/RyJJEuDnAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA4BwBBTk1GKAAAAAAA
        AAAAAF8AAD8AAGQAAABWUDhMDwAAAC9fwA8AB1DAiP4HIqL/AQA=
        """
    private static let all = [lossy, lossless, alpha, turned, animated]

    private static func bytes(_ text: String) throws -> [UInt8] {
        Array(try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
    }

    private func thumbnail(_ text: String) throws -> JPEGPicture {
        let jpeg = try Thumbnail.jpeg(of: try PhotoFile(bytes: try Self.bytes(text)), .thumb)
        return try JPEGCodec.decode(jpeg, side: 10_000, pixelLimit: 1_000_000)
    }

    private func isNear(_ picture: JPEGPicture, _ x: Int, _ y: Int, _ color: [Int]) -> Bool {
        let start = 3 * (y * picture.width + x)
        return (0..<3).allSatisfy { abs(Int(picture.pixels[start + $0]) - color[$0]) < 24 }
    }

    @Test(
        "Lossy and lossless files, and the first frame of an animation, become JPEG",
        arguments: [
            lossy, lossless, animated,
        ])
    func kinds(_ text: String) throws {
        let shown = try thumbnail(text)
        #expect(shown.width == 96 && shown.height == 64)
        #expect(isNear(shown, 20, 12, [255, 0, 0]) && isNear(shown, 76, 12, [0, 0, 255]))
        #expect(isNear(shown, 20, 52, [0, 0, 255]) && isNear(shown, 76, 52, [0, 0, 255]))
    }

    @Test("Transparent pixels become white")
    func transparency() throws {
        let shown = try thumbnail(Self.alpha)
        #expect(isNear(shown, 20, 12, [255, 0, 0]) && isNear(shown, 76, 52, [255, 255, 255]))
    }

    @Test("The orientation of EXIF is applied")
    func orientation() throws {
        let shown = try thumbnail(Self.turned)
        #expect(shown.width == 64 && shown.height == 96)
        #expect(isNear(shown, 50, 20, [255, 0, 0]) && isNear(shown, 12, 20, [0, 0, 255]))
    }

    @Test("The size of a lossless file is in its metadata")
    func size() throws {
        for text in Self.all {
            let metadata = try PhotoFile(bytes: try Self.bytes(text)).metadata()
            #expect(metadata.size == PixelSize(width: 96, height: 64))
        }
    }

    @Test("A file cut at any byte has no picture, but an error")
    func truncated() throws {
        for text in Self.all {
            let bytes = try Self.bytes(text)
            for count in 0..<(bytes.count - 2) {
                #expect(throws: PhotoError.self) {
                    try Thumbnail.jpeg(of: try PhotoFile(bytes: Array(bytes[..<count])), .thumb)
                }
            }
        }
    }

    @Test("A file with any byte changed is decoded or refused, and never has more pixels than the limit")
    func changed() throws {
        for text in Self.all {
            let bytes = try Self.bytes(text)
            for index in bytes.indices {
                for value in [UInt8(0), 1, 0x7F, 0xFF] {
                    var changed = bytes
                    changed[index] = value
                    guard let file = try? PhotoFile(bytes: changed) else { continue }
                    let made = try? Thumbnail.jpeg(of: file, [.thumb], pixelLimit: 1 << 16)
                    #expect(made.map { $0.count == 1 } ?? true)
                }
            }
        }
    }

    @Test("A canvas of 100,000 x 100,000 pixels, and one of 50 million, are refused before memory is allocated")
    func bombs() throws {
        func file(_ width: Int, _ height: Int) throws -> PhotoFile {
            var bytes = try Self.bytes(Self.alpha)
            bytes.replaceSubrange(24..<27, with: PhotoBuilder.number(width - 1, 3, big: false))
            bytes.replaceSubrange(27..<30, with: PhotoBuilder.number(height - 1, 3, big: false))
            return try PhotoFile(bytes: bytes)
        }
        #expect(throws: PhotoError.tooLarge(width: 100_000, height: 100_000, limit: PhotoFile.pixelLimit)) {
            try Thumbnail.jpeg(of: try file(100_000, 100_000), .thumb)
        }
        #expect(throws: PhotoError.tooLarge(width: 10_000, height: 5001, limit: Thumbnail.pixelLimit)) {
            try Thumbnail.jpeg(of: try file(10_000, 5001), .thumb)
        }
        // A canvas that is not the size of its picture.
        #expect(throws: PhotoError.self) { try Thumbnail.jpeg(of: try file(97, 64), .thumb) }
        // The heads of pictures without a canvas: 16,384 x 16,384 lossless pixels, and 0 x 0 lossy ones.
        var large = try Self.bytes(Self.lossless)
        large.replaceSubrange(21..<25, with: [0xFF, 0xFF, 0xFF, 0x0F])
        #expect(throws: PhotoError.tooLarge(width: 16_384, height: 16_384, limit: Thumbnail.pixelLimit)) {
            try Thumbnail.jpeg(of: try PhotoFile(bytes: large), .thumb)
        }
        var empty = try Self.bytes(Self.lossy)
        empty.replaceSubrange(26..<30, with: [0, 0, 0, 0])
        #expect(throws: PhotoError.empty) { try Thumbnail.jpeg(of: try PhotoFile(bytes: empty), .thumb) }
    }
}
