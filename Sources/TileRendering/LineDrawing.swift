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
    /// More lines, drawn into rasters before.
    public var rasters: [Raster]
    /// How the lines become pixels.
    public var method: Method
    /// The rank of each track fragment if the symbolizer colours by activity or age; else empty.
    public var fragmentRanks: [UInt8]
    /// The rank of each code in the rasters.
    let codeRank: @Sendable (UInt16) -> UInt8

    /// How lines become pixels.
    public enum Method: Sendable {
        /// From the exact distance of each pixel; each line costs.
        case distances
        /// Through a raster of quarter pixels, which bounds the cost: for pictures of 256 pixels from a tile's own lines.
        case raster
    }

    /// Lines drawn into a raster before.
    public struct Raster: Sendable {
        /// In the form of `LineRaster.encoded`.
        public let points: [UInt8]
        /// In the form of `LineCodeRaster.encoded`; needed if lines have several colours.
        public let codes: [UInt8]

        public init(points: [UInt8], codes: [UInt8] = []) {
            self.points = points
            self.codes = codes
        }
    }

    /// `codeRank` gives the rank of a code of the symbolizer's property, for `rasters` of lines with several colours.
    public init(
        _ layout: LineTileLayout, _ symbolizer: LineSymbolizer, _ lines: TileLines, rasters: [Raster] = [],
        method: Method = .distances, fragmentRanks: [UInt8] = [],
        codeRank: @escaping @Sendable (UInt16) -> UInt8 = { _ in 0 }
    ) {
        precondition(method == .distances || layout.canUseRaster, "a raster has one size")
        precondition(rasters.isEmpty || method == .raster, "rasters are drawn through a raster")
        precondition(
            symbolizer.palette.count == 1 || rasters.allSatisfy { !$0.codes.isEmpty }, "a raster has codes of colours")
        self.layout = layout
        self.symbolizer = symbolizer
        self.lines = lines
        self.rasters = rasters
        self.method = method
        self.fragmentRanks = fragmentRanks
        self.codeRank = codeRank
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
