import FoundationEssentials
package import Tracks

/// The unit of bare numbers.
package enum EpochUnit: Sendable {
    case seconds, milliseconds, microseconds, nanoseconds

    /// The unit for which a number lies nearest to the present: each range reaches from 1973 (or 1970) to 5138.
    init(magnitudeOf value: FixedDecimal) {
        switch value.double.magnitude {
        case ..<1e11: self = .seconds
        case ..<1e14: self = .milliseconds
        case ..<1e17: self = .microseconds
        default: self = .nanoseconds
        }
    }
}

/// Parses times into instants.
///
/// Accepts RFC 3339 and ISO 8601 (extended and basic, `T` or blank, fraction with point or comma, any offset or none),
/// `2025/08/31`, `31.08.2025`, and bare numbers since the epoch.
package struct InstantReader: Sendable {
    private var clock: LocalClock

    /// Creates a reader that takes the offset of times without one from `times`.
    init(_ times: LocalTimes) {
        clock = LocalClock(times)
    }

    /// Creates a reader that treats times without an offset as UTC.
    package init() {
        self.init(LocalTimes(ImportOptions(zone: .gmt), .utc, ReportedOffsets()))
    }

    /// The instant in a cell; nil if there is none. `unit` is the unit of bare numbers; nil derives it from the
    /// magnitude.
    package mutating func instant(_ bytes: Span<UInt8>, _ range: Range<Int>, unit: EpochUnit? = nil) -> Instant? {
        let cell = Text.trimmed(bytes, range)
        guard !cell.isEmpty else { return nil }
        var scan = TimeScan(at: cell.lowerBound, end: cell.upperBound)
        if unit == nil, let days = scan.date(bytes) {
            guard scan.at < scan.end else { return clock.instant(local: days * TimeScan.dayMs) }
            if let instant = time(after: days, &scan, bytes) { return instant }
        }
        guard let number = FixedDecimal(bytes, cell) else { return nil }
        return Self.instant(number, unit: unit)
    }

    /// The instant of a date cell and a time-of-day cell.
    mutating func instant(_ bytes: Span<UInt8>, date: Range<Int>, time: Range<Int>) -> Instant? {
        let dateCell = Text.trimmed(bytes, date)
        var dateScan = TimeScan(at: dateCell.lowerBound, end: dateCell.upperBound)
        guard let days = dateScan.date(bytes) else { return nil }
        // A time in the date cell (`2025-08-31 00:00:00`) is ignored.
        guard dateScan.at == dateScan.end || bytes[dateScan.at] <= 0x20 || bytes[dateScan.at] == UInt8(ascii: "T")
        else { return nil }
        let timeCell = Text.trimmed(bytes, time)
        guard !timeCell.isEmpty else { return nil }
        var scan = TimeScan(at: timeCell.lowerBound, end: timeCell.upperBound)
        return finish(days, &scan, bytes)
    }

    /// The instant that a bare number represents.
    package static func instant(_ number: FixedDecimal, unit: EpochUnit? = nil) -> Instant? {
        let milliseconds: Int64? =
            switch unit ?? EpochUnit(magnitudeOf: number) {
            case .seconds: number.rescaled(to: 3)
            case .milliseconds: number.rescaled(to: 0)
            case .microseconds: number.rescaled(to: 0).map { FixedDecimal.divided($0, by: 1000) }
            case .nanoseconds: number.rescaled(to: 0).map { FixedDecimal.divided($0, by: 1_000_000) }
            }
        return milliseconds.flatMap { Instant(milliseconds: $0) }
    }

    private mutating func time(after days: Int64, _ scan: inout TimeScan, _ bytes: Span<UInt8>) -> Instant? {
        let separator = bytes[scan.at]
        if separator | 0x20 == UInt8(ascii: "t") || separator == UInt8(ascii: "_") {
            scan.at += 1
        } else if separator == UInt8(ascii: " ") {
            while scan.at < scan.end, bytes[scan.at] == UInt8(ascii: " ") { scan.at += 1 }
        } else if separator &- UInt8(ascii: "0") >= 10 {
            return nil
        }
        return finish(days, &scan, bytes)
    }

    private mutating func finish(_ days: Int64, _ scan: inout TimeScan, _ bytes: Span<UInt8>) -> Instant? {
        guard let ofDay = scan.timeOfDay(bytes) else { return nil }
        let local = days * TimeScan.dayMs + ofDay
        if scan.at == scan.end { return clock.instant(local: local) }
        guard let offset = scan.offset(bytes), scan.at == scan.end else { return nil }
        clock.record(offset, at: local - offset)
        return Instant(milliseconds: local - offset)
    }
}

/// Reads the parts of a time in sequence.
private struct TimeScan {
    static let dayMs: Int64 = 86_400_000

    var at: Int
    let end: Int

    /// Reads up to `maxDigits` digits; nil if there are fewer than `minDigits`.
    @inline(__always)
    private mutating func number(_ bytes: Span<UInt8>, minDigits: Int, maxDigits: Int) -> Int64? {
        var value: Int64 = 0
        let start = at
        while at < end, at - start < maxDigits {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ Int64(digit)
            at += 1
        }
        return at - start >= minDigits ? value : nil
    }

