import PrimaryStore
import Text
import TrackStore

/// `tileserve verify`: checks the library for damage.
struct VerifyCommand: Command {
    static let name = "verify"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "checks the library for damage",
        about: """
            Checks both databases, each row against its stored checksum, each track against its digest, and about 24 \
            tiles of zoom level 16, spread over the map, against a rebuild from the tracks. 'tileserve rebuild' builds \
            the whole map again. Each error is printed on one line, and the exit code is then 65.
            """,
        options: [LibraryOption.option, LibraryOption.inbox],
        examples: [("tileserve verify", "checks the library")])

    let folder: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
    }
}

extension VerifyCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        // A grid that is not up to date is not damaged.
        var isUpdated = true
        let problems = try library.verify { isUpdated = try library.updateMap(context) }
        guard isUpdated else { return context.stopped() }
        for problem in problems { try context.terminal.say(problem.singleLine) }
        guard problems.isEmpty else { return .badData }
        for (track, points) in try library.database.implausibleTimes() {
            try context.terminal.say(
                "\(library.name): track \(track.id) (\(track.source)): \(DisplayText.count(points, "point")) with a time before 1980-01-06 or after 2100-01-01; used without time"
                    .singleLine)
        }
        let totals = try library.database.totals()
        try context.terminal.say(
            "\(library.name): no errors found in \(DisplayText.count(totals.tracks, "track")) and \(DisplayText.count(totals.points, "point")); "
                + (library.database.hasRowSums ? "all rows match their checksums" : "all rows can be read"))
        return .done
    }
}
