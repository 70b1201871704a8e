public import Digest
import LineGrid
public import TileMath

/// Where the lines or points of a picture come from. It is computed before anything is read, so an ETag needs no
/// drawing.
public struct LineTileLayout: Hashable, Sendable {
    /// Must be incremented with every change that produces other bytes from the same lines and symbolizers.
    public static let encoderVersion = 2
    /// As `encoderVersion`, for starts, directions and ends of tracks.
    public static let decorationVersion = 2

    /// What is read of the source tile.
    public enum Source: Hashable, Sendable {
        /// Its log of simplified lines.
        case log
        /// The recorded points, in the primary store, of the tracks that its log names.
        case recordedPoints
    }

    /// The requested tile.
    public let tile: TileCoordinate
    /// The requested size.
    public let scale: TileScale
    /// The source tile: the tile itself, or its ancestor at the deepest zoom level with a grid.
    public let sourceTile: TileCoordinate
    /// What is read of the source tile.
    public let source: Source

    /// The maximum enlargement of the simplified lines of the deepest grid: at 4 their error of a quarter pixel
    /// becomes a whole pixel.
    private static let maxEnlargement = 4

    /// The layout of a tile's lines.
    ///
    /// The lines are read from the tile's own log, and drawn twice as large for `@2x`. Logs of the deepest grid are
    /// enlarged up to four times; at deeper zoom levels lines are drawn through the recorded points.
    public static func lines(of tile: TileCoordinate, scale: TileScale) -> LineTileLayout {
        let depth = max(0, tile.zoom.number - ZoomLevel.deepestGrid.number)
        let isNear = depth == 0 || scale.rawValue << depth <= maxEnlargement
        return LineTileLayout(tile, scale, isNear ? .log : .recordedPoints)
    }

    /// The layout of a tile's points; they are always read as recorded.
    public static func points(of tile: TileCoordinate, scale: TileScale) -> LineTileLayout {
        LineTileLayout(tile, scale, .recordedPoints)
    }

    private init(_ tile: TileCoordinate, _ scale: TileScale, _ source: Source) {
        self.tile = tile
        self.scale = scale
        self.source = source
        sourceTile = tile.ancestor(at: min(tile.zoom, .deepestGrid))
    }

    /// Units of the lines along one side of the source tile: quarter pixels, or `RecordedUnits` for recorded points.
    public var unitsPerSide: Int {
        switch source {
        case .log: TileLines.unitsPerSide
        case .recordedPoints: RecordedUnits.perSide(zoom: sourceTile.zoom)
        }
    }

    /// Whether a raster of the source tile's lines has the picture's size.
    public var canUseRaster: Bool { source == .log && depth == 0 && scale == .single }

    /// The number of zoom levels between the source tile and the tile.
    private var depth: Int { tile.zoom.number - sourceTile.zoom.number }

    /// Pixels of the picture for each unit of the lines.
    var pixelsPerUnit: Double { Double(scale.side << depth) / Double(unitsPerSide) }

    /// Pixels from the western edge of the source tile to that of the picture.
    var west: Double { Double((tile.x - sourceTile.x << depth) * scale.side) }

    /// Pixels from the northern edge of the source tile to that of the picture.
    var north: Double { Double((tile.y - sourceTile.y << depth) * scale.side) }

    /// The digest of everything the picture depends on; `content` is the digest of the source tile's lines.
    public func digest(content: UInt64, symbolizer: ContentDigest) -> ContentDigest {
        var digester = Digester()
        digester.update("line tile")
        digester.update(Self.encoderVersion)
        digester.update(scale.rawValue)
        digester.update(source == .log ? 0 : 1)
        for number in [tile.zoom.number, tile.x, tile.y] { digester.update(number) }
        digester.update(content)
        digester.update(symbolizer)
        return digester.finish()
    }
}
