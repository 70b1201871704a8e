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
    /// The rank of each track fragment if the symbolizer colours by activity or age; else empty.
    public var fragmentRanks: [UInt8]

    public init(_ layout: LineTileLayout, _ symbolizer: LineSymbolizer, _ lines: TileLines, fragmentRanks: [UInt8] = [])
    {
        self.layout = layout
        self.symbolizer = symbolizer
        self.lines = lines
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
