import Foundation
import TileMath

/// Places where many lines end.
struct EndClusters {
    /// The middle of the ends of a cluster, and their indices.
    struct Cluster {
        var middle: PublishedPlace
        var members: [Int]
    }

    private struct Cell: Hashable, Comparable {
        var row: Int
        var column: Int

        static func < (one: Cell, other: Cell) -> Bool {
            (one.row, one.column) < (other.row, other.column)
        }
    }

    private let ends: [TrackEnd]
    private let reach: Double
    private let least: Int
    private var members: [Cell: [Int]] = [:]
    /// The number of ends in a cell and those around it.
    private var sums: [Cell: Int] = [:]

    private static let shifts = 4

    /// At most `most` clusters of at least `least` ends within `reach` metres, the largest first.
    static func clusters(of ends: [TrackEnd], reach: Double, least: Int, most: Int) -> [Cluster] {
        var clusters = EndClusters(ends: ends, reach: reach, least: max(least, 1))
        return clusters.take(most)
    }

    private init(ends: [TrackEnd], reach: Double, least: Int) {
        self.ends = ends
        self.reach = reach
        self.least = least
        for (index, end) in ends.enumerated() { members[cell(of: end.place), default: []].append(index) }
        for (cell, indices) in members { change(around: cell, by: indices.count) }
    }

    /// A cell as large as the reach, so that what is within reach of a place is in its cell or one beside it.
    private func cell(of place: PublishedPlace) -> Cell {
        let row = Int((Double(place.latitude) * EarthSphere.metresPerUnit / reach).rounded(.down))
        return Cell(row: row, column: Int((Double(place.longitude) / width(ofRow: row)).rounded(.down)))
    }

    /// The width of the cells of a row in 1e-7°.
    private func width(ofRow row: Int) -> Double {
        // Near a pole, a degree of longitude has no length.
        reach / EarthSphere.metresPerUnit / max(cos(Double(row) * reach / EarthSphere.radiusMetres), 1e-3)
    }

    /// The cell and those around it. The cells of the rows above and below are not exactly as wide.
    private func around(_ cell: Cell) -> [Cell] {
        let longitude = (Double(cell.column) + 0.5) * width(ofRow: cell.row)
        return (cell.row - 1...cell.row + 1).flatMap { row in
            let middle = Int((longitude / width(ofRow: row)).rounded(.down))
            return (middle - 1...middle + 1).map { Cell(row: row, column: $0) }
        }
    }

    private mutating func change(around cell: Cell, by count: Int) {
        for changed in around(cell) where members[changed] != nil { sums[changed, default: 0] += count }
    }

    private mutating func take(_ most: Int) -> [Cluster] {
        var found: [Cluster] = []
        while found.count < most {
            let best = sums.max { ($0.value, $1.key) < ($1.value, $0.key) }
            guard let best, best.value >= least else { break }
            guard let cluster = cluster(around: best.key), cluster.members.count >= least else {
                sums[best.key] = nil
                continue
            }
            remove(cluster.members)
            found.append(cluster)
        }
        return found.sorted {
            ($1.members.count, $0.middle.latitude, $0.middle.longitude)
                < ($0.members.count, $1.middle.latitude, $1.middle.longitude)
        }
    }

    /// Shifts the middle to the mean of what is within reach, which is where the ends are densest.
    private func cluster(around cell: Cell) -> Cluster? {
        guard let first = members[cell]?.first ?? near(cell).first else { return nil }
        var middle = ends[first].place
        // Ends of the whole surroundings; the middle moves by less than the reach.
        var around = near(cell)
        for _ in 0..<Self.shifts {
            let plane = TangentPlane(at: middle)
            let reached = around.map { plane.vector(to: ends[$0].place) }.filter { $0.length <= reach }
            guard !reached.isEmpty else { return nil }
            middle = plane.place(at: reached.reduce(.zero, +) / Double(reached.count))
            around = near(self.cell(of: middle))
        }
        let plane = TangentPlane(at: middle)
        let reached = around.filter { plane.vector(to: ends[$0].place).length <= reach }
        return reached.isEmpty ? nil : Cluster(middle: middle, members: reached.sorted())
    }

    private func near(_ cell: Cell) -> [Int] {
        around(cell).flatMap { members[$0] ?? [] }
    }

    private mutating func remove(_ indices: [Int]) {
        for (cell, removed) in Dictionary(grouping: indices, by: { cell(of: ends[$0].place) }) {
            let gone = Set(removed)
            members[cell]?.removeAll { gone.contains($0) }
            change(around: cell, by: -removed.count)
        }
    }
}
