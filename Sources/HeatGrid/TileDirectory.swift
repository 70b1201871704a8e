/// What a dense tile stores besides its all-time sum: which months have a log, and which periods a sum.
struct TileDirectory: Sendable, Equatable {
    /// The activity that every part has: its layer is `all`.
    var soleLayer: UInt8?
    /// Months with a log, ascending, and their visits.
    var months: [(period: UInt16, visits: Int)] = []
    /// Sums by layer and period, and their cells.
    var sums: [(layer: UInt8, period: UInt16, cells: Int)] = []

    init(soleLayer: UInt8?) {
        self.soleLayer = soleLayer
    }

    static func == (left: Self, right: Self) -> Bool {
        left.soleLayer == right.soleLayer && left.months.elementsEqual(right.months, by: ==)
            && left.sums.elementsEqual(right.sums, by: ==)
    }

    /// The directory with its length before it and `sum` behind.
    func encoded(before sum: [UInt8]) -> [UInt8] {
        var body: [UInt8] = []
        Varint.append(UInt64(soleLayer ?? 0), to: &body)
        Varint.append(UInt64(months.count), to: &body)
        for month in months {
            Varint.append(UInt64(month.period), to: &body)
            Varint.append(UInt64(month.visits), to: &body)
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

    /// Where the all-time sum begins in a dense tile's data.
    static func sumOffset(in data: borrowing Span<UInt8>) -> Int {
        var cursor = VarintCursor(offset: 0, end: data.count)
        let length = Int(truncatingIfNeeded: cursor.next(in: data) & 0x7FFF_FFFF)
        return min(data.count, cursor.offset + length)
    }

    /// The directory at the head of a dense tile's data.
    init(decoding data: borrowing Span<UInt8>) {
        var head = VarintCursor(offset: 0, end: data.count)
        let length = Int(truncatingIfNeeded: head.next(in: data) & 0x7FFF_FFFF)
        var cursor = VarintCursor(offset: head.offset, end: min(data.count, head.offset + length))
        let sole = UInt8(truncatingIfNeeded: cursor.next(in: data))
        soleLayer = sole == 0 ? nil : sole
        let monthCount = cursor.next(in: data)
        while months.count < monthCount, !cursor.isAtEnd {
            let period = UInt16(truncatingIfNeeded: cursor.next(in: data))
            months.append((period, Int(truncatingIfNeeded: cursor.next(in: data) & 0x7FFF_FFFF_FFFF)))
        }
        while !cursor.isAtEnd {
            let layer = UInt8(truncatingIfNeeded: cursor.next(in: data))
            let period = UInt16(truncatingIfNeeded: cursor.next(in: data))
            sums.append((layer, period, Int(truncatingIfNeeded: cursor.next(in: data) & 0xFF_FFFF)))
        }
    }
}
