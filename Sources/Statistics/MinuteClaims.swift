/// Counts each minute of a person once, where tracks overlap in time: a phone and a watch that record the same ride, or two
/// exports of the same history.
///
/// On each day, the tracks that have something on it claim their minutes one after the other, the longest first; what a
/// later track has in minutes that are claimed does not count. A track claims only the part of its first and last minute
/// in which it was recorded, and of a minute that is claimed in part the rest counts in proportion: files that follow each
/// other share a minute, but no time. The length of the day decides, then the bytes of the track's totals and minutes, so
/// the order of import makes no difference. The time of a day is the union of the times of the tracks.
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
        var end: Int64?
        for (index, span) in spans {
            // Tracks that only touch have no time in common.
            if let last = end, span.lowerBound < last {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
            end = max(end ?? .min, span.upperBound)
        }
        return groups
    }

    /// What counts of each track of a group, in the same order. `body` gets the number of a track, a section of time of one
    /// of its entries that counts, and what it has.
    public static func settle(
        _ claimants: [Claimant], _ body: (_ number: Int64, Section) -> Void = { _, _ in }
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
            let order = (days[day] ?? []).sorted { one, other in
                let first = claimants[one.claimant].totals.days[one.day].millimetres
                let second = claimants[other.claimant].totals.days[other.day].millimetres
                return first != second ? first > second : claimants[one.claimant].isBefore(claimants[other.claimant])
            }
            var claimed = InstantSet()
            var times = InstantSet()
            for (claimant, index) in order {
                var sum = TrackMinute.Amounts()
                var claims: [Range<Int64>] = []
                for entry in readers[claimant].take(day) {
                    var counted = TrackMinute.Amounts()
                    if let section = Section(entry, within: claimants[claimant].totals.days[index].span) {
                        claimed.forEachGap(in: section.instants) { instants in
                            let part = section.part(instants)
                            counted += part.amounts
                            body(claimants[claimant].number, part)
                        }
                        claims.append(section.instants)
                    } else {
                        counted = entry.amounts
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
                // Not before: entries of one track in the same minute, of different rows, must not take it from each
                // other.
                claimed.add(claims)
            }
        }
        return settled
    }

    /// A section of time in which a track went on evenly.
    public struct Section: Sendable, Equatable {
        public var instants: Range<Int64>
        public var amounts: TrackMinute.Amounts

        /// The time of an entry, of which only the part within the time of the track counts; nil without time.
        init?(_ entry: TrackMinute, within span: ClosedRange<Int64>?) {
            guard let minute = entry.minute, let span else { return nil }
            let begin = minute * TrackMinute.milliseconds
            let end = begin + entry.count * TrackMinute.milliseconds
            let first = min(max(begin, span.lowerBound), end)
            instants = first..<max(first, min(end, span.upperBound))
            amounts = entry.amounts
        }

        /// A part of the section. Consecutive parts add up to the whole.
        public func part(_ part: Range<Int64>) -> Section {
            var section = self
            section.instants = part
            guard part != instants, !instants.isEmpty else { return section }
            let length = instants.upperBound - instants.lowerBound
            section.amounts =
                amounts.first(part.upperBound - instants.lowerBound, of: length)
                - amounts.first(part.lowerBound - instants.lowerBound, of: length)
            return section
        }
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

    /// The entries of a day, which must be later than the days asked for before.
    mutating func take(_ day: Int32?) -> [TrackMinute] {
        var entries: [TrackMinute] = []
        // What has no minute comes first, and belongs to the points without time.
        while let entry = next, entry.minute == nil || self.day(of: entry) ?? .min <= day ?? .min {
            entries.append(entry)
            next = decoder.next()
        }
        return entries
    }

    private func day(of entry: TrackMinute) -> Int32? {
        rowDays.indices.contains(entry.row) ? rowDays[entry.row] : nil
    }
}

/// Ascending, separate ranges of instants.
struct InstantSet {
    private(set) var ranges: [Range<Int64>] = []

    /// Calls `body` with the parts of a range that are not in the set; with the range itself if it is empty, and its only
    /// instant is not within the set.
    func forEachGap(in range: Range<Int64>, _ body: (Range<Int64>) -> Void) {
        var index = self.index(after: range.lowerBound)
        guard !range.isEmpty else {
            if index == ranges.count || ranges[index].lowerBound >= range.lowerBound { body(range) }
            return
        }
        var begin = range.lowerBound
        while begin < range.upperBound {
            let stop =
                index < ranges.count ? min(range.upperBound, max(begin, ranges[index].lowerBound)) : range.upperBound
            if begin < stop { body(begin..<stop) }
            guard index < ranges.count else { break }
            begin = max(begin, ranges[index].upperBound)
            index += 1
        }
    }

    /// Adds ranges.
    mutating func add(_ added: [Range<Int64>]) {
        var united: [Range<Int64>] = []
        for range in (ranges + added).sorted(by: { $0.lowerBound < $1.lowerBound }) where !range.isEmpty {
            if let last = united.last, range.lowerBound <= last.upperBound {
                united[united.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                united.append(range)
            }
        }
        ranges = united
    }

    /// Adds the time between two instants; returns how much of it was not in the set.
    @discardableResult
    mutating func add(_ span: ClosedRange<Int64>) -> Int64 {
        let before = length
        add([span.lowerBound..<span.upperBound])
        return length - before
    }

    private var length: Int64 { ranges.reduce(0) { $0 + $1.upperBound - $1.lowerBound } }

    /// The index of the first range that ends after an instant.
    private func index(after instant: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
