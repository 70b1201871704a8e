import Foundation
import Tracks

/// What the colours of lines and dots stand for.
public struct NamedLegend: Sendable, Equatable {
    /// A colour with words.
    public struct Entry: Sendable, Equatable {
        public let color: Color
        public let text: String
    }

    /// Of the numbers in the texts; nil where they are none.
    public let unit: String?
    /// From slow, low and old to fast, high and new; around from the north; activities by name; what is not known last.
    public let entries: [Entry]

    /// The entries with their unit behind each number, for legends that tell other things beside.
    public var entriesWithUnits: [Entry] {
        guard let unit else { return entries }
        return entries.map { entry in
            let isNumber = entry.text.contains { $0.isNumber }
            return isNumber ? Entry(color: entry.color, text: "\(entry.text) \(unit)") : entry
        }
    }
}

extension Style {
    /// What the colours of its lines and dots stand for; nil where it has neither.
    ///
    /// `activities` are those of the library, of which others are not told; `age` are its years, nil where nothing in it has
    /// a day.
    public func namedLegend(activities: [String], age: AgeSpan?) -> NamedLegend? {
        guard lines != nil || dots != nil else { return nil }
        var entries = lines?.legend(activities: activities, age: age) ?? []
        if let dots {
            entries.append(NamedLegend.Entry(color: dots.color, text: "points"))
            entries.append(NamedLegend.Entry(color: dots.pin, text: "marked points"))
        }
        return NamedLegend(unit: lines?.unit, entries: entries)
    }
}

extension LineSymbolizer {
    /// Kilometres an hour in a metre a second.
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
        var rest = "not known"
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
        let told = zip(palette.dropFirst(), texts).compactMap { color, text in
            text.map { NamedLegend.Entry(color: color, text: $0) }
        }
        return told + [NamedLegend.Entry(color: others, text: rest)]
    }

    /// "< 4.3", "4.3–5.1", …, "≥ 45": the first and the last colour reach beyond the ends.
    private static func texts(bound: (Int) -> String) -> [String] {
        (0..<rampColors).map { step in
            switch step {
            case 0: "< \(bound(1))"
            case rampColors - 1: "≥ \(bound(step))"
            default: "\(bound(step))–\(bound(step + 1))"
            }
        }
    }

    /// The days of each colour; only the ends have words where there is no day at all.
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
        let date = CivilDay(daysSince1970: day)
        func digits(_ number: Int, _ count: Int) -> String {
            String(repeating: "0", count: max(0, count - String(number).count)) + String(number)
        }
        return "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    }

    /// With a tenth below 10, else whole; a minus sign that is not taken for a dash.
    private static func text(_ number: Double) -> String {
        let tenths = Int((abs(number) * 10).rounded())
        let sign = number < 0 && tenths > 0 ? "−" : ""
        guard tenths < 100, tenths % 10 != 0 else { return sign + String((tenths + 5) / 10) }
        return "\(sign)\(tenths / 10).\(tenths % 10)"
    }
}
