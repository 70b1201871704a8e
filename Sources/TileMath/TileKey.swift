/// A tile as one number, ordered by zoom level, then along the Morton curve: `zoom << 32 | morton`.
///
/// Only tiles of zoom levels 0–16, which have a grid, have a key.
public struct TileKey: Hashable, Comparable, Sendable {
    /// The packed number, 0 ..< 2^37.
    public let packed: UInt64

    /// The key of a tile with a grid; nil for deeper tiles.
    public init?(_ tile: TileCoordinate) {
        guard tile.zoom <= .deepestGrid else { return nil }
        packed = UInt64(tile.zoom.number) << 32 | tile.morton
    }

    /// The key that was stored as `packed`; nil if no tile has that key.
    public init?(packed: UInt64) {
        guard let zoom = ZoomLevel(Int(truncatingIfNeeded: packed >> 32)), zoom <= .deepestGrid,
            TileCoordinate(zoom: zoom, morton: packed & 0xFFFF_FFFF) != nil
        else { return nil }
        self.packed = packed
    }

    /// The key of the tile at `morton` of a zoom level with a grid.
    @inlinable
    public init(zoom: Int, morton: UInt64) {
        precondition(zoom >= 0 && zoom <= 16 && morton >> UInt64(2 * zoom) == 0, "a tile that exists")
        packed = UInt64(zoom) << 32 | morton
    }

    /// The tile's zoom level, 0–16.
    public var zoom: Int { Int(packed >> 32) }
    /// The tile's position on its zoom level's Morton curve.
    public var morton: UInt64 { packed & 0xFFFF_FFFF }

    /// The tile.
    public var tile: TileCoordinate {
        guard let level = ZoomLevel(zoom), let tile = TileCoordinate(zoom: level, morton: morton) else {
            preconditionFailure("a key is made only for tiles that exist")
        }
        return tile
    }

    public static func < (left: Self, right: Self) -> Bool {
        left.packed < right.packed
    }
}

extension TileKey {
    /// Distinguishes the key of a tile's long steps from the key of the tile.
    @usableFromInline static let longStepBit: UInt64 = 1 << 37

    /// The key of the long steps of a tile's lines: the steps that are drawn as lines down to the tile's zoom level,
    /// and that deeper tiles read from here.
    @inlinable
    public var packedLongSteps: UInt64 { packed | Self.longStepBit }

    /// The tile whose long steps are stored under `packed`; nil if `packed` is not such a key.
    public init?(packedLongSteps packed: UInt64) {
        guard packed & Self.longStepBit != 0 else { return nil }
        self.init(packed: packed & ~Self.longStepBit)
    }

    /// The smallest key of long steps; all keys of tiles are smaller.
    public static var firstOfLongSteps: UInt64 { longStepBit }

    /// The tiles that contain this one, coarsest first.
    public var ancestors: [TileKey] {
        (0..<zoom).map { TileKey(zoom: $0, morton: morton >> UInt64(2 * (zoom - $0))) }
    }
}
