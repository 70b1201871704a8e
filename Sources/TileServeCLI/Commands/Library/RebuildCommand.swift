import PrimaryStore
import Text
import TrackStore
import Tracks

/// `tileserve rebuild`: rebuilds the grid from the tracks.
struct RebuildCommand: Command {
    static let name = "rebuild"
    static let operands = Operands.none

    private static let zone = Option("zone", "TZ", "sets the library's time zone, which defines its days")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "rebuilds the map from the tracks",
        about: """
            Rebuilds the grid, from which tiles are drawn, from the tracks. This is not needed after an import, \
            which updates the grid. It is needed to change the library's time zone, which defines where days begin \
            and end.
            """,
        options: [LibraryOption.option, zone],
        examples: [
            ("tileserve rebuild", "rebuilds the grid"),
            ("tileserve rebuild --zone Europe/Zurich", "sets the time zone: days begin at midnight in Zurich"),
        ])

    let folder: String
    let zone: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        zone = try given.value(Self.zone, .zone, Quantity.zone)
    }
}

extension RebuildCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let progress = Progress(context.terminal)
        defer { progress.end() }
        try library.rebuild(zone: zone) { progress.update($0) }
        let totals = try library.database.totals()
        progress.end()
        try context.terminal.say(
            "rebuilt the map from \(DisplayText.count(totals.tracks, "track")), "
                + "\(DisplayText.count(totals.points, "point")); time zone \(try library.calendar().zone)")
        return .done
    }
}
