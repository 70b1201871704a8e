import PrimaryStore
import Text
import TrackStore

/// `tileserve editions list`: lists editions.
struct EditionListCommand: Command {
    static let name = "editions list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists editions",
        about: "Lists the editions of the library, with what they publish and how much of it there is.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve editions list", "lists the editions")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension EditionListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        // Those of links are in the list of links.
        let editions = try library.database.editions().filter { !$0.isOfLink }.map {
            try EditionDescription($0, of: library)
        }
        if isJSON {
            for edition in editions { try context.terminal.say(edition.json.text) }
            return .done
        }
        try context.terminal.out(
            TextTable.text(editions.map { [$0.edition.name, $0.content, $0.edition.rule.sentence] }))
        return .done
    }
}
