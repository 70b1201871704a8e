public import TileLog

/// The stored rows of a dense tile that are needed to update it: its head, the logs of affected months, and affected
/// sums.
public struct DenseTile: Sendable {
    /// The sum of its fragments' digests.
    public var digest: UInt64
    /// Directory and all-time sum, as stored.
    public var data: [UInt8]
    /// Logs of the months returned by `monthsNeeded`, ascending.
    public var months: [MonthLog] = []
    /// All-time sums of the layers that have one.
    public var allTimeSums: [TileRow.Sum] = []
    /// Heads and all-time sums of the operator's layers.
    public var layers: [TileRow.Sum] = []

    private let directory: TileDirectory

    /// Creates a dense tile from its stored head.
    public init(digest: UInt64, data: [UInt8]) {
        self.digest = digest
        self.data = data
        directory = TileDirectory(decoding: data.span)
    }

    /// The months whose logs must be read to change those in `changing`: these, and all months of a year that may have
    /// a sum.
    public func monthsNeeded(changing: Set<UInt16>, addedBytes: Int, rule: SumRule) -> [UInt16] {
        var needed: Set<UInt16> = []
        for year in Set(changing.map { StoredPeriod.year(ofMonth: $0) }) {
            let months = directory.months.filter { StoredPeriod.year(ofMonth: $0.period) == year }
            let mayHaveSum = months.reduce(addedBytes) { $0 + $1.bytes } > rule.minVisits
            needed.formUnion(months.map(\.period).filter { mayHaveSum || changing.contains($0) })
        }
        return needed.sorted()
    }

    var storedDirectory: TileDirectory { directory }
}

/// A sum of a dense tile, or a row of an operator's layer in it, that is new, changed or removed.
public struct SumChange: Sendable {
    /// As in `TileRow.Sum`.
    public var layer: UInt8
    /// As in `TileRow.Sum`.
    public var period: UInt16
    /// The new encoded cells and counts; nil if the sum is removed.
    public var data: [UInt8]?
}

/// The changes to a dense tile's rows.
public struct DenseChange: Sendable {
    /// The new head of the tile, without months and sums.
    public var row: TileRow
    /// Months with a new log; nil if the month is removed.
    public var months: [(period: UInt16, log: [UInt8]?)]
    /// Sums that are new, changed or (nil) removed.
    public var sums: [SumChange]
    /// Heads and sums of the operator's layers that are new, changed or (nil) removed.
    public var layers: [SumChange] = []
    /// The change of the zoom level's histograms.
    public var histograms: LayerHistograms
}
