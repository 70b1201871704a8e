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
    /// Fills several screens and needs little memory.
    private static let pagePins = 500

    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let terminal = context.terminal
        let filter = try selection.filter(of: library)
        var after: String?
        var count = 0
        repeat {
            // Page by page, so that no read transaction stays open while the output blocks.
            let cursor = after
            guard let page = try library.database.read({ try $0.pins(filter, limit: Self.pagePins, after: cursor) })
            else { break }
            var lines = page.pins.map { isJSON ? $0.fullJSON().text : $0.line(calendar) }
            if count == 0, !isJSON, !lines.isEmpty { lines.insert(Pin.heading, at: 0) }
            if !lines.isEmpty { try terminal.out(lines.joined(separator: "\n") + "\n") }
            count += page.pins.count
            after = page.next
        } while after != nil && !context.stop.isRequested
        guard count == 0 else { return .done }
        terminal.report("tileserve pins list: no pin matches")
        return selection.isEmpty ? .done : .incomplete
    }
}
