/// The unit of bare numbers.
public enum EpochUnit: Sendable {
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
public struct InstantReader: Sendable {
    private var clock: LocalClock
    private var repeated = RepeatedTimes()
    /// Whether the times are read in the order of points, so that of two instants with the same local time the one that
    /// fits the time before is returned. If not, the first one is, and `takeShift` tells that there is another.
    public var isInOrder = true
    private var shift: Int64 = 0

    /// Creates a reader that takes the offset of times without one from `offsets`.
    public init(_ offsets: any LocalOffsets) {
        clock = LocalClock(offsets)
    }

    /// Creates a reader that treats times without an offset as UTC.
    public init() {
        self.init(NoOffsets())
    }

    /// Begins a track: earlier times do not show which of two instants is meant.
    public mutating func beginTrack() { repeated.beginTrack() }

    /// Begins a segment of a track; see `RepeatedTimes`.
    public mutating func beginSegment() { repeated.beginSegment() }

    /// How far clocks were set back, if they showed the last time that was read twice; otherwise 0.
    public mutating func takeShift() -> Int64 {
        defer { shift = 0 }
        return shift
    }

    /// The instant in a cell; nil if there is none. `unit` is the unit of bare numbers; nil derives it from the
    /// magnitude.
    public mutating func instant(_ bytes: Span<UInt8>, _ range: Range<Int>, unit: EpochUnit? = nil) -> Instant? {
        let cell = ByteText.trimmed(bytes, range)
        guard !cell.isEmpty else { return nil }
        var scan = TimeScanner(at: cell.lowerBound, end: cell.upperBound)
        // Dates first: `20250831` would also be a number. If the column states a unit, it is one.
        if unit == nil, let days = scan.date(bytes) {
            guard scan.at < scan.end else { return instant(local: days * CivilDay.milliseconds) }
            if let instant = time(after: days, &scan, bytes) { return instant }
        }
        guard let number = FixedDecimal(bytes, cell) else { return nil }
        return Self.instant(number, unit: unit)
    }

    /// The instant of a date cell and a time-of-day cell.
    public mutating func instant(_ bytes: Span<UInt8>, date: Range<Int>, time: Range<Int>) -> Instant? {
        let dateCell = ByteText.trimmed(bytes, date)
        var dateScan = TimeScanner(at: dateCell.lowerBound, end: dateCell.upperBound)
        guard let days = dateScan.date(bytes) else { return nil }
        // A time in the date cell (`2025-08-31 00:00:00`) is ignored.
        guard dateScan.at == dateScan.end || bytes[dateScan.at] <= 0x20 || bytes[dateScan.at] == UInt8(ascii: "T")
        else { return nil }
        let timeCell = ByteText.trimmed(bytes, time)
        guard !timeCell.isEmpty else { return nil }
        var scan = TimeScanner(at: timeCell.lowerBound, end: timeCell.upperBound)
        return finish(days, &scan, bytes)
    }

    /// The instant that a bare number represents.
    public static func instant(_ number: FixedDecimal, unit: EpochUnit? = nil) -> Instant? {
        let milliseconds: Int64? =
            switch unit ?? EpochUnit(magnitudeOf: number) {
            case .seconds: number.rescaled(to: 3)
            case .milliseconds: number.rescaled(to: 0)
            case .microseconds: number.rescaled(to: 0).map { FixedDecimal.divided($0, by: 1000) }
            case .nanoseconds: number.rescaled(to: 0).map { FixedDecimal.divided($0, by: 1_000_000) }
            }
        return milliseconds.flatMap { Instant(milliseconds: $0) }
    }

