internal import CJPEG
internal import Glibc

/// An error of libjpeg, with its message.
public struct JPEGError: Error, Hashable, Sendable {
    public let message: String
}

/// Pixels of three bytes: red, green and blue.
public struct JPEGPicture: Sendable {
    public var width: Int
    public var height: Int
    public var pixels: [UInt8]
    /// The colour profile (ICC); nil for sRGB.
    public var profile: [UInt8]?

    public init(width: Int, height: Int, pixels: [UInt8], profile: [UInt8]? = nil) {
        precondition(pixels.count == 3 * width * height, "three bytes a pixel")
        self.width = width
        self.height = height
        self.pixels = pixels
        self.profile = profile
    }
}

/// Decodes and encodes JPEG files.
@safe
public enum JPEGCodec {
    /// Larger colour profiles are left out.
    private static let profileLimit = 65_536

    /// Decodes a file at the smallest of eight scales at which its longer side has at least `side` pixels: a small
    /// picture costs little. Throws if the file has more than `pixelLimit` pixels, or ends before the
    /// last row of blocks.
    public static func decode(_ bytes: [UInt8], side: Int, pixelLimit: Int) throws(JPEGError) -> JPEGPicture {
        var picture = unsafe jpeg_shim_picture()
        let status = unsafe jpeg_shim_decode(
            bytes, bytes.count, UInt32(clamping: side), UInt64(pixelLimit), &picture)
        defer {
            unsafe free(picture.pixels)
            unsafe free(picture.profile)
        }
        guard status == 0, let start = unsafe picture.pixels else {
            throw JPEGError(message: unsafe message(&picture.message))
        }
        let (width, height) = unsafe (Int(picture.width), Int(picture.height))
        let pixels = unsafe Array(UnsafeBufferPointer(start: start, count: 3 * width * height))
        var profile: [UInt8]?
        if let start = unsafe picture.profile, unsafe Int(picture.profile_count) <= profileLimit {
            profile = unsafe Array(UnsafeBufferPointer(start: start, count: Int(picture.profile_count)))
        }
        return JPEGPicture(width: width, height: height, pixels: pixels, profile: profile)
    }

    /// Encodes a picture with its colour profile, and without any other metadata. `quality` is 1–100.
    public static func encode(_ picture: JPEGPicture, quality: Int) throws(JPEGError) -> [UInt8] {
        var file = unsafe jpeg_shim_file()
        let profile = picture.profile ?? []
        let status = unsafe jpeg_shim_encode(
            picture.pixels, UInt32(picture.width), UInt32(picture.height), Int32(quality), profile,
            UInt32(profile.count), &file)
        defer { unsafe free(file.bytes) }
        guard status == 0, let start = unsafe file.bytes else {
            throw JPEGError(message: unsafe message(&file.message))
        }
        return unsafe Array(UnsafeBufferPointer(start: start, count: Int(file.count)))
    }

    private static func message<Text>(_ text: inout Text) -> String {
        unsafe withUnsafeBytes(of: &text) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
