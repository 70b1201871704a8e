/// Some tiles of a zoom level; of a coarser one where they would be more than anybody wants to be told one by one.
///
/// Whoever is told of it takes a tile as named when the patch holds it, the tile it lies in, or one that lies in it.
public struct TileCover: Hashable, Sendable {
    /// The zoom level whose tiles are named.
    public private(set) var zoom: ZoomLevel
    /// Their places on the zoom level's Morton curve.
    private var codes: Set<UInt64> = []
    private let most: Int

    /// No tile yet of a zoom level; at most `most` will be named.
    public init(zoom: ZoomLevel, most: Int) {
        self.zoom = zoom
        self.most = most
    }

    /// Whether no tile is named.
    public var isEmpty: Bool { codes.isEmpty }
    /// How many are.
    public var count: Int { codes.count }
    /// Those that are, along the Morton curve.
    public var tiles: [TileCoordinate] { codes.sorted().compactMap { TileCoordinate(zoom: zoom, morton: $0) } }

    /// Names a tile.
    public mutating func insert(_ tile: TileCoordinate) {
        insert([tile.morton], of: tile.zoom)
    }

    /// Names all that another names.
    public mutating func formUnion(_ other: TileCover) {
        insert(other.codes, of: other.zoom)
    }

    /// Names tiles of a zoom level by their places on its Morton curve.
    public mutating func insert(_ more: some Collection<UInt64>, of level: ZoomLevel) {
        coarsen(to: min(zoom, level))
        let shift = UInt64(2 * (level.number - zoom.number))
        codes.formUnion(more.lazy.map { $0 >> shift })
        while codes.count > most, let above = ZoomLevel(zoom.number - 1) { coarsen(to: above) }
    }

    /// Names the tiles of a coarser zoom level that hold those named.
    public mutating func coarsen(to level: ZoomLevel) {
        guard level < zoom else { return }
        let shift = UInt64(2 * (zoom.number - level.number))
        codes = Set(codes.map { $0 >> shift })
        zoom = level
    }

    /// Names nothing any more of a zoom level.
    public mutating func removeAll(zoom: ZoomLevel) {
        codes.removeAll(keepingCapacity: true)
        self.zoom = zoom
    }
}
