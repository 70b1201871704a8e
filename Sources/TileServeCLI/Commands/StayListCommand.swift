import Geocoding
import Places
import Stays
import Text
import TrackStore
import Tracks

/// Which stays are shown: those of a time and of a person.
struct StaySelection {
    let window: DateWindow
    private let person: String?

    init(_ given: CommandLineArguments, person: Option) throws(UsageError) {
        window = try DateWindow(given)
        self.person = try given.value(person, .name(characters: TokenName.characterLimit)) { $0 }
    }

    /// The stays of each person, from a map that has all changes.
    func persons(of library: Library, _ context: CommandEnvironment) throws -> [PersonStays] {
        var query = StaysQuery()
        (query.from, query.to) = try window.instants(in: try library.calendar())
        query.person = person
        _ = try library.updateMap(context)
        return try library.selected(try library.stays(for: .owner), query)
    }
}

/// `tileserve stays list`: shows where persons stayed, or the trips between stays.
struct StayListCommand: Command {
    static let name = "stays list"
    static let operands = Operands.none

    private static let person = Option(
        "person", "NAME", "only stays of this person; empty for the owner of the library")
    private static let trips = Option("trips", "shows the trips between the stays instead")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows where somebody stayed, and when",
        about: """
            Lists where persons stayed, and when. A stay is a time of at least 10 minutes within about 100 m. It goes on while nothing is recorded for up to \
            7 days if the tracks end and begin at the same place; this time without recorded points is in the column NO POINTS. A trip is the way from \
            a stay to the next one. A place is shown as its name ('tileserve stays name'), its address ('tileserve \
            addresses'), or the nearest town or district (GeoNames).
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, CommonOptions.from, CommonOptions.to, person, trips,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve stays --from 2025-06-01", "shows the stays since that day"),
            ("tileserve stays --person ada --trips", "shows the trips of ada"),
        ])

    let folder: String
    let showsTrips: Bool
    let isJSON: Bool
    private let selection: StaySelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try StaySelection(given, person: Self.person)
        showsTrips = given.has(Self.trips)
        isJSON = given.has(CommonOptions.json)
    }
}

extension StayListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let persons = try selection.persons(of: library, context)
        let addresses = try library.addresses(of: persons)
        let table = StaysTable(calendar: try library.calendar(), addresses: addresses)
        switch (showsTrips, isJSON) {
        case (false, false): try context.terminal.out(table.text(stays: persons))
        case (false, true):
            try context.terminal.write(PersonStays.json(persons, addresses: addresses))
        case (true, false): try context.terminal.out(table.text(trips: persons))
        case (true, true):
            let json = PersonStays.json(tripsOf: persons, addresses: addresses)
            try context.terminal.write(json)
        }
        return persons.allSatisfy(\.stays.isEmpty) ? .incomplete : .done
    }
}

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
