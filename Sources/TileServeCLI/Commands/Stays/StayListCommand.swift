import TrackStore

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
        let isEmpty = persons.allSatisfy(\.stays.isEmpty)
        switch (showsTrips, isJSON) {
        case (_, false) where isEmpty: break
        case (false, false): try context.terminal.out(table.text(stays: persons))
        case (false, true):
            try context.terminal.write(PersonStays.json(persons, addresses: addresses))
        case (true, false): try context.terminal.out(table.text(trips: persons))
        case (true, true):
            let json = PersonStays.json(tripsOf: persons, addresses: addresses)
            try context.terminal.write(json)
        }
        return context.endList(
            isEmpty: isEmpty, isFiltered: selection.isFiltered, none: "tileserve stays list: no stay matches")
    }
}
