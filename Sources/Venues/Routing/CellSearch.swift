internal import Foundation
internal import GEOS
internal import TileMath

/// Finds ways outdoors over the cells of the heat grid: each step goes to one of eight neighbours and costs its length times
/// 1 + 2 / (1 + days), so that a way that nobody takes costs three times as much as one that many people take.
struct CellSearch {
    /// A place where the way may begin or end, with the cost in metres of what is before or after it.
    struct Terminal {
        let point: GridPoint
        let metres: Double
    }

    /// A way that was found.
    struct Way {
        /// The terminals, by their positions in the lists.
        let start: Int
        let end: Int
        /// From the start to the end, both included.
        let points: [GridPoint]
        let metres: Double
        /// The part of its cells in which somebody was, 0 to 1.
        let walked: Double
    }

    private let frame: LocalFrame
    private let days: (Int, Int) -> Int
    private let obstacles: [GridPolygon]
    private let metresPerCell: Double
    private var originX = 0
    private var originY = 0
    private var columns = 0
    private var rows = 0

    /// Cells of the box that is searched: 10 MB a million; 4 million are a square of 4 km in the middle latitudes.
    private static let mostCells = 4_000_000
    /// What the box has around the ends, in metres, and as a part of their distance.
    private static let margin = 250.0
    private static let marginPart = 0.35

    /// Creates a search around a frame's centre. Ways go round the obstacles.
    init(_ frame: LocalFrame, obstacles: [GridPolygon], days: @escaping (Int, Int) -> Int) {
        self.frame = frame
        self.days = days
        self.obstacles = obstacles
        // The circumference of the Earth at the equator, in Web Mercator.
        let equator = 40_075_016.685_578_5
        metresPerCell = equator * cos(frame.centre.latitude * .pi / 180) / Double(HeatCells.side)
    }

    private static let cellShift: Int64 = 8

    private func cell(_ point: GridPoint) -> (x: Int, y: Int) {
        let world = WorldPoint(frame.place(point.plane))
        return (Int(world.x >> Self.cellShift), Int(world.y >> Self.cellShift))
    }

    private func middle(_ column: Int, _ row: Int) -> PlanePoint {
        let half: Int64 = 1 << (Self.cellShift - 1)
        let world = WorldPoint(
            x: Int64(column + originX) << Self.cellShift + half, y: Int64(row + originY) << Self.cellShift + half)
        guard let place = GeoPoint(longitude: world.longitude, latitude: world.latitude) else {
            return PlanePoint(x: 0, y: 0)
        }
        return frame.local(place)
    }

    /// The cheapest way from one of the starts to one of the ends; nil if they are too far apart or nothing leads there.
    mutating func way(from starts: [Terminal], to ends: [Terminal]) -> Way? {
        guard !starts.isEmpty, !ends.isEmpty else { return nil }
        let cells = (starts + ends).map { cell($0.point) }
        guard let left = cells.map(\.x).min(), let right = cells.map(\.x).max(), let top = cells.map(\.y).min(),
            let bottom = cells.map(\.y).max()
        else { return nil }
        let margin = Int(max(Self.margin / metresPerCell, Double(max(right - left, bottom - top)) * Self.marginPart))
        originX = left - margin
        originY = max(0, top - margin)
        columns = right - left + 2 * margin + 1
        rows = min(HeatCells.side - 1, bottom + margin) - originY + 1
        guard columns > 0, rows > 0, columns <= Self.mostCells, rows <= Self.mostCells,
            columns * rows <= Self.mostCells
        else { return nil }
        return search(starts, ends)
    }

