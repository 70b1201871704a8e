public import Colors
import Foundation
import Text

/// A legend for the colours of lines and points.
public struct NamedLegend: Sendable, Equatable {
    /// A colour and its text.
    public struct Entry: Sendable, Equatable {
        public let color: Color
        public let text: String
    }

    /// The unit of the numbers in the texts; nil if the texts hold no numbers.
    public let unit: String?
    /// Ordered from low to high values (slow, low, old first), clockwise from north, or by activity; unknown values
    /// are last.
    public let entries: [Entry]

    /// The entries with the unit after each number, for legends that hold other entries too.
    public var entriesWithUnits: [Entry] {
        guard let unit else { return entries }
        return entries.map { entry in
            let isNumber = entry.text.contains { $0.isNumber }
            return isNumber ? Entry(color: entry.color, text: "\(entry.text) \(unit)") : entry
        }
    }
}

extension Style {
    /// The legend of the style's lines and points; nil if it has neither.
    ///
    /// `activities` are the activities that occur in the library: no others are listed. `age` covers the library's
    /// years; nil if no track has a day.
    public func namedLegend(activities: [String], age: AgeSpan?) -> NamedLegend? {
        guard lines != nil || points != nil else { return nil }
        var entries = lines?.legend(activities: activities, age: age) ?? []
        if let points {
            entries.append(NamedLegend.Entry(color: points.color, text: "points"))
            entries.append(NamedLegend.Entry(color: points.pin, text: "waypoints"))
        }
        return NamedLegend(unit: lines?.unit, entries: entries)
    }
}

extension LineSymbolizer {
    /// Kilometres an hour in one metre a second.
    private static let kilometresPerHour = 3.6

    fileprivate var unit: String? {
        switch coloring {
        case .fixed, .activity, .age, .direction: nil
        case .speed: "km/h"
        case .elevation: "m"
        }
    }

    fileprivate func legend(activities: [String], age: AgeSpan?) -> [NamedLegend.Entry] {
        let texts: [String?]
        var rest = "unknown"
        switch coloring {
        case .fixed: return [NamedLegend.Entry(color: palette[0], text: "tracks")]
        case .activity:
            rest = "other"
            texts = (1..<palette.count).map { rank in
                let names = activities.filter { self.rank(activity: $0) == rank }.sorted()
                return names.isEmpty ? nil : names.joined(separator: ", ")
            }
        case .age: texts = Self.texts(of: age)
        case .speed(_, let limits):
            let ratio = limits.upperBound / limits.lowerBound
            texts = Self.texts { step in
                let speed = limits.lowerBound * pow(ratio, Double(step) / Double(Self.rampColors))
                return Self.text(speed * Self.kilometresPerHour)
            }
        case .elevation(_, let limits):
            texts = Self.texts { step in
                let share = Double(step) / Double(Self.rampColors)
                return Self.text(limits.lowerBound + (limits.upperBound - limits.lowerBound) * share * share)
            }
        case .direction:
            texts = [
                "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW",
            ]
        }
        let listed = zip(palette.dropFirst(), texts).compactMap { color, text in
            text.map { NamedLegend.Entry(color: color, text: $0) }
        }
        return listed + [NamedLegend.Entry(color: others, text: rest)]
    }

    /// "< 4.3", "4.3–5.1", …, "≥ 45": the first and the last colour have no outer limit.
    private static func texts(bound: (Int) -> String) -> [String] {
        (0..<rampColors).map { step in
            switch step {
            case 0: "< \(bound(1))"
            case rampColors - 1: "≥ \(bound(step))"
            default: "\(bound(step))–\(bound(step + 1))"
            }
        }
    }

    /// The days of each colour; only the two ends have a text if no track has a day.
    private static func texts(of age: AgeSpan?) -> [String?] {
        guard let age else {
            return (0..<rampColors).map { $0 == 0 ? "oldest" : $0 == rampColors - 1 ? "newest" : nil }
        }
        return (0..<rampColors).map { step in
            let first = firstDay(ofRank: step + 1, age)
            let next = step + 1 < rampColors ? firstDay(ofRank: step + 2, age) : age.days.upperBound + 1
            return "\(text(first)) – \(text(next - 1))"
        }
    }

    private static func firstDay(ofRank rank: Int, _ age: AgeSpan) -> Int32 {
        var (low, high) = (age.days.lowerBound, age.days.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if self.rank(fraction: age.fraction(of: middle)) < rank { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static func text(_ day: Int32) -> String {
        InstantFormatter.text(CivilDay(daysSince1970: day))
    }

    /// One decimal below 10, else none; with a minus sign that cannot be taken for a dash.
    private static func text(_ number: Double) -> String {
        let tenths = Int((abs(number) * 10).rounded())
        let sign = number < 0 && tenths > 0 ? "−" : ""
        guard tenths < 100, tenths % 10 != 0 else { return sign + String((tenths + 5) / 10) }
        return "\(sign)\(tenths / 10).\(tenths % 10)"
    }
}
