public import TileLog

/// The stored rows of a tile's grid; a pure function of the tile's log and its tracks.
public struct TileRow: Sendable, Equatable {
    /// The summed counts of one layer over one period of a dense tile.
    public struct Sum: Sendable, Equatable {
        /// 0 for `all`, otherwise the number of an activity or of an operator's layer.
        public let layer: UInt8
        /// A month, a year or all time, see `StoredPeriod`; `LayerHeader.period` for a head.
        public let period: UInt16
        /// Encoded cells and counts.
        public let data: [UInt8]

        /// Creates a sum from stored bytes.
        public init(layer: UInt8, period: UInt16, data: [UInt8]) {
            self.layer = layer
            self.period = period
            self.data = data
        }
    }

    /// The sum of all fragments' digests; it depends on the content, not on track numbers.
    public var digest: UInt64
    /// Person-days × cells: the sum of all counts.
    public var visits: Int
    /// The number of occupied cells.
    public var cells: Int
    /// The log; in a dense tile the directory and the all-time sum of `all`.
    public var data: [UInt8]
    /// Logs by month; empty unless dense.
    public var months: [MonthLog]
    /// Sums besides the one in `data`; empty unless dense.
    public var sums: [Sum]
    /// Heads (see `LayerHeader`) and sums of the operator's layers, ascending by layer and period; empty unless dense.
    public var layers: [Sum]

    /// Creates a row from stored values.
    public init(
        digest: UInt64, visits: Int, cells: Int, data: [UInt8], months: [MonthLog], sums: [Sum], layers: [Sum] = []
    ) {
        self.digest = digest
        self.visits = visits
        self.cells = cells
        self.data = data
        self.months = months
        self.sums = sums
        self.layers = layers
    }

    /// Whether `data` holds a directory and a sum instead of the log.
    public var isDense: Bool { !months.isEmpty }

    /// The whole log, for both kinds of tile.
    public static func log(data: [UInt8], months: [[UInt8]]) -> [UInt8] {
        months.isEmpty ? data : TileLog<CellDeltas>.merged(months)
    }
}

/// Histograms of one or more tiles, by layer (0 for `all`, otherwise the number of an activity or of an operator's
/// layer).
public struct LayerHistograms: Sendable, Equatable {
    /// Histograms by layer number.
    public private(set) var byLayer: [UInt8: CountHistogram] = [:]

    /// Creates empty histograms.
    public init() {}

    /// Adds (`sign` 1) or subtracts (−1) counts.
    public mutating func add(_ counts: CellCounts, layer: UInt8, sign: Int) {
        var small = [Int](repeating: 0, count: Self.smallCount)
        var histogram = byLayer[layer] ?? CountHistogram()
        for count in counts.counts {
            if count < Self.smallCount { small[Int(count)] += sign } else { histogram.add(count: count, cells: sign) }
        }
        for (count, cells) in small.enumerated() where cells != 0 { histogram.add(count: UInt32(count), cells: cells) }
        byLayer[layer] = histogram.isEmpty ? nil : histogram
    }

    /// Adds other histograms.
    public mutating func add(_ other: LayerHistograms) {
        add(other, sign: 1)
    }

    /// Subtracts other histograms.
    public mutating func subtract(_ other: LayerHistograms) {
        add(other, sign: -1)
    }

    private mutating func add(_ other: LayerHistograms, sign: Int) {
        for (layer, histogram) in other.byLayer {
            var sum = byLayer[layer] ?? CountHistogram()
            sum.add(histogram, sign: sign)
            byLayer[layer] = sum.isEmpty ? nil : sum
        }
    }

    /// Counts below this are added up in an array first, not each in the histogram.
    private static let smallCount = 64
}
