import Styling
import TileMath
import TrackStore

/// Goes through the tiles of a zoom level that may have something on them, each once.
///
/// Below zoom level 16 these are all tiles below its occupied ones; at double scale, where lines reach a pixel over the
/// edge, also the eastern and southern neighbours of occupied tiles; with a kernel, all their neighbours. Styles with lines
/// or dots may have something on all tiles that know of lines beyond their edges.
struct OccupiedTiles {
    private let zoom: ZoomLevel
    private let library: Library
    private let ground: Ground
    /// Where pictures of an occupied tile reach beyond it, in columns and rows.
    private let reach: [(Int, Int)]
    private var last: TileKey?
    private var waiting: [TileCoordinate] = []
    private var position = 0
    private var isAtEnd = false
    private var ownTilesAreGiven = false
    /// The tile whose long steps were given last.
    private var holder: TileKey?

    /// Grid tiles asked for at once.
    private static let pageTiles = 2048

    /// Which tiles are occupied, to a style.
    enum Ground {
        /// Those with cells.
        case cells
        /// Those that know of lines or that long steps come near; all with cells are among them.
        case lines

        init(_ style: Style?) {
            self = style?.lines == nil && style?.dots == nil ? .cells : .lines
        }

        func isOccupied(_ tile: TileKey, _ reader: GridReader) throws -> Bool {
            switch self {
            case .cells: try reader.contentDigest(of: tile) != 0
            case .lines: try reader.hasLines(tile)
            }
        }
    }

    /// A walk over the tiles that a style may have something on.
    init(zoom: ZoomLevel, scale: TileRequest.Scale, style: Style?, library: Library) {
        self.zoom = zoom
        self.library = library
        ground = Ground(style)
        guard let heat = style?.heat else {
            reach = []
            return
        }
        if heat.kernel != nil {
            reach = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
        } else if scale == .double, zoom < .deepestGrid {
            reach = [(1, 0), (0, 1), (1, 1)]
        } else {
            reach = []
        }
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
    static func count(zoom: ZoomLevel, style: Style?, library: Library) throws -> Int {
        let level = min(zoom, .deepestGrid)
        let occupied = try library.grid.read { reader in
            guard case .lines = Ground(style) else { return try reader.occupiedCount(zoom: level) }
            var count = try reader.countWithLines(zoom: level)
            var holder: TileKey?
            while let next = try reader.nextHolderOfLongSteps(above: level, after: holder) {
                count += try reader.tilesWithLongStepsAlone(zoom: level, below: next).count
                holder = next
            }
            return count
        }
        return occupied << (2 * (zoom.number - level.number))
    }

    private mutating func readPage() throws {
        let level = min(zoom, .deepestGrid)
        let keys = try ownTilesAreGiven ? nextTilesOfLongSteps(level) : nextOwnTiles(level)
        position = 0
        waiting = try keys.flatMap { key -> [TileCoordinate] in
            let tiles = [key.tile] + (try emptyNeighbours(of: key.tile))
            return zoom > level ? tiles.flatMap { Self.descendants(of: $0, at: zoom) } : tiles
        }
    }

    /// The next tiles that have something of their own.
    private mutating func nextOwnTiles(_ level: ZoomLevel) throws -> [TileKey] {
        let keys = try library.grid.read { reader in
            switch ground {
            case .cells: try reader.occupiedTiles(zoom: level, after: last, limit: Self.pageTiles)
            case .lines: try reader.tilesWithLines(zoom: level, after: last, limit: Self.pageTiles)
            }
        }
        last = keys.last
        guard keys.count < Self.pageTiles else { return keys }
        switch ground {
        case .cells: isAtEnd = true
        case .lines: ownTilesAreGiven = true
        }
        return keys
    }

    /// The next tiles that only long steps come near: those below one tile that holds some.
    private mutating func nextTilesOfLongSteps(_ level: ZoomLevel) throws -> [TileKey] {
        let next = try library.grid.read { reader -> (holder: TileKey, tiles: [TileKey])? in
            guard let holder = try reader.nextHolderOfLongSteps(above: level, after: holder) else { return nil }
            return (holder, try reader.tilesWithLongStepsAlone(zoom: level, below: holder))
        }
        guard let next else {
            isAtEnd = true
            return []
        }
        holder = next.holder
        return next.tiles
    }

    private static func descendants(of tile: TileCoordinate, at zoom: ZoomLevel) -> [TileCoordinate] {
        var tiles = [tile]
        while let first = tiles.first, first.zoom < zoom { tiles = tiles.flatMap(\.children) }
        return tiles
    }

    /// The empty tiles that a picture of one may reach, unless another occupied tile before it has them too.
    private func emptyNeighbours(of tile: TileCoordinate) throws -> [TileCoordinate] {
        guard !reach.isEmpty else { return [] }
        let candidates = reach.compactMap { tile.neighbour(dx: $0.0, dy: $0.1) }
        return try library.grid.read { reader in
            try Set(candidates).sorted().filter { candidate in
                guard let key = TileKey(candidate), try !ground.isOccupied(key, reader) else { return false }
                // The first occupied one of those that it lies beside gives it.
                let beside = reach.compactMap { candidate.neighbour(dx: -$0.0, dy: -$0.1) }
                let occupied = try beside.filter {
                    try TileKey($0).map { try ground.isOccupied($0, reader) } ?? false
                }
                return occupied.min() == tile
            }
        }
    }
}
