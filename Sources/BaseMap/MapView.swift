import Foundation
public import TileMath

/// A rectangle of the map at some size.
public struct MapView: Sendable, Hashable {
    /// The width of the whole world.
    public var worldPixels: Double
    /// The distance of the rectangle's north-western corner from 180° W.
    public var originX: Double
    /// The distance of that corner from the northern edge of the map.
    public var originY: Double
    public var width: Double
    public var height: Double
    /// Pixels, or points of a document, in a pixel of a screen with 96 dots per inch: scales lines and letters.
    public var scale: Double

    /// Creates a view; all values but `scale` are in pixels, or points of a document.
    public init(
        worldPixels: Double, originX: Double, originY: Double, width: Double, height: Double, scale: Double
    ) {
        self.worldPixels = worldPixels
        self.originX = originX
        self.originY = originY
        self.width = width
        self.height = height
        self.scale = scale
    }

    /// The view of a tile.
    public init(_ tile: TileCoordinate, _ tileScale: TileScale) {
        let side = Double(tileScale.side)
        self.init(
            worldPixels: side * Double(tile.zoom.tilesPerSide), originX: side * Double(tile.x),
            originY: side * Double(tile.y), width: side, height: side, scale: Double(tileScale.rawValue))
    }

    /// The zoom level whose tiles show this size, with fractions.
    public var zoom: Double { log2(worldPixels / scale / Double(TileCoordinate.cellsPerSide)) }
}
