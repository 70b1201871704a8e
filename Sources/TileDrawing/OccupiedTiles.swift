import GridStorage
import Styling
import TileMath
import TrackStore

/// Iterates over the tiles of a zoom level that may not be empty, each once.
///
/// Deeper than zoom level 16, these are all descendants of the occupied tiles of level 16. At double scale, where lines
/// extend one pixel over the edge, the eastern, southern and south-eastern neighbours of occupied tiles are included;
/// with a kernel, all eight neighbours. For styles with lines or points, all tiles are included whose log has lines,
/// even lines outside of the tile.
struct OccupiedTiles {
    private let zoom: ZoomLevel
    private let library: Library
    private let occupancy: Occupancy
    /// The neighbours, as columns and rows, into which the picture of an occupied tile extends.
    private let reach: [(Int, Int)]
    private var last: TileKey?
    private var waiting: [TileCoordinate] = []
    private var position = 0
    private var isAtEnd = false
    private var ownTilesAreDone = false
    /// The tile whose long steps were handled last.
    private var holder: TileKey?

    /// Tiles read from the grid at once.
    private static let pageTiles = 2048

    /// Which tiles a style regards as occupied.
    enum Occupancy {
        /// Those with cells.
        case cells
        /// Those with lines in their log or near long steps. They include all tiles with cells.
        case lines

        init(_ style: Style?) {
            self = style?.lines == nil && style?.points == nil ? .cells : .lines
        }

        func isOccupied(_ tile: TileKey, _ reader: GridReader) throws -> Bool {
            switch self {
            case .cells: try reader.contentDigest(of: tile) != 0
            case .lines: try reader.hasLines(tile)
            }
        }
    }

    /// An iteration over the tiles that may not be empty in a style.
    init(zoom: ZoomLevel, scale: TileScale, style: Style?, library: Library) {
        self.zoom = zoom
        self.library = library
        occupancy = Occupancy(style)
        guard let heat = style?.heat else {
            reach = []
            return
        }
        if heat.kernel != nil {
            reach = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)]
        } else if scale == .double, zoom < .deepestGrid {
            // A double picture is made of the four children, whose lines are widened by one pixel to the east and
            // south. At the deepest level of the grid there are no children, and cells are enlarged.
            reach = [(1, 0), (0, 1), (1, 1)]
        } else {
            reach = []
        }
    }

    /// The next tiles, at most `limit`; nil at the end.
    mutating func next(limit: Int) throws -> [TileCoordinate]? {
        while position == waiting.count, !isAtEnd { try readPage() }
        guard position < waiting.count else { return nil }
        let end = min(waiting.count, position + limit)
        defer { position = end }
        return Array(waiting[position..<end])
    }

    /// The number of tiles of a zoom level that may not be empty, without neighbours.
    static func count(zoom: ZoomLevel, style: Style?, library: Library) throws -> Int {
        let level = min(zoom, .deepestGrid)
        let occupied = try library.grid.read { reader in
            guard case .lines = Occupancy(style) else { return try reader.occupiedCount(zoom: level) }
            var count = try reader.countWithLines(zoom: level)
            var holder: TileKey?
            while let next = try reader.nextTileStoringLongSteps(above: level, after: holder) {
                count += try reader.tilesWithOnlyLongSteps(zoom: level, below: next).count
                holder = next
            }
            return count
        }
        // Each tile has four children per level.
        return occupied << (2 * (zoom.number - level.number))
    }

    private mutating func readPage() throws {
        let level = min(zoom, .deepestGrid)
        let keys = try ownTilesAreDone ? nextTilesOfLongSteps(level) : nextOwnTiles(level)
        position = 0
        let neighbours = try emptyNeighbours(of: keys)
        waiting = keys.indices.flatMap { index -> [TileCoordinate] in
            let tiles = [keys[index].tile] + neighbours[index]
            return zoom > level ? tiles.flatMap { Self.descendants(of: $0, at: zoom) } : tiles
        }
    }

    /// The next tiles with entries of their own in the grid.
    private mutating func nextOwnTiles(_ level: ZoomLevel) throws -> [TileKey] {
        let keys = try library.grid.read { reader in
            switch occupancy {
            case .cells: try reader.occupiedTiles(zoom: level, after: last, limit: Self.pageTiles)
            case .lines: try reader.tilesWithLines(zoom: level, after: last, limit: Self.pageTiles)
            }
        }
        last = keys.last
        guard keys.count < Self.pageTiles else { return keys }
        switch occupancy {
        case .cells: isAtEnd = true
        case .lines: ownTilesAreDone = true
        }
        return keys
    }

    /// The next tiles that are only near long steps: those below one tile that holds long steps.
    private mutating func nextTilesOfLongSteps(_ level: ZoomLevel) throws -> [TileKey] {
        let next = try library.grid.read { reader -> (holder: TileKey, tiles: [TileKey])? in
            guard let holder = try reader.nextTileStoringLongSteps(above: level, after: holder) else { return nil }
            return (holder, try reader.tilesWithOnlyLongSteps(zoom: level, below: holder))
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

    /// For each tile the empty neighbours into which its picture may extend, unless an occupied tile before it yields
    /// them.
    private func emptyNeighbours(of keys: [TileKey]) throws -> [[TileCoordinate]] {
        guard !reach.isEmpty else { return keys.map { _ in [] } }
        return try library.grid.read { reader in
            // Most tiles are neighbours of several others.
            var known = Dictionary(keys.map { ($0, true) }) { first, _ in first }
            func isOccupied(_ tile: TileCoordinate) throws -> Bool {
                guard let key = TileKey(tile) else { return false }
                if let isOccupied = known[key] { return isOccupied }
                let isOccupied = try occupancy.isOccupied(key, reader)
                known[key] = isOccupied
                return isOccupied
            }
            return try keys.map { key in
                let tile = key.tile
                return try Set(reach.compactMap { tile.neighbour(dx: $0.0, dy: $0.1) }).sorted().filter { candidate in
                    guard try !isOccupied(candidate) else { return false }
                    // The first of the occupied tiles beside the candidate yields it.
                    let beside = reach.compactMap { candidate.neighbour(dx: -$0.0, dy: -$0.1) }
                    return try beside.filter(isOccupied).min() == tile
                }
            }
        }
    }
}
