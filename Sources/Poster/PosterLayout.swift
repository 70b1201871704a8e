import TileMath

/// A rectangle on the page in millimetres from its top left corner.
struct PageArea: Equatable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
}

/// Where map and caption are on the page, and which part of the world the map shows.
///
/// All lengths depend on the paper only, not on the resolution, so lines and letters have the same width in millimetres
/// at every dpi.
struct PosterLayout {
    /// The whole page.
    let page: PageArea
    /// The map.
    let map: PageArea
    /// The caption below the map.
    let caption: PageArea
    /// The zoom level of the tiles.
    let zoom: ZoomLevel
    /// The width of a tile's pixel on paper, in millimetres.
    let pixelMillimetres: Double
    /// The left edge of the map in pixels of the zoom level's world, which may be negative: the world repeats.
    let left: Double
    /// The top edge of the map in pixels of the zoom level's world.
    let top: Double

    /// Pixels of a tile's side: tiles are drawn with double scale.
    static let tileSide = 512
    /// The width of a tile's pixel that the zoom level is chosen for, in millimetres: 210 dpi. The actual width is at
    /// most √2 more or less.
    static let preferredPixelMillimetres = 0.12
    /// The margin as a share of the page's shorter side.
    private static let margin = 0.045
    /// The height of the caption as a share of the page's shorter side.
    private static let captionShare = 0.11

    init(_ request: PosterRequest) {
        let box = request.box
        // The share of the world's width, eastwards also across 180°.
        let degrees = box.west < box.east ? box.east - box.west : box.east - box.west + 360
        let wide = degrees / 360
        let north = Self.northing(box.north)
        let high = Self.northing(box.south) - north
        let paper = request.paper
        let isTurned = paper.canTurn && (wide > high) != (paper.width > paper.height)
        let (width, height) = isTurned ? (paper.height, paper.width) : (paper.width, paper.height)
        page = PageArea(x: 0, y: 0, width: width, height: height)
        let margin = min(width, height) * Self.margin
        let captionHeight = min(width, height) * Self.captionShare
        map = PageArea(
            x: margin, y: margin, width: width - 2 * margin, height: height - 2 * margin - captionHeight)
        caption = PageArea(
            x: margin, y: margin + map.height, width: map.width, height: captionHeight)
        // Millimetres of the whole world's width on paper, so that the box fits into the map.
        let world = min(map.width / wide, map.height / high)
        var level = 0
        while level < ZoomLevel.deepest.number,
            world / Double(Self.tileSide << level) > Self.preferredPixelMillimetres * 2.0.squareRoot()
        {
            level += 1
        }
        zoom = ZoomLevel(level) ?? .deepest
        let side = Double(Self.tileSide << zoom.number)
        pixelMillimetres = world / side
        let centreX = (box.west + degrees / 2 + 180) / 360 * side
        let centreY = (north + high / 2) * side
        left = centreX - map.width / 2 / pixelMillimetres
        top = centreY - map.height / 2 / pixelMillimetres
    }

    /// The share of the world's height from its northern edge to a latitude.
    private static func northing(_ latitude: Double) -> Double {
        let limit = BoundingBox.mercatorLatitude
        let point = WorldPoint(longitude: 0, latitude: min(max(latitude, -limit), limit))
        return min(1, max(0, Double(point.y) / Double(WorldPoint.side)))
    }

    /// The longitude at a distance in millimetres from the map's left edge; may be beyond ±180°.
    func longitude(at x: Double) -> Double {
        (left + x / pixelMillimetres) / Double(Self.tileSide << zoom.number) * 360 - 180
    }

    /// The latitude at a distance in millimetres from the map's top edge.
    func latitude(at y: Double) -> Double {
        let share = (top + y / pixelMillimetres) / Double(Self.tileSide << zoom.number)
        return WorldPoint(x: 0, y: Int64((min(max(share, 0), 1) * Double(WorldPoint.side)).rounded())).latitude
    }
}
