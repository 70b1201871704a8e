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
        var scan = TimeScanner(at: 0, end: bytes.count)
        guard let day = Self.day(&scan, bytes.span) else { return nil }
        if scan.isAtEnd {
            self = .day(day)
            return
        }
        guard let instant = Self.instant(&scan, bytes.span, on: day) else { return nil }
        self = .instant(instant)
    }

    /// The instant in a text, in milliseconds since 1970; nil for a day, or if it is neither.
    public static func instant(in text: String) -> Int64? {
        if case .instant(let instant)? = DateText(text) { instant } else { nil }
    }

    /// The day in a text; nil for an instant, or if it is neither.
    public static func day(in text: String) -> CivilDay? {
        if case .day(let day)? = DateText(text) { day } else { nil }
    }

    /// Digit counts of dates written without hyphens.
    private static let digitsOfDates: Set<Int> = [4, 6, 8]
    /// The number of digits of the largest instant.
    private static let maxDigits = 16

    private static func milliseconds(_ bytes: [UInt8]) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative ? bytes[1...] : bytes[...]
        guard !digits.isEmpty, digits.count <= maxDigits, isNegative || !digitsOfDates.contains(digits.count),
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(String(decoding: bytes, as: UTF8.self))
    }

    private static func day(_ scan: inout TimeScanner, _ bytes: Span<UInt8>) -> CivilDay? {
        guard let year = scan.number(bytes, digits: 4), scan.skip(UInt8(ascii: "-"), bytes),
            let month = scan.number(bytes, digits: 2), scan.skip(UInt8(ascii: "-"), bytes),
            let day = scan.number(bytes, digits: 2)
        else { return nil }
        return CivilDay(year: Int(year), month: Int(month), day: Int(day))
    }

    /// Parses `THH:MM:SS[.fraction]` and `Z` or `±HH:MM`.
    private static func instant(_ scan: inout TimeScanner, _ bytes: Span<UInt8>, on day: CivilDay) -> Int64? {
        guard ["T", "t", " "].contains(where: { scan.skip(UInt8(ascii: $0), bytes) }),
            let hour = scan.number(bytes, digits: 2), scan.skip(UInt8(ascii: ":"), bytes),
            let minute = scan.number(bytes, digits: 2), scan.skip(UInt8(ascii: ":"), bytes),
            let second = scan.number(bytes, digits: 2), hour < 24, minute < 60, second <= 60
        else { return nil }
        var milliseconds: Int64 = 0
        if scan.skip(UInt8(ascii: "."), bytes) {
            guard let tenths = scan.tenthsOfMilliseconds(bytes) else { return nil }
            milliseconds = tenths / 10
        }
        guard let offsetMinutes = offset(&scan, bytes), scan.isAtEnd else { return nil }
        let seconds = Int64(day.daysSince1970) * 86_400 + hour * 3600 + (minute - offsetMinutes) * 60 + second
        return seconds * 1000 + milliseconds
    }

    /// Minutes ahead of UTC.
    private static func offset(_ scan: inout TimeScanner, _ bytes: Span<UInt8>) -> Int64? {
        if scan.skip(UInt8(ascii: "Z"), bytes) || scan.skip(UInt8(ascii: "z"), bytes) { return 0 }
        let isNegative = scan.skip(UInt8(ascii: "-"), bytes)
        // A plus sign in a URL query is decoded to a space.
        guard isNegative || scan.skip(UInt8(ascii: "+"), bytes) || scan.skip(UInt8(ascii: " "), bytes),
            let hours = scan.number(bytes, digits: 2), scan.skip(UInt8(ascii: ":"), bytes),
            let minutes = scan.number(bytes, digits: 2), hours < 24, minutes < 60
        else { return nil }
        let offset = hours * 60 + minutes
        return isNegative ? -offset : offset
    }
}
