public import Styling
public import TileLog
public import TileMath

/// A tile and how it is drawn: everything that a picture depends on besides the library. Caches use it as their key.
public struct TileRequest: Hashable, Sendable {
    /// The counts from which the scale is made.
    public enum Span: String, Hashable, Sendable, CaseIterable {
        /// The counts of all time, so that equal counts look equal in every window.
        case all
        /// The counts of the window, for more contrast.
        case window
    }

    /// The style's name from the URL; the style may not exist.
    public var style: String
    /// Tracks and time.
    public var selection: TileSelection
    public var tile: TileCoordinate
    /// The size of the picture.
    public var scale: TileScale
    /// The window whose counts are subtracted; nil if no difference is requested.
    public var minus: TimeWindow?
    /// The counts from which the scale is made; `all` if the request has neither a window nor tracks.
    public var span: Span
    /// The name of a ramp that replaces the style's.
    public var ramp: String?
    /// The background on which the picture is shown; styles with one ramp for all backgrounds ignore it.
    public var theme = Theme.light
    /// Whether start, direction and end of the selected tracks are drawn.
    public var hasDecorations = false
    /// The file format of the picture.
    public var encoding = TileEncoding.png

    /// The style of URLs without a style.
    public static let defaultStyle = "heat"
    /// The layer of URLs without a layer: all accepted tracks.
    public static let defaultLayer = TileSelection.defaultLayer

    public init(
        style: String = defaultStyle, selection: TileSelection, tile: TileCoordinate, scale: TileScale = .single,
        minus: TimeWindow? = nil, span: Span = .all, ramp: String? = nil
    ) {
        self.style = style
        self.selection = selection
        self.tile = tile
        self.scale = scale
        self.minus = minus
        self.span = selection.isWholeLayer ? .all : span
        self.ramp = ramp
    }

    /// A request for all tracks of a layer over all time.
    public init(
        style: String = defaultStyle, layer: String = defaultLayer, tile: TileCoordinate, scale: TileScale = .single
    ) {
        self.init(style: style, selection: TileSelection(layer: layer), tile: tile, scale: scale)
    }

    /// The layer's name.
    public var layer: String { selection.layer }

    /// Whether style, theme and layer describe the picture completely; such pictures are prerendered and stored on
    /// disk.
    var isPlain: Bool { selection.isWholeLayer && minus == nil && ramp == nil }
}
