/// What the grid holds for a tile; a pure function of the tile's log and of what its tracks are.
public struct TileRow: Sendable, Equatable {
    /// The log of one month of a dense tile.
    public struct MonthLog: Sendable, Equatable {
        /// The month, see `Period`.
        public let period: UInt16
        /// Its pieces, as a log of its own.
        public let log: [UInt8]

        /// A month's log as it was stored.
        public init(period: UInt16, log: [UInt8]) {
            self.period = period
            self.log = log
        }
    }

    /// The summed counts of one layer over one period of a dense tile.
    public struct Sum: Sendable, Equatable {
        /// 0 for `all`, else an activity's number.
        public let layer: UInt8
        /// A month, a year or all time, see `Period`.
        public let period: UInt16
        /// Cells and counts.
        public let data: [UInt8]

        /// A sum as it was stored.
        public init(layer: UInt8, period: UInt16, data: [UInt8]) {
            self.layer = layer
            self.period = period
            self.data = data
        }
    }

    /// The sum of all parts' digests: the same content has the same, whatever the numbers of tracks are.
    public var digest: UInt64
    /// Person-days × cells: the sum of all counts.
    public var visits: Int
    /// Occupied cells.
    public var cells: Int
    /// The log; in a dense tile a directory and the all-time sum of `all`.
    public var data: [UInt8]
    /// Logs by month; empty unless dense.
    public var months: [MonthLog]
    /// Sums besides the one in `data`; empty unless dense.
    public var sums: [Sum]

    /// A row as it was stored.
    public init(digest: UInt64, visits: Int, cells: Int, data: [UInt8], months: [MonthLog], sums: [Sum]) {
        self.digest = digest
        self.visits = visits
        self.cells = cells
        self.data = data
        self.months = months
        self.sums = sums
    }

    /// Whether `data` holds a directory and a sum instead of the log.
    public var isDense: Bool { !months.isEmpty }

    /// The whole log, whatever way it is stored.
    public static func log(data: [UInt8], months: [[UInt8]]) -> [UInt8] {
        months.isEmpty ? data : TileLog.merged(months)
    }
}

/// What the grid must know of tracks to read and write tiles; indexed by the track's number.
public struct GridTracks: Sendable, Equatable {
    private var seeds: [UInt64] = []
    private var activityNumbers: [UInt8] = []

    /// No track.
    public init() {}

    /// Names a track: `seed` is a digest of all that its cells and layers follow from, `activity` its activity's number
    /// (0 where it has none; 1–254, as 255 stands for no layer).
    public mutating func set(_ number: Int64, seed: UInt64, activity: UInt8) {
        let index = Int(number)
        precondition(index >= 0, "numbers of tracks count from 0")
        while seeds.count <= index {
            seeds.append(0)
            activityNumbers.append(0)
        }
        seeds[index] = seed
        activityNumbers[index] = activity
    }

    /// The number of a track's activity; 0 for none.
    public func activity(of number: Int64) -> UInt8 {
        Int(number) < activityNumbers.count ? activityNumbers[Int(number)] : 0
    }

    /// One more than the greatest number set.
    public var count: Int { seeds.count }

    /// What a track's part of a day adds to the digest of each tile it touches.
    func partDigest(_ order: PartOrder) -> UInt64 {
        let seed = Int(order.track) < seeds.count ? seeds[Int(order.track)] : 0
        // The finaliser of splitmix64 (Steele, Lea, Flood 2014) over seed and day.
        var bits = seed ^ (UInt64(UInt32(bitPattern: order.day)) &* 0x9E37_79B9_7F4A_7C15)
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}

/// Histograms of one tile or more, by layer (0 for `all`, else an activity's number).
public struct LayerHistograms: Sendable, Equatable {
    /// By layer.
    public private(set) var byLayer: [UInt8: CountHistogram] = [:]

    /// No cell in any layer.
    public init() {}

    /// Takes counts in (`sign` 1) or out (−1).
    public mutating func add(_ counts: CellCounts, layer: UInt8, sign: Int) {
        var small = [Int](repeating: 0, count: Self.smallCount)
        var histogram = byLayer[layer] ?? CountHistogram()
        for count in counts.counts {
            if count < Self.smallCount { small[Int(count)] += sign } else { histogram.add(count: count, cells: sign) }
        }
        for (count, cells) in small.enumerated() where cells != 0 { histogram.add(count: UInt32(count), cells: cells) }
        byLayer[layer] = histogram.isEmpty ? nil : histogram
    }

    /// Takes other histograms in.
    public mutating func add(_ other: LayerHistograms) {
        add(other, sign: 1)
    }

    /// Takes other histograms out.
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

    /// Sets a layer's histogram, as it was stored.
    public mutating func set(_ histogram: CountHistogram, layer: UInt8) {
        byLayer[layer] = histogram.isEmpty ? nil : histogram
    }

    private static let smallCount = 64
}
