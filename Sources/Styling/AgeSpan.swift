public import Text

/// The years that colours by age cover. They are whole years, so that colours change only when a library's first or
/// last year changes, and not with every day.
public struct AgeSpan: Sendable, Hashable {
    /// Days since 1970-01-01, from 1 January of the first year to 31 December of the last.
    public let days: ClosedRange<Int32>

    /// The years from the year of the first day to the year of the last day.
    public init(firstDay: CivilDay, lastDay: CivilDay) {
        let (first, last) = (min(firstDay.year, lastDay.year), max(firstDay.year, lastDay.year))
        func day(_ year: Int, _ month: Int, _ day: Int, orElse other: CivilDay) -> Int32 {
            (CivilDay(year: year, month: month, day: day) ?? other).daysSince1970
        }
        days = day(first, 1, 1, orElse: firstDay)...day(last, 12, 31, orElse: lastDay)
    }

    /// The years that contain a range of days since 1970-01-01.
    public init(_ days: ClosedRange<Int32>) {
        self.init(
            firstDay: CivilDay(daysSince1970: days.lowerBound), lastDay: CivilDay(daysSince1970: days.upperBound))
    }

    /// The position of a day since 1970-01-01 in the range, clamped: 0 for the first day, 1 for the last.
    public func fraction(of day: Int32) -> Double {
        let whole = Double(days.upperBound) - Double(days.lowerBound)
        return min(max((Double(day) - Double(days.lowerBound)) / max(whole, 1), 0), 1)
    }
}
