import PinService
import Pins
internal import PrimaryStore
import Text
import TrackStore

/// `tileserve pins list`: lists pins.
struct PinListCommand: Command {
    static let name = "pins list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists pins: waypoints, marked points, photos",
        about: """
            Lists pins, newest first; pins without a time are at the end. Hours and months are in the library's time \
            zone, include both ends and may wrap around.
            """,
        options: [LibraryOption.option] + PinSelection.options + [CommonOptions.json],
        examples: [
            ("tileserve pins list --category summit", "lists the pins of a category"),
            ("tileserve pins list --hours 22-4 --json", "lists pins of the night, one object per line"),
        ])

    let folder: String
    let selection: PinSelection
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try PinSelection(given)
        isJSON = given.has(CommonOptions.json)
    }
}

extension PinListCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let filter = try selection.filter(of: library)
        return try context.printList(
            isJSON ? nil : Pin.columns.heading, isFiltered: !selection.isEmpty,
            none: "tileserve pins list: no pin matches"
        ) { after in
            let page = try library.database.read {
                try $0.pins(filter, limit: CommandEnvironment.pageItems, after: after)
            }
            return page.map { ($0.pins, $0.next) }
        } lines: { pins in
            pins.map { isJSON ? $0.fullJSON().text : $0.line(calendar) }
        }
    }
}
