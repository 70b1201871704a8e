/// Values of some points of a track, as runs of consecutive points with the same value.
struct PointRuns<Value: Equatable & Sendable>: Sendable {
    /// By index in the track, ascending.
    private var runs: [(points: Range<Int>, value: Value)] = []
    private var next = 0

    /// Adds the value of a point after those that have one.
    mutating func add(_ index: Int, _ value: Value) {
        if let last = runs.last, last.points.upperBound == index, last.value == value {
            runs[runs.count - 1].points = last.points.lowerBound..<index + 1
        } else {
            runs.append((index..<index + 1, value))
        }
    }

    /// The value of a point; nil if it has none. Asked for with ascending indices.
    @inline(__always)
    mutating func value(at index: Int) -> Value? {
        guard next < runs.count else { return nil }
        return find(index)
    }

    private mutating func find(_ index: Int) -> Value? {
        while next < runs.count, runs[next].points.upperBound <= index { next += 1 }
        return next < runs.count && runs[next].points.contains(index) ? runs[next].value : nil
    }
}
