/// The figures of a set of visited tiles, as games of tile collectors count them.
///
/// The *square* is the largest square of visited tiles. A *cluster tile* is one whose four neighbours are visited, too; the
/// *cluster* is the largest set of cluster tiles that are connected by their edges. West and east of the map are
/// neighbours, north and south have none. Some 10 ms for 100,000 tiles.
public struct ExplorerTiles: Sendable, Equatable {
    /// A square of visited tiles.
    public struct Square: Sendable, Hashable {
        /// The number of tiles of a side.
        public var side: Int
        /// The tile in its north-western corner.
        public var corner: ExplorerTile

        /// Creates a square.
        public init(side: Int, corner: ExplorerTile) {
            self.side = side
            self.corner = corner
        }
    }

    /// What a visited tile is.
    public enum Kind: UInt8, Sendable {
        case visited
        /// Its four neighbours are visited.
        case clusterTile
        /// It is part of the largest cluster.
        case cluster
    }

    /// The zoom level.
    public let zoom: Int
    /// The visited tiles, ascending.
    public let tiles: [ExplorerTile]
    /// What each tile is.
    public private(set) var kinds: [Kind]
    /// The number of tiles of the largest cluster.
    public private(set) var cluster = 0
    /// The largest square; of equal ones, the one whose south-eastern corner comes first. nil without tiles.
    public private(set) var square: Square?

    /// The figures of visited tiles, in any order; tiles may occur several times.
    public init(_ visited: [ExplorerTile], zoom: Int) {
        precondition((0...31).contains(zoom), "a zoom level of tiles")
        self.zoom = zoom
        var tiles = visited
        tiles.sort()
        var count = 0
        for tile in tiles where count == 0 || tiles[count - 1] != tile {
            tiles[count] = tile
            count += 1
        }
        tiles.removeLast(tiles.count - count)
        self.tiles = tiles
        kinds = [Kind](repeating: .visited, count: tiles.count)
        findSquare()
        findCluster()
    }

    private var side: Int { 1 << zoom }

    /// What a tile is; nil if it is not visited.
    public func kind(of tile: ExplorerTile) -> Kind? {
        index(of: tile).map { kinds[$0] }
    }

    /// The indices of the visited tiles in some rows and columns.
    public func indices(rows: Range<Int>, columns: Range<Int>) -> [Int] {
        var found: [Int] = []
        var index = lowerBound(ExplorerTile(x: columns.lowerBound, y: rows.lowerBound))
        while index < tiles.count, tiles[index].y < rows.upperBound {
            let tile = tiles[index]
            if tile.x >= columns.upperBound {
                index = lowerBound(ExplorerTile(x: columns.lowerBound, y: tile.y + 1), from: index)
            } else if tile.x < columns.lowerBound {
                index = lowerBound(ExplorerTile(x: columns.lowerBound, y: tile.y), from: index)
            } else {
                found.append(index)
                index += 1
            }
        }
        return found
    }

    /// The index of a tile in `tiles`; nil if it is not visited.
    public func index(of tile: ExplorerTile) -> Int? {
        let index = lowerBound(tile)
        return index < tiles.count && tiles[index] == tile ? index : nil
    }

