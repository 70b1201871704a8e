import CPNG

/// Reads PNG files of any kind into pixels with straight alpha, for tests and tools.
@safe
public enum PNGReader {
    /// The maximum number of pixels of an image that is read: 8,192 × 8,192, 256 MiB of memory.
    public static let pixelLimit = 1 << 26

    /// Decodes a PNG file; throws libpng's message if the bytes are invalid.
    public static func image(of png: [UInt8]) throws(PNGError) -> RGBAImage {
        var image = unsafe png_image()
        unsafe image.version = UInt32(PNG_IMAGE_VERSION)
        // libpng's simplified interface catches its own long jumps and returns a status.
        defer { unsafe png_image_free(&image) }
        // The image is decoded inside the closure, because libpng reads the file's memory after "begin" too.
        let outcome = unsafe png.withUnsafeBytes { file -> Result<RGBAImage, PNGError> in
            guard unsafe png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
                return .failure(unsafe error(of: &image))
            }
            return unsafe pixels(of: &image)
        }
        return try outcome.get()
    }

    private static func pixels(of image: inout png_image) -> Result<RGBAImage, PNGError> {
        let width = unsafe Int(image.width)
        let height = unsafe Int(image.height)
        guard width > 0, height > 0, width * height <= pixelLimit else {
            return .failure(PNGError(message: "the picture is larger than \(pixelLimit) pixels"))
        }
        unsafe image.format = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
        var bytes = [UInt8](repeating: 0, count: 4 * width * height)
        let done = unsafe bytes.withUnsafeMutableBytes { buffer in
            unsafe png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil)
        }
        guard done != 0 else { return .failure(unsafe error(of: &image)) }
        return .success(RGBAImage(width: width, height: height, bytes: bytes))
    }

    private static func error(of image: inout png_image) -> PNGError {
        unsafe withUnsafeBytes(of: &image.message) { bytes in
            unsafe PNGError(message: String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self))
        }
    }
}
