import Text

/// The length of the periods by which totals are added up.
public enum PeriodLength: String, Sendable, CaseIterable {
    case day
    /// From Monday to Sunday, numbered as in ISO 8601: week 1 has the year's first Thursday.
    case week
    case month, year
}

/// A day, week, month or year of the calendar.
public struct Period: Sendable, Hashable, Comparable {
    public let length: PeriodLength
    /// The first day, since 1970-01-01.
    public let firstDay: Int32

    /// The period of a length that contains a day.
    public init(_ length: PeriodLength, containing day: Int32) {
        self.length = length
        let date = CivilDay(daysSince1970: day)
        switch length {
        case .day: firstDay = day
        case .week: firstDay = day - Int32(Self.weekday(of: day) - 1)
        case .month: firstDay = day - Int32(date.day - 1)
        case .year: firstDay = Self.firstDay(ofYear: date.year)
        }
    }

    /// The day of the week: 1 for Monday to 7 for Sunday.
    public static func weekday(of day: Int32) -> Int {
        // 1970-01-01 was a Thursday.
        let sinceMonday = (Int(day) + 3) % 7
        return (sinceMonday + 7) % 7 + 1
    }

    /// The period after this one.
    public var next: Period {
        switch length {
        case .day: Period(.day, containing: firstDay + 1)
        case .week: Period(.week, containing: firstDay + 7)
        // From the first day of a month or year, these many days on are always in the next one.
        case .month: Period(.month, containing: firstDay + 31)
        case .year: Period(.year, containing: firstDay + 366)
        }
    }

    /// The last day, since 1970-01-01.
    public var lastDay: Int32 { next.firstDay - 1 }

    /// The period as in ISO 8601: `2024-05-01`, `2024-W18`, `2024-05` or `2024`.
    public var text: String {
        let date = CivilDay(daysSince1970: firstDay)
        switch length {
        case .day: return InstantFormatter.text(date)
        case .week:
            // The year of a week is that of its Thursday.
            let thursday = firstDay + 3
            let year = CivilDay(daysSince1970: thursday).year
            let week = (Int(thursday) - Int(Self.firstDay(ofYear: year))) / 7 + 1
            return "\(Self.padded(year, 4))-W\(Self.padded(week, 2))"
        case .month: return "\(Self.padded(date.year, 4))-\(Self.padded(date.month, 2))"
        case .year: return Self.padded(date.year, 4)
        }
    }

    public static func < (left: Period, right: Period) -> Bool {
        left.firstDay < right.firstDay
    }

    private static func firstDay(ofYear year: Int) -> Int32 {
        Int32(clamping: CivilDay.days(year, 1, 1) ?? 0)
    }

    private static func padded(_ number: Int, _ digits: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
