import Geocoding
import Places
import Stays
import Text
import TrackStore
import Tracks

/// Stays and trips as tables. Instants are those of the library's time zone.
struct StaysTable {
    let calendar: DayCalendar
    let addresses: [GeocodingCell: PostalAddress]

    func text(stays persons: [PersonStays]) -> String {
        var rows = [["ARRIVE", "LEAVE", "TIME", "NO POINTS", "LON", "LAT", "PLACE", "PERSON"]]
        for one in persons {
            for stay in one.stays {
                rows.append([
                    instant(stay.arrive), instant(stay.leave), Self.duration(stay.leave - stay.arrive),
                    Self.duration(stay.bridgedMilliseconds), NumberText.digits(Double(stay.longitude) * 1e-7, 5),
                    NumberText.digits(Double(stay.latitude) * 1e-7, 5), place(stay, one), one.person ?? "-",
                ])
            }
        }
        return TextTable.text(rows)
    }

    func text(trips persons: [PersonStays]) -> String {
        var rows = [["DEPART", "ARRIVE", "TIME", "FROM", "TO", "PERSON"]]
        for one in persons {
            for trip in Trip.trips(between: one.stays) {
                rows.append([
                    instant(trip.from.leave), instant(trip.to.arrive),
                    Self.duration(trip.to.arrive - trip.from.leave), place(trip.from, one), place(trip.to, one),
                    one.person ?? "-",
                ])
            }
        }
        return TextTable.text(rows)
    }

    private func instant(_ instant: Int64) -> String {
        InstantFormatter.local(instant, calendar)
    }

    func text(places persons: [PersonStays]) -> String {
        var rows = [["TIME", "STAYS", "LAST", "LON,LAT", "NAME", "PLACE", "PERSON"]]
        for one in persons {
            for place in one.places {
                rows.append([
                    Self.duration(place.milliseconds), "\(place.count)",
                    place.span.map { instant($0.upperBound) } ?? "-", place.id, place.name ?? "-",
                    place.longest?.cell.flatMap { addresses[$0]?.label } ?? place.town?.name.name ?? "-",
                    one.person ?? "-",
                ])
            }
        }
        return TextTable.text(rows)
    }

    private func place(_ stay: Stay, _ one: PersonStays) -> String {
        one.name(of: stay) ?? stay.cell.flatMap { addresses[$0]?.label } ?? stay.place?.name.name ?? "-"
    }

    /// Hours and minutes: `26:05`.
    private static func duration(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }
}
