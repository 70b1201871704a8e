import LineGrid

/// The disc of quarter pixels with which the points of a raster are drawn.
///
/// A point is a corner of four quarter pixels; a quarter pixel belongs to the disc if its centre is within the radius. So
/// a disc has an even width, and the nearest one is taken. One that is wider than a thin line should be is drawn with a
/// part of its opacity instead; from 1.5 pixels on this would show where lines are wide enough to be opaque.
struct LineBrush: Sendable {
    /// For the rows of quarter pixels at both sides of the point, from the nearest on: how many belong to the disc at each
    /// side.
    let extents: [Int]
    /// The part of the opacity, up to 1.
    let share: Float

    private static let thinWidth = 6.0

    /// The brush for lines of a width in pixels of a 256-pixel tile.
    init(width: Double) {
        let wanted = width * Double(TileLines.unitsPerPixel)
        let half = max(1, Int((wanted / 2).rounded()))
        // The radius reaches the quarter pixels beside the axes, and is that of the wanted disc if this reaches them, too.
        let least = (Double(half) - 0.5) * (Double(half) - 0.5) + 0.25
        let square = max(least, wanted * wanted / 4)
        var extents: [Int] = []
        for row in 0..<half {
            let across = square - (Double(row) + 0.5) * (Double(row) + 0.5)
            guard across >= 0.25 else { break }
            extents.append(min(half, Int((across.squareRoot() + 0.5).rounded(.down))))
        }
        self.extents = extents
        share = wanted < Self.thinWidth ? Float(min(1, wanted / Double(2 * half))) : 1
    }
}
