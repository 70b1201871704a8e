import Foundation
public import TileMath
import Tracks

/// The coordinate system of recorded places in and near a tile: from its north-western corner, in units of
/// `WorldPoint`, or coarser ones at low zoom levels so that numbers stay small.
public struct RecordedUnits: Sendable {
    /// A line between two places.
    struct Segment: Sendable, Equatable {
        var startX: Int32
        var startY: Int32
        var endX: Int32
        var endY: Int32
    }

    private let west: Int64
    private let north: Int64
    /// World units per unit, as a power of two.
    private let shift: Int64
    /// The side of the tile, in world units; `margin` likewise.
    private let side: Int64
    private let margin: Int64

    /// The maximum number of units along a side, enough for the finest pixels: a picture can distinguish a thousandth
    /// of a pixel.
    private static let maxPerSide = 1 << 20
    /// The maximum coordinate of a line's end, in units; an end farther away is moved along the line.
    private static let farthest = Double(1 << 30)

    /// Creates the units of a tile with `perSide` units along its side: a power of two, at most `perSide(zoom:)`.
    public init(_ tile: TileCoordinate, perSide: Int) {
        side = WorldPoint.side >> Int64(tile.zoom.number)
        west = Int64(tile.x) * side
        north = Int64(tile.y) * side
        shift = Int64((Int(side) / perSide).trailingZeroBitCount)
        margin = side / 256 * Int64(TileLines.marginPixels)
    }

    /// The number of units along the side of a tile of a zoom level.
    public static func perSide(zoom: ZoomLevel) -> Int {
        min(Int(WorldPoint.side) >> zoom.number, maxPerSide)
    }

    /// Metres on the ground per world unit, in the middle of the tile (scale of spherical Mercator).
    var metresPerUnit: Double {
        let ordinate = Double.pi * (1 - 2 * (Double(north) + Double(side) / 2) / Double(WorldPoint.side))
        return 2 * Double.pi * Geodesy.radiusMetres / cosh(ordinate) / Double(WorldPoint.side)
    }

    /// The positions of a place in the tile or its margin, with wrapping round the world; empty if it is elsewhere.
    func positions(of point: WorldPoint) -> [(Int32, Int32)] {
        let y = point.y - north
        guard y >= -margin, y <= side + margin else { return [] }
        return [-WorldPoint.side, 0, WorldPoint.side].compactMap { turn in
            let x = point.x - west + turn
            return x >= -margin && x <= side + margin ? (Int32(rounded(x)), Int32(rounded(y))) : nil
        }
    }

    /// The positions at which a line, the shorter way round the world, passes the tile or its margin: nearly always one
    /// or none.
    func segments(from start: WorldPoint, to end: WorldPoint) -> [Segment] {
        let (startY, endY) = (start.y - north, end.y - north)
        guard max(startY, endY) >= -margin, min(startY, endY) <= side + margin else { return [] }
        var found: [Segment] = []
        for turn in [-WorldPoint.side, 0, WorldPoint.side] {
            let startX = start.x - west + turn
            let endX = startX + start.eastwards(to: end)
            guard max(startX, endX) >= -margin, min(startX, endX) <= side + margin else { continue }
            found.append(segment(rounded(startX), rounded(startY), rounded(endX), rounded(endY)))
        }
        return found
    }

    private func rounded(_ distance: Int64) -> Int64 {
        (distance + ((1 << shift) >> 1)) >> shift
    }

    private func segment(_ startX: Int64, _ startY: Int64, _ endX: Int64, _ endY: Int64) -> Segment {
        let start = clipped(startX, startY, towards: endX, endY)
        let end = clipped(endX, endY, towards: startX, startY)
        return Segment(startX: start.x, startY: start.y, endX: end.x, endY: end.y)
    }

    /// Moves an end of a line along it until its coordinates are small enough.
    private func clipped(_ x: Int64, _ y: Int64, towards otherX: Int64, _ otherY: Int64) -> (x: Int32, y: Int32) {
        let far = Double(max(abs(x), abs(y)))
        guard far > Self.farthest else { return (Int32(x), Int32(y)) }
        // The other end is near the tile or beyond it, so the line crosses the border of the square once on this side.
        let (alongX, alongY) = (Double(otherX - x), Double(otherY - y))
        var share = 0.0
        for (along, coordinate) in [(alongX, Double(x)), (alongY, Double(y))] where abs(coordinate) > Self.farthest {
            let border = coordinate < 0 ? -Self.farthest : Self.farthest
            if along != 0 { share = max(share, min(max((border - coordinate) / along, 0), 1)) }
        }
        return (
            Int32(clamping: Int64(Double(x) + alongX * share)), Int32(clamping: Int64(Double(y) + alongY * share))
        )
    }
}
