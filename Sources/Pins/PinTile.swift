public import TileMath

/// What a tile shows of the pins.
///
/// Clusters are the pins in a cell of 64 pixels. The cells of a zoom level are the quarters of the cells of the level
/// above, so that each count is the sum of four, whatever the order of the pins. A cluster is drawn at the centre of
/// mass of its pins, moved so far that it lies within its cell: clusters overlap neither each other nor the edge of a
/// tile. A pin that is alone in its cell is drawn at its place.
public struct PinTile: Sendable, Equatable {
    /// Several pins of a cell.
    public struct PinCluster: Sendable, Equatable {
        /// The centre in pixels from the north-western corner.
        public var x: Double
        public var y: Double
        public var count: Int
        /// The pins of the cell in the index.
        var range: Range<Int>

        /// Pixels.
        public var diameter: Double { PinTile.diameter(of: count) }
    }

    /// A pin that is alone in its cell.
    public struct SinglePin: Sendable, Equatable {
        /// Its place in pixels from the north-western corner; outside of the tile for a pin of a neighbour.
        public var x: Double
        public var y: Double
        /// Its index.
        var index: Int
    }

    public var clusters: [PinCluster] = []
    /// The single pins of the tile.
    public var pins: [SinglePin] = []
    /// The single pins of the cells around the tile, which may reach into it.
    public var neighbours: [SinglePin] = []

    /// Pixels of a tile.
    public static let side = 256.0
    /// Pixels of a cell.
    public static let cellSide = 64.0
    /// Pixels of the smallest and the largest cluster, and of a single pin.
    public static let smallestDiameter = 14.0
    public static let largestDiameter = 50.0
    /// The diameter for a count of 1, in pixels; each factor of ten adds `diameterPerDecade`.
    private static let firstDiameter = 20.0
    private static let diameterPerDecade = 9.0
    /// The largest number of pins that are named for a cluster.
    public static let namedPins = 100

    /// Pixels of a cluster: they grow with the logarithm of the count.
    static func diameter(of count: Int) -> Double {
        guard count > 1 else { return smallestDiameter }
        var decades = 0.0
        var rest = Double(count)
        while rest >= 10 {
            rest /= 10
            decades += 1
        }
        // Linear between powers of ten: a table would not be smoother.
        return min(largestDiameter, firstDiameter + diameterPerDecade * (decades + (rest - 1) / 9))
    }

    /// The number of pins in the tile.
    public var count: Int { clusters.reduce(pins.count) { $0 + $1.count } }

    /// Nothing to draw.
    public var isEmpty: Bool { clusters.isEmpty && pins.isEmpty && neighbours.isEmpty }
}

extension PinIndex {
    /// What a tile shows of the selected pins.
    public func tile(_ tile: TileCoordinate, _ selection: Selection) -> PinTile {
        var found = PinTile()
        let level = tile.zoom.number + 2
        let cells = 1 << level
        // World units of a pixel; below 1 at the deepest levels.
        let unitsPerPixel = Double(WorldPoint.side) / Double(tile.zoom.tilesPerSide) / PinTile.side
        let west = Double(tile.x) * PinTile.side * unitsPerPixel
        let north = Double(tile.y) * PinTile.side * unitsPerPixel
        let inside = range(x: tile.x, y: tile.y, level: tile.zoom.number)
        for row in -1...4 {
            for column in -1...4 {
                let isInside = (0...3).contains(row) && (0...3).contains(column)
                if isInside, inside.isEmpty { continue }
                let (x, y) = (4 * tile.x + column, 4 * tile.y + row)
                guard (0..<cells).contains(y) else { continue }
                // East and west of the world are neighbours.
                let wrapped = x & (cells - 1)
                let range = range(x: wrapped, y: y, level: level, within: isInside ? inside : nil)
                // Of a neighbour it only matters whether there is one pin.
                let cell = cell(range, selection, limit: isInside ? .max : 2)
                guard cell.count > 0, isInside || cell.count == 1 else { continue }
                let shift = Double(x - wrapped) * PinTile.cellSide
                let centreX = (Double(cell.sumX) / Double(cell.count) - west) / unitsPerPixel + shift
                let centreY = (Double(cell.sumY) / Double(cell.count) - north) / unitsPerPixel
                if cell.count == 1 {
                    let pin = PinTile.SinglePin(x: centreX, y: centreY, index: cell.first)
                    if isInside { found.pins.append(pin) } else { found.neighbours.append(pin) }
                    continue
                }
                let radius = PinTile.diameter(of: cell.count) / 2
                func clamped(_ centre: Double, _ cell: Int) -> Double {
                    let start = Double(cell) * PinTile.cellSide
                    return min(max(centre, start + radius), start + PinTile.cellSide - radius)
                }
                found.clusters.append(
                    PinTile.PinCluster(
                        x: clamped(centreX, column), y: clamped(centreY, row), count: cell.count, range: range))
            }
        }
        return found
    }

    /// The ids of the pins of a cluster, the newest first; at most `PinTile.namedPins`.
    public func ids(of cluster: PinTile.PinCluster, _ selection: Selection) -> [PinID] {
        ids(cluster.range, selection, limit: PinTile.namedPins)
    }

    /// What is known of a single pin; nil if it has no id.
    public func facts(of pin: PinTile.SinglePin) -> (
        id: PinID, time: Int64?, category: String?, person: String?, source: PinSource
    )? { facts(at: pin.index) }

    /// The id of a single pin.
    public func id(of pin: PinTile.SinglePin) -> PinID? { id(at: pin.index) }
}
