/// The countries (or regions) of some tracks.
public struct CountryLedger: Sendable {
    /// A country or region.
    public struct Line: Sendable, Equatable {
        /// An index of `CountryList`.
        public var country: Int
        /// Only if grouped by region: an index for `Gazetteer.regionName`, or nil where none is known.
        public var region: Int?
        /// The strongest of the intervals.
        public var status: CountryStatus
        /// From the first to the last local date on the ground, as days since 1970-01-01; in the air if it was only
        /// overflown. nil without time.
        public var dates: ClosedRange<Int32>?
        /// Distinct local dates on the ground.
        public var days: Int
        /// Distinct nights.
        public var nights: Int
        /// The length on the ground and above it.
        public var millimetres: Int64
    }

    public let grouping: LedgerGrouping
    public let countries: CountryList
    /// The countries or regions, by name of the country, then by index of the region; those without region last.
    public let lines: [Line]
    /// The intervals, by person, then time.
    public let intervals: [CountryInterval]
    /// The length on coastal waters and the high seas, and above them.
    public let seaMillimetres: Int64
    public let unknownMillimetres: Int64

    /// Adds up the sections of rows in a window of instants. `calendar` is called with places on the ground and in the
    /// air.
    public init(
        _ entries: [LedgerEntry], from: Int64? = nil, to: Int64? = nil, by grouping: LedgerGrouping = .country,
        rule: StatusRule = StatusRule(), countries: CountryList, calendar: @escaping LocalCalendar
    ) {
        self.grouping = grouping
        self.countries = countries
        var (sea, unknown) = (Int64(0), Int64(0))
        var persons: [Int64: [LedgerEntry]] = [:]
        for entry in entries {
            guard let part = entry.cut(from: from, to: to) else { continue }
            if part.row.kind == .unknown {
                unknown += part.row.millimetres
            } else if part.row.country == nil {
                sea += part.row.millimetres
            }
            persons[part.person, default: []].append(part)
        }
        (seaMillimetres, unknownMillimetres) = (sea, unknown)
        var intervals: [CountryInterval] = []
        for (_, rows) in persons.sorted(by: { $0.key < $1.key }) {
            var builder = PresenceBuilder(rule, grouping, countries, calendar)
            for entry in rows.sorted(by: Self.isBefore) { builder.add(entry) }
            intervals += builder.finish()
        }
        self.intervals = intervals
        lines = Self.lines(of: intervals, grouping, countries)
    }

    /// The order of time; of rows of the same time, by their content, so that the order of import does not matter.
    private static func isBefore(_ one: LedgerEntry, _ other: LedgerEntry) -> Bool {
        let (left, right) = (one.row, other.row)
        let (start, end) = (left.time?.lowerBound ?? .min, right.time?.lowerBound ?? .min)
        if start != end { return start < end }
        let (leave, last) = (left.time?.upperBound ?? .min, right.time?.upperBound ?? .min)
        if leave != last { return leave < last }
        if left.kind != right.kind { return left.kind.rawValue < right.kind.rawValue }
        let (country, second) = (left.country ?? -1, right.country ?? -1)
        if country != second { return country < second }
        return (left.first.longitude, left.first.latitude, left.millimetres, one.track)
            < (right.first.longitude, right.first.latitude, right.millimetres, other.track)
    }

    private static func lines(
        of intervals: [CountryInterval], _ grouping: LedgerGrouping, _ countries: CountryList
    ) -> [Line] {
        var groups: [PresenceBuilder.Key: [CountryInterval]] = [:]
        for interval in intervals {
            let region = grouping == .region ? interval.region : nil
            groups[PresenceBuilder.Key(country: interval.country, region: region), default: []].append(interval)
        }
        return groups.map { key, intervals in
            let status = intervals.map(\.status).max() ?? .overflown
            let ground = intervals.filter { $0.status != .overflown }
            let days = Set((ground.isEmpty ? intervals : ground).flatMap(\.days))
            var dates: ClosedRange<Int32>?
            if let first = days.min(), let last = days.max() { dates = first...last }
            return Line(
                country: key.country, region: key.region, status: status, dates: dates,
                days: ground.isEmpty ? 0 : days.count, nights: Set(ground.flatMap(\.nights)).count,
                millimetres: intervals.reduce(0) { $0 + $1.millimetres })
        }.sorted { left, right in
            let (name, other) = (countries.name(of: left.country), countries.name(of: right.country))
            return name != other ? name < other : (left.region ?? .max) < (right.region ?? .max)
        }
    }
}
