import PrimaryStore
import TrackStore

/// `tileserve editions remove`: removes editions with everything derived for them.
struct EditionRemoveCommand: Command {
    static let name = "editions remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "removes editions",
        about: """
            Removes editions with their tiles; servers stop to show them within a second. The tracks of the library are \
            kept. The positions of zones are kept, too: an edition that is added later around the same place has the \
            same centre, so that the two together tell no more than one.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve editions remove public", "removes an edition")])

    let folder: String
    let editions: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        editions = given.operands
    }
}

extension EditionRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let named = try NamedItems(
            editions, "edition", id: \.id, context.terminal, find: { try library.removeEdition(named: $0) })
        for edition in named.found { try context.terminal.say("\(edition.name): removed") }
        return named.code
    }
}
