import PrimaryStore
import TrackStore

/// `tileserve venues remove`: removes venues.
struct VenueRemoveCommand: Command {
    static let name = "venues remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "removes venues permanently",
        about: "Removes venues with all that belongs to them. There is no confirmation, and it cannot be undone.",
        options: [LibraryOption.option],
        examples: [("tileserve venues remove 5f2dd97f41d2268a5b0c1d2e3f405160", "removes one venue")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension VenueRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let named = try NamedItems(ids, "venue", id: \.self, context.terminal) { id in
            try library.database.removeVenue(id: id) ? id : nil
        }
        for id in named.found { try context.terminal.say("\(id): removed") }
        return named.code
    }
}
