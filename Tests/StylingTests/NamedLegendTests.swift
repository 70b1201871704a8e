import Foundation
import Styling
import Testing
import Text
import Tracks

private func legend(_ style: String, activities: [String] = [], age: AgeSpan? = nil) throws -> NamedLegend {
    let style = try #require(StyleSheet.builtIn[style])
    return try #require(style.namedLegend(activities: activities, age: age))
}

private func day(_ year: Int, _ month: Int, _ day: Int) throws -> CivilDay {
    try #require(CivilDay(year: year, month: month, day: day))
}

@Suite struct AgeSpanTests {
    @Test func `An age span covers whole years`() throws {
        let span = AgeSpan(firstDay: try day(2019, 3, 17), lastDay: try day(2024, 2, 29))
        let (first, last) = (try day(2019, 1, 1).daysSince1970, try day(2024, 12, 31).daysSince1970)
        #expect(span.days == first...last)
        #expect(span.fraction(of: first) == 0 && span.fraction(of: last) == 1)
        #expect(span.fraction(of: first - 1) == 0 && span.fraction(of: last + 1) == 1)
        #expect(span == AgeSpan(try day(2019, 12, 31).daysSince1970...(try day(2024, 1, 1)).daysSince1970))
        let year = AgeSpan(firstDay: try day(2020, 2, 29), lastDay: try day(2020, 2, 29))
        #expect(year.days.count == 366)
    }
}

@Suite struct NamedLegendTests {
    @Test func `A style with heat alone has no named legend`() throws {
        #expect(try #require(StyleSheet.builtIn["heat"]).namedLegend(activities: ["ride"], age: nil) == nil)
    }

    @Test func `A fixed colour has one legend entry`() throws {
        #expect(try legend("tracks").entries.map(\.text) == ["tracks"] && legend("tracks").unit == nil)
        #expect(try legend("points").entries.map(\.text) == ["tracks", "points", "waypoints"])
    }

    @Test func `The legend lists only activities of the library`() throws {
        let legend = try legend("tracks-activity", activities: ["walk", "ride", "running", "hike", "golf"])
        #expect(legend.entries.map(\.text) == ["ride", "hike, walk", "running", "other"])
        let symbolizer = try #require(StyleSheet.builtIn["tracks-activity"]?.lines)
        for entry in legend.entries {
            for name in entry.text.split(separator: ", ") where name != "other" {
                #expect(symbolizer.palette[symbolizer.rank(activity: String(name))] == entry.color)
            }
        }
        #expect(legend.entries.last?.color == symbolizer.others)
    }

    @Test func `Speeds are in kilometres an hour`() throws {
        let legend = try legend("tracks-speed")
        let texts = legend.entries.map(\.text)
        #expect(legend.unit == "km/h" && texts.count == 17)
        #expect(texts.first == "< 4.3" && texts[1] == "4.3–5.1" && texts[15] == "≥ 46" && texts[16] == "unknown")
        #expect(legend.entriesWithUnits[1].text == "4.3–5.1 km/h" && legend.entriesWithUnits[16].text == "unknown")
        let symbolizer = try #require(StyleSheet.builtIn["tracks-speed"]?.lines)
        // 4.7 km/h
        #expect(symbolizer.palette[symbolizer.rank(metresPerSecond: 1.3)] == legend.entries[1].color)
    }

    @Test func `Elevations are in metres above and below the sea`() throws {
        let ramp = try #require(NamedRamp.named("aurora")).ramp
        let lines = LineSymbolizer(coloring: .elevation(ramp, metres: -156...100), width: ZoomNumbers(1))
        let legend = try #require(
            Style(name: "a", kind: .tracks, lines: lines).namedLegend(activities: [], age: nil))
        #expect(legend.unit == "m")
        #expect(legend.entries.map(\.text).prefix(3) == ["< −155", "−155–−152", "−152–−147"])
        #expect(legend.entries[11].text == "−35–−12" && legend.entries[15].text == "≥ 69")
        for (rank, metres) in [(1, -160.0), (1, -155.5), (2, -154), (12, -20), (16, 70), (16, 150)] {
            #expect(lines.palette[lines.rank(elevation: metres)] == legend.entries[rank - 1].color)
        }
    }

    @Test func `Directions are listed clockwise from north`() throws {
        let legend = try legend("tracks-direction")
        #expect(legend.entries.count == 17 && legend.unit == nil)
        let symbolizer = try #require(StyleSheet.builtIn["tracks-direction"]?.lines)
        for (text, quarter) in [("N", 0.0), ("E", 1), ("S", 2), ("W", 3)] {
            let color = symbolizer.palette[symbolizer.rank(direction: quarter * .pi / 2)]
            #expect(legend.entries.first { $0.text == text }?.color == color)
        }
    }

    @Test func `Every day of the span is listed once with its colour`() throws {
        let symbolizer = try #require(StyleSheet.builtIn["tracks-age"]?.lines)
        for (first, last) in [(2020, 2020), (2019, 2024), (1970, 2026)] {
            let span = AgeSpan(firstDay: try day(first, 5, 5), lastDay: try day(last, 5, 5))
            let entries = try legend("tracks-age", age: span).entries
            #expect(entries.count == 17)
            var next = span.days.lowerBound
            for entry in entries.dropLast() {
                let ends = try entry.text.components(separatedBy: " – ").map { text in
                    let parts = text.split(separator: "-").compactMap { Int($0) }
                    return try day(parts[0], parts[1], parts[2]).daysSince1970
                }
                #expect(ends[0] == next && ends[1] >= ends[0])
                for day in ends {
                    #expect(symbolizer.palette[symbolizer.rank(age: span.fraction(of: day))] == entry.color)
                }
                next = ends[1] + 1
            }
            #expect(next == span.days.upperBound + 1)
        }
        #expect(try legend("tracks-age").entries.map(\.text) == ["oldest", "newest", "unknown"])
    }
}
