/// A small set of tracks, by track number.
public struct TrackSet: Hashable, Sendable {
    /// The numbers, distinct and ascending.
    public let numbers: [Int64]

    /// Creates a set from numbers in any order.
    public init(_ numbers: some Sequence<Int64>) {
        self.numbers = Set(numbers).sorted()
    }

    /// Whether a track is in the set, by binary search.
    @inlinable
    public func contains(_ track: Int64) -> Bool {
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low &+ high) / 2
            if numbers[middle] < track { low = middle &+ 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == track
    }
}
