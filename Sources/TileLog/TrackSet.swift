/// A few tracks, by their numbers.
public struct TrackSet: Hashable, Sendable {
    /// Each once, ascending.
    public let numbers: [Int64]

    /// The tracks with these numbers, in any order.
    public init(_ numbers: some Sequence<Int64>) {
        self.numbers = Set(numbers).sorted()
    }

    /// Whether a track is among them: a search in a short list.
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