    /// The index of the first tile that is not before `tile`.
    private func lowerBound(_ tile: ExplorerTile, from first: Int = 0) -> Int {
        var (low, high) = (first, tiles.count)
        while low < high {
            let middle = (low + high) / 2
            if tiles[middle] < tile { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Square

    /// The side of the largest square that ends in each tile is one more than the smallest of those that end in its
    /// western, northern and north-western neighbours.
    private mutating func findSquare() {
        var best: (side: Int, x: Int, y: Int) = (0, 0, 0)
        // A row is walked twice where it continues beyond the eastern edge, so that squares over the edge are found.
        let wraps = tiles.contains { $0.x == side - 1 } && tiles.contains { $0.x == 0 }
        var above: [(x: Int, size: Int)] = []
        var row: [(x: Int, size: Int)] = []
        var start = 0
        var lastY = -2
        while start < tiles.count {
            let y = tiles[start].y
            var end = start
            while end < tiles.count, tiles[end].y == y { end += 1 }
            if y != lastY + 1 { above.removeAll(keepingCapacity: true) }
            row.removeAll(keepingCapacity: true)
            var cursor = 0
            for turn in 0..<(wraps ? 2 : 1) {
                for index in start..<end {
                    let x = tiles[index].x + turn * side
                    while cursor < above.count, above[cursor].x < x - 1 { cursor += 1 }
                    var size = 1
                    if let west = row.last, west.x == x - 1, cursor + 1 < above.count, above[cursor].x == x - 1,
                        above[cursor + 1].x == x
                    {
                        size = 1 + min(west.size, min(above[cursor].size, above[cursor + 1].size))
                        // No square is larger than the map.
                        size = min(size, side)
                    }
                    row.append((x, size))
                    if size > best.side { best = (size, x, y) }
                }
            }
            swap(&row, &above)
            lastY = y
            start = end
        }
        guard best.side > 0 else { return }
        let west = (best.x - best.side + 1) & (side - 1)
        square = Square(side: best.side, corner: ExplorerTile(x: west, y: best.y - best.side + 1))
    }

    // MARK: Cluster

    private mutating func findCluster() {
        // The indices of the neighbours are found by walking the rows above and below along with each row.
        var clusters = DisjointSets(count: tiles.count)
        let rows = rows()
        for row in rows.indices {
            let (range, y) = (rows[row], tiles[rows[row].lowerBound].y)
            guard row > 0, row + 1 < rows.count, tiles[rows[row - 1].lowerBound].y == y - 1,
                tiles[rows[row + 1].lowerBound].y == y + 1
            else { continue }
            var north = rows[row - 1].lowerBound
            var south = rows[row + 1].lowerBound
            for index in range {
                let x = tiles[index].x
                while north < rows[row - 1].upperBound, tiles[north].x < x { north += 1 }
                while south < rows[row + 1].upperBound, tiles[south].x < x { south += 1 }
                guard north < rows[row - 1].upperBound, tiles[north].x == x, south < rows[row + 1].upperBound,
                    tiles[south].x == x, let west = neighbour(of: index, in: range, by: -1),
                    neighbour(of: index, in: range, by: 1) != nil
                else { continue }
                kinds[index] = .clusterTile
                clusters.insert(index)
                if clusters.contains(west) { clusters.join(index, west) }
                if clusters.contains(north) { clusters.join(index, north) }
                // The western neighbour of the first column is the last one, which is visited later.
                if let east = neighbour(of: index, in: range, by: 1), clusters.contains(east) {
                    clusters.join(index, east)
                }
            }
        }
        setLargestCluster(&clusters)
    }

    private mutating func setLargestCluster(_ clusters: inout DisjointSets) {
        for index in tiles.indices where clusters.isRoot(index) {
            cluster = max(cluster, clusters.size(ofRoot: index))
        }
        // Of equal clusters, the one with the first tile.
        var chosen: Int?
        for index in tiles.indices where clusters.contains(index) {
            let root = clusters.root(of: index)
            if chosen == nil, clusters.size(ofRoot: root) == cluster { chosen = root }
            if root == chosen { kinds[index] = .cluster }
        }
    }

    /// The indices of each row's tiles.
    private func rows() -> [Range<Int>] {
        var rows: [Range<Int>] = []
        var start = 0
        for index in tiles.indices.dropFirst() where tiles[index].y != tiles[start].y {
            rows.append(start..<index)
            start = index
        }
        if !tiles.isEmpty { rows.append(start..<tiles.count) }
        return rows
    }

    /// The index of the visited neighbour to the west (−1) or east (1) in a row; nil if it is not visited.
    private func neighbour(of index: Int, in row: Range<Int>, by step: Int) -> Int? {
        let wanted = (tiles[index].x + step) & (side - 1)
        var other = index + step
        if !row.contains(other) { other = step < 0 ? row.upperBound - 1 : row.lowerBound }
        return tiles[other].x == wanted ? other : nil
    }
}
