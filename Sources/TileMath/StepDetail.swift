/// The rule that bounds the cost of a straight step between two recorded points, whatever its length.
///
/// A step of hundreds of kilometres says nothing about any single metre of it. It is drawn at the zoom levels at which
/// it passes few cells; at deeper ones heat shows only its two ends. A step of 2 km is drawn at every zoom level, a
/// flight over an ocean down to zoom level 5 or 6.
public enum StepDetail {
    /// The deepest zoom level with a grid, at which ordinary steps are drawn.
    public static let deepest: UInt8 = 16
    /// The maximum number of columns, and of rows, of cells that a drawn step spans: 16 tiles.
    static let maxCells: Int64 = 4096
    /// The maximum of the larger of columns and rows plus twice the smaller: an oblique step passes as many cells as
    /// columns and rows together, and their codes take more bytes than those of a straight step.
    static let maxObliqueCells: Int64 = 5120
    /// Long steps are stored among lines at tiles this many zoom levels coarser than the deepest one at which heat
    /// draws them: some 4 tiles and their ancestors, a fifth of the rows.
    private static let lineZoomOffset: UInt8 = 2
    /// How far beyond the northern and southern map edges a step counts, in world units, because steps there are drawn
    /// near the edge. One tile of zoom level 8.
    private static let margin: Int64 = 1 << 24

    /// The deepest zoom level, 3 to 16, at which the step between two places is drawn; the same in both directions.
    @inlinable
    @inline(__always)
    public static func deepestZoom(from start: WorldPoint, to end: WorldPoint) -> UInt8 {
        let width = abs(start.eastwards(to: end))
        let height = abs(end.y &- start.y)
        // Less than 1,024 cells of the deepest zoom level in each direction, as nearly all steps are: below both limits.
        // One comparison serves for both numbers, which are not negative.
        if width | height < 1 << 18 { return deepest }
        return deepestZoomOfLongStep(from: start, to: end)
    }

    /// The deepest zoom level at which tiles store a step among their lines, if heat draws it down to `zoom`; deeper
    /// tiles read it from there.
    public static func deepestZoomOfLines(heatDownTo zoom: UInt8) -> UInt8 {
        zoom < deepest ? max(zoom, lineZoomOffset) - lineZoomOffset : deepest
    }

    @usableFromInline
    static func deepestZoomOfLongStep(from start: WorldPoint, to end: WorldPoint) -> UInt8 {
        var width = abs(start.eastwards(to: end))
        var height = abs(end.y - start.y)
        let (north, south) = (max(min(start.y, end.y), -margin), min(max(start.y, end.y), WorldPoint.side + margin))
        guard north <= south else { return deepest }
        if south - north < height {
            width = Int64((Double(width) * (Double(south - north) / Double(height))).rounded(.up))
            height = south - north
        }
        var zoom = deepest
        var shift: Int64 = 8
        let (larger, smaller) = (max(width, height), min(width, height))
        while zoom > 0, larger >> shift > maxCells || (larger + 2 * smaller) >> shift > maxObliqueCells {
            zoom -= 1
            shift += 1
        }
        return zoom
    }
}
