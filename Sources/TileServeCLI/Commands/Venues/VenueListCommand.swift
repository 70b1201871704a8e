import PrimaryStore
import Text
import TrackStore
import Venues

/// `tileserve venues list`: lists venues.
struct VenueListCommand: Command {
    static let name = "venues list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists venues",
        about: "Lists the venues of the library by name, with the files that they were imported from.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve venues list", "lists all venues")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension VenueListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let venues = try library.database.read { try $0.venues() }
        if isJSON {
            for venue in venues { try context.terminal.say(venue.json.text) }
            return .done
        }
        guard !venues.isEmpty else {
            context.terminal.report("tileserve venues list: no venues; see 'tileserve venues import'")
            return .done
        }
        try context.terminal.out(
            TextTable.text(venues.map { [$0.id, $0.name.singleLine, $0.source.singleLine] }, numbers: 0..<0))
        return .done
    }
}
