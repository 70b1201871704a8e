import TrackStore

/// `tileserve stays places`: shows the places where persons stayed.
struct StayPlacesCommand: Command {
    static let name = "stays places"
    static let operands = Operands.none

    private static let person = Option("person", "NAME", "only places of this person; empty for the library's owner")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows the places where somebody stayed, by time spent",
        about: """
            Lists the places where persons stayed, those where most time was spent first. Stays within 50 m are at \
            one place. A place has the name that was given with 'tileserve stays name'; named places are listed \
            without stays, too.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, CommonOptions.from, CommonOptions.to, person, CommonOptions.json,
        ],
        examples: [("tileserve stays places --from 2025-01-01", "shows where most time was spent since that day")])

    let folder: String
    let isJSON: Bool
    private let selection: StaySelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try StaySelection(given, person: Self.person)
        isJSON = given.has(CommonOptions.json)
    }
}

extension StayPlacesCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let persons = try selection.persons(of: library, context)
        let addresses = try library.addresses(of: persons)
        let isEmpty = persons.allSatisfy(\.places.isEmpty)
        if isJSON {
            let json = PersonStays.json(placesOf: persons, addresses: addresses)
            try context.terminal.write(json)
        } else if !isEmpty {
            try context.terminal.out(
                StaysTable(calendar: try library.calendar(), addresses: addresses).text(places: persons))
        }
        return context.endList(
            isEmpty: isEmpty, isFiltered: selection.isFiltered, none: "tileserve stays places: no place matches")
    }
}
