import Foundation
package import TileMath

/// The bounds and the initial position of a map.
package struct MapExtent: Sendable {
    /// West, south, east, north, in degrees, rounded outwards to 1e-5°, about a metre.
    package let bounds: [Double]
    /// Longitude and latitude in degrees, and the zoom level.
    package let center: [Double]

    /// A map's usual width and height, in tiles.
    private static let tilesAcross = 3.0

    /// The extent of a map of a box (the world if it is nil) whose tiles have these zoom levels.
    package init(_ box: BoundingBox?, zooms: ClosedRange<Int>) {
        let bounds: [Double]
        var center: [Double]
        if let box {
            (bounds, center) = Self.extent(of: box)
        } else {
            let top = (BoundingBox.mercatorLatitude * 1e5).rounded(.down) / 1e5
            (bounds, center) = ([-180, -top, 180, top], [0, 0, 0])
        }
        // The initial zoom level has to be one of the tiles.
        center[2] = min(max(center[2], Double(zooms.lowerBound)), Double(zooms.upperBound))
        self.bounds = bounds.enumerated().map { Self.rounded($1, $0 < 2 ? .down : .up) }
        self.center = center.map { Self.rounded($0) }
    }

    private static func extent(of box: BoundingBox) -> (bounds: [Double], center: [Double]) {
        // TileJSON has no boxes that cross 180°.
        let bounds =
            box.crossesAntimeridian ? [-180, box.south, 180, box.north] : [box.west, box.south, box.east, box.north]
        let width = box.east - box.west + (box.crossesAntimeridian ? 360 : 0)
        let middle = box.west + width / 2
        let top = mercator(box.north)
        let bottom = mercator(box.south)
        // The box of a single point has no size, but a map has.
        let share = max(width / 360, (top - bottom) / (2 * .pi), 1e-7)
        let zoom = min(max(log2(tilesAcross / share).rounded(.down), 0), Double(ZoomLevel.deepestGrid.number))
        return (bounds, [middle > 180 ? middle - 360 : middle, atan(sinh((top + bottom) / 2)) * 180 / .pi, zoom])
    }

    private static func rounded(
        _ degrees: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Double {
        (degrees * 1e5).rounded(rule) / 1e5
    }

    /// The y coordinate of web mercator, −π…π.
    private static func mercator(_ latitude: Double) -> Double {
        let limit = BoundingBox.mercatorLatitude
        return asinh(tan(min(max(latitude, -limit), limit) * .pi / 180))
    }
}