    private mutating func time(after days: Int64, _ scan: inout TimeScanner, _ bytes: Span<UInt8>) -> Instant? {
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

    private mutating func finish(_ days: Int64, _ scan: inout TimeScanner, _ bytes: Span<UInt8>) -> Instant? {
        guard let ofDay = scan.timeOfDay(bytes) else { return nil }
        let local = days * CivilDay.milliseconds + ofDay
        if scan.at == scan.end { return instant(local: local) }
        guard let offset = scan.offset(bytes), scan.at == scan.end else { return nil }
        clock.record(offset, at: local - offset)
        return Instant(milliseconds: local - offset)
    }

    /// The instant of a local time.
    private mutating func instant(local: Int64) -> Instant? {
        let offset = clock.offset(local: local)
        let first = local - offset.milliseconds
        shift = offset.shift
        return Instant(milliseconds: isInOrder ? repeated.instant(first, shift: offset.shift) : first)
    }
}

/// The offsets from UTC of times without one.
public protocol LocalOffsets: Sendable {
    /// The offset at a local time in milliseconds.
    func offset(local: Int64) -> LocalOffset
    /// Records an offset that was stated with an instant.
    func record(_ offset: Int64, at instant: Int64)
}

/// UTC.
private struct NoOffsets: LocalOffsets {
    func offset(local: Int64) -> LocalOffset { LocalOffset(milliseconds: 0) }
    func record(_ offset: Int64, at instant: Int64) {}
}

/// The offsets of local times.
private struct LocalClock: Sendable {
    /// Clocks change at whole quarters of an hour, so the offset is constant within one.
    private static let quarterMs: Int64 = 900_000
    private static let hourMs: Int64 = 3_600_000

    private let offsets: any LocalOffsets
    private var quarter = Int64.min
    private var offset = LocalOffset(milliseconds: 0)
    private var recordedHour = Int64.min
    private var recordedOffset: Int64 = 0

    init(_ offsets: any LocalOffsets) {
        self.offsets = offsets
    }

    /// `local` must be in a year of four digits.
    mutating func offset(local: Int64) -> LocalOffset {
        let wanted = (local >= 0 ? local : local - (Self.quarterMs - 1)) / Self.quarterMs
        if wanted != quarter {
            quarter = wanted
            offset = offsets.offset(local: local)
        }
        return offset
    }

    /// Records an offset found in the file, once an hour; 0 is ignored, because software that only knows UTC writes it.
    @inline(__always)
    mutating func record(_ offset: Int64, at instant: Int64) {
        guard offset != 0 else { return }
        let hour = instant / Self.hourMs
        guard hour != recordedHour || offset != recordedOffset else { return }
        recordedHour = hour
        recordedOffset = offset
        offsets.record(offset, at: instant)
    }
}

/// Reads the parts of a time in sequence: RFC 3339 and ISO 8601 (extended and basic), `2025/08/31` and `31.08.2025`.
///
/// The scanner stores only its position. Each call receives the bytes, because a span cannot be stored.
struct TimeScanner {
    /// The offset of the next byte.
    var at: Int
    /// The offset after the last byte.
    let end: Int

    /// Creates a scanner of the bytes from `at` to `end`.
    init(at: Int, end: Int) {
        self.at = at
        self.end = end
    }

    /// Whether no bytes are left.
    var isAtEnd: Bool { at == end }

    /// Reads up to `maxDigits` digits; nil if there are fewer than `minDigits`.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>, minDigits: Int, maxDigits: Int) -> Int64? {
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

    /// Reads a number of exactly that many digits.
    @inline(__always)
    mutating func number(_ bytes: Span<UInt8>, digits: Int) -> Int64? {
        number(bytes, minDigits: digits, maxDigits: digits)
    }

    /// Skips a byte; false if another one is here.
    @inline(__always)
    mutating func skip(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
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
    mutating func basicDate(year: Int64, from start: Int, _ bytes: Span<UInt8>) -> Int64? {
        // Eight digits are a date, and fourteen a date with a time, only if the year is of these centuries: other
        // numbers count from the epoch.
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
            guard let tenths = tenthsOfMilliseconds(bytes) else { return nil }
            // Four digits are enough to round to milliseconds, whatever follows.
            milliseconds += (tenths + 5) / 10
        }
        return milliseconds
    }

    /// Reads the digits after a decimal point of seconds; those after the fourth are ignored.
    mutating func tenthsOfMilliseconds(_ bytes: Span<UInt8>) -> Int64? {
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
        return value
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

    static func isGreenwich(_ bytes: Span<UInt8>, _ at: Int) -> Bool {
        let word = (bytes[at] | 0x20, bytes[at + 1] | 0x20, bytes[at + 2] | 0x20)
        return word == (UInt8(ascii: "u"), UInt8(ascii: "t"), UInt8(ascii: "c"))
            || word == (UInt8(ascii: "g"), UInt8(ascii: "m"), UInt8(ascii: "t"))
    }

    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
        CivilDay.days(Int(year), Int(month), Int(day)).map { Int64($0) }
    }
}