    @inline(__always)
    private mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        guard at < end, bytes[at] == byte else { return false }
        at += 1
        return true
    }

    /// Days since 1970 of the date that begins here; nil if there is none, and `at` is then undefined.
    mutating func date(_ bytes: Span<UInt8>) -> Int64? {
        let start = at
        guard let first = number(bytes, minDigits: 1, maxDigits: 4) else { return nil }
        let digits = at - start
        guard at < end else { return nil }
        let separator = bytes[at]
        if digits == 4, separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") {
            at += 1
            guard let month = number(bytes, minDigits: 1, maxDigits: 2), skip(separator, bytes),
                let day = number(bytes, minDigits: 1, maxDigits: 2)
            else { return nil }
            return Self.days(first, month, day)
        }
        if digits <= 2, separator == UInt8(ascii: ".") {
            at += 1
            guard let month = number(bytes, minDigits: 1, maxDigits: 2), skip(separator, bytes),
                let year = number(bytes, minDigits: 4, maxDigits: 4)
            else { return nil }
            return Self.days(year, month, first)
        }
        return digits == 4 ? basicDate(year: first, from: start, bytes) : nil
    }

    /// Reads `20250831`, alone, followed by `T`, or directly followed by six digits of time.
    private mutating func basicDate(year: Int64, from start: Int, _ bytes: Span<UInt8>) -> Int64? {
        guard let monthDay = number(bytes, minDigits: 4, maxDigits: 4), (1900..<2100).contains(year) else { return nil }
        let run = (at..<end).first { bytes[$0] &- UInt8(ascii: "0") >= 10 } ?? end
        guard run == at || run - start == 14 else { return nil }
        return Self.days(year, monthDay / 100, monthDay % 100)
    }

    /// Milliseconds since midnight.
    mutating func timeOfDay(_ bytes: Span<UInt8>) -> Int64? {
        guard let hour = number(bytes, minDigits: 1, maxDigits: 2), hour <= 24 else { return nil }
        let extended = skip(UInt8(ascii: ":"), bytes)
        guard let minute = number(bytes, minDigits: 2, maxDigits: 2), minute < 60 else { return nil }
        var milliseconds = (hour * 60 + minute) * 60_000
        guard extended ? skip(UInt8(ascii: ":"), bytes) : at < end && bytes[at] &- UInt8(ascii: "0") < 10 else {
            return milliseconds
        }
        // 60 is a leap second.
        guard let second = number(bytes, minDigits: 2, maxDigits: 2), second <= 60 else { return nil }
        milliseconds += second * 1000
        if skip(UInt8(ascii: "."), bytes) || skip(UInt8(ascii: ","), bytes) {
            guard let fraction = fraction(bytes) else { return nil }
            milliseconds += fraction
        }
        return milliseconds
    }

    /// The digits after the decimal point in milliseconds, rounded.
    private mutating func fraction(_ bytes: Span<UInt8>) -> Int64? {
        let start = at
        var value: Int64 = 0
        while at < end {
            let digit = bytes[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            if at - start < 4 { value = value * 10 + Int64(digit) }
            at += 1
        }
        guard at > start else { return nil }
        for _ in min(at - start, 4)..<4 { value *= 10 }
        return (value + 5) / 10
    }

    /// The offset from UTC in milliseconds.
    mutating func offset(_ bytes: Span<UInt8>) -> Int64? {
        while at < end, bytes[at] == UInt8(ascii: " ") { at += 1 }
        guard at < end else { return nil }
        if bytes[at] | 0x20 == UInt8(ascii: "z") {
            at += 1
            return 0
        }
        if end - at == 3, Self.isGreenwich(bytes, at) {
            at = end
            return 0
        }
        let negative = bytes[at] == UInt8(ascii: "-")
        guard negative || bytes[at] == UInt8(ascii: "+") else { return nil }
        at += 1
        guard let hours = number(bytes, minDigits: 1, maxDigits: 2), hours <= 23 else { return nil }
        _ = skip(UInt8(ascii: ":"), bytes)
        let minutes = at < end ? number(bytes, minDigits: 2, maxDigits: 2) : 0
        guard let minutes, minutes < 60 else { return nil }
        let magnitude = (hours * 60 + minutes) * 60_000
        return negative ? -magnitude : magnitude
    }

    private static func isGreenwich(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
        let word = (bytes[at] | 0x20, bytes[at + 1] | 0x20, bytes[at + 2] | 0x20)
        return word == (UInt8(ascii: "u"), UInt8(ascii: "t"), UInt8(ascii: "c"))
            || word == (UInt8(ascii: "g"), UInt8(ascii: "m"), UInt8(ascii: "t"))
    }

    /// Days since 1970-01-01 in the Gregorian calendar (H. Hinnant, "chrono-compatible low-level date algorithms").
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        guard (1...12).contains(month), day >= 1, day <= length(month, year) else { return nil }
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let ofEra = shifted - era * 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    private static func length(_ month: Int64, _ year: Int64) -> Int64 {
        guard month == 2 else { return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31 }
        return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    }
}

/// Converts local times to instants.
private struct LocalClock: Sendable {
    /// Clocks change at whole quarters of an hour, so the offset is constant within one.
    private static let quarterMs: Int64 = 900_000

    private let times: LocalTimes
    private var quarter = Int64.min
    private var offset: Int64 = 0
    private var recordedHour = Int64.min
    private var recordedOffset: Int64 = 0

    init(_ times: LocalTimes) {
        self.times = times
    }

    /// `local` must be in a year of four digits.
    mutating func instant(local: Int64) -> Instant? {
        let wanted = (local >= 0 ? local : local - (Self.quarterMs - 1)) / Self.quarterMs
        if wanted != quarter {
            quarter = wanted
            offset = times.offset(local: local)
        }
        return Instant(milliseconds: local - offset)
    }

    /// Records an offset found in the file, once an hour; 0 is ignored, because software that only knows UTC writes it.
    @inline(__always)
    mutating func record(_ offset: Int64, at instant: Int64) {
        guard offset != 0 else { return }
        let hour = instant / ReportedOffsets.hourMs
        guard hour != recordedHour || offset != recordedOffset else { return }
        recordedHour = hour
        recordedOffset = offset
        times.record(offset, at: instant)
    }
}
