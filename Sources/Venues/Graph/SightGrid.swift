/// Whether one can see from one point to another: along a straight line that does not leave the free space of a level.
///
/// Exact: the points are on the grid of millimetres, and a line may touch corners and run along walls. The segments of all
/// outlines are in the cells of a uniform grid; a question looks at the cells along its line.
struct SightGrid: Sendable {
    /// A corner of an outline.
    struct Corner: Sendable {
        let point: GridPoint
        let previous: GridPoint
        let next: GridPoint
        /// −1 for the free space, else the position of a conditional area.
        let owner: Int32
    }

    /// What a line crosses.
    enum Sight: Equatable {
        case blocked
        /// Free of walls; with the conditional areas whose inside it crosses, ascending.
        case open([Int32])
    }

    /// All corners; each begins the segment to its `next`.
    let corners: [Corner]
    private let cellStarts: [Int32]
    private let cellItems: [Int32]
    private let low: GridPoint
    private let columns: Int
    private let rows: Int
    private let cell: Int64

    /// A cell is not smaller than 0.25 m, and there are at most so many in a row.
    private static let smallestCell: Int64 = 250
    private static let mostCells: Int64 = 128

    /// The owner of the corners of the free space.
    static let freeOwner: Int32 = -1

    /// Indexes the outlines of a free space and of areas within it. The interior of areas is what lines are told to cross.
    init(free: [GridPolygon], areas: [[GridPolygon]]) {
        var corners: [Corner] = []
        for polygon in free { Self.append(polygon, owner: Self.freeOwner, to: &corners) }
        for (index, polygons) in areas.enumerated() {
            // The free side of an area is outside of it.
            for polygon in polygons {
                Self.append(GridPolygon(polygon.rings.map { $0.reversed() }), owner: Int32(index), to: &corners)
            }
        }
        self.corners = corners
        let xs = corners.map(\.point.x)
        let ys = corners.map(\.point.y)
        low = GridPoint(x: xs.min() ?? 0, y: ys.min() ?? 0)
        let width = Int64(xs.max() ?? 0) - Int64(low.x) + 1
        let height = Int64(ys.max() ?? 0) - Int64(low.y) + 1
        let side = max(Self.smallestCell, (max(width, height) + Self.mostCells - 1) / Self.mostCells)
        cell = side
        columns = Int(width / side) + 1
        rows = Int(height / side) + 1
        (cellStarts, cellItems) = Self.cells(corners, low, side, columns, rows)
    }

    private static func append(_ polygon: GridPolygon, owner: Int32, to corners: inout [Corner]) {
        for ring in polygon.rings where ring.count >= 3 {
            for index in ring.indices {
                corners.append(
                    Corner(
                        point: ring[index], previous: ring[(index + ring.count - 1) % ring.count],
                        next: ring[(index + 1) % ring.count], owner: owner))
            }
        }
    }

    /// The segments of each cell, as one list with the start of each cell in it.
    private static func cells(
        _ corners: [Corner], _ low: GridPoint, _ side: Int64, _ columns: Int, _ rows: Int
    ) -> ([Int32], [Int32]) {
        var starts = [Int32](repeating: 0, count: columns * rows + 1)
        for corner in corners {
            eachCell(corner.point, corner.next, low, side, columns, rows) {
                starts[$0 + 1] += 1
                return true
            }
        }
        for index in 1..<starts.count { starts[index] += starts[index - 1] }
        var items = [Int32](repeating: 0, count: Int(starts.last ?? 0))
        var next = starts
        for (index, corner) in corners.enumerated() {
            eachCell(corner.point, corner.next, low, side, columns, rows) {
                items[Int(next[$0])] = Int32(index)
                next[$0] += 1
                return true
            }
        }
        return (starts, items)
    }

