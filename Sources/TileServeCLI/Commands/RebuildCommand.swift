/// `tileserve rebuild`: rebuilds the grid from the tracks.
struct RebuildCommand: Command {
    static let name = "rebuild"
    static let operands = Operands.none

    private static let zone = Option("zone", "TZ", "the zone in which days begin and end, from now on")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "prepares the map again from the tracks",
        about: """
            Makes the grid, from which tiles are drawn, again from the tracks. This is never needed to see what was \
            imported: the grid follows by itself. It is needed to set the library's time zone, in which days begin and end.
            """,
        options: [LibraryFolder.option, zone],
        examples: [
            ("tileserve rebuild", "makes the grid again"),
            ("tileserve rebuild --zone Europe/Zurich", "lets days begin at midnight in Zurich"),
        ])

    let folder: String
    let zone: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        zone = try given.value(Self.zone, .zone, Quantity.zone)
    }
}
