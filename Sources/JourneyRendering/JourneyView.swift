import Foundation
import TileMath

/// Maps places of the world to pixels of a picture.
struct JourneyView {
    /// Pixels of the picture in the width of the world.
    let worldPixels: Double
    /// The north-western corner, in pixels of the picture from that of the world.
    let originX: Double
    let originY: Double
    let width: Int
    let height: Int
    /// Pixels of the picture in one of a screen.
    let density: Int

    init(worldPixels: Double, originX: Double, originY: Double, width: Int, height: Int, density: Int) {
        self.worldPixels = worldPixels
        self.originX = originX
        self.originY = originY
        self.width = width
        self.height = height
        self.density = density
    }

    init(_ tile: TileCoordinate, _ scale: TileScale) {
        self.init(
            worldPixels: Double(scale.side * tile.zoom.tilesPerSide), originX: Double(scale.side * tile.x),
            originY: Double(scale.side * tile.y), width: scale.side, height: scale.side, density: scale.rawValue)
    }

    /// Pixels in a unit of the fixed-point numbers of the world.
    var pixelsPerUnit: Double { worldPixels / Double(WorldPoint.side) }

    /// The zoom level whose tiles show this size.
    var zoom: Int {
        let exact = log2(worldPixels / Double(density * TileCoordinate.cellsPerSide))
        return min(max(0, Int(exact.rounded())), ZoomLevel.deepest.number)
    }

    /// A place in the picture, rounded to 1/256 pixel in the world and not in the picture: cairo's precision, so that it has the
    /// same position in each tile that shows it.
    func pixel(x: Double, y: Double) -> DrawnPoint {
        let scale = pixelsPerUnit * 256
        return DrawnPoint(x: (x * scale).nearest / 256 - originX, y: (y * scale).nearest / 256 - originY)
    }
}

extension Double {
    /// The nearest whole number; of two, the greater one, so that it does not depend on where the origin is.
    var nearest: Double { (self + 0.5).rounded(.down) }
}

/// A point of a picture, in its pixels.
struct DrawnPoint: Equatable {
    var x: Double
    var y: Double
}

/// A box of pixels.
struct DrawnBox {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    func intersects(_ other: DrawnBox) -> Bool {
        left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }

    func widened(by margin: Double) -> DrawnBox {
        DrawnBox(left: left - margin, top: top - margin, right: right + margin, bottom: bottom + margin)
    }

}

extension DrawnBox {
    init(left: Double, top: Double, width: Double, height: Double) {
        self.init(left: left, top: top, right: left + width, bottom: top + height)
    }

    init(around center: DrawnPoint, radius: Double) {
        self.init(left: center.x - radius, top: center.y - radius, width: 2 * radius, height: 2 * radius)
    }
}

extension DrawnBox {
    /// The part of a step within the box, from 0 to 1 (Liang and Barsky 1984); nil if none is.
    func part(from: DrawnPoint, to: DrawnPoint) -> (from: Double, to: Double)? {
        var (first, last) = (0.0, 1.0)
        let (dx, dy) = (to.x - from.x, to.y - from.y)
        // For each edge how fast the step leaves the box there, and how far away it is.
        func cut(_ speed: Double, _ distance: Double) -> Bool {
            if speed == 0 { return distance >= 0 }
            if speed < 0 { first = max(first, distance / speed) } else { last = min(last, distance / speed) }
            return true
        }
        guard cut(-dx, from.x - left), cut(dx, right - from.x), cut(-dy, from.y - top), cut(dy, bottom - from.y),
            first < last
        else { return nil }
        return (first, last)
    }
}
