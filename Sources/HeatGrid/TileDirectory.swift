import Text

/// The directory of a dense tile: which months have a log, and which periods have a sum.
struct TileDirectory: FragmentCounts, Sendable, Equatable {
    /// The number of fragments per activity number; index 0 for those without one.
    var fragmentCounts: [Int]
    /// Months with a log, ascending, and the size of each log in bytes: slightly more than its visits, and as good an
    /// estimate of the cost of a read.
    var months: [(period: UInt16, bytes: Int)] = []
    /// Sums by layer and period, and the number of cells of each.
    var sums: [(layer: UInt8, period: UInt16, cells: Int)] = []

    init(fragmentCounts: [Int]) {
        self.fragmentCounts = fragmentCounts
    }

    /// The layers whose months and years may have sums: `all`, and the activities unless there is only one.
    var layersWithSums: [UInt8] { commonActivity == nil ? [0] + activities : [0] }

    static func == (left: Self, right: Self) -> Bool {
        left.fragmentCounts == right.fragmentCounts && left.months.elementsEqual(right.months, by: ==)
            && left.sums.elementsEqual(right.sums, by: ==)
    }

    /// The stored form: the length of the directory, the directory, then the all-time sum. The directory begins with
    /// the distribution of the all-time counts.
    func encoded(before counts: CellCounts) -> [UInt8] {
        let sum = CellCounter.encoded(counts)
        var body: [UInt8] = []
        CountDistribution(counts).append(to: &body)
        let present = fragmentCounts.indices.filter { fragmentCounts[$0] > 0 }
        Varint.append(UInt64(present.count), to: &body)
        for activity in present {
            Varint.append(UInt64(activity), to: &body)
            Varint.append(UInt64(fragmentCounts[activity]), to: &body)
        }
        Varint.append(UInt64(months.count), to: &body)
        for month in months {
            Varint.append(UInt64(month.period), to: &body)
            Varint.append(UInt64(month.bytes), to: &body)
        }
        for sum in sums {
            Varint.append(UInt64(sum.layer), to: &body)
            Varint.append(UInt64(sum.period), to: &body)
            Varint.append(UInt64(sum.cells), to: &body)
        }
        var result: [UInt8] = []
        result.reserveCapacity(body.count + sum.count + 4)
        Varint.append(UInt64(body.count), to: &result)
        result += body
        result += sum
        return result
    }

    /// The offset of the all-time sum in a dense tile's data.
    static func sumOffset(in data: borrowing Span<UInt8>) -> Int {
        var cursor = VarintCursor(offset: 0, end: data.count)
        let length = Int(truncatingIfNeeded: cursor.next(in: data) & 0x7FFF_FFFF)
        return min(data.count, cursor.offset + length)
    }

    /// The distribution of the all-time counts, from the start of a dense tile's data.
    static func distribution(in data: borrowing Span<UInt8>) -> CountDistribution {
        var cursor = VarintCursor(offset: 0, end: data.count)
        _ = cursor.next(in: data)
        return CountDistribution(data, &cursor)
    }

    /// Decodes the directory at the start of a dense tile's data.
    init(decoding data: borrowing Span<UInt8>) {
        var head = VarintCursor(offset: 0, end: data.count)
        let length = Int(truncatingIfNeeded: head.next(in: data) & 0x7FFF_FFFF)
        var cursor = VarintCursor(offset: head.offset, end: min(data.count, head.offset + length))
        _ = CountDistribution(data, &cursor)
        fragmentCounts = [Int](repeating: 0, count: 256)
        let activityCount = cursor.next(in: data)
        for _ in 0..<min(activityCount, 256) {
            let activity = Int(truncatingIfNeeded: cursor.next(in: data) & 0xFF)
            fragmentCounts[activity] = Int(truncatingIfNeeded: cursor.next(in: data) & 0x7FFF_FFFF)
        }
        let monthCount = cursor.next(in: data)
        while months.count < monthCount, !cursor.isAtEnd {
            let period = UInt16(truncatingIfNeeded: cursor.next(in: data))
            months.append((period, Int(truncatingIfNeeded: cursor.next(in: data) & 0xFF_FFFF_FFFF)))
        }
        while !cursor.isAtEnd {
            let layer = UInt8(truncatingIfNeeded: cursor.next(in: data))
            let period = UInt16(truncatingIfNeeded: cursor.next(in: data))
            sums.append((layer, period, Int(truncatingIfNeeded: cursor.next(in: data) & 0xFF_FFFF)))
        }
    }
}
