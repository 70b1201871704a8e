import Text

/// Counts each minute of a person once, where tracks overlap in time: a phone and a watch that record the same ride, or two
/// exports of the same history.
///
/// On each day, the tracks that have something on it claim their minutes one after the other, the longest first; what a
/// later track has in minutes that are claimed does not count. The length of the day decides, then the bytes of the track's
/// totals and minutes, so the order of import makes no difference. The time of a day is the union of the times of the
/// tracks.
public struct MinuteClaims: Sendable {
    /// A track of a person.
    public struct Claimant: Sendable {
        /// Its number, for the caller.
        public var number: Int64
        public var totals: TrackTotals
        /// The minutes of the track, as bytes.
        public var minutes: [UInt8]
        /// The day of each row of its ledger; nil for points without time.
        public var rowDays: [Int32?]

        public init(number: Int64, totals: TrackTotals, minutes: [UInt8], rowDays: [Int32?]) {
            self.number = number
            self.totals = totals
            self.minutes = minutes
            self.rowDays = rowDays
        }
    }

    /// What counts of a track.
    public struct Settled: Sendable, Equatable {
        public var number: Int64
        /// The days of the track with what counts of them.
        public var days: [DayTotals]
        /// The length that counts of each row of the ledger.
        public var millimetres: [Int64]
    }

    /// The tracks of one person, in groups of those that overlap in time, each group in the order of the given tracks. A
    /// track that overlaps no other one is a group of its own.
    public static func groups(_ tracks: [(number: Int64, totals: TrackTotals)]) -> [[Int]] {
        let spans = tracks.indices.compactMap { index in tracks[index].totals.span.map { (index: index, span: $0) } }
            .sorted { ($0.span.lowerBound, $0.index) < ($1.span.lowerBound, $1.index) }
        var groups = tracks.indices.filter { tracks[$0].totals.span == nil }.map { [$0] }
        var end = Int64.min
        var isFirst = true
        for (index, span) in spans {
            // Tracks that only touch have no minute but perhaps the common one in full.
            if isFirst || span.lowerBound.floorDivided(by: TrackMinute.milliseconds) > end {
                groups.append([index])
            } else {
                groups[groups.count - 1].append(index)
            }
            isFirst = false
            end = max(end, span.upperBound.floorDivided(by: TrackMinute.milliseconds))
        }
        return groups
    }

    /// What counts of each track of a group, in the same order. `body` gets each entry that has a minute, with those of its
    /// minutes, counted from 0, that count.
    public static func settle(
        _ claimants: [Claimant], _ body: (TrackMinute, _ minutes: Range<Int64>) -> Void = { _, _ in }
    ) -> [Settled] {
        var settled = claimants.map {
            Settled(
                number: $0.number, days: $0.totals.days, millimetres: [Int64](repeating: 0, count: $0.rowDays.count))
        }
        var readers = claimants.map { DayReader($0) }
        var days: [Int32?: [(claimant: Int, day: Int)]] = [:]
        for (number, claimant) in claimants.enumerated() {
            for (index, day) in claimant.totals.days.enumerated() { days[day.day, default: []].append((number, index)) }
        }
        // Minutes are read in their order: without time first, then day by day.
        for day in days.keys.sorted(by: { ($0 ?? .min) < ($1 ?? .min) }) {
            let entries = readers.indices.map { readers[$0].take(day) }
            let order = (days[day] ?? []).sorted { one, other in
                let first = claimants[one.claimant].totals.days[one.day].millimetres
                let second = claimants[other.claimant].totals.days[other.day].millimetres
                return first != second ? first > second : claimants[one.claimant].isBefore(claimants[other.claimant])
            }
            var claimed = MinuteSet()
            var times = MinuteSet()
            for (claimant, index) in order {
                var sum = TrackMinute.Amounts()
                for entry in entries[claimant] {
                    var counted = TrackMinute.Amounts()
                    if day == nil {
                        counted = entry.amounts
                    } else {
                        claimed.forEachUnclaimed(of: entry) { minutes in
                            counted += entry.amounts(in: minutes)
                            body(entry, minutes)
                        }
                    }
                    sum += counted
                    if settled[claimant].millimetres.indices.contains(entry.row) {
                        settled[claimant].millimetres[entry.row] += counted.millimetres
                    }
                }
                settled[claimant].days[index].set(sum)
                if let span = claimants[claimant].totals.days[index].span {
                    settled[claimant].days[index].milliseconds = times.add(span)
                }
                if day != nil { claimed.add(entries[claimant]) }
            }
        }
        return settled
    }
}

extension MinuteClaims.Claimant {
    fileprivate func isBefore(_ other: Self) -> Bool {
        let (mine, theirs) = (totals.encoded, other.totals.encoded)
        if mine != theirs { return mine.lexicographicallyPrecedes(theirs) }
        return minutes.lexicographicallyPrecedes(other.minutes)
    }
}

/// Reads the minutes of a track day by day.
private struct DayReader {
    private var decoder: TrackMinutes.Decoder
    private let rowDays: [Int32?]
    private var next: TrackMinute?

    init(_ claimant: MinuteClaims.Claimant) {
        decoder = TrackMinutes.Decoder(claimant.minutes)
        rowDays = claimant.rowDays
        next = decoder.next()
    }

    /// The entries of a day, which must be later than those asked for before.
    mutating func take(_ day: Int32?) -> [TrackMinute] {
        var entries: [TrackMinute] = []
        while let entry = next, self.day(of: entry) ?? .min <= day ?? .min {
            entries.append(entry)
            next = decoder.next()
        }
        return entries
    }

    private func day(of entry: TrackMinute) -> Int32? {
        rowDays.indices.contains(entry.row) ? rowDays[entry.row] : nil
    }
}

/// Ascending, separate ranges of minutes or of instants.
struct MinuteSet {
    private(set) var ranges: [Range<Int64>] = []

    /// Calls `body` with the minutes of an entry, counted from 0, that are not in the set.
    func forEachUnclaimed(of entry: TrackMinute, _ body: (Range<Int64>) -> Void) {
        guard let first = entry.minute else { return }
        let end = first + entry.count
        var index = self.index(after: first)
        var begin = first
        while begin < end {
            let stop = index < ranges.count ? min(end, max(begin, ranges[index].lowerBound)) : end
            if begin < stop { body(begin - first..<stop - first) }
            guard index < ranges.count else { break }
            begin = max(begin, ranges[index].upperBound)
            index += 1
        }
    }

    /// Adds the minutes of entries in ascending order.
    mutating func add(_ entries: [TrackMinute]) {
        var added: [Range<Int64>] = []
        for entry in entries {
            guard let first = entry.minute else { continue }
            Self.append(first..<first + entry.count, to: &added)
        }
        var united: [Range<Int64>] = []
        for range in (ranges + added).sorted(by: { $0.lowerBound < $1.lowerBound }) { Self.append(range, to: &united) }
        ranges = united
    }

    /// Adds a range of instants; returns how many of them were not in the set.
    @discardableResult
    mutating func add(_ span: ClosedRange<Int64>) -> Int64 {
        let before = length
        var united: [Range<Int64>] = []
        let range = span.lowerBound..<span.upperBound
        for range in (ranges + [range]).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            Self.append(range, to: &united)
        }
        ranges = united
        return length - before
    }

    private var length: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    private static func append(_ range: Range<Int64>, to ranges: inout [Range<Int64>]) {
        if let last = ranges.last, range.lowerBound <= last.upperBound {
            ranges[ranges.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }

    /// The index of the first range that ends after a number.
    private func index(after number: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > number { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
