public import Digest
import LineGrid
public import TileMath

/// Where the lines or dots of a picture come from: named before anything is read, so that an ETag costs no drawing.
public struct LineRecipe: Hashable, Sendable {
    /// Raised with every change that makes other bytes of the same lines and looks.
    public static let encoderVersion = 1

    /// What is read of the ground.
    public enum Source: Hashable, Sendable {
        /// Its log of simplified lines.
        case log
        /// The recorded points of the tracks that its log names.
        case truth
    }

    /// The tile that is asked for.
    public let tile: TileCoordinate
    /// The size that is asked for.
    public let scale: PictureScale
    /// The tile whose lines are drawn: the tile itself, or its ancestor of the deepest zoom level with a grid.
    public let ground: TileCoordinate
    /// What is read of the ground.
    public let source: Source

    /// How many times the simplified lines of the deepest grid are enlarged at most: a quarter of a pixel, by which they
    /// may be off, is then a whole one.
    private static let mostEnlarged = 4

    /// The recipe of a tile's lines.
    ///
    /// They are those of the tile's own log, twice as large for `@2x`; the deepest logs are enlarged up to four times, and
    /// beyond that lines go through the recorded points.
    public static func lines(of tile: TileCoordinate, scale: PictureScale) -> LineRecipe {
        let depth = max(0, tile.zoom.number - ZoomLevel.deepestGrid.number)
        let isNear = depth == 0 || scale.rawValue << depth <= mostEnlarged
        return LineRecipe(tile, scale, isNear ? .log : .truth)
    }

    /// The recipe of a tile's dots, which are always the recorded points.
    public static func dots(of tile: TileCoordinate, scale: PictureScale) -> LineRecipe {
        LineRecipe(tile, scale, .truth)
    }

    private init(_ tile: TileCoordinate, _ scale: PictureScale, _ source: Source) {
        self.tile = tile
        self.scale = scale
        self.source = source
        ground = tile.ancestor(at: min(tile.zoom, .deepestGrid))
    }

    /// Units of the ground's lines along its side: quarter pixels, or `RecordedUnits` of what was recorded.
    public var unitsPerSide: Int {
        switch source {
        case .log: TileLines.unitsPerSide
        case .truth: RecordedUnits.perSide(zoom: ground.zoom)
        }
    }

    /// How often the tile's side goes into the ground's, as a power of two.
    private var depth: Int { tile.zoom.number - ground.zoom.number }

    /// Pixels of the picture to a unit of the ground's lines.
    var pixelsPerUnit: Double { Double(scale.side << depth) / Double(unitsPerSide) }

    /// How many pixels east of the ground's corner the picture begins.
    var west: Double { Double((tile.x - ground.x << depth) * scale.side) }

    /// How many pixels south of the ground's corner the picture begins.
    var north: Double { Double((tile.y - ground.y << depth) * scale.side) }

    /// What the picture depends on: the digest of the ground's lines, the digest of the look, and how they are drawn.
    public func digest(content: UInt64, look: ContentDigest) -> ContentDigest {
        var digester = Digester()
        digester.update("line tile")
        digester.update(Self.encoderVersion)
        digester.update(scale.rawValue)
        digester.update(source == .log ? 0 : 1)
        for number in [tile.zoom.number, tile.x, tile.y] { digester.update(number) }
        digester.update(content)
        digester.update(look)
        return digester.finish()
    }
}

extension LineRecipe {
    /// The PNG of this recipe where nothing comes near it.
    public var emptyPicture: [UInt8] { scale.emptyPicture }
}
