import Text

/// What the name of a column says about times.
struct CSVTimeName {
    /// Unit of bare numbers, if the name states it.
    var unit: EpochUnit?
    var isUTC = false
    var canBeDate = false
    var canBeTimeOfDay = false
    /// Whether the name is in a list, not only similar to a name of times.
    var isKnown = true
    /// Whether it means seconds since some start.
    var isElapsed = false
    /// Whether it means the times of the fixes; beside them, there may be times of messages.
    var isOfFix = false
    /// Whether it means dates, so that numbers may be spreadsheet days.
    var isDate = false

    /// nil if the name does not suggest times.
    init?(_ name: String) {
        let parts = UnitName(name)
        let word = FieldVocabulary.normalised(parts.base)
        let spelling = parts.spelling.map { $0.lowercased().filter { !$0.isWhitespace } } ?? ""
        unit = Self.units[spelling]
        isUTC = ["utc", "gmt", "zulu"].contains { word.contains($0) || spelling.contains($0) }
        isOfFix = word == "fixtime"
        isDate = ["date", "datum", "stamp", "fecha"].contains { word.contains($0) }
        // Names encoded by an export (`_x…`) are fields.
        guard !name.contains("_x"), !Self.exceptions.contains(where: { word.contains($0) }) else { return nil }
        if Self.dates.contains(word) {
            canBeDate = true
        } else if Self.timesOfDay.contains(word) {
            canBeTimeOfDay = true
        } else if case .instant(let unit)? = CSVRole.aliases[word] {
            self.unit = unit ?? self.unit
        } else if Self.elapsed.contains(word) {
            isElapsed = true
        } else if Self.hints.contains(where: { word.contains($0) }) {
            isKnown = false
        } else if let dot = name.lastIndex(where: { $0 == "." || $0 == ":" }),
            let last = CSVTimeName(String(name[name.index(after: dot)...]))
        {
            self = last
        } else {
            return nil
        }
    }

    private static let units: [String: EpochUnit] = [
        "s": .seconds, "sec": .seconds, "secs": .seconds, "second": .seconds, "seconds": .seconds, "unix": .seconds,
        "ms": .milliseconds, "msec": .milliseconds, "millisecond": .milliseconds, "milliseconds": .milliseconds,
        "us": .microseconds, "µs": .microseconds, "microseconds": .microseconds, "ns": .nanoseconds,
        "nanoseconds": .nanoseconds,
    ]

    static let elapsed: Set<String> = [
        "elapsed", "elapsedtime", "elapsedseconds", "seconds", "secs", "timeelapsed", "relativetime", "runtime",
    ]
    private static let hints = ["time", "date", "zeit", "datum", "stamp", "epoch", "fecha", "hora", "heure", "tijd"]
    private static let exceptions = ["offset", "ofst", "timezone", "zeitzone", "heading"]

    static let dates: Set<String> = [
        "date", "datum", "gpsdate", "utcdate", "dateutc", "localdate", "lcldate", "utcd", "locald", "dategmt",
        "gmtdate",
        "startdate", "fecha", "gpsutcdate", "datelocal", "customdate", "recorddate", "yyyymmdd", "ddmmyy", "ddmmyyyy",
    ]
    static let timesOfDay: Set<String> = [
        "time", "zeit", "uhrzeit", "timeofday", "utctime", "timeutc", "localtime", "gpstime", "lcltime", "utct",
        "localt",
        "timegmt", "gmttime", "hora", "heure", "hhmmss", "timelocal", "customupdatetime", "gpsutctime", "clock",
        "starttime", "clocktime", "tijd",
    ]
}

/// Which columns contain the times of a table, and in which notation.
enum CSVTimePlan: Equatable {
    case none
    /// A column of times in the usual notations, or of numbers since the epoch.
    case instant(Int, unit: EpochUnit?)
    /// A date column and a time-of-day column in the usual notations.
    case pair(date: Int, time: Int)
    /// Columns in other notations; `whole` contains date and time, or a date alone.
    case spelled(date: Int?, time: Int?, whole: Int?, isUTC: Bool)
    /// Spreadsheet days since 1899-12-30, with the fractions in the same column or in a second one.
    case serialDays(Int, time: Int?)

