/// The figures of visited tiles while tiles are added one by one; they equal those of `ExplorerTiles` for the same set.
///
/// Clusters are kept as a disjoint-set forest. A tile can only enlarge the square that contains it, and most tiles are
/// not in a row that is long enough. Some microseconds a tile.
public struct GrowingExplorerTiles: Sendable {
    /// The zoom level.
    public let zoom: Int
    /// The number of tiles of the largest cluster.
    public private(set) var cluster = 0
    /// The largest square; of equal ones, the one whose south-eastern corner comes first. nil without tiles.
    public private(set) var square: ExplorerTiles.Square?
    /// The visited tiles, numbered in the order in which they were added.
    private var numbers: [ExplorerTile: Int32] = [:]
    /// The clusters, by the numbers of their tiles.
    private var clusters = DisjointSets()

    /// Creates an empty collection of tiles of a zoom level.
    public init(zoom: Int) {
        precondition((0...31).contains(zoom), "a zoom level of tiles")
        self.zoom = zoom
    }

    /// The number of tiles.
    public var count: Int { numbers.count }

    private var side: Int { 1 << zoom }

    /// Adds a tile; does nothing if it was added before.
    public mutating func insert(_ tile: ExplorerTile) {
        guard numbers[tile] == nil else { return }
        numbers[tile] = Int32(numbers.count)
        clusters.append()
        growSquare(tile)
        growCluster(around: tile.x, tile.y)
    }

    private func has(_ x: Int, _ y: Int) -> Bool { number(x, y) != nil }

    /// The number of a tile, if it was visited. Columns are counted beyond the eastern and western edge.
    private func number(_ x: Int, _ y: Int) -> Int? {
        y >= 0 && y < side ? numbers[ExplorerTile(x: x & (side - 1), y: y)].map { Int($0) } : nil
    }

    // MARK: Square

    /// How many visited tiles there are in a row to the west and to the east of a tile, with itself, at most so many.
    private struct Extents {
        var west: Int
        var east: Int

        func isAtLeast(_ size: Int) -> Bool { west + east > size }

        func common(_ other: Extents) -> Extents {
            Extents(west: min(west, other.west), east: min(east, other.east))
        }
    }

    private mutating func growSquare(_ tile: ExplorerTile) {
        guard let square else { return self.square = ExplorerTiles.Square(side: 1, corner: tile) }
        // A tile that completes a larger square is in a square of this side, too.
        guard let corner = firstSquare(of: square.side, around: tile) else { return }
        var largest = ExplorerTiles.Square(side: square.side, corner: min(square.corner, corner))
        while let corner = firstSquare(of: largest.side + 1, around: tile) {
            largest = ExplorerTiles.Square(side: largest.side + 1, corner: corner)
        }
        self.square = largest
    }

    /// The north-western tile of the first square of visited tiles that contains a tile; nil if there is none.
    private func firstSquare(of size: Int, around tile: ExplorerTile) -> ExplorerTile? {
        guard size <= side else { return nil }
        let own = extents(tile.x, tile.y, within: Extents(west: size, east: size))
        guard own.isAtLeast(size) else { return nil }
        // What the rows up to so many to the north, or to the south, have in common.
        let north = commonExtents(tile, own, size, step: -1)
        let south = commonExtents(tile, own, size, step: 1)
        for rows in north.indices.reversed() where size - 1 - rows < south.count {
            let common = north[rows].common(south[size - 1 - rows])
            guard common.isAtLeast(size) else { continue }
            let first = tile.x - common.west + 1
            let last = tile.x + min(0, common.east - size)
            // Of the columns on both sides of the edge of the map, 0 is the first one.
            return ExplorerTile(x: first < 0 && last >= 0 ? 0 : first & (side - 1), y: tile.y - rows)
        }
        return nil
    }

    private func commonExtents(_ tile: ExplorerTile, _ own: Extents, _ size: Int, step: Int) -> [Extents] {
        var found = [own]
        var common = own
        while found.count < size {
            common = extents(tile.x, tile.y + step * found.count, within: common)
            guard common.isAtLeast(size) else { break }
            found.append(common)
        }
        return found
    }

    private func extents(_ x: Int, _ y: Int, within limit: Extents) -> Extents {
        guard has(x, y) else { return Extents(west: 0, east: 0) }
        var found = Extents(west: 1, east: 1)
        while found.west < limit.west, has(x - found.west, y) { found.west += 1 }
        while found.east < limit.east, has(x + found.east, y) { found.east += 1 }
        return found
    }

    // MARK: Cluster

    /// Adds the tile and its neighbours to clusters if they have become cluster tiles.
    private mutating func growCluster(around x: Int, _ y: Int) {
        for (x, y) in [(x, y), (x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1)] {
            guard let number = number(x, y), !clusters.contains(number), let north = self.number(x, y - 1),
                let south = self.number(x, y + 1), let west = self.number(x - 1, y), let east = self.number(x + 1, y)
            else { continue }
            clusters.insert(number)
            cluster = max(cluster, 1)
            for other in [north, south, west, east] where clusters.contains(other) {
                cluster = max(cluster, clusters.join(number, other))
            }
        }
    }
}
