/// Edges from each node of a graph, in one list.
struct GraphEdges: Sendable, Equatable {
    /// An edge to a node. It crosses a set of conditional areas, by its position in the list of sets.
    struct Edge: Sendable, Equatable {
        let target: Int32
        let areas: Int32
    }

    /// Where the edges of each node begin, and the number of all.
    let starts: [Int32]
    let edges: [Edge]

    /// An edge in both directions.
    struct Pair: Sendable {
        let one: Int32
        let other: Int32
        let areas: Int32
    }

    /// Sorts edges by their nodes; the order of `pairs` does not matter.
    init(nodes: Int, _ pairs: [Pair]) {
        var starts = [Int32](repeating: 0, count: nodes + 1)
        for pair in pairs {
            starts[Int(pair.one) + 1] += 1
            starts[Int(pair.other) + 1] += 1
        }
        for index in 0..<nodes { starts[index + 1] += starts[index] }
        var edges = [Edge](repeating: Edge(target: 0, areas: 0), count: pairs.count * 2)
        var next = starts
        for pair in pairs {
            for (from, to) in [(pair.one, pair.other), (pair.other, pair.one)] {
                edges[Int(next[Int(from)])] = Edge(target: to, areas: pair.areas)
                next[Int(from)] += 1
            }
        }
        for node in 0..<nodes {
            let range = Int(starts[node])..<Int(starts[node + 1])
            edges[range].sort { ($0.target, $0.areas) < ($1.target, $1.areas) }
        }
        self.starts = starts
        self.edges = edges
    }

    /// The edges of a node.
    @inline(__always)
    func of(_ node: Int) -> ArraySlice<Edge> { edges[Int(starts[node])..<Int(starts[node + 1])] }

    /// Every edge once.
    var pairs: [Pair] {
        var result: [Pair] = []
        for node in 0..<(starts.count - 1) {
            for edge in of(node) where edge.target > Int32(node) {
                result.append(Pair(one: Int32(node), other: edge.target, areas: edge.areas))
            }
        }
        return result
    }
}
