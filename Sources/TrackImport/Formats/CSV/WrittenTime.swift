import Text

/// The order of the numbers of a date.
public enum DateOrder: String, Sendable {
    case dayMonthYear = "day/month/year"
    case monthDayYear = "month/day/year"
    case yearMonthDay = "year/month/day"
}

/// A date, a time of day, or both, as spreadsheets and people write them.
///
/// Examples: `31/08/2025 9:51:32 PM`, `15-May-2014 20:47:15.123`, `Thu May 15 20:47:11 GMT+01:00 2014`,
/// `Mon Jun 12 09:09:22 PDT 2017`, `8/31/25`, `0951`.
struct WrittenTime {
    /// Three numbers with separators between them.
    struct Triple {
        var numbers: (Int, Int, Int)
        var digits: (Int, Int, Int)
        /// Whether the separators are points, which only dates with the day before the month have.
        var hasPoints: Bool
    }

    private(set) var triple: Triple?
    private(set) var named: (year: Int, month: Int, day: Int)?
    /// Milliseconds since midnight.
    private(set) var ofDay: Int?
    private(set) var uses12HourClock = false
    /// Offset from UTC in minutes.
    private(set) var offset: Int?

    var hasDate: Bool { triple != nil || named != nil }

    private enum Token {
        case number(Int, digits: Int)
        case word(String)
        case symbol(UInt8)
    }

    /// nil for other text; `isTime` means that bare digits are a time of day.
    init?(_ bytes: Span<UInt8>, _ range: Range<Int>, isTime: Bool = false) {
        let cell = ByteText.trimmed(bytes, range)
        guard !cell.isEmpty, cell.count <= 64, let tokens = Self.tokens(bytes, cell) else { return nil }
        guard read(tokens, isTime: isTime), hasDate || ofDay != nil else { return nil }
    }

