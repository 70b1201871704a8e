/// A calendar date.
public struct CivilDay: Hashable, Sendable {
    /// The length of a day in UTC.
    @inlinable public static var milliseconds: Int64 { 86_400_000 }

    /// The year in the Gregorian calendar.
    public let year: Int
    /// 1–12.
    public let month: Int
    /// 1–31.
    public let day: Int

    /// The date of a day counted from 1970-01-01.
    ///
    /// Source: H. Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`.
    public init(daysSince1970 days: Int32) {
        // Days since 0000-03-01: years that begin in March have their leap day last. An era is 400 years, 146,097 days,
        // after which the calendar repeats.
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // Five months from March or August on have 153 days, so one formula gives all month lengths but February's.
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// nil if there is no such date (30 February).
    public init?(year: Int, month: Int, day: Int) {
        guard (-9999...9999).contains(year), Self.days(year, month, day) != nil else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The number of days since 1970-01-01.
    public var daysSince1970: Int32 {
        Int32(Self.uncheckedDays(year, month, day))
    }

    /// The years that are calculated with: those of every day that an Int32 can count, and some more.
    @usableFromInline static let countedYears = -10_000_000...10_000_000

    /// The number of days since 1970-01-01; nil if there is no such date, or the year is beyond ten million.
    @inlinable
    public static func days(_ year: Int, _ month: Int, _ day: Int) -> Int? {
        guard countedYears.contains(year), (1...12).contains(month), day >= 1, day <= length(month, year) else {
            return nil
        }
        return uncheckedDays(year, month, day)
    }

    /// `days_from_civil` of the same source.
    @inlinable
    static func uncheckedDays(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    @inlinable
    static func length(_ month: Int, _ year: Int) -> Int {
        guard month == 2 else { return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
}
