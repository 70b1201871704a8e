/// The rule that bounds the cost of a straight step between two recorded points, whatever its length.
///
/// A step of hundreds of kilometres says nothing about a single metre of them. It is drawn at the zoom levels at which it
/// passes few cells, and at deeper ones heat shows its two ends alone. A step of 2 km is drawn at every zoom level, a flight
/// over an ocean down to zoom level 5 or 6.
public enum StepDetail {
    /// The deepest zoom level with a grid, at which steps of ordinary recordings are drawn.
    public static let deepest: UInt8 = 16
    /// Columns, and rows, of cells that a step spans at most where it is drawn: 16 tiles.
    static let mostCells: Int64 = 4096
    /// The larger of columns and rows and twice the smaller, at most: an oblique step passes through as many cells as both
    /// together, and their codes take more bytes than those of a straight one.
    static let mostObliqueCells: Int64 = 5120
    /// Lines keep a long step with the tiles of a zoom level so much coarser than that down to which heat draws it: some 4
    /// tiles and those that hold them, a fifth of the rows.
    private static let coarserForLines: UInt8 = 2
    /// How far beyond the map's northern and southern edges a step counts, in the world's units: what is drawn near an edge
    /// comes from there. A tile of zoom level 8.
    private static let margin: Int64 = 1 << 24

    /// The deepest zoom level, 4 to 16, at which the step between two places is drawn; the same in both directions.
    @inlinable
    @inline(__always)
    public static func deepestZoom(from start: WorldPoint, to end: WorldPoint) -> UInt8 {
        let width = abs(start.eastwards(to: end))
        let height = abs(end.y &- start.y)
        // Far within both bounds at the deepest zoom level, as nearly every step is.
        if width | height < 1 << 18 { return deepest }
        return deepestZoomOfLongStep(from: start, to: end)
    }

    /// The deepest zoom level at which tiles keep a step among their lines, of one that heat draws down to `zoom`; deeper
    /// ones draw it from there.
    public static func deepestZoomOfLines(heatDownTo zoom: UInt8) -> UInt8 {
        zoom < deepest ? max(zoom, coarserForLines) - coarserForLines : deepest
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
        while zoom > 0, larger >> shift > mostCells || (larger + 2 * smaller) >> shift > mostObliqueCells {
            zoom -= 1
            shift += 1
        }
        return zoom
    }
}
