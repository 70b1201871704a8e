package import Statistics
import Text

/// The figure of totals that a chart shows.
package enum ChartedValue: String, Sendable, CaseIterable {
    case metres, seconds, movingSeconds, climb, tracks, days

    fileprivate var title: String {
        switch self {
        case .metres: "Distance"
        case .seconds: "Time"
        case .movingSeconds: "Moving time"
        case .climb: "Climb"
        case .tracks: "Tracks"
        case .days: "Active days"
        }
    }

    fileprivate var unit: String {
        switch self {
        case .metres: "km"
        case .seconds, .movingSeconds: "h"
        case .climb: "m"
        case .tracks, .days: ""
        }
    }

    fileprivate func value(of totals: Totals) -> Double {
        switch self {
        case .metres: Double(totals.millimetres) / 1_000_000
        case .seconds: Double(totals.milliseconds) / 3_600_000
        case .movingSeconds: Double(totals.movingMilliseconds) / 3_600_000
        case .climb: Double(totals.climbCentimetres) / 100
        case .tracks: Double(totals.tracks)
        case .days: Double(totals.days)
        }
    }
}

extension BarChart {
    /// The chart of a report: one bar for each period from the first to the last one with data.
    package init(_ report: TotalsReport, showing value: ChartedValue = .metres) {
        let total = report.total
        var parts = [ValueAxis.text(value.value(of: total), unit: value.unit)]
        if value == .tracks || value == .days { parts[0] += value == .tracks ? " tracks" : " days" }
        if value != .tracks {
            parts.append("\(ValueAxis.grouped("\(total.tracks)")) \(total.tracks == 1 ? "track" : "tracks")")
        }
        if value != .days { parts.append("\(ValueAxis.grouped("\(total.days)")) \(total.days == 1 ? "day" : "days")") }
        if let first = report.rows.first?.period, let last = report.rows.last?.period {
            let (from, to) = (first.text, last.text)
            parts.append(from == to ? from : "\(from) – \(to)")
        }
        self.init(
            title: "\(value.title) by \(report.length.rawValue)", subtitle: parts.joined(separator: " · "),
            unit: value.unit, bars: Self.bars(report.rows.map { ($0.period, value.value(of: $0.totals)) }))
    }

    /// A bar for each period from the first to the last, whose values are given in their order.
    package static func bars(_ values: [(period: Period, value: Double)]) -> [Bar] {
        guard let first = values.first?.period, let last = values.last?.period else { return [] }
        let known = Dictionary(uniqueKeysWithValues: values.map { ($0.period, $0.value) })
        var bars: [Bar] = []
        var period = first
        while period <= last {
            bars.append(Bar(value: known[period] ?? 0, labels: labels(of: period)))
            period = period.next
        }
        return bars
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The names of a period, from year to day.
    private static func labels(of period: Period) -> [Label] {
        // A week belongs to the year and month of its Thursday.
        let date = CivilDay(daysSince1970: period.length == .week ? period.firstDay + 3 : period.firstDay)
        let year = Label("\(date.year)", ordinal: date.year)
        let month = Label(months[date.month - 1], ordinal: date.month - 1)
        switch period.length {
        case .year: return [year]
        case .month: return [year, month]
        case .week: return [year, month, Label(String(period.text.suffix(3)), ordinal: 0)]
        case .day: return [year, month, Label("\(date.day)", ordinal: date.day - 1)]
        }
    }
}
