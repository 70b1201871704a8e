public import TileMath

/// A box of coordinates in 1e-7° around a tile, to test without projection whether something is near the tile.
public struct BufferedTileBounds: Sendable {
    private let longitudes: ClosedRange<Int32>
    private let latitudes: ClosedRange<Int32>
    /// Tiles at 180° accept all longitudes, because places on both sides of 180° may be near.
    private let takesEveryLongitude: Bool

    /// The box of a tile with a margin of 16 of its 256 pixels, more than pictures reach beyond the edge.
    public init(round tile: TileCoordinate) {
        let box = BoundingBox(of: tile)
        func e7(_ degrees: Double) -> Int32 { Int32(clamping: Int64((degrees * 1e7).rounded())) }
        // Towards a pole a pixel may be twice as high as in the middle of the tile.
        let (wide, high) = ((box.east - box.west) / 16, (box.north - box.south) / 8)
        longitudes = e7(box.west - wide)...e7(box.east + wide)
        latitudes = e7(box.south - high)...e7(box.north + high)
        takesEveryLongitude = tile.x == 0 || tile.x == tile.zoom.tilesPerSide - 1
    }

    /// Whether a place is in the box.
    @inline(__always)
    public func contains(_ longitude: Int32, _ latitude: Int32) -> Bool {
        latitudes.contains(latitude) && (takesEveryLongitude || longitudes.contains(longitude))
    }

    /// Whether a line between two places on the same side of 180° may enter the box.
    @inline(__always)
    func meets(_ longitude: Int32, _ latitude: Int32, _ otherLongitude: Int32, _ otherLatitude: Int32) -> Bool {
        guard max(latitude, otherLatitude) >= latitudes.lowerBound,
            min(latitude, otherLatitude) <= latitudes.upperBound
        else { return false }
        return takesEveryLongitude
            || max(longitude, otherLongitude) >= longitudes.lowerBound
                && min(longitude, otherLongitude) <= longitudes.upperBound
    }
}
