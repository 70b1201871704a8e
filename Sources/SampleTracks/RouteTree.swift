/// The shortest-path tree from all junctions to one junction (Dijkstra).
struct RouteTree {
    private let root: Int
    /// The next junction on the way to the root; −1 if there is none.
    private let next: [Int32]

    /// Costs vary by up to 10 % in either direction, differently for each root, so that routes differ.
    init(root: Int, streets: Streets, seed: UInt64) {
        var random = SampleRandom(seed: seed, stream: UInt64(root) &+ 1)
        let costFactors = (0..<64).map { _ in random.within(0.9...1.1) }
        var costs = [Double](repeating: .infinity, count: streets.count)
        var next = [Int32](repeating: -1, count: streets.count)
        var queue = RouteQueue()
        costs[root] = 0
        queue.insert(root, cost: 0)
        while let (here, cost) = queue.removeCheapest() {
            guard cost <= costs[here] else { continue }
            for index in streets.firstEdge[here]..<streets.firstEdge[here + 1] {
                let edge = streets.edges[index]
                let candidate = cost + edge.cost * costFactors[(here ^ edge.end) & 63]
                guard candidate < costs[edge.end] else { continue }
                costs[edge.end] = candidate
                next[edge.end] = Int32(here)
                queue.insert(edge.end, cost: candidate)
            }
        }
        self.root = root
        self.next = next
    }

    /// The junctions from `start` to the root, both included; only `start` if there is no way.
    func route(from start: Int) -> [Int] {
        var route = [start]
        var here = start
        while here != root, next[here] >= 0 {
            here = Int(next[here])
            route.append(here)
        }
        return route
    }
}

/// A binary heap of junctions by cost.
private struct RouteQueue {
    private var heap: [(junction: Int, cost: Double)] = []

    mutating func insert(_ junction: Int, cost: Double) {
        heap.append((junction, cost))
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].cost < heap[parent].cost else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeCheapest() -> (junction: Int, cost: Double)? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in 2 * parent + 1...2 * parent + 2 where child < heap.count {
                if heap[child].cost < heap[least].cost { least = child }
            }
            guard least != parent else { return first }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
