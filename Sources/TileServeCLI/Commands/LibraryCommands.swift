import Statistics
import Text
import TrackStore

/// `tileserve stats`: shows totals of the library.
struct StatsCommand: Command {
    static let name = "stats"
    static let operands = Operands.none

    private static let by = Option("by", "PERIOD", "totals by day, week (ISO 8601), month or year")
    private static let layer = Option("layer", "NAME", "only tracks of this layer (with --by)")
    private static let person = Option("person", "NAME", "only tracks of this person (with --by)")
    private static let activity = Option("activity", "NAME", "only tracks of this activity (with --by)")
    private static let csv = Option("csv", "prints a table as CSV (with --by)")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows totals of the library",
        about: """
            Shows the number of tracks, points, persons and activities in the library, their time span, and the size \
            of the files on disk. With --by, it shows distance, time, moving time and climb by day, week, month or \
            year in the library's time zone, with streaks and Eddington numbers.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, by, CommonOptions.from, CommonOptions.to, layer, person,
            activity, CommonOptions.json, csv,
        ],
        examples: [
            ("tileserve stats", "shows totals of the library"),
            ("tileserve stats --by month --activity ride", "shows the rides of each month"),
            ("tileserve stats --by week --csv --from 2025-01-01", "prints a table for spreadsheets"),
        ])

    let folder: String
    let isJSON: Bool
    let isCSV: Bool
    /// nil for the totals of the library.
    let query: TotalsQuery?
    let window: DateWindow

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        isJSON = given.has(CommonOptions.json)
        isCSV = given.has(Self.csv)
        window = try DateWindow(given)
        if isJSON, isCSV { throw .conflict(CommonOptions.json, Self.csv) }
        let lengths = PeriodLength.allCases
        let length = try given.value(Self.by, .oneOf(lengths.map(\.rawValue))) { PeriodLength(rawValue: $0) }
        guard let length else {
            let others = [CommonOptions.from, CommonOptions.to, Self.layer, Self.person, Self.activity, Self.csv]
            if others.contains(where: { given.has($0) }) { throw .missingOption(Self.by) }
            query = nil
            return
        }
        var query = TotalsQuery()
        query.length = length
        (query.from, query.to) = (window.from, window.to)
        query.tracks.layer = try given.text(Self.layer) ?? query.tracks.layer
        query.tracks.person = try given.text(Self.person)
        query.tracks.activity = try given.text(Self.activity)
        self.query = query
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