    /// Calls `body` with the cells that a segment touches, row by row, until it returns false.
    @inline(__always)
    private static func eachCell(
        _ one: GridPoint, _ other: GridPoint, _ low: GridPoint, _ side: Int64, _ columns: Int, _ rows: Int,
        _ body: (Int) -> Bool
    ) {
        let (start, end) = one.y <= other.y ? (one, other) : (other, one)
        let (x0, y0) = (Int64(start.x) - Int64(low.x), Int64(start.y) - Int64(low.y))
        let (x1, y1) = (Int64(end.x) - Int64(low.x), Int64(end.y) - Int64(low.y))
        // Lines between points outside the box touch no segment there.
        let firstRow = max(0, y0 >= 0 ? y0 / side : -1)
        let lastRow = min(Int64(rows - 1), y1 >= 0 ? y1 / side : -1)
        guard firstRow <= lastRow else { return }
        let slope = y1 > y0 ? Double(x1 - x0) / Double(y1 - y0) : 0
        for row in firstRow...lastRow {
            var (from, to) = (x0, x1)
            if y1 > y0 {
                let bottom = max(y0, row * side)
                let top = min(y1, (row + 1) * side)
                from = x0 + Int64((Double(bottom - y0) * slope).rounded(.down))
                to = x0 + Int64((Double(top - y0) * slope).rounded(.down))
            }
            // A millimetre for rounding to either side.
            let left = min(from, to) - 1
            let right = max(from, to) + 1
            guard right >= 0 else { continue }
            let first = max(0, left >= 0 ? left / side : 0)
            let last = min(Int64(columns - 1), right / side)
            guard first <= last else { continue }
            for column in first...last {
                guard body(Int(row) * columns + Int(column)) else { return }
            }
        }
    }

    /// Whether the segment of a corner, or the corner, keeps a line from `p` to `q` on the free side.
    ///
    /// A line that touches a corner must stay in the angle of the free side there.
    @inline(__always)
    private static func isClear(_ corner: Corner, _ p: GridPoint, _ q: GridPoint) -> Bool {
        let (a, b) = (corner.point, corner.next)
        let sideA = GridPoint.side(p, q, a)
        let sideB = GridPoint.side(p, q, b)
        if sideA == 0, GridPoint.isBetween(p, q, a) {
            if p != a, !isInAngle(corner, p) { return false }
            if q != a, !isInAngle(corner, q) { return false }
            return true
        }
        if sideA * sideB > 0 { return true }
        let sideP = GridPoint.side(a, b, p)
        let sideQ = GridPoint.side(a, b, q)
        if sideA * sideB < 0, sideP * sideQ < 0 { return false }
        // An end of the line within the segment: the other end must be on the free side or on the segment's line.
        if sideP == 0, p != a, p != b, GridPoint.isBetween(a, b, p), sideQ < 0 { return false }
        if sideQ == 0, q != a, q != b, GridPoint.isBetween(a, b, q), sideP < 0 { return false }
        return true
    }

    /// Whether the direction from a corner to a point is on the free side, its edges included.
    @inline(__always)
    private static func isInAngle(_ corner: Corner, _ point: GridPoint) -> Bool {
        let after = GridPoint.side(corner.point, corner.next, point)
        let before = GridPoint.side(corner.previous, corner.point, point)
        if GridPoint.side(corner.previous, corner.point, corner.next) >= 0 { return after >= 0 && before >= 0 }
        return after >= 0 || before >= 0
    }

    /// What a line between two points of the free space crosses. `inside` are the areas that have one of the points strictly
    /// inside. A line that crosses more than `most` areas counts as blocked.
    func sight(_ p: GridPoint, _ q: GridPoint, inside: [Int32], most: Int) -> Sight {
        var crossed = inside
        guard crossed.count <= most else { return .blocked }
        var isBlocked = false
        Self.eachCell(p, q, low, cell, columns, rows) { index in
            for item in cellStarts[index]..<cellStarts[index + 1] {
                let corner = corners[Int(cellItems[Int(item)])]
                if corner.owner >= 0, crossed.contains(corner.owner) { continue }
                if Self.isClear(corner, p, q) { continue }
                if corner.owner == Self.freeOwner || crossed.count == most {
                    isBlocked = true
                    return false
                }
                crossed.append(corner.owner)
            }
            return true
        }
        return isBlocked ? .blocked : .open(crossed.sorted())
    }
}

extension SightGrid.Corner {
    /// Whether the free side has an angle of more than 180° here: a path may turn at it.
    var isTurn: Bool { GridPoint.side(previous, point, next) < 0 }

    /// Whether a line from a point to this corner can go on without leaving the free side: it touches the corner.
    @inline(__always)
    func isTangent(from other: GridPoint) -> Bool {
        GridPoint.side(other, point, previous) * GridPoint.side(other, point, next) >= 0
    }
}
