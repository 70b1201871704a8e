/// Computes for each vertex of a polyline the coarsest zoom level at which it is kept.
///
/// One pass of the Douglas–Peucker line simplification (1973) gives the greatest tolerance at which each vertex is
/// still kept, limited to that of its parent, so that the vertices of a zoom level are a subset of those of the next
/// deeper one. City traces keep 1.75 vertices a point over all zoom levels together.
struct LineSimplifier: Sendable {
    /// The level of vertices that no zoom level keeps.
    static let never: UInt8 = 17
    private static let deepestZoom = 16
    /// Up to a depth of this times log2 of the count, a range is split at its farthest vertex; deeper, in the middle.
    /// Otherwise a spiral would need one level of depth per vertex.
    private static let depthFactor = 4

    private struct Pending {
        var first: Int
        var last: Int
        var level: UInt8
        var depth: Int
    }

    private var stack: [Pending] = []

    /// Sets the levels of the vertices in `range`, which must not be empty: 0 for both ends, and for each vertex
    /// between them the first zoom level at which it is farther than a quarter pixel from the line without it.
    ///
    /// Coordinates are quarter pixels of zoom level 16, at most 2^30 apart.
    mutating func findLevels(
        of vertices: LineVertices, range: Range<Int>, into levels: inout [UInt8]
    ) {
        let (xs, ys) = (vertices.xs.span, vertices.ys.span)
        var levels = levels.mutableSpan
        levels[range.lowerBound] = 0
        levels[range.upperBound - 1] = 0
        let depthLimit = Self.depthFactor * (Int.bitWidth - range.count.leadingZeroBitCount)
        stack.append(Pending(first: range.lowerBound, last: range.upperBound - 1, level: 0, depth: 0))
        while let part = stack.popLast() {
            guard part.last - part.first > 1 else { continue }
            let (farthest, squared) = Self.farthest(xs, ys, part.first, part.last)
            guard squared > 1 else {
                for index in part.first + 1..<part.last { levels[index] = Self.never }
                continue
            }
            let level = max(part.level, Self.level(squaredDistance: squared))
            let split = part.depth < depthLimit ? farthest : (part.first + part.last) / 2
            levels[split] = level
            stack.append(Pending(first: split, last: part.last, level: level, depth: part.depth + 1))
            stack.append(Pending(first: part.first, last: split, level: level, depth: part.depth + 1))
        }
    }

    /// The first zoom level whose quarter pixel is less than a distance: 2^(16 − z) < d.
    static func level(squaredDistance: Double) -> UInt8 {
        var shift = Int(squaredDistance.exponent) >> 1
        // A distance of exactly a power of two is not greater than it.
        if squaredDistance == Double(sign: .plus, exponent: 2 * shift, significand: 1) { shift -= 1 }
        return UInt8(max(0, deepestZoom - max(shift, 0)))
    }

    /// The vertex between two others that is farthest from the segment between them, and the square of its distance.
    private static func farthest(
        _ xs: borrowing Span<Int32>, _ ys: borrowing Span<Int32>, _ first: Int, _ last: Int
    ) -> (index: Int, squared: Double) {
        let startX = xs[first]
        let startY = ys[first]
        let dx = Double(xs[last] &- startX)
        let dy = Double(ys[last] &- startY)
        let length = dx * dx + dy * dy
        // If both ends are the same place, distances are measured from it.
        let scale = length == 0 ? 1 : length
        var best = -1.0
        var farthest = first + 1
        for index in first + 1..<last {
            let x = Double(xs[index] &- startX)
            let y = Double(ys[index] &- startY)
            let along = x * dx + y * dy
            var distance: Double
            if along <= 0 {
                distance = (x * x + y * y) * scale
            } else if along >= length {
                distance = ((x - dx) * (x - dx) + (y - dy) * (y - dy)) * scale
            } else {
                let across = x * dy - y * dx
                distance = across * across
            }
            if distance > best {
                best = distance
                farthest = index
            }
        }
        return (farthest, best / scale)
    }
}
