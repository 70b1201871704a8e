public import TileLog
public import TileMath
public import Tracks

/// Which tile is wanted, and how: all that a picture depends on besides the library, and the key under which it is kept.
public struct TileRequest: Hashable, Sendable {
    /// Whose counts span the scale.
    public enum Span: String, Hashable, Sendable, CaseIterable {
        /// Those of all time, so that equal counts look equal in every window.
        case all
        /// Those of the window, for contrast.
        case window
    }

    /// The style's name, as the URL has it; whether there is such a style is not known here.
    public var style: String
    /// Of which tracks and which time.
    public var selection: TileSelection
    /// Where.
    public var tile: TileCoordinate
    /// How large.
    public var scale: TileScale
    /// What is taken away from the window's counts, where their difference is asked for.
    public var minus: TimeWindow?
    /// Whose counts span the scale; all time's where neither a window nor tracks are asked for.
    public var span: Span
    /// The name of a ramp to take instead of the style's.
    public var ramp: String?
    /// Whether the ways of the tracks named are marked: where they begin, lead and end.
    public var hasDecorations = false

    /// The style of URLs that name none.
    public static let defaultStyle = "heat"
    /// The layer of URLs that name none: every accepted track.
    public static let defaultLayer = TileSelection.defaultLayer

    /// A request with these parts.
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

    /// A request for all tracks of a layer.
    public init(
        style: String = defaultStyle, layer: String = defaultLayer, tile: TileCoordinate, scale: TileScale = .single,
        window: TimeWindow = .allTime
    ) {
        self.init(style: style, selection: TileSelection(layer: layer, window: window), tile: tile, scale: scale)
    }

    /// The layer's name.
    public var layer: String { selection.layer }
    /// Who asks.
    public var viewer: Viewer { selection.viewer }

    /// Whether a style and a layer say all: the pictures that are kept on disk and prerendered.
    var isPlain: Bool { selection.isWholeLayer && minus == nil && ramp == nil }
}
