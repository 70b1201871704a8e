import CCairo
import CPango

/// The style of a text.
public struct TextStyle: Sendable, Hashable {
    /// The thickness of the letters.
    public enum Weight: Sendable { case regular, medium, bold }

    /// The family of the font, such as `DejaVu Sans`. Letters that it lacks come from other fonts.
    public var family: String
    /// The size of the font in units of the transformation, which are pixels for images and points for documents.
    public var size: Double
    /// The thickness of the letters.
    public var weight: Weight

    /// Creates a style.
    public init(family: String = "DejaVu Sans", size: Double, weight: Weight = .regular) {
        self.family = family
        self.size = size
        self.weight = weight
    }
}

/// The measures of a text, in units of the transformation.
public struct TextSize: Sendable, Equatable {
    /// The advance width of the widest line.
    public var width: Double
    /// The height of all lines.
    public var height: Double
    /// The distance from the top to the baseline of the first line.
    public var baseline: Double

    /// The measures of no text.
    public static let zero = TextSize(width: 0, height: 0, baseline: 0)
}

/// A text that Pango has laid out, owned by one scope.
@safe
private struct TextLayout: ~Copyable {
    let handle: OpaquePointer

    /// Nil if Pango has no memory.
    init?(_ text: String, _ style: TextStyle, on context: OpaquePointer) {
        guard let handle = unsafe pango_cairo_create_layout(context) else { return nil }
        unsafe self.handle = unsafe handle
        // Distances between letters do not depend on the grid of pixels, so text is as wide in every transformation.
        let options = unsafe cairo_font_options_create()
        unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        unsafe pango_cairo_context_set_font_options(pango_layout_get_context(handle), options)
        unsafe cairo_font_options_destroy(options)
        unsafe pango_context_set_round_glyph_positions(pango_layout_get_context(handle), 0)
        let font = unsafe pango_font_description_new()
        unsafe pango_font_description_set_family(font, style.family)
        unsafe pango_font_description_set_absolute_size(font, style.size * Double(tileserve_pango_scale))
        let weight =
            switch style.weight {
            case .regular: tileserve_weight_normal
            case .medium: tileserve_weight_medium
            case .bold: tileserve_weight_bold
            }
        unsafe pango_font_description_set_weight(font, Int32(weight))
        unsafe pango_layout_set_font_description(handle, font)
        unsafe pango_font_description_free(font)
        unsafe pango_layout_set_text(handle, text, -1)
    }

    deinit {
        unsafe g_object_unref(UnsafeMutableRawPointer(handle))
    }

    var size: TextSize {
        var width: Int32 = 0
        var height: Int32 = 0
        unsafe pango_layout_get_size(handle, &width, &height)
        let unit = Double(tileserve_pango_scale)
        return TextSize(
            width: Double(width) / unit, height: Double(height) / unit,
            baseline: Double(unsafe pango_layout_get_baseline(handle)) / unit)
    }
}

extension Context {
    /// The measures of a text. A NUL ends the text.
    public func size(of text: String, _ style: TextStyle) -> TextSize {
        guard let layout = unsafe TextLayout(text, style, on: handle) else {
            return .zero
        }
        return layout.size
    }

    /// Draws a text in the source, its first baseline at `y`.
    public func show(_ text: String, _ style: TextStyle, x: Double, y: Double) {
        guard let layout = unsafe TextLayout(text, style, on: handle) else { return }
        unsafe cairo_move_to(handle, x, y - layout.size.baseline)
        unsafe pango_cairo_show_layout(handle, layout.handle)
        newPath()
    }

    /// Adds the outlines of a text to the path, such as for a halo that is stroked before the text is drawn.
    public func addOutlines(of text: String, _ style: TextStyle, x: Double, y: Double) {
        guard let layout = unsafe TextLayout(text, style, on: handle) else { return }
        unsafe cairo_move_to(handle, x, y - layout.size.baseline)
        unsafe pango_cairo_layout_path(handle, layout.handle)
    }
}
