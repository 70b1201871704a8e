import CPNG
import Colors

/// What a PNG file says of its pixels; libpng writes it and its checksums around data that are already compressed.
@safe
struct PNGContainer {
    var width: Int
    var height: Int
    var depth: Int
    var colorType: Int32
    /// 1–256 colours; empty if the pixels are colours themselves.
    var palette: [Color]
    /// Pixels per inch of a print; 0 if not stated.
    var dpi = 0

    /// Bytes besides the compressed data: a palette of 256 colours with alphas (1,024) and the framing of six chunks
    /// (< 120).
    private static let overhead = 1_280
    private static let inchesPerMetre = 1 / 0.0254

    /// The file with the first `count` bytes of `data` as its compressed pixels.
    func file(of data: [UInt8], count dataCount: Int) throws(PNGError) -> [UInt8] {
        let colors = palette.map { png_color(red: $0.red, green: $0.green, blue: $0.blue) }
        // The chunk tRNS may be shorter than the palette: colours beyond its end are opaque (PNG, 11.3.2.1).
        let alphaCount = (palette.lastIndex { $0.alpha != 255 } ?? -1) + 1
        let alphas = palette.prefix(alphaCount).map(\.alpha)
        var sink = unsafe png_sink()
        var status: Int32 = 1
        let room = dataCount + Self.overhead
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            unsafe colors.withUnsafeBufferPointer { colors in
                unsafe alphas.withUnsafeBufferPointer { alphas in
                    unsafe data.withUnsafeBufferPointer { data in
                        var layout = unsafe png_layout(
                            width: UInt32(width), height: UInt32(height), bit_depth: Int32(depth),
                            color_type: colorType, palette: colors.baseAddress, palette_count: Int32(colors.count),
                            alphas: alphas.baseAddress, alpha_count: Int32(alphas.count),
                            dots_per_metre: UInt32((Double(dpi) * Self.inchesPerMetre).rounded()))
                        unsafe sink.bytes = buffer.baseAddress
                        unsafe sink.room = room
                        unsafe status = png_sink_picture(&sink, &layout, data.baseAddress, dataCount)
                    }
                }
            }
            unsafe count = sink.count
        }
        guard status == 0 else { throw PNGError(message: unsafe Self.text(of: &sink)) }
        return bytes
    }

    private static func text(of sink: inout png_sink) -> String {
        let text = unsafe withUnsafeBytes(of: &sink.message) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "libpng could not create an image" : text
    }
}
