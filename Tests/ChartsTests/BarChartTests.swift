import Charts
import PNG
import Statistics
import Styling
import Testing

@Suite struct BarChartTests {
    private func report(days: [(Int32, Int64)], by length: PeriodLength) -> TotalsReport {
        var builder = TotalsReportBuilder(by: length)
        for (day, metres) in days {
            var totals = DayTotals(day: day)
            totals.millimetres = metres * 1000
            builder.add(TrackTotals(person: 1, activity: "ride", days: [totals]))
        }
        return builder.report(today: 0)
    }

    @Test func `a chart has a bar for each period, also for those without data`() {
        let chart = BarChart(report(days: [(19_700, 5000), (19_800, 2500)], by: .month))
        #expect(chart.bars.map(\.value) == [5, 0, 0, 2.5])
        #expect(
            chart.bars.map { $0.labels.map(\.text) } == [
                ["2023", "Dec"], ["2024", "Jan"], ["2024", "Feb"], ["2024", "Mar"],
            ])
        #expect(chart.title == "Distance by month" && chart.unit == "km")
        #expect(chart.subtitle == "7.5 km · 2 tracks · 2 days · 2023-12 – 2024-03")
        #expect(BarChart(report(days: [(19_700, 5000), (19_702, 1)], by: .day)).bars.count == 3)
    }

    @Test(arguments: Theme.allCases)
    func `the greatest bar has its own colour, and no bar is above the plot`(theme: Theme) throws {
        var chart = BarChart(report(days: (0..<12).map { (19_000 + Int32($0), 1000 + Int64($0) * 997) }, by: .day))
        chart.theme = theme
        (chart.width, chart.height) = (600, 300)
        let image = try PNGReader.image(of: try chart.png(scale: 1))
        #expect(image.width == 600 && image.height == 300)
        func pixel(_ x: Int, _ y: Int) -> [UInt8] {
            let start = 4 * (y * image.width + x)
            return Array(image.bytes[start..<start + 3])
        }
        let background = pixel(1, 1)
        // A row just above the axis, through all bars; the centre of each.
        let row = (0..<600).map { pixel($0, 240) }
        var centres: [Int] = []
        var start: Int?
        for x in 0..<600 {
            if row[x] != background {
                start = start ?? x
            } else if let begin = start {
                centres.append((begin + x) / 2)
                start = nil
            }
        }
        // The label of the axis may be in this row, too.
        let bars = centres.suffix(12)
        #expect(bars.count == 12 && Set(bars.dropLast().map { row[$0] }).count == 1)
        #expect(bars.last.map { row[$0] } != bars.first.map { row[$0] })
        #expect((0..<600).allSatisfy { pixel($0, 299) == background })
    }

    @Test func `a large chart is drawn in bands, with the pixels of the whole`() throws {
        var chart = BarChart(report(days: (0..<12).map { (19_000 + Int32($0), 1000 + Int64($0) * 997) }, by: .day))
        (chart.width, chart.height) = (400, 700)
        let banded = try PNGReader.image(of: try chart.png(scale: 2, wholePixels: 0))
        let whole = try PNGReader.image(of: try chart.png(scale: 2))
        #expect(banded.width == 800 && banded.height == 1400)
        #expect(banded.bytes == whole.bytes)
        #expect(BarChart.isLarge(width: 4000, height: 4000, scale: 2))
        #expect(!BarChart.isLarge(width: 2048, height: 2048, scale: 1))
    }

    @Test func `a chart without data says so`() throws {
        let empty = BarChart(report(days: [], by: .year))
        #expect(empty.bars.isEmpty)
        let drawn = try PNGReader.image(of: try empty.png(scale: 1))
        #expect(Set(stride(from: 0, to: drawn.bytes.count, by: 4).map { drawn.bytes[$0] }).count > 4)
    }

    @Test func `charts of thousands of days are drawn`() throws {
        let chart = BarChart(report(days: [(3000, 1), (20_000, 9_000_000)], by: .day))
        #expect(chart.bars.count == 17_001)
        #expect(try chart.svg().count > 1000)
    }
}
