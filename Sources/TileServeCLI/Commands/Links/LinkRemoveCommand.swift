import Links
import PrimaryStore
import TrackStore

/// `tileserve links remove`: revokes links.
struct LinkRemoveCommand: Command {
    static let name = "links remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "removes links, which then show nothing",
        about: """
            Removes links by their ids. Within a second, a running server shows nothing to those who have them, and \
            closes their streams. An edition that was made for a link is removed with it.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve links remove 7kq3p", "removes a link")])

    let folder: String
    let links: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        links = given.operands
    }
}

extension LinkRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let store = try OpenedLibrary.links(in: library.folder)
        let removed = try NamedItems(links, "link", id: \.id, context.terminal) { try store.remove($0) }
        for link in removed.found {
            if link.ownsEdition { try library.removeEdition(named: link.edition) }
            try context.terminal.say("\(link.label): removed")
        }
        return removed.code
    }
}
