import Tokens
import TrackStore

/// `tileserve tokens remove`: removes tokens.
struct TokenRemoveCommand: Command {
    static let name = "tokens remove"
    static let operands = Operands.some("NAME")

    static let screen = HelpScreen(
        usage: "[OPTION]… NAME…",
        summary: "removes tokens, by name or id",
        about: """
            Removes tokens by name or id. Within a second, a running server no longer accepts them, and closes \
            streams that were opened with them.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve tokens remove grandma", "removes the token 'grandma'")])

    let folder: String
    let tokens: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        tokens = given.operands
    }
}

extension TokenRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let store = try OpenedLibrary.tokens(in: OpenedLibrary.existing(in: folder).folder)
        let removed = try NamedItems(tokens, "token", id: \.id, context.terminal) { try store.remove($0) }
        for record in removed.found { try context.terminal.say("\(record.name): removed") }
        return removed.code
    }
}
