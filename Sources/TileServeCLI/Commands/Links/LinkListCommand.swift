import EditionService
import Links
import PrimaryStore
import Text
import Tokens
import TrackStore
import Tracks

/// `tileserve links list`: lists links.
struct LinkListCommand: Command {
    static let name = "links list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists links, without their secrets",
        about: """
            Lists what is shared: the id and label of each link, what it shows, when it expires, and how often it was \
            opened. The links themselves are not stored and cannot be shown.
            """,
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve links list", "lists the links")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension LinkListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let links = try OpenedLibrary.links(in: library.folder).all()
        let calendar = try library.calendar()
        let now = TrackDatabase.systemClock() / 1000
        let editions = try Dictionary(
            library.database.editions().map { ($0.name, $0.rule.sentence) }, uniquingKeysWith: { first, _ in first })
        try context.terminal.out(
            isJSON
                ? links.map { $0.json(at: now).text + "\n" }.joined()
                : TextTable.text(links.map { $0.cells(calendar, now, editions[$0.edition]) }))
        if links.isEmpty { context.terminal.report("\(context.command): there are no links") }
        return .done
    }
}

extension LinkRecord {
    /// The link as a row of the list; `rule` says what is published of an edition that was made for it.
    fileprivate func cells(_ calendar: DayCalendar, _ now: Int64, _ rule: String?) -> [String] {
        let end = expires.map { InstantFormatter.local($0 * 1000, calendar) }
        let use = lastUsed.map {
            "used \(DisplayText.count(uses, "time")), last \(InstantFormatter.local($0 * 1000, calendar))"
        }
        return [
            id, label, ownsEdition ? rule ?? "nothing any more" : "edition \(edition)",
            kind == .tiles ? "tiles only" : needsPassword ? "with password" : "",
            isValid(at: now) ? end.map { "until \($0)" } ?? "does not expire" : "expired", use ?? "never used",
        ]
    }
}
