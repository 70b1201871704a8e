public import Digest
public import TileMath

/// How recorded points look.
public struct PointSymbolizer: Sendable, Equatable {
    public let color: Color
    /// Pixels of a tile of 256.
    public let radius: ZoomNumbers
    /// A rim round each dot; nil for none.
    public let outline: Casing?
    /// Dots are drawn from this zoom level on.
    public let firstZoom: Int
    /// 0…1, of all dots together.
    public let opacity: Double
    /// The colour of points that somebody marked by hand.
    public let pin: Color
    /// Of all that can change a picture.
    public let digest: ContentDigest

    /// What a style may ask for in pixels.
    public static let radiusLimits = 0.5...6.0
    /// How far a dot may reach from its place with its outline, in pixels of a tile of 256: a tile knows points so
    /// little beyond its edge.
    public static let mostReach = 7.0
    /// Dots may begin at these zoom levels: a tile of the first one holds at most 256 of the deepest grid's, and reading
    /// the recorded points of a wider one would take the longer the more tracks there are.
    public static let firstZoomLimits = 12...ZoomLevel.deepest.number
    /// From where on dots are drawn where nothing else is said: one sees single points about there.
    public static let usualFirstZoom = 15
    /// What marked points have where nothing else is said: a red that no built-in style has for anything else.
    public static let usualPin = Color(red: 0xe0, green: 0x24, blue: 0x5e)

    public init(
        color: Color, radius: ZoomNumbers, outline: Casing? = nil, firstZoom: Int = usualFirstZoom,
        opacity: Double = 1, pin: Color = usualPin
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

    /// Whether dots are drawn at a zoom level.
    public func isShown(at zoom: ZoomLevel) -> Bool { zoom.number >= firstZoom }

    /// The first zoom level at which a dot with its outline would reach beyond `mostReach`; nil where all is well.
    static func zoomTooWide(radius: ZoomNumbers, outline: Casing?) -> ZoomLevel? {
        ZoomLevel.all.first { radius[$0] + (outline?.width[$0] ?? 0) > mostReach }
    }
}
