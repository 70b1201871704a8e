import Foundation
import Text
import TileMath
import Tracks

/// Parses sizes, durations, zoom levels and boxes.
enum Quantity {
    /// Parses bytes: `4096`, `256MB` (millions), `1GiB` (powers of 1,024), in any letter case, at least 1.
    static func size(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        let factors: [String: Int] = [
            "": 1, "b": 1, "k": 1_000, "kb": 1_000, "m": 1_000_000, "mb": 1_000_000, "g": 1_000_000_000,
            "gb": 1_000_000_000, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30,
        ]
        let unit = text.dropFirst(digits.count).lowercased()
        guard let number = Int(digits), number > 0, let factor = factors[unit] else { return nil }
        let (bytes, overflow) = number.multipliedReportingOverflow(by: factor)
        return overflow ? nil : bytes
    }

    /// Parses a duration above 0 to milliseconds: `500ms`, `30s`, `10m`, `2h`, `1d`, or several, the longest unit first
    /// (`1h30m`).
    static func milliseconds(_ text: String) -> Int64? { DurationText.milliseconds(text) }

    /// Parses a number of days above 0: `30d`.
    static func wholeDays(_ text: String) -> Int? {
        guard let milliseconds = milliseconds(text), milliseconds % CivilDay.milliseconds == 0 else { return nil }
        return Int(milliseconds / CivilDay.milliseconds)
    }

    /// Parses zoom levels: `0-14`, or one.
    static func zoomLevels(_ text: String) -> ClosedRange<ZoomLevel>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(ends.count),
            ends.allSatisfy({ (1...2).contains($0.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let first = Int(ends[0]).flatMap(ZoomLevel.init),
            let last = Int(ends[ends.count - 1]).flatMap(ZoomLevel.init),
            first <= last
        else { return nil }
        return first...last
    }

    /// Parses the pauses that count as gaps: `none` or a duration.
    static func gap(_ text: String) -> GapRule? { GapRule(text: text) }

    /// A time zone's name, if it is in the time zone database.
    static func zone(_ text: String) -> String? {
        DayCalendar(zone: text) == nil ? nil : text
    }

    /// Parses how far a clock is ahead of UTC, to milliseconds: `+02:00`, `-05:30:10`, or a duration, which may begin
    /// with a sign. At most 100 years.
    static func clockOffset(_ text: String) -> Int64? {
        if text == "0" || text == "Z" { return 0 }
        let isNegative = text.hasPrefix("-")
        let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
        let longest: Int64 = 36_525 * 86_400_000
        guard digits.contains(":") else {
            guard let duration = milliseconds(String(digits)), duration <= longest else { return nil }
            return isNegative ? -duration : duration
        }
        let parts = digits.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count),
            parts.allSatisfy({ (1...5).contains($0.count) && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        let numbers = parts.compactMap { Int64($0) }
        guard numbers.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        let seconds = numbers[0] * 3600 + numbers[1] * 60 + (numbers.count == 3 ? numbers[2] : 0)
        return isNegative ? -seconds * 1000 : seconds * 1000
    }
}
