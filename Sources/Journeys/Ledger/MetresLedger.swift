/// What persons have recorded for a journey, as credits in time: a removed track takes its credits with it.
///
/// Amounts are whole micrometres, so that their sum does not depend on the order, and a factor of many digits costs no
/// visible length.
public struct MetresLedger: Sendable {
    /// A time in which a person went on evenly.
    public struct Credit: Sendable, Equatable {
        /// In milliseconds since 1970.
        public let instants: Range<Int64>
        /// Micrometres, with the factor.
        public let amount: Int64

        public init(_ instants: Range<Int64>, amount: Int64) {
            self.instants = instants
            self.amount = amount
        }

        /// Of millimetres and a factor.
        public init(_ instants: Range<Int64>, millimetres: Int64, factor: Double) {
            let amount = (Double(millimetres) * factor * 1000).rounded()
            self.init(instants, amount: Int64(min(max(0, amount), Self.limit)))
        }

        /// A million kilometres: the sum of thousands of such credits is still a number.
        private static let limit = 1e15
    }

    /// By their begin.
    private let credits: [Credit]
    /// The sum of all credits up to each.
    private let sums: [Int64]
    private let longest: Int64

    public init(_ credits: [Credit]) {
        self.credits = credits.sorted {
            ($0.instants.lowerBound, $0.instants.upperBound, $0.amount)
                < ($1.instants.lowerBound, $1.instants.upperBound, $1.amount)
        }
        var sum: Int64 = 0
        sums = self.credits.map { credit in
            sum = min(sum + credit.amount, .max / 2)
            return sum
        }
        longest = credits.map { $0.instants.upperBound - $0.instants.lowerBound }.max() ?? 0
    }

    /// The credits of several ledgers.
    public init(_ ledgers: [MetresLedger]) {
        self.init(ledgers.flatMap(\.credits))
    }

    /// The times of the credits, by their begin.
    public var spans: [Range<Int64>] { credits.map(\.instants) }

    public var count: Int { credits.count }

    /// The metres of all credits.
    public var metres: Double { Double(sums.last ?? 0) / Self.unitsPerMetre }

    /// The begin of the first credit.
    public var start: Int64? { credits.first?.instants.lowerBound }

    /// The metres up to an instant.
    public func metres(at instant: Int64) -> Double {
        var end = index(startingAfter: instant)
        var sum = end > 0 ? sums[end - 1] : 0
        // Of credits that are not over only a part counts.
        while end > 0, credits[end - 1].instants.lowerBound > instant - longest {
            end -= 1
            let credit = credits[end]
            guard credit.instants.upperBound > instant else { continue }
            let length = credit.instants.upperBound - credit.instants.lowerBound
            let part = Double(instant - credit.instants.lowerBound) / Double(max(1, length))
            sum -= credit.amount - Int64((Double(credit.amount) * part).rounded(.down))
        }
        return Double(sum) / Self.unitsPerMetre
    }

    /// The first instant at which a number of metres is full, to the millisecond; nil if it is not.
    public func instant(of wanted: Double) -> Int64? {
        guard metres >= wanted, let last = credits.map(\.instants.upperBound).max(), let start else { return nil }
        var (low, high) = (start - 1, last)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if metres(at: middle) >= wanted { high = middle } else { low = middle }
        }
        return high
    }

    private static let unitsPerMetre = 1e6

    /// The number of credits that begin before an instant.
    private func index(startingAfter instant: Int64) -> Int {
        var (low, high) = (0, credits.count)
        while low < high {
            let middle = (low + high) / 2
            if credits[middle].instants.lowerBound < instant { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
