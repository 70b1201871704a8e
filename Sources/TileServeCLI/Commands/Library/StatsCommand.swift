import PrimaryStore
import Statistics
import Text
import TrackStore
import Tracks

/// `tileserve stats`: shows totals of the library.
struct StatsCommand: Command {
    static let name = "stats"
    static let operands = Operands.none

    private static let by = Option(
        "by", "PERIOD", "totals by day, week (ISO 8601), month or year", choices: PeriodLength.allCases.map(\.rawValue))
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
        guard let length: PeriodLength = try given.choice(Self.by) else {
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

extension StatsCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        if let query { return try showTotals(query, library, context) }
        let calendar = try library.calendar()
        let stats = try LibraryStats(library)
        try context.terminal.out(isJSON ? stats.json.text + "\n" : stats.text(calendar))
        return .done
    }

    /// Shows the totals by period.
    private func showTotals(_ query: TotalsQuery, _ library: Library, _ context: CommandEnvironment) throws -> ExitCode
    {
        let calendar = try library.calendar()
        _ = try window.instants(in: calendar)
        guard try library.updateMap(context) else { return context.stopped() }
        let report = try library.totals(query, now: TrackDatabase.systemClock())
        if isJSON {
            try context.terminal.write(report.json(zone: calendar.zone))
        } else if isCSV {
            try context.terminal.write(report.csv)
        } else {
            try context.terminal.out(report.table)
        }
        return report.rows.isEmpty ? .incomplete : .done
    }
}

extension TotalsReport {
    /// A table of the periods, with the total, streaks and Eddington numbers below.
    fileprivate var table: String {
        var lines = [["PERIOD", "TRACKS", "DAYS", "DISTANCE", "TIME", "MOVING", "CLIMB"]]
        lines += rows.map { Self.cells($0.period.text, $0.totals) }
        lines.append(Self.cells("total", total))
        if untimed.tracks > 0 { lines.append(Self.cells("no time", untimed)) }
        var text = TextTable.text(lines, numbers: 1..<lines[0].count)
        text += "\n"
        if let first = streak.firstDay, let last = streak.lastDay {
            let (from, to) = (Period(.day, containing: first).text, Period(.day, containing: last).text)
            text += "longest streak    \(DisplayText.count(streak.longest, "day")), \(from) to \(to)\n"
            text += "current streak    \(DisplayText.count(streak.current, "day"))\n"
        }
        for (unit, eddington) in [("km", eddington.kilometres), ("miles", eddington.miles)] {
            let number = "Eddington number  \(eddington.number) \(unit)"
            let days = DisplayText.count(eddington.missing, "more day")
            text += "\(number); \(days) of \(eddington.number + 1) \(unit) to the next\n"
        }
        return text
    }

    private static func cells(_ name: String, _ totals: Totals) -> [String] {
        [
            name, DisplayText.count(totals.tracks), DisplayText.count(totals.days),
            NumberText.metres(Double(totals.millimetres) / 1000),
            NumberText.duration(Double(totals.milliseconds) / 1000),
            NumberText.duration(Double(totals.movingMilliseconds) / 1000),
            DisplayText.count(Int((Double(totals.climbCentimetres) / 100).rounded())) + " m",
        ]
    }
}
