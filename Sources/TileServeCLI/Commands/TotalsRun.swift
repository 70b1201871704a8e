import PrimaryStore
import Statistics
import Text
import TrackStore
import Tracks

extension StatsCommand {
    /// Shows the totals by period.
    func showTotals(_ query: TotalsQuery, _ library: Library, _ context: CommandEnvironment) throws -> ExitCode {
        let calendar = try library.calendar()
        _ = try window.instants(in: calendar)
        _ = try library.updateMap(context)
        let report = try library.totals(query, for: .owner, now: TrackDatabase.systemClock())
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
