import Foundation
import JPEG
import PhotoLocating
import Testing

@testable import PhotoFiles

/// Small pictures.
struct ThumbnailTests {
    private static let size = (width: 1200, height: 800)

    /// A blue picture whose upper left quarter is red.
    private static func picture() -> JPEGPicture {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                pixels += x < size.width / 2 && y < size.height / 2 ? [255, 0, 0] : [0, 0, 255]
            }
        }
        return JPEGPicture(width: size.width, height: size.height, pixels: pixels)
    }

    private static func photo(orientation: UInt16) throws -> [UInt8] {
        let tiff = PhotoBuilder.tiff([.text(0x010F, "Acme"), .short(0x0112, orientation)])
        let exif = Array("Exif\0\0".utf8) + tiff
        let plain = try JPEGCodec.encode(picture(), quality: 90)
        return [0xFF, 0xD8, 0xFF, 0xE1] + PhotoBuilder.big(exif.count + 2, 2) + exif + plain.dropFirst(2)
    }

    private func isRed(_ picture: JPEGPicture, _ x: Int, _ y: Int) -> Bool {
        let start = 3 * (y * picture.width + x)
        return picture.pixels[start] > 200 && picture.pixels[start + 2] < 60
    }

    @Test("Thumbnails are upright for all eight orientations, with 320 pixels on their longer side, and without EXIF")
    func orientations() throws {
        // The corner at which the red quarter has to be shown: right, bottom.
        let corners: [(right: Bool, bottom: Bool)] = [
            (false, false), (true, false), (true, true), (false, true), (false, false), (true, false), (true, true),
            (false, true),
        ]
        for (index, corner) in corners.enumerated() {
            let file = try PhotoFile(bytes: Self.photo(orientation: UInt16(index + 1)))
            let thumbnail = try Thumbnail.jpeg(of: file, .thumb)
            #expect(thumbnail.range(of: "Exif") == nil && thumbnail.range(of: "Acme") == nil)
            let shown = try JPEGCodec.decode(thumbnail, side: 10_000, pixelLimit: 1_000_000)
            let isSideways = index >= 4
            #expect(shown.width == (isSideways ? 213 : 320) && shown.height == (isSideways ? 320 : 213))
            for (right, bottom) in [(false, false), (true, false), (false, true), (true, true)] {
                let x = right ? shown.width - 20 : 20
                let y = bottom ? shown.height - 20 : 20
                #expect(isRed(shown, x, y) == (right == corner.right && bottom == corner.bottom), "\(index + 1)")
            }
        }
    }

    @Test("A photo that is smaller than the size is not enlarged")
    func small() throws {
        let file = try PhotoFile(bytes: Self.photo(orientation: 1))
        let screen = try JPEGCodec.decode(try Thumbnail.jpeg(of: file, .screen), side: 10_000, pixelLimit: 1_000_000)
        #expect(screen.width == Self.size.width && screen.height == Self.size.height)
    }

    @Test("HEIC becomes JPEG, without being turned by EXIF")
    func heic() throws {
        let thumbnail = try Thumbnail.jpeg(of: try PhotoFile(bytes: PhotoFileTests.heicBytes()), .thumb)
        let shown = try JPEGCodec.decode(thumbnail, side: 10_000, pixelLimit: 1_000_000)
        #expect(shown.width == 96 && shown.height == 64)
        #expect(isRed(shown, 10, 10) && !isRed(shown, 80, 10) && !isRed(shown, 10, 50))
    }

    @Test("A truncated photo has no thumbnail, but an error")
    func truncated() throws {
        let bytes = try Self.photo(orientation: 1)
        #expect(throws: PhotoError.self) {
            try Thumbnail.jpeg(of: try PhotoFile(bytes: Array(bytes[..<(bytes.count / 2)])), .thumb)
        }
    }

    @Test("A photo that ends without its end marker has a thumbnail")
    func withoutEnd() throws {
        let bytes = try Self.photo(orientation: 1)
        #expect(bytes.suffix(2) == [0xFF, 0xD9])
        let thumbnail = try Thumbnail.jpeg(of: PhotoFile(bytes: Array(bytes.dropLast(2))), .thumb)
        #expect(try thumbnail == Thumbnail.jpeg(of: PhotoFile(bytes: bytes), .thumb))
    }

    @Test("Formats without a decoder say so")
    func formats() throws {
        let tiff = try PhotoFile(bytes: PhotoBuilder.tiff([.text(0x010F, "Acme")]))
        #expect(throws: PhotoError.noPicture("TIFF")) { try Thumbnail.jpeg(of: tiff, .thumb) }
    }
}

extension [UInt8] {
    fileprivate func range(of text: String) -> Range<Int>? {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return nil }
        return (0...(count - wanted.count)).first { self[$0..<($0 + wanted.count)].elementsEqual(wanted) }
            .map { $0..<($0 + wanted.count) }
    }
}
