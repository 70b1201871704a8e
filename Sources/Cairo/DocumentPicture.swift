import CCairo
import FoundationEssentials

/// A picture that a document lends for drawing on its page.
public struct DocumentPicture: ~Copyable {
    fileprivate let kept: KeptPicture

    init(_ kept: KeptPicture) {
        self.kept = kept
    }
}

/// A picture of a document, which keeps it as PNG until it ends.
///
/// cairo keeps the pixels of every painted surface until a document ends: 190 MiB for a map on A0. A PDF instead asks for
/// the pixels while it writes the picture, and an SVG receives the bytes of the PNG.
@safe
final class KeptPicture {
    /// What stands in an SVG until the document ends. cairo writes a link instead of the pixels for surfaces with the
    /// MIME type `text/x-uri`.
    let link: String
    let png: [UInt8]
    let width: Int
    let height: Int
    /// Whether the document has a link for the picture, and not its pixels.
    private let isLinked: Bool
    /// The pixels of the picture that was read last, because cairo asks for the same several times.
    private let decoded: DecodedPicture

    init(_ png: [UInt8], number: Int, width: Int, height: Int, isLinked: Bool, decoded: DecodedPicture) {
        link = "picture:\(number):of-this-document"
        self.png = png
        self.width = width
        self.height = height
        self.isLinked = isLinked
        self.decoded = decoded
    }

    /// A pattern that paints the picture; nil if there is no memory.
    fileprivate func pattern() -> OpaquePointer? {
        isLinked ? unsafe linkedSurface() : unsafe rasterSource()
    }

    /// Unsafe because cairo keeps a pointer to this object, which the document owns until it has ended. The pattern does
    /// not own it, because cairo 1.16 does not free all of its copies of a pattern.
    private func rasterSource() -> OpaquePointer? {
        let object = unsafe Unmanaged.passUnretained(self).toOpaque()
        let made = unsafe cairo_pattern_create_raster_source(
            object, CAIRO_CONTENT_COLOR_ALPHA, Int32(clamping: width), Int32(clamping: height))
        unsafe cairo_raster_source_pattern_set_acquire(
            made,
            { _, object, _, _ in
                guard let object = unsafe object else { return nil }
                return unsafe Unmanaged<KeptPicture>.fromOpaque(object).takeUnretainedValue().surface()
            }, { _, _, surface in unsafe cairo_surface_destroy(surface) })
        return unsafe made
    }

    /// A new reference to the pixels.
    private func surface() -> OpaquePointer? {
        unsafe cairo_surface_reference(decoded.surface(of: self))
    }

    /// A surface with 1 bit a pixel, the smallest of this size, whose link cairo writes instead of its pixels.
    private func linkedSurface() -> OpaquePointer? {
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_A1, Int32(clamping: width), Int32(clamping: height))
        defer { unsafe cairo_surface_destroy(surface) }
        // cairo frees the bytes with the surface, unless it has no memory to keep them.
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: link.utf8.count)
        for (index, byte) in link.utf8.enumerated() { unsafe bytes[index] = byte }
        let status = unsafe cairo_surface_set_mime_data(
            surface, CAIRO_MIME_TYPE_URI, bytes, UInt(link.utf8.count),
            { unsafe $0?.assumingMemoryBound(to: UInt8.self).deallocate() }, bytes)
        guard status == CAIRO_STATUS_SUCCESS else {
            unsafe bytes.deallocate()
            decoded.hasFailed = true
            return nil
        }
        return unsafe cairo_pattern_create_for_surface(surface)
    }
}

/// The pixels of one picture of a document.
///
/// Safe: the surface is freed with the object, and others get references of their own.
@safe
final class DecodedPicture {
    /// Whether a picture was left out, because it could not be read or there was no memory; the document fails then.
    fileprivate(set) var hasFailed = false
    private var link: String?
    private var surface: OpaquePointer?

    deinit {
        unsafe cairo_surface_destroy(surface)
    }

    /// The pixels of a picture, owned by this object.
    fileprivate func surface(of picture: KeptPicture) -> OpaquePointer? {
        if link == picture.link { return unsafe surface }
        // The pixels before are freed first, so that one picture is in memory at a time.
        unsafe cairo_surface_destroy(surface)
        unsafe surface = unsafe Self.decode(picture.png)
        link = picture.link
        if unsafe cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS {
            // cairo 1.16 ends the process if a raster source has no surface.
            hasFailed = true
            unsafe cairo_surface_destroy(surface)
            unsafe surface = unsafe cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1)
        }
        return unsafe surface
    }

    private static func decode(_ png: [UInt8]) -> OpaquePointer? {
        unsafe png.withUnsafeBytes { bytes in
            var rest = unsafe bytes[...]
            return unsafe withUnsafeMutablePointer(to: &rest) { rest in
                unsafe cairo_image_surface_create_from_png_stream(
                    { rest, target, count in
                        guard let rest = unsafe rest?.assumingMemoryBound(to: Slice<UnsafeRawBufferPointer>.self),
                            let target = unsafe target, unsafe rest.pointee.count >= Int(count)
                        else { return CAIRO_STATUS_READ_ERROR }
                        let part = unsafe rest.pointee.prefix(Int(count))
                        unsafe UnsafeMutableRawBufferPointer(start: target, count: Int(count)).copyBytes(from: part)
                        unsafe rest.pointee = unsafe rest.pointee.dropFirst(Int(count))
                        return CAIRO_STATUS_SUCCESS
                    }, rest)
            }
        }
    }
}

extension Context {
    /// Paints a picture of a document with its north-western corner at the origin of the transformation, which also
    /// scales the picture.
    public func paint(_ picture: borrowing DocumentPicture) {
        guard let pattern = unsafe picture.kept.pattern() else { return }
        unsafe cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
        unsafe cairo_set_source(handle, pattern)
        unsafe cairo_pattern_destroy(pattern)
        paint()
        setSource(red: 0, green: 0, blue: 0)
    }
}

extension [UInt8] {
    /// The bytes of an SVG with the PNG files of its pictures instead of their links.
    func replacingLinks(of pictures: [KeptPicture]) -> [UInt8] {
        guard !pictures.isEmpty else { return self }
        let files = Dictionary(uniqueKeysWithValues: pictures.map { ("\"\($0.link)\"", $0.png) })
        let longest = files.keys.map(\.utf8.count).max() ?? 0
        let quote = UInt8(ascii: "\"")
        var result: [UInt8] = []
        result.reserveCapacity(count + files.values.reduce(0) { $0 + $1.count / 3 * 4 + 64 })
        var copied = 0
        var open: Int?
        for (index, byte) in enumerated() where byte == quote {
            guard let start = open else {
                open = index
                continue
            }
            open = nil
            guard index + 1 - start <= longest, let png = files[String(decoding: self[start...index], as: UTF8.self)]
            else { continue }
            result += self[copied...start]
            result += "data:image/png;base64,".utf8
            result += Data(png).base64EncodedData()
            copied = index
        }
        return result + self[copied...]
    }
}
