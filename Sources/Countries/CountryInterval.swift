public import Tracks

/// How somebody was in a country.
public enum CountryStatus: String, Sendable, CaseIterable, Comparable {
    case overflown
    case transited
    case visited

    private var rank: Int {
        switch self {
        case .overflown: 0
        case .transited: 1
        case .visited: 2
        }
    }

    public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }
}

/// The thresholds between a transit and a visit.
public struct StatusRule: Sendable, Hashable {
    /// A stay at one place of at least this time is a visit.
    public var stayMilliseconds: Int64 = 60 * 60_000
    /// This time on the ground in all is a visit.
    public var groundMilliseconds: Int64 = 4 * 3_600_000
    /// Who is there at this hour of the day, local time, has spent the night there: a visit.
    public var nightHour = 3
    /// Between two flights, a stay near the airport is not a visit: up to this distance from landing and start.
    public var airportMetres = 5000.0

    /// The standard rule.
    public init() {}

    /// The hours that `nightHour` can be.
    public static let nightHours = 0...23
}

/// A row of the ledger with its track.
public struct LedgerEntry: Sendable {
    public var person: Int64
    public var track: Int64
    public var row: LedgerRow

    public init(person: Int64, track: Int64, row: LedgerRow) {
        self.person = person
        self.track = track
        self.row = row
    }

    /// The section of the row within a window of instants, with its share of the length; nil if there is none. A row
    /// without time is in no window.
    func cut(from: Int64?, to: Int64?) -> LedgerEntry? {
        guard from != nil || to != nil else { return self }
        guard let time = row.time, time.upperBound >= from ?? .min, time.lowerBound < to ?? .max else { return nil }
        let enter = max(time.lowerBound, from ?? .min)
        let leave = max(enter, min(time.upperBound, to ?? .max))
        guard enter...leave != time else { return self }
        var part = self
        let share = Double(leave - enter) / Double(max(1, time.upperBound - time.lowerBound))
        part.row.time = enter...leave
        part.row.millimetres = Int64((Double(row.millimetres) * share).rounded())
        part.row.stayMilliseconds = min(row.stayMilliseconds, leave - enter)
        return part
    }
}

/// A time that somebody spent in one region of a country, or above it.
public struct CountryInterval: Sendable, Equatable {
    public var person: Int64
    /// An index of `CountryList`.
    public var country: Int
    /// An index for `Gazetteer.regionName`; nil where none is known, and above.
    public var region: Int?
    /// The first and the last instant; nil for points without time.
    public var time: ClosedRange<Int64>?
    public var status: CountryStatus
    public var millimetres: Int64
    /// The numbers of the tracks, ascending.
    public var tracks: [Int64]
    /// Local dates, as days since 1970-01-01, ascending.
    public var days: [Int32] = []
    /// The local dates at whose hour of the night somebody was there, ascending; none for an overflown country.
    public var nights: [Int32] = []
}

/// What of the ledger counts as one.
public enum LedgerGrouping: String, Sendable, CaseIterable {
    case country
    case region
}

/// The local calendar of a place.
public typealias LocalCalendar = @Sendable (LedgerPlace) -> DayCalendar

/// The days and nights of a range of time at a place.
struct LocalDates {
    private static let hour: Int64 = 3_600_000
    private static let longestDays = 367

    var days: Set<Int32> = []
    var nights: Set<Int32> = []

    /// Adds the dates of a range; the hour of the night counts from the beginning of the day.
    mutating func add(_ time: ClosedRange<Int64>, _ calendar: DayCalendar, nightHour: Int?) {
        var instant = time.lowerBound
        // A year at most: longer ranges are errors of clocks.
        for _ in 0..<Self.longestDays {
            // A clock that is set back over midnight returns to the day before.
            let (day, _, end) = calendar.timeRange(around: instant)
            days.insert(day)
            if let nightHour, time.contains(calendar.start(ofDay: day) + Int64(nightHour) * Self.hour) {
                nights.insert(day)
            }
            guard end <= time.upperBound, end > instant else { return }
            instant = end
        }
    }
}