    /// The columns used.
    var columns: [Int] {
        switch self {
        case .none: []
        case .instant(let column, _): [column]
        case .pair(let date, let time): [date, time]
        case .spelled(let date, let time, let whole, _): [whole, date, time].compactMap(\.self)
        case .serialDays(let column, let time): [column, time].compactMap(\.self)
        }
    }
}

/// What the first rows show about a column that may contain times.
struct CSVTimeEvidence {
    let column: Int
    let name: CSVTimeName
    private(set) var filled = 0
    private(set) var numbers: [FixedDecimal] = []
    private(set) var written = 0
    private(set) var dates = 0
    private(set) var times = 0
    /// Dates with the time 00:00, as databases write dates.
    private(set) var midnights = 0
    /// Whether a cell has a notation that `InstantReader` does not read.
    private(set) var isUncommon = false
    /// Whether a cell has an offset from UTC.
    private(set) var hasOffset = false

    init(_ column: Int, _ name: CSVTimeName) {
        self.column = column
        self.name = name
    }

    mutating func add(_ cell: [UInt8], comma: Bool) {
        let bytes = cell.span
        let range = ByteText.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        filled += 1
        var reader = InstantReader()
        if let number = FixedDecimal(bytes, range, comma: comma), !Self.isBasicDate(bytes, range) {
            // `1800` and `95132.5` are times of day next to a date column.
            if name.canBeTimeOfDay, WrittenTime(bytes, range, isTime: true) != nil { times += 1 }
            return numbers.append(number)
        }
        let spelling = WrittenTime(bytes, range, isTime: name.canBeTimeOfDay)
        if let spelling {
            if spelling.hasDate { dates += 1 }
            if spelling.ofDay != nil { times += 1 }
            if spelling.hasDate, spelling.ofDay != nil { written += 1 }
            if spelling.hasDate, spelling.ofDay == 0 { midnights += 1 }
            hasOffset = hasOffset || spelling.offset != nil
        }
        let isRead = reader.instant(bytes, range) != nil
        if isRead, spelling == nil {
            // Longer than a date alone, such as `2025-08-31`.
            written += range.count > 10 ? 1 : 0
            dates += 1
        }
        if let spelling, spelling.hasDate ? !isRead : spelling.uses12HourClock || !Self.isPlainTime(bytes, range) {
            isUncommon = true
        }
    }

    /// Whether the cell is like `20240501` or `20240501080000`.
    private static func isBasicDate(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 8 || range.count == 14 else { return false }
        let century = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
        guard century == (0x31, 0x39) || century == (0x32, 0x30) else { return false }
        for index in range where bytes[index] &- 0x30 >= 10 { return false }
        return WrittenTime(bytes, range)?.date(nil) != nil
    }

    /// Whether the cell is like `08:00` or `8:00:00.5`, which `InstantReader` reads next to a date.
    private static func isPlainTime(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var hasColon = false
        for index in range {
            hasColon = hasColon || bytes[index] == 0x3A
            guard bytes[index] &- 0x30 < 10 || ":.,".utf8.contains(bytes[index]) else { return false }
        }
        return hasColon
    }

    private var majority: Int { max(1, filled / 2) }
    private var isNumeric: Bool { !numbers.isEmpty && numbers.count >= majority }

    /// Whether it contains dates, alone or with a time.
    var hasDates: Bool { filled > 0 && dates >= majority }
    var hasDatesAlone: Bool { hasDates && written - midnights < majority }
    /// Whether it contains times of day without dates.
    var hasTimesOfDay: Bool { filled > 0 && times >= majority && dates < majority }
    var isWritten: Bool { filled > 0 && written >= majority }

    /// Whether the numbers count from the epoch: at least one is after the start of GPS time.
    var isEpoch: Bool {
        isNumeric
            && numbers.contains { number in
                guard let instant = InstantReader.instant(number, unit: name.unit) else { return false }
                return instant.milliseconds >= Instant.plausible.lowerBound
            }
    }

    /// Whether the numbers count from an unknown start.
    var countsFromUnknownStart: Bool { isNumeric && !isEpoch && !isSerial }

