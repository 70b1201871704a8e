import Foundation
import Text
import Tokens
import TrackStore
import Tracks

/// `tileserve tokens list`: lists tokens.
struct TokenListCommand: Command {
    static let name = "tokens list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tokens, without their secrets",
        about:
            "Lists the names, roles and creation times of tokens. The tokens themselves are not stored and cannot be shown.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve tokens list", "lists the tokens")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
    }
}

extension TokenListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let records = try OpenedLibrary.tokens(in: library.folder).all()
        let calendar = try library.calendar()
        try context.terminal.out(
            isJSON
                ? records.map { $0.json.text + "\n" }.joined() : TextTable.text(records.map { $0.cells(calendar) }))
        if records.isEmpty { context.terminal.report("tileserve tokens list: there are no tokens") }
        return .done
    }
}

extension TokenRecord {
    /// The token as a row of the list.
    fileprivate func cells(_ calendar: DayCalendar) -> [String] {
        [id, InstantFormatter.local(created * 1000, calendar), name, "may \(description)"]
    }

    fileprivate var json: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("name", name)
        object.add("role", role.rawValue)
        object.add("device", device)
        object.add("person", person)
        object.add("edition", edition)
        object.add("created", InstantFormatter.utc(created * 1000))
        return object
    }
}
