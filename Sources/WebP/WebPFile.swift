internal import CWebP
internal import Glibc

/// Why a WebP file cannot be decoded or encoded.
public enum WebPError: Error, Hashable, Sendable {
    case damaged
    case tooLarge
    case noMemory
}

/// Pixels of four bytes: red, green, blue and straight alpha.
public struct WebPPicture: Sendable {
    public let width: Int
    public let height: Int
    public let pixels: [UInt8]
    /// The colour profile (ICC); nil for sRGB.
    public let profile: [UInt8]?
}

/// Decodes and encodes WebP files.
@safe
public enum WebPFile {
    /// Larger colour profiles are left out.
    private static let profileLimit = 65_536

    /// Decodes a still picture, or the first frame of an animation, with at most `side` pixels on its longer side.
    /// Throws if the file has more than `pixelLimit` pixels, or ends too early.
    public static func decode(_ bytes: [UInt8], side: Int, pixelLimit: Int) throws(WebPError) -> WebPPicture {
        precondition(side > 0 && pixelLimit > 0, "a picture has pixels")
        var picture = unsafe webp_shim_picture()
        let status = unsafe webp_shim_decode(
            bytes, bytes.count, UInt32(clamping: side), UInt64(pixelLimit), profileLimit, &picture)
        defer {
            unsafe free(picture.pixels)
            unsafe free(picture.profile)
        }
        switch status {
        case WEBP_SHIM_DONE: break
        case WEBP_SHIM_TOO_LARGE: throw .tooLarge
        case WEBP_SHIM_NO_MEMORY: throw .noMemory
        default: throw .damaged
        }
        guard let start = unsafe picture.pixels else { throw .noMemory }
        let (width, height) = unsafe (Int(picture.width), Int(picture.height))
        let pixels = unsafe Array(UnsafeBufferPointer(start: start, count: 4 * width * height))
        var profile: [UInt8]?
        if let start = unsafe picture.profile {
            profile = unsafe Array(UnsafeBufferPointer(start: start, count: picture.profile_count))
        }
        return WebPPicture(width: width, height: height, pixels: pixels, profile: profile)
    }

    /// The maximum number of pixels of a side.
    public static let sideLimit = 16_383

    /// Encodes a picture without loss, also of the colours of transparent pixels. `pixels` has red, green, blue and straight
    /// alpha of each pixel; `effort` is 0 (fast) to 9 (small).
    public static func encode(_ pixels: [UInt8], width: Int, height: Int, effort: Int) throws(WebPError) -> [UInt8] {
        precondition(width > 0 && height > 0 && pixels.count == 4 * width * height, "four bytes for each pixel")
        precondition((0...9).contains(effort), "libwebp has ten levels")
        guard width <= sideLimit, height <= sideLimit else { throw .tooLarge }
        var start: UnsafeMutablePointer<UInt8>?
        let count = unsafe webp_shim_encode(pixels, Int32(width), Int32(height), Int32(effort), &start)
        defer { unsafe WebPFree(start) }
        guard count > 0, let start = unsafe start else { throw .noMemory }
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
