import TileLog

/// How many cells of a tile, or of a zoom level, reach which count, at the 64 knots.
public struct Neighbourhood: Sendable, Equatable {
    /// Cells of at least 2 and less than the next knot's count, by knot.
    public private(set) var cells = [Int](repeating: 0, count: CountKnots.count)

    /// Nowhere.
    public init() {}

    /// A tile's.
    public init(_ counts: CellCounts) {
        let knots = CountKnots.table
        for count in counts.counts where count > 1 { cells[CountKnots.index(of: count, knots.span)] += 1 }
    }

    /// A zoom level's.
    public init(_ histogram: CountHistogram) {
        let knots = CountKnots.table
        for (count, number) in histogram.cellsByCount where count > 1 {
            cells[CountKnots.index(of: count, knots.span)] += number
        }
    }

    /// As it was stored by `encoded`; the cursor stands behind it afterwards.
    init(_ data: borrowing Span<UInt8>, _ cursor: inout VarintCursor) {
        let filled = cursor.next(in: data)
        for _ in 0..<min(filled, UInt64(CountKnots.count)) {
            let knot = Int(truncatingIfNeeded: cursor.next(in: data) & 63)
            cells[knot] = Int(truncatingIfNeeded: cursor.next(in: data) & 0xFFFF_FFFF)
        }
    }

    /// The knots that have cells, as varints.
    func append(to bytes: inout [UInt8]) {
        let filled = cells.indices.filter { cells[$0] > 0 }
        Varint.append(UInt64(filled.count), to: &bytes)
        for knot in filled {
            Varint.append(UInt64(knot), to: &bytes)
            Varint.append(UInt64(cells[knot]), to: &bytes)
        }
    }
}
