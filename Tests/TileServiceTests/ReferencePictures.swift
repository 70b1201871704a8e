import Files
import Foundation
import PNG
import TestSupport
import Testing

/// Pictures in the folder `Reference` with which drawn pictures are compared, as decoded pixels.
///
/// A missing reference is a failure. With `TILESERVE_WRITE_REFERENCES=1` in the environment, references are written
/// instead; look at each of them before it is committed.
enum ReferencePictures {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Reference").path()
    private static let areWritten = ProcessInfo.processInfo.environment["TILESERVE_WRITE_REFERENCES"] == "1"

    /// The largest difference of a channel that goes unnoticed: roundings differ between versions of cairo.
    private static let channelTolerance = 6
    /// The share of pixels that may differ by more.
    private static let pixelTolerance = 0.001

    /// Compares a PNG with its reference.
    static func compare(_ png: [UInt8], with name: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let path = "\(folder)/\(name).png"
        if areWritten { try AtomicFile.write(png, to: path, durability: .cached) }
        guard FileStatus.ifExists(of: path) != nil else {
            Issue.record("Reference/\(name).png is missing", sourceLocation: sourceLocation)
            return
        }
        let difference = difference(try PNGReader.image(of: png), try reference(name))
        #expect(difference == nil, "\(name): \(difference ?? "")", sourceLocation: sourceLocation)
    }

    /// The reference of this name, decoded.
    static func reference(_ name: String) throws -> RGBAImage {
        let bytes = try AtomicFile.read("\(folder)/\(name).png")
        return try PNGReader.image(of: try #require(bytes))
    }

    /// The names of all references.
    static func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder).map { String($0.prefix { $0 != "." }) })
    }

    /// What differs between two pictures; nil if they look the same.
    static func difference(_ one: RGBAImage, _ other: RGBAImage) -> String? {
        guard one.width == other.width, one.height == other.height else {
            return "\(one.width) × \(one.height) pixels instead of \(other.width) × \(other.height)"
        }
        let difference = PixelDifference(one.bytes, other.bytes, tolerance: channelTolerance)
        guard Double(difference.pixels) > pixelTolerance * Double(one.width * one.height) else { return nil }
        return "\(difference.pixels) pixels differ, by up to \(difference.largest)"
    }
}

extension RGBAImage {
    /// The pixels of a rectangle.
    func cropped(x: Range<Int>, y: Range<Int>) -> RGBAImage {
        RGBAImage(
            width: x.count, height: y.count,
            bytes: y.flatMap { row in
                bytes[4 * (row * width + x.lowerBound)..<4 * (row * width + x.upperBound)]
            })
    }

    /// The opaque picture as a PNG.
    func png() throws -> [UInt8] {
        let words = stride(from: 0, to: bytes.count, by: 4).map { place in
            0xFF00_0000 | UInt32(bytes[place]) << 16 | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2])
        }
        var writer = PNGWriter()
        return try writer.png(premultiplied: words.span, width: width, height: height)
    }
}
