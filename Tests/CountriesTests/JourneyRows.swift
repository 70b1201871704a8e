import Countries
import Geography
import Statistics
import TestSupport
import Tracks

extension TestJourney {
    /// The rows, and the length of the track as totals count it.
    func rows(zone: String = "UTC", gap: GapRule = .none, chunk size: Int = 1000) -> [LedgerRow] {
        derive(zone, gap, size).rows
    }

    func millimetres(zone: String = "UTC", gap: GapRule = .none) -> Int64 {
        derive(zone, gap, 1000).days.reduce(0) { $0 + $1.millimetres }
    }

    func days(zone: String = "UTC", gap: GapRule = .none) -> [DayTotals] { derive(zone, gap, 1000).days }

    /// The same points from the last to the first, in descending order of time.
    var reversed: TestJourney {
        guard let last = points.last else { return self }
        var journey = TestJourney(last.lon, last.lat, at: last.time)
        for (before, next) in zip(points.reversed(), points.reversed().dropFirst()) {
            journey.jump(
                to: next.lon, next.lat, afterMinutes: Double((next.time ?? 0) - (before.time ?? 0)) / 60_000)
        }
        return journey
    }

    private func derive(_ zone: String, _ gap: GapRule, _ size: Int) -> (rows: [LedgerRow], days: [DayTotals]) {
        guard let calendar = DayCalendar(zone: zone) else { preconditionFailure("no time zone \(zone)") }
        var detector = OutlierDetector(gap: gap, kind: .file(longSegments: [0]), outlierRule: .standard)
        var builder = TrackFiguresBuilder(calendar: calendar)
        var fields = ClassifiedFields()
        let whole = chunk
        for start in stride(from: 0, to: whole.count, by: size) {
            let range = start..<min(whole.count, start + size)
            var part = PointColumns(
                unit: whole.unit, longitudes: Array(whole.longitudes[range]), latitudes: Array(whole.latitudes[range]),
                times: Array(whole.times[range]), segmentStarts: start == 0 ? [0] : [])
            if let accuracies {
                let numbers = FieldColumn.Values.numbers(places: 0, Array(accuracies[range]))
                part.fields = [FieldColumn(name: FieldName.horizontalAccuracy, values: numbers)]
            }
            fields.take(DrawnFields(part))
            var classified: [ClassifiedPoint] = []
            detector.add(part, into: &classified)
            builder.add(classified, fields)
        }
        var classified: [ClassifiedPoint] = []
        detector.finish(into: &classified)
        builder.add(classified, fields)
        let figures = builder.finish()
        return (figures.ledger, figures.days)
    }
}

extension LedgerRow {
    /// The class, with the code of the country: `ground NL`.
    var text: String {
        "\(kind)" + (country.map { " " + Geography.embedded.countries[$0].code } ?? "")
    }
}

extension [LedgerRow] {
    /// The rows as texts; equal neighbours once.
    var texts: [String] {
        reduce(into: []) { texts, row in if texts.last != row.text { texts.append(row.text) } }
    }

    var millimetres: Int64 { reduce(0) { $0 + $1.millimetres } }
}
