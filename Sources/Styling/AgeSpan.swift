public import Tracks

/// The years that colours by age reach over: whole ones, so that they change with a library's first and last year and
/// not with each of its days.
public struct AgeSpan: Sendable, Hashable {
    /// Days since 1970-01-01, from the first of a year to the last of one.
    public let days: ClosedRange<Int32>

    /// The years from that of the first day to that of the last.
    public init(firstDay: CivilDay, lastDay: CivilDay) {
        let (first, last) = (min(firstDay.year, lastDay.year), max(firstDay.year, lastDay.year))
        func day(_ year: Int, _ month: Int, _ day: Int, orElse other: CivilDay) -> Int32 {
            (CivilDay(year: year, month: month, day: day) ?? other).daysSince1970
        }
        days = day(first, 1, 1, orElse: firstDay)...day(last, 12, 31, orElse: lastDay)
    }

    /// The years of days since 1970-01-01.
    public init(_ days: ClosedRange<Int32>) {
        self.init(
            firstDay: CivilDay(daysSince1970: days.lowerBound), lastDay: CivilDay(daysSince1970: days.upperBound))
    }

    /// How far a day since 1970-01-01 is on the way: 0 for the first of the first year, 1 for the last of the last.
    public func fraction(of day: Int32) -> Double {
        let whole = Double(days.upperBound) - Double(days.lowerBound)
        return min(max((Double(day) - Double(days.lowerBound)) / max(whole, 1), 0), 1)
    }
}
