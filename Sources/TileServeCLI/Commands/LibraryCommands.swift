/// `tileserve stats`: shows totals of the library.
struct StatsCommand: Command {
    static let name = "stats"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows totals of the library",
        about:
            "Shows the number of tracks, points, persons and activities in the library, their time span, and the size of the files on disk.",
        options: [LibraryOption.option, LibraryOption.inbox, ImportCommand.json],
        examples: [("tileserve stats", "shows totals of the library")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(ImportCommand.json)
    }
}

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