    private static let steps = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]

    private func index(_ point: GridPoint) -> Int {
        let found = cell(point)
        return (found.y - originY) * columns + found.x - originX
    }

    private func search(_ starts: [Terminal], _ ends: [Terminal]) -> Way? {
        var costs = [Float](repeating: .infinity, count: columns * rows)
        var parents = [Int32](repeating: -1, count: columns * rows)
        var isSettled = [Bool](repeating: false, count: columns * rows)
        // 0 unknown, 1 free, 2 in an obstacle.
        var states = [UInt8](repeating: 0, count: columns * rows)
        var heap = PathHeap()
        let endCells = ends.map { index($0.point) }
        for (number, start) in starts.enumerated() {
            let cell = index(start.point)
            guard Float(start.metres) < costs[cell] else { continue }
            costs[cell] = Float(start.metres)
            parents[cell] = Int32(-2 - number)
            states[cell] = 1
            heap.push(estimate(cell, start.metres, ends))
        }
        for cell in endCells { states[cell] = 1 }
        var best: (cost: Double, end: Int)?
        while let entry = heap.pop() {
            if let best, entry.estimate >= best.cost { break }
            let cell = Int(entry.state)
            guard !isSettled[cell] else { continue }
            isSettled[cell] = true
            for (number, end) in endCells.enumerated() where end == cell {
                let cost = entry.cost + ends[number].metres
                if best.map({ cost < $0.cost }) ?? true { best = (cost, number) }
            }
            let (column, row) = (cell % columns, cell / columns)
            for (dx, dy) in Self.steps {
                let (x, y) = (column + dx, row + dy)
                guard (0..<columns).contains(x), (0..<rows).contains(y), isFree(x, y, &states) else { continue }
                // No step cuts the corner of a building.
                if dx != 0, dy != 0, !isFree(column + dx, row, &states) || !isFree(column, row + dy, &states) {
                    continue
                }
                let next = y * columns + x
                guard !isSettled[next] else { continue }
                let length = (dx != 0 && dy != 0 ? 2.0.squareRoot() : 1) * metresPerCell
                let count = max(0, days((x + originX) & (HeatCells.side - 1), y + originY))
                let cost = entry.cost + length * (1 + 2 / Double(1 + count))
                guard Float(cost) < costs[next] else { continue }
                costs[next] = Float(cost)
                parents[next] = Int32(cell)
                heap.push(estimate(next, cost, ends))
            }
        }
        return best.map { way(to: $0.end, endCells[$0.end], parents, starts, ends) }
    }

    private func isFree(_ column: Int, _ row: Int, _ states: inout [UInt8]) -> Bool {
        let cell = row * columns + column
        if states[cell] == 0 {
            let point = GridPoint(middle(column, row))
            states[cell] = obstacles.contains { $0.position(of: point) != .outside } ? 2 : 1
        }
        return states[cell] == 1
    }

    private func estimate(_ cell: Int, _ cost: Double, _ ends: [Terminal]) -> PathHeap.Entry {
        // Each of a few ends gives a lower bound; with many, the search spreads evenly.
        var rest = 0.0
        if ends.count <= 16 {
            let point = middle(cell % columns, cell / columns)
            // The middle of a cell may be nearer than what is in it, and Mercator's scale changes a little.
            rest = ends.map { $0.point.plane.distance(to: point) * 0.99 + $0.metres }.min() ?? 0
            rest = max(0, rest - 2 * metresPerCell)
        }
        return PathHeap.Entry(estimate: cost + rest, cost: cost, state: Int32(cell))
    }

    private func way(
        to end: Int, _ endCell: Int, _ parents: [Int32], _ starts: [Terminal], _ ends: [Terminal]
    ) -> Way {
        var cells = [endCell]
        while parents[cells[cells.count - 1]] >= 0 { cells.append(Int(parents[cells[cells.count - 1]])) }
        let start = -2 - Int(parents[cells[cells.count - 1]])
        cells.reverse()
        let walked = cells.count { days(($0 % columns + originX) & (HeatCells.side - 1), $0 / columns + originY) > 0 }
        // The ends themselves, in place of the middles of their cells.
        let middles = cells.dropFirst().dropLast().map { GridPoint(middle($0 % columns, $0 / columns)) }
        let points = [starts[start].point] + middles + [ends[end].point]
        let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        return Way(
            start: start, end: end, points: points, metres: metres, walked: Double(walked) / Double(cells.count))
    }

    /// The way with fewer points, none of its own farther from it than half a cell.
    func straightened(_ points: [GridPoint]) -> [GridPoint] {
        guard points.count > 2 else { return points }
        var isKept = [Bool](repeating: false, count: points.count)
        isKept[0] = true
        isKept[points.count - 1] = true
        var parts = [(0, points.count - 1)]
        while let (first, last) = parts.popLast() {
            var worst = (distance: metresPerCell / 2, index: -1)
            for index in (first + 1)..<max(last, first + 1) {
                let near = PlaneMath.nearest(points[index].plane, points[first].plane, points[last].plane).point
                let distance = near.distance(to: points[index].plane)
                if distance > worst.distance { worst = (distance, index) }
            }
            guard worst.index > 0 else { continue }
            isKept[worst.index] = true
            parts.append((first, worst.index))
            parts.append((worst.index, last))
        }
        return zip(points, isKept).filter(\.1).map(\.0)
    }
}
