package import TileMath

/// Names a picture in the cache: a tile of a layer in a style, over all time.
package struct PictureKey: Hashable, Sendable {
    package var style: String
    package var layer: String
    package var tile: TileCoordinate
    package var scale: TileScale

    /// The key of a tile's picture.
    package init(style: String, layer: String, tile: TileCoordinate, scale: TileScale) {
        self.style = style
        self.layer = layer
        self.tile = tile
        self.scale = scale
    }
}
