internal import TileMath

/// Maps places of the world to pixels of a picture.
struct FloorView {
    /// Whole pixels of the picture.
    let width: Int
    let height: Int
    let zoom: Int
    /// Pixels of the picture in one of a screen.
    let density: Int
    /// The north-western corner, in pixels of a screen from that of the world; negative or beyond the world in its copies.
    let originX: Int
    let originY: Int
    private let worldPixels: Double

    init(_ tile: TileCoordinate, _ scale: TileScale) {
        self.init(tile, columns: 1, rows: 1, scale)
    }

    /// The view of a block of tiles, of which `tile` is the north-western.
    init(_ tile: TileCoordinate, columns: Int, rows: Int, _ scale: TileScale) {
        let zoom = tile.zoom.number
        self.init(
            zoom: zoom, density: scale.rawValue, origin: (256 * tile.x, 256 * tile.y),
            size: (scale.side * columns, scale.side * rows))
    }

    private init(zoom: Int, density: Int, origin: (x: Int, y: Int), size: (width: Int, height: Int)) {
        self.zoom = zoom
        self.density = density
        originX = origin.x
        originY = origin.y
        width = size.width
        height = size.height
        worldPixels = Double((256 << zoom) * density)
    }

    /// The view whose world is moved by whole worlds to the east.
    func turned(_ turns: Int) -> FloorView {
        FloorView(
            zoom: zoom, density: density, origin: (originX + turns * (256 << zoom), originY), size: (width, height))
    }

    /// Pixels, rounded to 1/256 of one in the world and not in the picture: cairo's precision, so that a place has the same
    /// position in each tile that shows it.
    func pixel(_ place: WorldPlace) -> (x: Double, y: Double) {
        (
            (place.x * worldPixels * 256).rounded() / 256 - Double(originX * density),
            (place.y * worldPixels * 256).rounded() / 256 - Double(originY * density)
        )
    }

    /// The box of the view, wider by pixels of the picture.
    func box(margin: Double) -> WorldBox {
        let low = WorldPlace(Double(originX * density) - margin, Double(originY * density) - margin)
        let size = WorldPlace(Double(width) + 2 * margin, Double(height) + 2 * margin)
        return WorldBox(low: low / worldPixels, high: (low + size) / worldPixels)
    }

    /// The box of the view in pixels of a screen.
    var pixelBox: PixelBox { PixelBox(x: originX, y: originY, width: width / density, height: height / density) }

    /// Pixels of the picture in a metre.
    func pixelsPerMetre(worldMetres: Double) -> Double { worldPixels / worldMetres }
}
