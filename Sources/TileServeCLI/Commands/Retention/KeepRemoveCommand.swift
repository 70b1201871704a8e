import PrimaryStore
import TrackStore

/// `tileserve keep remove`: removes rules for old points.
struct KeepRemoveCommand: Command {
    static let name = "keep remove"
    static let operands = Operands.some("NUMBER")

    static let screen = HelpScreen(
        usage: "[OPTION]… NUMBER…",
        summary: "removes rules for old points",
        about:
            "Removes rules by their numbers. What they have removed does not come back; other points are kept from now on.",
        options: [LibraryOption.option],
        examples: [("tileserve keep remove 2", "removes a rule")])

    let folder: String
    let numbers: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        numbers = given.operands
    }
}

extension KeepRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let removed = try NamedItems(
            numbers, id: \.number, context.terminal,
            noSuch: { "\($0.singleLine): no such rule; see 'tileserve keep list'" },
            find: { text in try Int64(text).flatMap { try library.database.removeRetentionRule($0) } })
        for rule in removed.found { try context.terminal.say("rule \(rule.number): removed (\(rule.rule.sentence))") }
        return removed.code
    }
}
