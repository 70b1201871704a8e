/// Disjoint sets of elements, which are numbered from 0; an element may be in no set.
struct DisjointSets: Sendable {
    /// For each element one nearer to the root of its set, or itself; -1 if it is in no set.
    private var parents: [Int32]
    /// The number of elements of a set, for roots.
    private var sizes: [Int32]

    /// Creates elements that are in no set.
    init(count: Int = 0) {
        parents = [Int32](repeating: -1, count: count)
        sizes = [Int32](repeating: 1, count: count)
    }

    /// Adds an element that is in no set.
    mutating func append() {
        parents.append(-1)
        sizes.append(1)
    }

    /// Makes a set of an element that is in none.
    mutating func insert(_ element: Int) { parents[element] = Int32(element) }

    /// Whether an element is in a set.
    func contains(_ element: Int) -> Bool { parents[element] >= 0 }

    func isRoot(_ element: Int) -> Bool { parents[element] == Int32(element) }

    /// The number of elements of the set of a root.
    func size(ofRoot root: Int) -> Int { Int(sizes[root]) }

    /// The element that stands for the set of an element.
    mutating func root(of element: Int) -> Int {
        var index = element
        while parents[index] != Int32(index) {
            // Path halving: each element on the way is linked to its grandparent, so later searches are shorter (Tarjan
            // and van Leeuwen, 1984). It needs neither recursion nor a second pass.
            parents[index] = parents[Int(parents[index])]
            index = Int(parents[index])
        }
        return index
    }

    /// Joins the sets of two elements; returns the size of the joined set.
    @discardableResult
    mutating func join(_ first: Int, _ second: Int) -> Int {
        var (large, small) = (root(of: first), root(of: second))
        if large != small {
            // The smaller set goes below the larger, so that no path is longer than the logarithm of the number of
            // elements.
            if sizes[large] < sizes[small] { swap(&large, &small) }
            parents[small] = Int32(large)
            sizes[large] += sizes[small]
        }
        return Int(sizes[large])
    }
}
