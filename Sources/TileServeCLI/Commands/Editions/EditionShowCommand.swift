import PrimaryStore
import Text
import TrackStore

/// `tileserve editions show`: shows details of editions.
struct EditionShowCommand: Command {
    static let name = "editions show"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "shows details of editions",
        about: "Shows the rule of editions with their zones, and how much they contain.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve editions show public", "shows one edition")])

    let folder: String
    let editions: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        editions = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension EditionShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let known = try library.database.editions()
        let calendar = try library.calendar()
        let named = try NamedItems(
            editions, "edition", id: \.id, context.terminal, find: { name in known.first { $0.name == name } })
        for edition in named.found {
            let description = try EditionDescription(edition, of: library)
            try context.terminal.say(
                isJSON ? description.json.text : description.lines(calendar).joined(separator: "\n"))
        }
        return named.code
    }
}
