/// `tileserve stats`: shows totals of the library.
struct StatsCommand: Command {
    static let name = "stats"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "says how much there is in the library",
        about:
            "Says how many tracks, points, persons and activities the library holds, from when to when, on how many bytes.",
        options: [LibraryFolder.option, LibraryFolder.inbox, ImportCommand.json],
        examples: [("tileserve stats", "says how much there is")])

    let folder: String
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve verify`: checks the library for damage.
struct VerifyCommand: Command {
    static let name = "verify"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "checks that the library is sound",
        about: """
            Checks both databases, every row of every table against the checksums that were stored with it, every track against \
            its digest, and about 24 tiles of zoom level 16, spread over the map, against what is made again of them from the tracks. \
            'tileserve rebuild' makes the whole map again. What is wrong is told line by line, and the exit code is then 65.
            """,
        options: [LibraryFolder.option, LibraryFolder.inbox],
        examples: [("tileserve verify", "checks the library")])

    let folder: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
    }
}
