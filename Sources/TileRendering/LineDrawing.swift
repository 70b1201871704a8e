public import LineGrid
public import Styling

/// Lines and how a picture is to show them.
public struct LineDrawing: Sendable {
    /// Where they come from.
    public var recipe: LineRecipe
    /// How they look.
    public var look: LineSymbolizer
    /// The lines of the recipe's ground, in its units.
    public var lines: TileLines
    /// The rank of each of the parts, where the look colours by activity or age; else empty.
    public var partRanks: [UInt8]

    /// A drawing of `lines`.
    public init(_ recipe: LineRecipe, _ look: LineSymbolizer, _ lines: TileLines, partRanks: [UInt8] = []) {
        self.recipe = recipe
        self.look = look
        self.lines = lines
        self.partRanks = partRanks
    }
}

/// Recorded points and how a picture is to show them.
public struct PointDrawing: Sendable {
    /// Where they come from.
    public var recipe: LineRecipe
    /// How they look.
    public var look: PointSymbolizer
    /// The points of the recipe's ground, in its units.
    public var dots: TilePoints

    /// A drawing of `dots`.
    public init(_ recipe: LineRecipe, _ look: PointSymbolizer, _ dots: TilePoints) {
        self.recipe = recipe
        self.look = look
        self.dots = dots
    }
}
