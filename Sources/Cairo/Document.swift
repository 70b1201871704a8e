import CCairo

/// A page of a PDF or SVG document, drawn with vectors.
///
/// The handle has one owner, and cairo writes the bytes of the document into an object that lives as long.
@safe
public struct Document: ~Copyable {
    /// The file format.
    public enum Format: Sendable { case pdf, svg }

    /// Receives the bytes that cairo writes.
    private final class Output {
        var bytes: [UInt8] = []
        /// The pictures on the page; in an SVG they stand as links in `bytes`.
        var pictures: [KeptPicture] = []
        let decoded = DecodedPicture()
    }

    private let handle: OpaquePointer
    private let format: Format
    private let output: Output

    /// Creates a document of one page; `width` and `height` are in points of 1/72 inch.
    ///
    /// A PDF names no time of its creation, so the same drawing gives the same bytes. cairo numbers the elements of SVG
    /// documents through the life of the process.
    public init(_ format: Format, width: Double, height: Double, title: String = "") throws(CairoError) {
        precondition(width > 0 && height > 0, "a page has an area")
        let output = Output()
        let write: cairo_write_func_t = { target, data, length in
            guard let target = unsafe target, let data = unsafe data else { return CAIRO_STATUS_WRITE_ERROR }
            let output = unsafe Unmanaged<Output>.fromOpaque(target).takeUnretainedValue()
            unsafe output.bytes.append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
            return CAIRO_STATUS_SUCCESS
        }
        let target = unsafe Unmanaged.passUnretained(output).toOpaque()
        let made =
            switch format {
            case .pdf: unsafe cairo_pdf_surface_create_for_stream(write, target, width, height)
            case .svg: unsafe cairo_svg_surface_create_for_stream(write, target, width, height)
            }
        guard let made = unsafe made else { throw CairoError(CAIRO_STATUS_NO_MEMORY) }
        let status = unsafe cairo_surface_status(made)
        guard status == CAIRO_STATUS_SUCCESS else {
            unsafe cairo_surface_destroy(made)
            throw CairoError(status)
        }
        switch format {
        case .pdf:
            unsafe cairo_pdf_surface_set_metadata(made, CAIRO_PDF_METADATA_TITLE, title)
            unsafe cairo_pdf_surface_set_metadata(made, CAIRO_PDF_METADATA_CREATE_DATE, "")
        case .svg:
            unsafe cairo_svg_surface_set_document_unit(made, CAIRO_SVG_UNIT_PT)
        }
        unsafe handle = unsafe made
        self.format = format
        self.output = output
    }

    deinit {
        unsafe cairo_surface_finish(handle)
        unsafe cairo_surface_destroy(handle)
        withExtendedLifetime(output) {}
    }

    /// Draws on the page; after `body` has returned, throws the first status that was not success.
    public mutating func draw(_ body: (borrowing Context) -> Void) throws(CairoError) {
        let context = try unsafe Context(on: handle)
        body(context)
        try context.finish()
        try CairoError.check(unsafe cairo_surface_status(handle))
    }

    /// As `draw`, with a picture to paint: a PNG file of the given size.
    public mutating func draw(
        png: [UInt8], width: Int, height: Int, _ body: (borrowing Context, borrowing DocumentPicture) -> Void
    ) throws(CairoError) {
        let picture = KeptPicture(
            png, number: output.pictures.count, width: width, height: height, isLinked: format == .svg,
            decoded: output.decoded)
        output.pictures.append(picture)
        try draw { body($0, DocumentPicture(picture)) }
    }

    /// Ends the page and returns the bytes of the document.
    public consuming func finish() throws(CairoError) -> [UInt8] {
        unsafe cairo_surface_finish(handle)
        try CairoError.check(unsafe cairo_surface_status(handle))
        if output.decoded.hasFailed { throw CairoError(CAIRO_STATUS_READ_ERROR) }
        return format == .svg ? output.bytes.replacingLinks(of: output.pictures) : output.bytes
    }
}
