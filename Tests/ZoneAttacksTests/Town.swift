import Digest
import Foundation
import TileMath
import ZoneAttacks

/// A town with streets, a home, and places to go to.
///
/// The streets are a rotated grid with blocks of different sizes, bent by jitter, with missing streets. Metres are east and
/// north of `Town.middle`.
struct Town {
    typealias Point = SIMD2<Double>

    var nodes: [Point] = []
    var edges: [[(node: Int, metres: Double)]] = []
    var home: Point = .zero
    /// The ends of the street on which the home is.
    private(set) var homeStreet = (0, 0)
    private(set) var destinations: [Int] = []
    private let columns: Int
    private let rows: Int

    static let longitude = 13.4
    static let latitude = 52.5

    /// A town as large as that, in metres, with destinations at some distances from home.
    init(side: Double = 4400, distances: ClosedRange<Double> = 1000...2200, using generator: inout SplitMix64) {
        let xs = Self.blocks(side, using: &generator)
        let ys = Self.blocks(side, using: &generator)
        (columns, rows) = (xs.count, ys.count)
        let turn = Double.random(in: 0..<Double.pi / 2, using: &generator)
        let jitter = Double.random(in: 0...18, using: &generator)
        for y in ys {
            for x in xs {
                let bent = Point(x + generator.normal(jitter), y + generator.normal(jitter))
                nodes.append(Point(bent.x * cos(turn) - bent.y * sin(turn), bent.x * sin(turn) + bent.y * cos(turn)))
            }
        }
        edges = Array(repeating: [], count: nodes.count)
        let missing = Double.random(in: 0.05...0.25, using: &generator)
        for row in 0..<rows {
            for column in 0..<columns {
                let node = row * columns + column
                if column + 1 < columns { connect(node, node + 1, missing, using: &generator) }
                if row + 1 < rows { connect(node, node + columns, missing, using: &generator) }
            }
        }
        settle(distances, using: &generator)
    }

    /// Where the streets cross one axis.
    private static func blocks(_ side: Double, using generator: inout SplitMix64) -> [Double] {
        let mean = Double.random(in: 70...150, using: &generator)
        var places = [-side / 2]
        while let last = places.last, last < side / 2 {
            places.append(last + mean * Double.random(in: 0.6...1.4, using: &generator))
        }
        return places
    }

    private mutating func connect(_ one: Int, _ other: Int, _ missing: Double, using generator: inout SplitMix64) {
        guard Double.random(in: 0..<1, using: &generator) >= missing else { return }
        let way = nodes[other] - nodes[one]
        let metres = (way * way).sum().squareRoot()
        edges[one].append((other, metres))
        edges[other].append((one, metres))
    }

    /// Draws a home near the middle, and destinations that can be reached from it.
    private mutating func settle(_ distances: ClosedRange<Double>, using generator: inout SplitMix64) {
        while true {
            let node = Int.random(in: 0..<nodes.count, using: &generator)
            guard (nodes[node] * nodes[node]).sum() < 500 * 500,
                let street = edges[node].randomElement(using: &generator)
            else { continue }
            let ways = ways(from: node, scale: nil)
            let reachable = nodes.indices.filter { other in
                let way = nodes[other] - nodes[node]
                let metres = (way * way).sum().squareRoot()
                return ways.metres[other] < .infinity && distances.contains(metres)
            }
            guard reachable.count > nodes.count / 8 else { continue }
            let share = Double.random(in: 0.1...0.9, using: &generator)
            home = nodes[node] + (nodes[street.node] - nodes[node]) * share
            homeStreet = (node, street.node)
            let count = Int.random(in: 5...12, using: &generator)
            destinations = (0..<count).compactMap { _ in reachable.randomElement(using: &generator) }
            return
        }
    }

    // MARK: Shortest ways

    struct Ways {
        var metres: [Double]
        var previous: [Int]

        /// The nodes from the start to a node.
        func path(to node: Int) -> [Int] {
            var path = [node]
            while let last = path.last, previous[last] >= 0 { path.append(previous[last]) }
            return path.reversed()
        }
    }

    /// The shortest ways from a node, or from the home, by what one likes: `scale` multiplies the length of streets that begin
    /// at a node.
    func ways(from start: Int?, scale: [Double]?) -> Ways {
        var ways = Ways(
            metres: Array(repeating: .infinity, count: nodes.count), previous: Array(repeating: -1, count: nodes.count))
        var queue = NodeQueue()
        func enter(_ node: Int, _ metres: Double, from previous: Int) {
            guard metres < ways.metres[node] else { return }
            ways.metres[node] = metres
            ways.previous[node] = previous
            queue.insert(metres, node)
        }
        if let start {
            enter(start, 0, from: -1)
        } else {
            for node in [homeStreet.0, homeStreet.1] {
                let way = nodes[node] - home
                enter(node, (way * way).sum().squareRoot(), from: -1)
            }
        }
        while let (metres, node) = queue.removeLeast() {
            guard metres <= ways.metres[node] else { continue }
            for edge in edges[node] {
                let factor = scale.map { ($0[node] + $0[edge.node]) / 2 } ?? 1
                enter(edge.node, metres + edge.metres * factor, from: node)
            }
        }
        return ways
    }

    static func place(at point: Point) -> PublishedPlace {
        PublishedPlace(
            longitude: Int32(longitude * 1e7 + (point.x / eastMetres).rounded()),
            latitude: Int32(latitude * 1e7 + (point.y / EarthSphere.metresPerUnit).rounded()))
    }

    private static let eastMetres = EarthSphere.metresPerUnit * cos(latitude * .pi / 180)
}

/// A heap of nodes by their distance.
private struct NodeQueue {
    private var heap: [(metres: Double, node: Int)] = []

    mutating func insert(_ metres: Double, _ node: Int) {
        heap.append((metres, node))
        var index = heap.count - 1
        while index > 0, heap[index].metres < heap[(index - 1) / 2].metres {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeLeast() -> (metres: Double, node: Int)? {
        guard let least = heap.first, let last = heap.popLast() else { return nil }
        guard !heap.isEmpty else { return least }
        heap[0] = last
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count {
                if heap[child].metres < heap[smallest].metres { smallest = child }
            }
            guard smallest != index else { return least }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}

extension SplitMix64 {
    /// About normal: the sum of 4 uniform numbers of 16 bits, which is enough for noise.
    mutating func normal(_ deviation: Double) -> Double {
        let bits = next()
        let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48)
        return (Double(sum) / 65_536 - 2) * 3.0.squareRoot() * deviation
    }
}
