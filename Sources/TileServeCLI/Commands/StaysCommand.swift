import Geocoding
import Places
import Stays
import Text
import TrackStore
import Tracks

/// `tileserve stays`: shows where persons stayed, or the trips between stays.
struct StaysCommand: Command {
    static let name = "stays"
    static let operands = Operands.none

    private static let from = Option("from", "DATE", "only stays that end on this day or later")
    private static let to = Option("to", "DATE", "only stays that begin on this day or earlier")
    private static let person = Option(
        "person", "NAME", "only stays of this person; empty for the owner of the library")
    private static let trips = Option("trips", "shows the trips between the stays instead")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows where somebody stayed, and when",
        about: """
            A stay is a time of at least 10 minutes within about 100 m. It goes on while nothing is recorded for up to \
            7 days if the tracks end and begin at the same place; this time is shown as silent. A trip is the way from \
            a stay to the next one. Places are addresses, where a service was asked for them ('tileserve addresses'), or \
            the nearest town or district (GeoNames), \
            an address, or the name that was given with 'tileserve stays name'.
            """,
        options: [LibraryOption.option, LibraryOption.inbox, from, to, person, trips, ImportCommand.json],
        examples: [
            ("tileserve stays --from 2025-06-01", "shows the stays since that day"),
            ("tileserve stays --person ada --trips", "shows the trips of ada"),
        ])

    let folder: String
    let from: DateText?
    let to: DateText?
    let showsTrips: Bool
    let isJSON: Bool
    private let person: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        from = try given.value(Self.from, .date) { DateText($0) }
        to = try given.value(Self.to, .date) { DateText($0) }
        person = try given.value(Self.person, .name) { $0 }
        showsTrips = given.has(Self.trips)
        isJSON = given.has(ImportCommand.json)
    }
}

extension StaysCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        var query = StaysQuery()
        query.from = from?.begin(in: calendar)
        query.to = to?.end(in: calendar)
        query.person = person
        if let from = query.from, let to = query.to, from >= to {
            throw Failure(.usage, "tileserve stays: --from is not before --to")
        }
        _ = try library.updateMap(context)
        let persons: [PersonStays]
        do {
            persons = try library.selected(try library.stays(for: .owner), query)
        } catch TotalsError.noSuchPerson(let name) {
            throw Failure(.noInput, "person '\(name.singleLine)': no track is of this person")
        }
        let addresses = try library.addresses(of: persons)
        let table = StaysTable(calendar: calendar, addresses: addresses)
        switch (showsTrips, isJSON) {
        case (false, false): try context.terminal.out(table.text(stays: persons))
        case (false, true):
            try context.terminal.out(String(decoding: PersonStays.json(persons, addresses: addresses), as: UTF8.self))
        case (true, false): try context.terminal.out(table.text(trips: persons))
        case (true, true):
            let json = PersonStays.json(tripsOf: persons, addresses: addresses)
            try context.terminal.out(String(decoding: json, as: UTF8.self))
        }
        return persons.allSatisfy(\.stays.isEmpty) ? .incomplete : .done
    }
}

/// Stays and trips as tables. Instants are those of the library's time zone.
struct StaysTable {
    let calendar: DayCalendar
    let addresses: [GeocodingCell: PostalAddress]

    func text(stays persons: [PersonStays]) -> String {
        var rows = [["ARRIVE", "LEAVE", "TIME", "SILENT", "LON", "LAT", "PLACE", "PERSON"]]
        for one in persons {
            for stay in one.stays {
                rows.append([
                    instant(stay.arrive), instant(stay.leave), Self.duration(stay.leave - stay.arrive),
                    Self.duration(stay.bridgedMilliseconds), NumberText.digits(Double(stay.longitude) * 1e-7, 5),
                    NumberText.digits(Double(stay.latitude) * 1e-7, 5), place(stay, one), one.person ?? "-",
                ])
            }
        }
        return Self.text(rows)
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
        return Self.text(rows)
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
        return Self.text(rows)
    }

    private func place(_ stay: Stay, _ one: PersonStays) -> String {
        one.name(of: stay) ?? stay.cell.flatMap { addresses[$0]?.label } ?? stay.place?.name.name ?? "-"
    }

    /// Hours and minutes: `26:05`.
    private static func duration(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
    }

    private static func text(_ rows: [[String]]) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.0 + String(repeating: " ", count: $0.1 - $0.0.count) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
