/// One end of a time window, as typed: a day in the library's time zone, or an instant.
public enum DateText: Equatable, Sendable {
    /// The whole day.
    case day(CivilDay)
    /// Milliseconds since 1970.
    case instant(Int64)

    /// Parses `2025-03-30`, RFC 3339 (`2025-03-30T08:00:00Z`, `…+02:00`, with or without a fraction), or whole
    /// milliseconds since 1970 (`1743321600000`, `-5`).
    ///
    /// A number of four, six or eight digits is refused: whoever writes `2024` or `20250330` does not mean an instant
    /// in 1970.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        if let milliseconds = Self.milliseconds(bytes) {
            guard Instant(milliseconds: milliseconds) != nil else { return nil }
            self = .instant(milliseconds)
            return
        }
        guard let day = Self.day(bytes) else { return nil }
        if bytes.count == Self.dayBytes {
            self = .day(day)
            return
        }
        guard let instant = Self.instant(bytes, on: day) else { return nil }
        self = .instant(instant)
    }

    /// The first instant in the window that starts here.
    public func begin(in calendar: DayCalendar) -> Int64 {
        switch self {
        case .day(let day): calendar.start(ofDay: day.daysSince1970)
        case .instant(let instant): instant
        }
    }

    /// The first instant after the window that ends here: a day is included as a whole, an instant is excluded.
    public func end(in calendar: DayCalendar) -> Int64 {
        switch self {
        case .day(let day): calendar.start(ofDay: day.daysSince1970 + 1)
        case .instant(let instant): instant
        }
    }

    private static let dayBytes = 10
    /// Digit counts of dates written without hyphens.
    private static let digitsOfDates: Set<Int> = [4, 6, 8]
    /// The number of digits of the largest instant.
    private static let maxDigits = 16

    private static func milliseconds(_ bytes: [UInt8]) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes[1...] : bytes[...]
        guard digits.count <= maxDigits, isNegative || !digitsOfDates.contains(digits.count),
            let number = number(digits)
        else { return nil }
        return Int64(isNegative ? -number : number)
    }

    private static func day(_ bytes: [UInt8]) -> CivilDay? {
        guard bytes.count >= dayBytes, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10])
        else { return nil }
        return CivilDay(year: year, month: month, day: day)
    }

    /// Parses `…THH:MM:SS[.fraction]` and `Z` or `±HH:MM`.
    private static func instant(_ bytes: [UInt8], on day: CivilDay) -> Int64? {
        guard bytes.count >= 20, [UInt8(ascii: "T"), UInt8(ascii: "t"), UInt8(ascii: " ")].contains(bytes[10]),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var rest = bytes[19...]
        var milliseconds = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, let thousandths = number(Array((digits + [0x30, 0x30]).prefix(3))[...]) else {
                return nil
            }
            milliseconds = thousandths
            rest = rest.dropFirst(1 + digits.count)
        }
        guard let offsetMinutes = offset(rest) else { return nil }
        let seconds = Int(day.daysSince1970) * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + second
        return Int64(seconds) * 1000 + Int64(milliseconds)
    }

    /// Minutes ahead of UTC.
    private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
        let bytes = Array(bytes)
        if bytes == [UInt8(ascii: "Z")] || bytes == [UInt8(ascii: "z")] { return 0 }
        guard bytes.count == 6, bytes[3] == UInt8(ascii: ":"), let hours = number(bytes[1..<3]),
            let minutes = number(bytes[4..<6]), hours < 24, minutes < 60
        else { return nil }
        switch bytes[0] {
        // A plus sign in a URL query is decoded to a space.
        case UInt8(ascii: "+"), UInt8(ascii: " "): return hours * 60 + minutes
        case UInt8(ascii: "-"): return -(hours * 60 + minutes)
        default: return nil
        }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        var value = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            value = value * 10 + Int(digit - 0x30)
        }
        return digits.isEmpty ? nil : value
    }
}