    /// Whether the numbers are spreadsheet days with fractions, from 1954 to 2119.
    var isSerial: Bool {
        guard isNumeric, name.unit == nil, numbers.allSatisfy({ (20_000..<80_000).contains($0.double) }),
            numbers.contains(where: { $0.double != $0.double.rounded() })
        else { return false }
        guard !name.isDate else { return true }
        // Evenly spaced numbers with few decimals are seconds, not days.
        let steps = zip(numbers, numbers.dropFirst()).map { $1.double - $0.double }
        guard steps.count >= 2, let first = steps.first else { return true }
        let isEven = steps.allSatisfy { abs($0 - first) < 1e-6 }
        return !(isEven && numbers.allSatisfy { $0.places <= 3 })
    }

    /// Whether the numbers are whole spreadsheet days.
    var isWholeSerial: Bool {
        isNumeric && name.isDate
            && numbers.allSatisfy { $0.double == $0.double.rounded() && (20_000..<80_000).contains($0.double) }
    }

    /// Whether the numbers are fractions of a day.
    var isFraction: Bool { isNumeric && numbers.allSatisfy { (0..<1).contains($0.double) } }
}

/// Chooses the time columns by their names and the first rows.
struct CSVTimeChoice {
    private(set) var plan = CSVTimePlan.none
    /// Columns that count from an unknown start.
    private(set) var relativeTimes: [Int] = []
    /// Columns whose names suggest times but that are not used.
    private(set) var others: [Int] = []

    init(_ columns: [CSVTimeEvidence], taken: Set<Int>) {
        let columns = columns.filter { !taken.contains($0.column) }
        let fixesFirst = columns.filter(\.name.isOfFix) + columns.filter { !$0.name.isOfFix }
        plan = Self.pair(columns) ?? Self.single(fixesFirst) ?? .none
        let used = Set(plan.columns)
        relativeTimes = columns.filter { $0.countsFromUnknownStart && $0.name.isKnown && !used.contains($0.column) }
            .map(\.column)
        others = columns.filter { $0.filled > 0 && !used.contains($0.column) }.map(\.column)
    }

    private static func pair(_ columns: [CSVTimeEvidence]) -> CSVTimePlan? {
        let days = columns.filter { $0.name.canBeDate && ($0.hasDatesAlone || $0.isWholeSerial) }
        let clocks = columns.filter { $0.name.canBeTimeOfDay && ($0.hasTimesOfDay || $0.isFraction) }
        // A pair in UTC is preferred: loggers often write local time beside it, which is ambiguous when clocks are set
        // back.
        for isUTC in [true, false] {
            for day in days where day.name.isUTC == isUTC {
                let fitting = clocks.filter { $0.isFraction == day.isWholeSerial }
                guard let clock = fitting.first(where: { $0.name.isUTC == isUTC }) ?? fitting.first else { continue }
                if day.isWholeSerial { return .serialDays(day.column, time: clock.column) }
                let isPlain = !day.isUncommon && !clock.isUncommon && clock.numbers.isEmpty
                if isPlain, !isUTC { return .pair(date: day.column, time: clock.column) }
                return .spelled(date: day.column, time: clock.column, whole: nil, isUTC: isUTC || clock.name.isUTC)
            }
        }
        return nil
    }

    private static func single(_ columns: [CSVTimeEvidence]) -> CSVTimePlan? {
        let known = columns.filter(\.name.isKnown)
        if let found = known.first(where: { $0.isWritten && $0.name.isUTC }) ?? known.first(where: \.isWritten) {
            return written(found)
        }
        if let found = known.first(where: \.isEpoch) { return .instant(found.column, unit: found.name.unit) }
        if let found = known.first(where: \.isSerial) { return .serialDays(found.column, time: nil) }
        if let found = columns.first(where: \.isWritten) { return written(found) }
        if let found = known.first(where: { $0.hasDates && !$0.countsFromUnknownStart }) { return written(found) }
        // The first rows contain no time, but later ones may.
        let named = known.first { !$0.countsFromUnknownStart && !$0.hasTimesOfDay }
        return named.map { .instant($0.column, unit: $0.name.unit) }
    }

    private static func written(_ column: CSVTimeEvidence) -> CSVTimePlan {
        column.isUncommon || (column.name.isUTC && !column.hasOffset)
            ? .spelled(date: nil, time: nil, whole: column.column, isUTC: column.name.isUTC)
            : .instant(column.column, unit: column.name.unit)
    }
}
