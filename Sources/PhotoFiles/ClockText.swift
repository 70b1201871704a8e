import Foundation
import Text

/// Times as cameras write them.
enum ClockText {
    /// A time, and the offset from UTC if the text names one.
    struct Parsed {
        /// Milliseconds since 1970-01-01T00:00 of the clock.
        var shown: Int64
        var offsetSeconds: Int?
    }

    /// Parses `2025:08:31 10:25:44`, with other separators, numbers without zeros in front, a fraction, and an offset
    /// from UTC, as far as they are there; nil for blank and impossible times.
    static func parse(_ text: String) -> Parsed? {
        var rest = Array(text.utf8.prefix(64))[...]
        guard let year = digits(&rest, 4...4), skip(&rest, ":-/. "), let month = digits(&rest, 1...2),
            skip(&rest, ":-/. "), let day = digits(&rest, 1...2), skip(&rest, " T:"),
            let hour = digits(&rest, 1...2), skip(&rest, ":."), let minute = digits(&rest, 1...2),
            hour < 24, minute < 60, let days = CivilDay.days(year, month, day), year >= 1900
        else { return nil }
        var seconds = 0
        var milliseconds = 0
        if skip(&rest, ":.") {
            guard let second = digits(&rest, 1...2), second <= 60 else { return nil }
            seconds = second
            if skip(&rest, ".,") { milliseconds = fraction(rest.prefix { (0x30...0x39).contains($0) }) }
            rest = rest.drop { (0x30...0x39).contains($0) }
        }
        let total = (days * 86_400 + hour * 3600 + minute * 60 + seconds) * 1000 + milliseconds
        return Parsed(shown: Int64(total), offsetSeconds: offset(rest))
    }

    /// An offset from UTC in seconds: `Z`, `+02:00`, `+0200` or `+02`; nil for anything else, and for more than 15 h.
    static func offset(_ text: some Sequence<UInt8>) -> Int? {
        var rest = Array(text).filter { $0 > 0x20 }[...]
        if rest == [UInt8(ascii: "Z")] || rest == [UInt8(ascii: "z")] { return 0 }
        guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            let hours = digits(&rest, 1...2)
        else { return nil }
        _ = skip(&rest, ":")
        let minutes = rest.isEmpty ? 0 : digits(&rest, 2...2)
        guard let minutes, rest.isEmpty, minutes < 60, hours * 60 + minutes <= 900 else { return nil }
        return (sign == UInt8(ascii: "-") ? -60 : 60) * (hours * 60 + minutes)
    }

    /// Milliseconds of the digits after a decimal point: `5` is half a second.
    static func fraction(_ digits: some Sequence<UInt8>) -> Int {
        var value = 0
        var places = 0
        for digit in digits where (0x30...0x39).contains(digit) {
            guard places < 3 else { break }
            value = value * 10 + Int(digit - 0x30)
            places += 1
        }
        while places < 3 {
            value *= 10
            places += 1
        }
        return value
    }

    /// The day of a receiver, counted from 1970-01-01; nil if it is not a date since 1980, when the time of GPS begins.
    ///
    /// EXIF demands `2024:09:16`. Cameras also write other separators or none, zero bytes among them, numbers without
    /// zeros in front, and the day of the year: `2024:260`, or `2024:09:260`, as iPhones did.
    static func day(_ text: [UInt8]) -> Int? {
        var runs: [[UInt8]] = []
        var isRun = false
        for byte in text.prefix(32) {
            let isDigit = (0x30...0x39).contains(byte)
            if isDigit, !isRun { runs.append([]) }
            if isDigit { runs[runs.count - 1].append(byte - 0x30) }
            isRun = isDigit
        }
        func number(_ digits: some Sequence<UInt8>) -> Int { digits.reduce(0) { $0 * 10 + Int($1) } }
        guard let first = runs.first, first.count >= 4 else { return nil }
        let year = number(first.prefix(4))
        let rest = [Array(first.dropFirst(4))].filter { !$0.isEmpty } + runs.dropFirst()
        guard (1980...9999).contains(year), let second = rest.first else { return nil }
        switch second.count {
        case 3: return day(number(second), ofYear: year)
        case 4: return CivilDay.days(year, number(second.prefix(2)), number(second.suffix(2)))
        case 1, 2:
            guard rest.count > 1, rest[1].count <= 3 else { return nil }
            let (month, last) = (number(second), number(rest[1]))
            if rest[1].count <= 2, let day = CivilDay.days(year, month, last) { return day }
            // The month is that of the day.
            return day(last, ofYear: year).flatMap {
                CivilDay(daysSince1970: Int32($0)).month == month ? $0 : nil
            }
        default: return nil
        }
    }

    /// The day of a year, which is counted from 1.
    private static func day(_ number: Int, ofYear year: Int) -> Int? {
        guard let first = CivilDay.days(year, 1, 1), let next = CivilDay.days(year + 1, 1, 1),
            (1...(next - first)).contains(number)
        else { return nil }
        return first + number - 1
    }

    /// As many digits as there are, after spaces, which some cameras write instead of zeros.
    private static func digits(_ rest: inout ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
        let padded = rest.drop { $0 == 0x20 }
        let digits = padded.prefix(count.upperBound).prefix { (0x30...0x39).contains($0) }
        guard count.contains(digits.count) else { return nil }
        rest = padded.dropFirst(digits.count)
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    private static func skip(_ rest: inout ArraySlice<UInt8>, _ letters: String) -> Bool {
        guard let first = rest.first, letters.utf8.contains(first) else { return false }
        rest = rest.dropFirst()
        return true
    }
}
