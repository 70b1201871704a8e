package import Countries
package import Statistics
import Text
package import Tracks

extension TotalsQuery {
    /// The tiles of zoom level 14 that these tracks visited in a year of a calendar.
    package func explorer(inYear year: Int, _ calendar: DayCalendar) -> ExplorerQuery {
        var query = ExplorerQuery()
        query.tracks = tracks
        let days = Self.days(ofYear: year)
        query.from = calendar.start(ofDay: days.lowerBound)
        query.to = calendar.start(ofDay: days.upperBound)
        return query
    }

    /// The countries of these tracks, of all years.
    package var countries: CountriesQuery {
        var query = CountriesQuery()
        query.tracks = tracks
        return query
    }

    /// The first day of a year, and of the next one.
    fileprivate static func days(ofYear year: Int) -> Range<Int32> {
        let first = CivilDay.days(year, 1, 1).map { Int32(clamping: $0) } ?? 0
        return first..<Period(.year, containing: first).lastDay + 1
    }
}

extension CountryLedger {
    /// The countries that were visited for the first time in a year, by this day.
    package func firstVisits(inYear year: Int) -> [YearFirsts.Country] {
        var firsts: [Int: Int32] = [:]
        for interval in intervals where interval.status == .visited {
            guard let day = interval.days.first else { continue }
            firsts[interval.country] = min(day, firsts[interval.country] ?? .max)
        }
        let days = TotalsQuery.days(ofYear: year)
        return firsts.filter { days.contains($0.value) }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map {
            YearFirsts.Country(code: countries.code(of: $0.key), name: countries.name(of: $0.key), day: $0.value)
        }
    }
}
