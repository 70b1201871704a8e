import PrimaryStore
import Text
import TrackStore
import Tracks

/// `tileserve keep list`: lists the rules for old points.
struct KeepListCommand: Command {
    static let name = "keep list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists the rules for old points",
        about: "Lists the rules with their numbers, when each was last applied, and how many points it has removed.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve keep list", "lists the rules")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension KeepListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let rules = try library.database.retentionRules()
        let calendar = try library.calendar()
        try context.terminal.out(
            isJSON
                ? rules.map { $0.json.text + "\n" }.joined()
                : TextTable.text(
                    rules.map { rule in
                        let run = rule.lastRun.map { "last applied \(InstantFormatter.local($0.time, calendar))" }
                        return [
                            "\(rule.number)", rule.rule.sentence, run ?? "not applied yet",
                            "\(DisplayText.count(rule.points, "point")) removed",
                        ]
                    }))
        if rules.isEmpty { context.terminal.report("\(context.command): there are no rules; everything is kept") }
        return .done
    }
}
