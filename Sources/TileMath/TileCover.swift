/// A set of tiles of one zoom level, reduced to a coarser zoom level if there are more than a limit.
///
/// A reader must treat a tile as covered if the set contains the tile, an ancestor of it, or a descendant.
public struct TileCover: Hashable, Sendable {
    /// The zoom level of the tiles in the set.
    public private(set) var zoom: ZoomLevel
    /// The positions of the tiles on the zoom level's Morton curve.
    private var codes: Set<UInt64> = []
    private let limit: Int

    /// Creates an empty set that holds at most `limit` tiles.
    public init(zoom: ZoomLevel, limit: Int) {
        self.zoom = zoom
        self.limit = limit
    }

    /// Whether the set is empty.
    public var isEmpty: Bool { codes.isEmpty }
    /// The number of tiles.
    public var count: Int { codes.count }
    /// The tiles along the Morton curve.
    public var tiles: [TileCoordinate] { codes.sorted().compactMap { TileCoordinate(zoom: zoom, morton: $0) } }

    /// Adds a tile.
    public mutating func insert(_ tile: TileCoordinate) {
        insert([tile.morton], of: tile.zoom)
    }

    /// Adds all tiles of another set.
    public mutating func formUnion(_ other: TileCover) {
        insert(other.codes, of: other.zoom)
    }

    /// Adds tiles of a zoom level by their positions on its Morton curve.
    public mutating func insert(_ more: some Collection<UInt64>, of level: ZoomLevel) {
        coarsen(to: min(zoom, level))
        let shift = UInt64(2 * (level.number - zoom.number))
        codes.formUnion(more.lazy.map { $0 >> shift })
        while codes.count > limit, let above = ZoomLevel(zoom.number - 1) { coarsen(to: above) }
    }

    /// Replaces the tiles by their ancestors at a coarser zoom level.
    public mutating func coarsen(to level: ZoomLevel) {
        guard level < zoom else { return }
        let shift = UInt64(2 * (zoom.number - level.number))
        codes = Set(codes.map { $0 >> shift })
        zoom = level
    }

    /// Removes all tiles and sets the zoom level.
    public mutating func removeAll(zoom: ZoomLevel) {
        codes.removeAll(keepingCapacity: true)
        self.zoom = zoom
    }
}
