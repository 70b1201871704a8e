public import Colors
public import Digest
public import TileMath

/// Symbolizer of recorded points.
public struct PointSymbolizer: Sendable, Equatable {
    public let color: Color
    /// Pixels of a 256-pixel tile.
    public let radius: ZoomNumbers
    /// The outline around each point; nil for none.
    public let outline: Casing?
    /// The lowest zoom level at which points are drawn.
    public let firstZoom: Int
    /// 0…1, applied to all points together.
    public let opacity: Double
    /// The colour of waypoints: points that somebody added by hand.
    public let pin: Color
    /// The digest of everything that can change a picture.
    public let digest: ContentDigest

    /// The radii that a style file may give, in pixels.
    public static let radiusLimits = 0.5...6.0
    /// The greatest radius of a point with its outline, in pixels of a 256-pixel tile: a tile knows the points in a
    /// margin of this width beyond its edges.
    public static let maxReach = 7.0
    /// The values that a style file may give for the lowest zoom level. A tile of level 12 covers at most 256 tiles of
    /// the deepest grid; reading the recorded points of a larger one would take longer the more tracks there are.
    public static let firstZoomLimits = 12...ZoomLevel.deepest.number
    /// The default of `firstZoom`: single points become visible at about this level.
    public static let defaultFirstZoom = 15
    /// The default colour of waypoints: a red that the built-in styles use for nothing else.
    public static let defaultPin = Color(red: 0xe0, green: 0x24, blue: 0x5e)

    public init(
        color: Color, radius: ZoomNumbers, outline: Casing? = nil, firstZoom: Int = defaultFirstZoom,
        opacity: Double = 1, pin: Color = defaultPin
    ) {
        precondition(Self.zoomTooWide(radius: radius, outline: outline) == nil, "dots within reach")
        precondition(Self.firstZoomLimits.contains(firstZoom) && (0...1).contains(opacity))
        self.color = color
        self.radius = radius
        self.outline = outline
        self.firstZoom = firstZoom
        self.opacity = opacity
        self.pin = pin
        var digester = Digester()
        digester.update("dots")
        digester.update(color.description)
        digester.update(pin.description)
        digester.update(firstZoom)
        digester.update(opacity.bitPattern)
        radius.update(&digester)
        outline.update(&digester)
        digest = digester.finish()
    }

    /// Whether points are drawn at a zoom level.
    public func isShown(at zoom: ZoomLevel) -> Bool { zoom.number >= firstZoom }

    /// The first zoom level at which a point with its outline would be larger than `maxReach`; nil if there is none.
    static func zoomTooWide(radius: ZoomNumbers, outline: Casing?) -> ZoomLevel? {
        ZoomLevel.all.first { radius[$0] + (outline?.width[$0] ?? 0) > maxReach }
    }
}
