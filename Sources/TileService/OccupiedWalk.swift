import TileMath
import TrackStore

/// Goes through the tiles of a zoom level that may have something on them, each once.
///
/// Below zoom level 16 these are all tiles below its occupied ones; at double scale, where lines reach a pixel over the
/// edge, also the eastern and southern neighbours of occupied tiles.
struct OccupiedWalk {
    private let zoom: ZoomLevel
    private let scale: TileRequest.Scale
    private let library: Library
    private var last: TileKey?
    private var waiting: [TileCoordinate] = []
    private var position = 0
    private var isAtEnd = false

    /// Grid tiles asked for at once.
    private static let pageTiles = 2048

    init(zoom: ZoomLevel, scale: TileRequest.Scale, library: Library) {
        self.zoom = zoom
        self.scale = scale
        self.library = library
    }

    /// The next tiles, `limit` at most; nil at the end.
    mutating func next(limit: Int) throws -> [TileCoordinate]? {
        while position == waiting.count, !isAtEnd { try readPage() }
        guard position < waiting.count else { return nil }
        let end = min(waiting.count, position + limit)
        defer { position = end }
        return Array(waiting[position..<end])
    }

    /// How many tiles of a zoom level may have something on them, neighbours aside.
    static func count(zoom: ZoomLevel, library: Library) throws -> Int {
        let level = min(zoom, .deepestGrid)
        let occupied = try library.grid.read { try $0.occupiedCount(zoom: level) }
        return occupied << (2 * (zoom.number - level.number))
    }

    private mutating func readPage() throws {
        let level = min(zoom, .deepestGrid)
        let keys = try library.grid.read { try $0.occupiedTiles(zoom: level, after: last, limit: Self.pageTiles) }
        last = keys.last
        isAtEnd = keys.count < Self.pageTiles
        position = 0
        waiting = try keys.flatMap { key -> [TileCoordinate] in
            let tile = key.tile
            if zoom > level { return Self.descendants(of: tile, at: zoom) }
            return [tile] + (scale == .double && zoom < .deepestGrid ? try emptyNeighbours(of: tile) : [])
        }
    }

    private static func descendants(of tile: TileCoordinate, at zoom: ZoomLevel) -> [TileCoordinate] {
        var tiles = [tile]
        while let first = tiles.first, first.zoom < zoom { tiles = tiles.flatMap(\.children) }
        return tiles
    }

    /// The empty tiles east, south and south-east of one, unless another occupied tile before it has them too.
    private func emptyNeighbours(of tile: TileCoordinate) throws -> [TileCoordinate] {
        let candidates = [(1, 0), (0, 1), (1, 1)].compactMap { tile.neighbour(dx: $0.0, dy: $0.1) }
        return try library.grid.read { reader in
            try Set(candidates).sorted().filter { candidate in
                guard let key = TileKey(candidate), try reader.contentDigest(of: key) == 0 else { return false }
                // The first occupied one of those that it lies beside gives it.
                let beside = [(-1, 0), (0, -1), (-1, -1)].compactMap { candidate.neighbour(dx: $0.0, dy: $0.1) }
                let occupied = try beside.filter {
                    try TileKey($0).map { try reader.contentDigest(of: $0) != 0 } ?? false
                }
                return occupied.min() == tile
            }
        }
    }
}
