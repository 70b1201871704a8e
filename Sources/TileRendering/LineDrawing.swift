public import LineGrid
public import Styling

/// Lines, and how a picture shows them.
public struct LineDrawing: Sendable {
    /// Where the lines come from.
    public var layout: LineTileLayout
    /// How the lines are drawn.
    public var symbolizer: LineSymbolizer
    /// The lines of the layout's source tile, in its units.
    public var lines: TileLines
    /// More lines, drawn into rasters before; in the form of `LineRaster.encoded`. Only if all lines have one colour.
    public var rasters: [[UInt8]]
    /// How the lines become pixels.
    public var method: Method
    /// The rank of each track fragment if the symbolizer colours by activity or age; else empty.
    public var fragmentRanks: [UInt8]

    /// How lines become pixels.
    public enum Method: Sendable {
        /// From the exact distance of each pixel; each line costs.
        case distances
        /// Through a raster of quarter pixels, which bounds the cost: for pictures of 256 pixels from a tile's own lines.
        case raster
    }

    public init(
        _ layout: LineTileLayout, _ symbolizer: LineSymbolizer, _ lines: TileLines, rasters: [[UInt8]] = [],
        method: Method = .distances, fragmentRanks: [UInt8] = []
    ) {
        precondition(method == .distances || layout.canUseRaster, "a raster has one size")
        precondition(rasters.isEmpty || method == .raster && symbolizer.palette.count == 1, "a raster has one colour")
        self.layout = layout
        self.symbolizer = symbolizer
        self.lines = lines
        self.rasters = rasters
        self.method = method
        self.fragmentRanks = fragmentRanks
    }
}

/// Recorded points, and how a picture shows them.
public struct PointDrawing: Sendable {
    /// Where the points come from.
    public var layout: LineTileLayout
    /// How the points are drawn.
    public var symbolizer: PointSymbolizer
    /// The points of the layout's source tile, in its units.
    public var points: TilePoints

    public init(_ layout: LineTileLayout, _ symbolizer: PointSymbolizer, _ points: TilePoints) {
        self.layout = layout
        self.symbolizer = symbolizer
        self.points = points
    }
}
