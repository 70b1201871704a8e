internal import CHEIF

/// An error of libheif, with its message.
public struct HEIFError: Error, Hashable, Sendable {
    public let message: String
}

/// Pixels of three bytes: red, green and blue.
public struct HEIFPicture: Sendable {
    public let width: Int
    public let height: Int
    public let pixels: [UInt8]
}

/// The primary picture of a HEIC or AVIF file.
@safe
public final class HEIFFile {
    /// Metadata blocks of more bytes are not read.
    private static let metadataLimit = 1 << 22
    /// More metadata blocks are not read.
    private static let blockLimit = 64
    /// Pictures with a longer side are not decoded.
    private static let sideLimit: Int32 = 32_768

    /// libheif; nil if it is not installed.
    nonisolated(unsafe) private static let library = unsafe heif_shim_load()

    private let heif: UnsafePointer<heif_shim>
    private let context: OpaquePointer
    private let picture: OpaquePointer

    /// Opens a file, of which only the parts that are needed are read.
    public convenience init(path: String) throws(HEIFError) {
        unsafe try self.init(bytes: []) { heif, context, _ in
            unsafe heif.pointee.context_read_from_file(context, path, nil)
        }
    }

    /// Opens a file in memory.
    public convenience init(bytes: [UInt8]) throws(HEIFError) {
        unsafe try self.init(bytes: bytes) { heif, context, bytes in
            unsafe bytes.withUnsafeBytes {
                unsafe heif.pointee.context_read_from_memory(context, $0.baseAddress, $0.count, nil)
            }
        }
    }

    private init(
        bytes: [UInt8], _ read: (UnsafePointer<heif_shim>, OpaquePointer, [UInt8]) -> heif_error
    ) throws(HEIFError) {
        guard let heif = unsafe Self.library else { throw HEIFError(message: "libheif is not installed") }
        guard let context = unsafe heif.pointee.context_alloc() else { throw HEIFError(message: "out of memory") }
        unsafe heif.pointee.context_set_maximum_image_size_limit(context, Self.sideLimit)
        // The callers have threads of their own.
        unsafe heif.pointee.context_set_max_decoding_threads(context, 0)
        var picture: OpaquePointer?
        do throws(HEIFError) {
            unsafe try Self.check(read(heif, context, bytes))
            unsafe try Self.check(heif.pointee.context_get_primary_image_handle(context, &picture))
        } catch {
            unsafe heif.pointee.context_free(context)
            throw error
        }
        guard let opened = unsafe picture else {
            unsafe heif.pointee.context_free(context)
            throw HEIFError(message: "there is no picture")
        }
        unsafe self.heif = heif
        unsafe self.context = context
        unsafe self.picture = opened
    }

    deinit {
        unsafe heif.pointee.image_handle_release(picture)
        unsafe heif.pointee.context_free(context)
    }

    /// Pixels, turned and mirrored as the file demands.
    public var width: Int { unsafe Int(heif.pointee.image_handle_get_width(picture)) }
    public var height: Int { unsafe Int(heif.pointee.image_handle_get_height(picture)) }

    /// The EXIF data, from the TIFF header on; nil if there is none, or if it is damaged.
    public func exif() throws(HEIFError) -> [UInt8]? {
        guard let block = try block(kind: "Exif", content: nil), block.count >= 4 else { return nil }
        // The block begins with the offset of the TIFF header behind it.
        let offset = block[0..<4].reduce(0) { $0 << 8 | Int($1) }
        guard offset <= block.count - 4 else { return nil }
        return Array(block[(4 + offset)...])
    }

    /// The XMP packet; nil if there is none.
    public func xmp() throws(HEIFError) -> [UInt8]? {
        try block(kind: "mime", content: "application/rdf+xml")
    }

    private func block(kind: String, content: String?) throws(HEIFError) -> [UInt8]? {
        let count = unsafe min(
            Int(heif.pointee.image_handle_get_number_of_metadata_blocks(picture, kind)), Self.blockLimit)
        guard count > 0 else { return nil }
        var ids = [heif_item_id](repeating: 0, count: count)
        let found = unsafe heif.pointee.image_handle_get_list_of_metadata_block_IDs(picture, kind, &ids, Int32(count))
        for id in ids.prefix(Int(found)) {
            if let content {
                guard let type = unsafe heif.pointee.image_handle_get_metadata_content_type(picture, id),
                    unsafe String(cString: type) == content
                else { continue }
            }
            let size = unsafe heif.pointee.image_handle_get_metadata_size(picture, id)
            guard size > 0, size <= Self.metadataLimit else { continue }
            var block = [UInt8](repeating: 0, count: size)
            unsafe try Self.check(heif.pointee.image_handle_get_metadata(picture, id, &block))
            return block
        }
        return nil
    }

    /// Decodes the picture, turned as the file demands; throws if it has more than `pixelLimit` pixels.
    public func decoded(pixelLimit: Int) throws(HEIFError) -> HEIFPicture {
        try Self.check(width, height, pixelLimit)
        var decoded: OpaquePointer?
        unsafe try Self.check(
            heif.pointee.decode_image(picture, &decoded, heif_colorspace_RGB, heif_chroma_interleaved_RGB, nil))
        guard let image = unsafe decoded else { throw HEIFError(message: "there is no picture") }
        defer { unsafe heif.pointee.image_release(image) }
        let width = unsafe Int(heif.pointee.image_get_width(image, heif_channel_interleaved))
        let height = unsafe Int(heif.pointee.image_get_height(image, heif_channel_interleaved))
        try Self.check(width, height, pixelLimit)
        var stride: Int32 = 0
        guard let plane = unsafe heif.pointee.image_get_plane_readonly(image, heif_channel_interleaved, &stride),
            Int(stride) >= 3 * width
        else { throw HEIFError(message: "there are no pixels") }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(3 * width * height)
        for row in 0..<height {
            unsafe pixels.append(
                contentsOf: UnsafeBufferPointer(start: plane + row * Int(stride), count: 3 * width))
        }
        return HEIFPicture(width: width, height: height, pixels: pixels)
    }

    private static func check(_ width: Int, _ height: Int, _ limit: Int) throws(HEIFError) {
        guard width > 0, height > 0 else { throw HEIFError(message: "the picture has no pixels") }
        guard width <= limit / height else {
            throw HEIFError(message: "\(width) x \(height) pixels are more than the limit of \(limit)")
        }
    }

    private static func check(_ error: heif_error) throws(HEIFError) {
        guard unsafe error.code != heif_error_Ok else { return }
        throw HEIFError(message: unsafe error.message.map { unsafe String(cString: $0) } ?? "damaged")
    }
}
