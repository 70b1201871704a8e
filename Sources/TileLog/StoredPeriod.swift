import Text

/// A month, a year, all time, or the untimed person-days, as one number that ascends with time.
///
/// A year is `(year − 1900) << 4`; its months are the 12 numbers after it. Days before 1900 belong to January 1900 and
/// days after 5995 to December 5995, so the first and the last month have more days than in the calendar.
package enum StoredPeriod {
    /// Points and lines without a time.
    package static let untimed: UInt16 = 0
    /// All time, including the untimed person-days.
    package static let all: UInt16 = .max

    private static let firstYear = 1900
    /// The last year whose number has 12 bits; the months of later years would exceed `all`.
    private static let lastYear = 5995

    /// The month of a day.
    package static func month(ofDay day: Int32) -> UInt16 {
        if day == FragmentOrder.untimedDay { return untimed }
        let civil = CivilDay(daysSince1970: day)
        if civil.year < firstYear { return 1 }
        if civil.year > lastYear { return UInt16((lastYear - firstYear) << 4 | 12) }
        return UInt16((civil.year - firstYear) << 4 | civil.month)
    }

    /// The year of a month.
    package static func year(ofMonth month: UInt16) -> UInt16 {
        month & 0xFFF0
    }

    /// The range of months of a period: a month itself, the months of a year, or all months.
    package static func months(of period: UInt16) -> ClosedRange<UInt16> {
        if period == all { return untimed...all }
        return period & 15 == 0 && period != untimed ? period + 1...period + 12 : period...period
    }

    /// The first and last day of a month.
    package static func days(ofMonth month: UInt16) -> ClosedRange<Int32> {
        let year = firstYear + Int(month >> 4)
        let number = Int(month & 15)
        let next = number == 12 ? (year + 1, 1) : (year, number + 1)
        let first = CivilDay(year: year, month: number, day: 1)?.daysSince1970 ?? 0
        let nextStart = CivilDay(year: next.0, month: next.1, day: 1)?.daysSince1970 ?? first + 1
        let lower = month == 1 ? FragmentOrder.untimedDay + 1 : first
        let upper = year == lastYear && number == 12 ? Int32.max : nextStart - 1
        return lower...max(lower, upper)
    }
}