    private static func tokens(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [Token]? {
        var tokens: [Token] = []
        var at = range.lowerBound
        while at < range.upperBound {
            let start = at
            if bytes[at] &- 0x30 < 10 {
                var value = 0
                while at < range.upperBound, bytes[at] &- 0x30 < 10 {
                    guard at - start < 10 else { return nil }
                    value = value * 10 + Int(bytes[at] &- 0x30)
                    at += 1
                }
                tokens.append(.number(value, digits: at - start))
            } else if (bytes[at] | 0x20) &- 0x61 < 26 || bytes[at] >= 0x80 {
                while at < range.upperBound, (bytes[at] | 0x20) &- 0x61 < 26 || bytes[at] >= 0x80 { at += 1 }
                tokens.append(.word(ByteText.string(bytes, start..<at).lowercased()))
            } else {
                if bytes[at] > 0x20 { tokens.append(.symbol(bytes[at])) }
                at += 1
            }
        }
        return tokens
    }

    private mutating func read(_ tokens: [Token], isTime: Bool) -> Bool {
        var at = 0
        var month: Int?
        var loose: [(value: Int, digits: Int)] = []
        func symbol(_ index: Int) -> UInt8? {
            guard index < tokens.count, case .symbol(let byte) = tokens[index] else { return nil }
            return byte
        }
        func number(_ index: Int) -> (value: Int, digits: Int)? {
            guard index < tokens.count, case .number(let value, let digits) = tokens[index] else { return nil }
            return (value, digits)
        }
        while at < tokens.count {
            switch tokens[at] {
            case .number(let value, let digits):
                if symbol(at + 1) == 0x3A, let minute = number(at + 2), ofDay == nil {
                    guard digits <= 2, minute.digits == 2, value <= 24, minute.value < 60 else { return false }
                    var milliseconds = (value * 60 + minute.value) * 60_000
                    at += 3
                    if symbol(at) == 0x3A, let second = number(at + 1) {
                        guard second.digits == 2, second.value <= 60 else { return false }
                        milliseconds += second.value * 1000
                        at += 2
                        if symbol(at) == 0x2E || symbol(at) == 0x2C || symbol(at) == 0x3A, let part = number(at + 1) {
                            milliseconds += Self.milliseconds(part)
                            at += 2
                        }
                    }
                    ofDay = milliseconds
                } else if let separator = symbol(at + 1), separator == 0x2F || separator == 0x2D || separator == 0x2E,
                    !hasDate,
                    let second = number(at + 2), symbol(at + 3) == separator, let third = number(at + 4)
                {
                    triple = Triple(
                        numbers: (value, second.value, third.value), digits: (digits, second.digits, third.digits),
                        hasPoints: separator == 0x2E)
                    at += 5
                } else if isTime, at == 0, tokens.count <= 4, digits <= 6, symbol(1) == nil || symbol(1) == 0x2E {
                    guard readBareTime(value, digits) else { return false }
                    at += 1
                    if symbol(at) == 0x2E, let part = number(at + 1) {
                        ofDay? += Self.milliseconds(part)
                        at += 2
                    }
                } else {
                    loose.append((value, digits))
                    at += 1
                }
            case .word(let word):
                at += 1
                if word == "am" || word == "pm" || word == "a" || word == "p" {
                    guard applyHalfDay(isAfternoon: word.hasPrefix("p")) else { return false }
                } else if let found = Self.months[String(word.prefix(3))], month == nil, !Self.weekdays.contains(word) {
                    month = found
                } else if let minutes = Self.zones[word] {
                    offset = offset ?? minutes
                } else if !Self.ignored.contains(word), !Self.weekdays.contains(word) {
                    return false
                }
            case .symbol(let byte):
                at += 1
                if byte == 0x2B || byte == 0x2D, ofDay != nil, let hours = number(at) {
                    guard let found = readOffset(hours, symbol(at + 1) == 0x3A ? number(at + 2) : nil) else {
                        return false
                    }
                    offset = byte == 0x2D ? -found : found
                    at += symbol(at + 1) == 0x3A ? 3 : 1
                } else if !",.-/'".utf8.contains(byte) {
                    return false
                }
            }
        }
        return take(month: month, loose)
    }

    private static func milliseconds(_ part: (value: Int, digits: Int)) -> Int {
        var scaled = Double(part.value)
        for _ in 0..<part.digits { scaled /= 10 }
        return Int((scaled * 1000).rounded())
    }

    private mutating func readBareTime(_ value: Int, _ digits: Int) -> Bool {
        // `951` and `95132` have lost their leading 0.
        let (hour, minute, second) =
            digits <= 4 ? (value / 100, value % 100, 0) : (value / 10_000, value / 100 % 100, value % 100)
        guard digits >= 1, hour <= 24, minute < 60, second <= 60 else { return false }
        ofDay = (hour * 60 + minute) * 60_000 + second * 1000
        return true
    }

    private mutating func applyHalfDay(isAfternoon: Bool) -> Bool {
        // A second `am` or `pm` is ignored; one without a time is invalid.
        guard let time = ofDay, !uses12HourClock else { return uses12HourClock }
        let hour = time / 3_600_000
        guard (1...12).contains(hour) else { return hour == 0 || isAfternoon }
        uses12HourClock = true
        ofDay = time % 3_600_000 + (hour % 12 + (isAfternoon ? 12 : 0)) * 3_600_000
        return true
    }

    private func readOffset(_ hours: (value: Int, digits: Int), _ minutes: (value: Int, digits: Int)?) -> Int? {
        if hours.digits == 4 { return hours.value <= 1800 ? hours.value / 100 * 60 + hours.value % 100 : nil }
        guard hours.digits <= 2, hours.value <= 18, minutes?.value ?? 0 < 60 else { return nil }
        return hours.value * 60 + (minutes?.value ?? 0)
    }

    /// Takes day and year from the numbers around a named month, or a date from eight digits.
    private mutating func take(month: Int?, _ loose: [(value: Int, digits: Int)]) -> Bool {
        guard let month else {
            guard loose.count == 1, loose[0].digits == 8, !hasDate else { return loose.isEmpty }
            let value = loose[0].value
            named = (value / 10_000, value / 100 % 100, value % 100)
            return true
        }
        guard loose.count == 2 else { return false }
        let isYearFirst = loose[0].digits == 4
        let (year, day) = isYearFirst ? (loose[0], loose[1]) : (loose[1], loose[0])
        guard year.digits == 4 || year.digits == 2, day.digits <= 2 else { return false }
        named = (year.digits == 2 ? Self.century(year.value) : year.value, month, day.value)
        return true
    }

    /// Completes a two-digit year; years from 70 on are in the 20th century.
    private static func century(_ year: Int) -> Int { year < 70 ? 2000 + year : 1900 + year }

    private static let ignored: Set<String> = ["t", "m", "de", "del", "of", "uhr", "h", "um", "at"]
    private static let weekdays: Set<String> = [
        "mon", "monday", "tue", "tues", "tuesday", "wed", "wednesday", "thu", "thur", "thurs", "thursday", "fri",
        "friday",
        "sat", "saturday", "sun", "sunday", "mo", "di", "mi", "do", "fr", "sa", "so", "montag", "dienstag", "mittwoch",
        "donnerstag", "freitag", "samstag", "sonntag",
    ]
    /// Offsets from UTC in minutes, of the zone names of RFC 5322 and those of Europe, which have one meaning each.
    private static let zones: [String: Int] = [
        "z": 0, "ut": 0, "utc": 0, "gmt": 0, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
        "mdt": -360, "pst": -480, "pdt": -420, "wet": 0, "west": 60, "cet": 60, "cest": 120, "mez": 60, "mesz": 120,
        "eet": 120, "eest": 180,
    ]
    private static let months: [String: Int] = [
        "jan": 1, "jän": 1, "feb": 2, "mar": 3, "mär": 3, "mrz": 3, "apr": 4, "may": 5, "mai": 5, "jun": 6, "jul": 7,
        "aug": 8, "sep": 9, "oct": 10, "okt": 10, "nov": 11, "dec": 12, "dez": 12,
    ]

    /// The date of six digits: two each of year, month and day.
    static func compactDate(_ bytes: Span<UInt8>, _ range: Range<Int>) -> CivilDay? {
        let cell = ByteText.trimmed(bytes, range)
        guard cell.count == 6, case .number(let number, _)? = tokens(bytes, cell)?.first, number >= 0 else {
            return nil
        }
        return CivilDay(year: century(number / 10_000), month: number / 100 % 100, day: number % 100)
    }

    // MARK: Order

    /// The date with its three numbers in that order; nil if it is invalid, or ambiguous without an order.
    func date(_ order: DateOrder?) -> CivilDay? {
        if let named { return CivilDay(year: named.year, month: named.month, day: named.day) }
        guard let triple else { return nil }
        let (first, second, third) = triple.numbers
        let order = triple.digits.0 == 4 ? .yearMonthDay : order
        switch order {
        case .yearMonthDay?:
            let year = triple.digits.0 == 4 ? first : triple.digits.0 == 2 ? Self.century(first) : nil
            return year.flatMap { CivilDay(year: $0, month: second, day: third) }
        case .dayMonthYear?, .monthDayYear?:
            let year = triple.digits.2 == 4 ? third : triple.digits.2 == 2 ? Self.century(third) : nil
            let (day, month) = order == .dayMonthYear ? (first, second) : (second, first)
            return year.flatMap { CivilDay(year: $0, month: month, day: day) }
        case nil:
            if triple.hasPoints { return date(.dayMonthYear) }
            let possible = [DateOrder.dayMonthYear, .monthDayYear].compactMap { date($0) }
            return possible.count == 1 || possible.first == possible.last ? possible.first : nil
        }
    }
}
