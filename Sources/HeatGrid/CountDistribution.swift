import Text

/// The distribution of counts in a tile or a zoom level, at the 64 knots of `CountKnots`.
public struct CountDistribution: Sendable, Equatable {
    /// For each knot, the number of cells with a count of at least 2 that is between this knot and the next.
    public private(set) var cells = [Int](repeating: 0, count: CountKnots.count)

    /// Creates an empty distribution.
    public init() {}

    /// The distribution of a tile.
    public init(_ counts: CellCounts) {
        let knots = CountKnots.table
        for count in counts.counts where count > 1 { cells[CountKnots.index(of: count, knots.span)] += 1 }
    }

    /// The distribution of a zoom level.
    public init(_ histogram: CountHistogram) {
        let knots = CountKnots.table
        for (count, number) in histogram.cellsByCount where count > 1 {
            cells[CountKnots.index(of: count, knots.span)] += number
        }
    }

    /// Decodes what `append(to:)` wrote; the cursor is then after it.
    init(_ data: borrowing Span<UInt8>, _ cursor: inout VarintCursor) {
        let filled = cursor.next(in: data)
        for _ in 0..<min(filled, UInt64(CountKnots.count)) {
            let knot = Int(truncatingIfNeeded: cursor.next(in: data) & 63)
            cells[knot] = Int(truncatingIfNeeded: cursor.next(in: data) & 0xFFFF_FFFF)
        }
    }

    /// Appends the knots that have cells, as varints.
    func append(to bytes: inout [UInt8]) {
        let filled = cells.indices.filter { cells[$0] > 0 }
        Varint.append(UInt64(filled.count), to: &bytes)
        for knot in filled {
            Varint.append(UInt64(knot), to: &bytes)
            Varint.append(UInt64(cells[knot]), to: &bytes)
        }
    }
}
