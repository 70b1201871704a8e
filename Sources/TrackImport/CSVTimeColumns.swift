import Foundation
import Tracks

/// What the name of a column says of times.
struct CSVTimeName {
    /// What a bare number counts, where the name tells it.
    var unit: EpochUnit?
    var isUTC = false
    var canBeDate = false
    var canBeTimeOfDay = false
    /// Whether it is a word that is known, rather than one that looks like a time's.
    var isKnown = true
    /// Whether seconds since a beginning are meant.
    var isElapsed = false
    /// Whether dates are meant: numbers in it may be the days of a spreadsheet.
    var isDate = false

    /// nil where the name has nothing of a time.
    init?(_ name: String) {
        let parts = UnitName(name)
        let word = FieldVocabulary.normalised(parts.base)
        let spelling = parts.spelling.map { $0.lowercased().filter { !$0.isWhitespace } } ?? ""
        unit = Self.units[spelling]
        isUTC = ["utc", "gmt", "zulu"].contains { word.contains($0) || spelling.contains($0) }
        isDate = ["date", "datum", "stamp", "fecha"].contains { word.contains($0) }
        // Names that an export has encoded are fields.
        guard !name.contains("_x"), !Self.exceptions.contains(where: { word.contains($0) }) else { return nil }
        if Self.dates.contains(word) {
            canBeDate = true
        } else if Self.timesOfDay.contains(word) {
            canBeTimeOfDay = true
        } else if case .instant(let unit)? = CSVColumns.aliases[word] {
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

    private static let elapsed: Set<String> = [
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

/// How the rows of a table tell their times.
enum CSVTimePlan: Equatable {
    case none
    /// A column of times as most software writes them, or of numbers since the epoch.
    case instant(Int, unit: EpochUnit?)
    /// A column of dates and one of times of day, as most software writes them.
    case pair(date: Int, time: Int)
    /// Columns of times in other spellings; `whole` holds both, or a date alone.
    case spelled(date: Int?, time: Int?, whole: Int?, isUTC: Bool)
    /// Days since 1899-12-30 as spreadsheets count them, with their fractions, or with fractions in a second column.
    case serialDays(Int, time: Int?)

    /// The columns that it reads.
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

/// What the first rows show of a column that may hold times.
struct CSVTimeEvidence {
    let column: Int
    let name: CSVTimeName
    private(set) var filled = 0
    private(set) var numbers: [FixedDecimal] = []
    private(set) var written = 0
    private(set) var dates = 0
    private(set) var times = 0
    /// Written times that are midnight, as those of dates in databases are.
    private(set) var midnights = 0
    /// Whether a cell is spelled in another way than `InstantReader` reads.
    private(set) var isOdd = false
    /// Whether a cell tells its offset from UTC.
    private(set) var hasOffset = false

    init(_ column: Int, _ name: CSVTimeName) {
        self.column = column
        self.name = name
    }

    mutating func add(_ cell: [UInt8], comma: Bool) {
        let bytes = cell.span
        let range = Text.trimmed(bytes, bytes.indices)
        guard !range.isEmpty else { return }
        filled += 1
        var reader = InstantReader()
        if let number = FixedDecimal(bytes, range, comma: comma), !Self.isBasicDate(bytes, range) {
            // `1800` and `95132.5` are times of day where a date stands beside them.
            if name.canBeTimeOfDay, TimeSpelling(bytes, range, isTime: true) != nil { times += 1 }
            return numbers.append(number)
        }
        let spelling = TimeSpelling(bytes, range, isTime: name.canBeTimeOfDay)
        if let spelling {
            if spelling.hasDate { dates += 1 }
            if spelling.ofDay != nil { times += 1 }
            if spelling.hasDate, spelling.ofDay != nil { written += 1 }
            if spelling.hasDate, spelling.ofDay == 0 { midnights += 1 }
            hasOffset = hasOffset || spelling.offset != nil
        }
        let isRead = reader.instant(bytes, range) != nil
        if isRead, spelling == nil {
            written += range.count > 10 ? 1 : 0
            dates += 1
        }
        if let spelling, spelling.hasDate ? !isRead : spelling.hasHalf || !Self.isPlainTime(bytes, range) {
            isOdd = true
        }
    }

    /// `20240501`, `20240501080000`.
    private static func isBasicDate(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count == 8 || range.count == 14 else { return false }
        let century = (bytes[range.lowerBound], bytes[range.lowerBound + 1])
        guard century == (0x31, 0x39) || century == (0x32, 0x30) else { return false }
        for index in range where bytes[index] &- 0x30 >= 10 { return false }
        return TimeSpelling(bytes, range)?.date(nil) != nil
    }

    /// `08:00`, `8:00:00.5`: what `InstantReader` takes beside a date.
    private static func isPlainTime(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        var hasColon = false
        for index in range {
            hasColon = hasColon || bytes[index] == 0x3A
            guard bytes[index] &- 0x30 < 10 || ":.,".utf8.contains(bytes[index]) else { return false }
        }
        return hasColon
    }

    private var most: Int { max(1, filled / 2) }
    private var isNumeric: Bool { !numbers.isEmpty && numbers.count >= most }

    /// Whether dates stand in it, alone or with a time.
    var hasDates: Bool { filled > 0 && dates >= most }
    var hasDatesAlone: Bool { hasDates && written - midnights < most }
    /// Whether times of day stand in it, without dates.
    var hasTimesOfDay: Bool { filled > 0 && times >= most && dates < most }
    var isWritten: Bool { filled > 0 && written >= most }

    /// Whether the numbers count from the epoch: one of them is after GPS time began.
    var isEpoch: Bool {
        isNumeric
            && numbers.contains { number in
                guard let instant = InstantReader.instant(number, unit: name.unit) else { return false }
                return instant.milliseconds >= Instant.plausible.lowerBound
            }
    }

    /// Whether the numbers are counted from a beginning that is not told.
    var isRelative: Bool { isNumeric && !isEpoch && !isSerial }

    /// Whether the numbers are the days of a spreadsheet, with fractions: 1954 to 2119.
    var isSerial: Bool {
        guard isNumeric, name.unit == nil, numbers.allSatisfy({ (20_000..<80_000).contains($0.double) }),
            numbers.contains(where: { $0.double != $0.double.rounded() })
        else { return false }
        guard !name.isDate else { return true }
        // Seconds at an even pace are no days.
        let steps = zip(numbers, numbers.dropFirst()).map { $1.double - $0.double }
        guard steps.count >= 2, let first = steps.first else { return true }
        let isEven = steps.allSatisfy { abs($0 - first) < 1e-6 }
        return !(isEven && numbers.allSatisfy { $0.places <= 3 })
    }

    /// Whether the numbers are whole days of a spreadsheet.
    var isWholeSerial: Bool {
        isNumeric && name.isDate
            && numbers.allSatisfy { $0.double == $0.double.rounded() && (20_000..<80_000).contains($0.double) }
    }

    /// Whether the numbers are fractions of a day.
    var isFraction: Bool { isNumeric && numbers.allSatisfy { (0..<1).contains($0.double) } }
}

/// Chooses the columns of times by their names and by what the first rows hold.
struct CSVTimeChoice {
    private(set) var plan = CSVTimePlan.none
    /// Columns that count from a beginning that is not told.
    private(set) var relative: [Int] = []
    /// Columns whose names look like those of times, and that were not taken.
    private(set) var others: [Int] = []

    init(_ columns: [CSVTimeEvidence], taken: Set<Int>) {
        let columns = columns.filter { !taken.contains($0.column) }
        plan = Self.pair(columns) ?? Self.single(columns) ?? .none
        let used = Set(plan.columns)
        relative = columns.filter { $0.isRelative && $0.name.isKnown && !used.contains($0.column) }.map(\.column)
        others = columns.filter { $0.filled > 0 && !used.contains($0.column) }.map(\.column)
    }

    private static func pair(_ columns: [CSVTimeEvidence]) -> CSVTimePlan? {
        let days = columns.filter { $0.name.canBeDate && ($0.hasDatesAlone || $0.isWholeSerial) }
        let clocks = columns.filter { $0.name.canBeTimeOfDay && ($0.hasTimesOfDay || $0.isFraction) }
        // Of two pairs the one in UTC.
        for isUTC in [true, false] {
            for day in days where day.name.isUTC == isUTC {
                let fitting = clocks.filter { $0.isFraction == day.isWholeSerial }
                guard let clock = fitting.first(where: { $0.name.isUTC == isUTC }) ?? fitting.first else { continue }
                if day.isWholeSerial { return .serialDays(day.column, time: clock.column) }
                let isPlain = !day.isOdd && !clock.isOdd && clock.numbers.isEmpty
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
        if let found = known.first(where: { $0.hasDates && !$0.isRelative }) { return written(found) }
        // Nothing in the first rows is a time: cells further on may be.
        let named = known.first { !$0.isRelative && !$0.hasTimesOfDay }
        return named.map { .instant($0.column, unit: $0.name.unit) }
    }

    private static func written(_ column: CSVTimeEvidence) -> CSVTimePlan {
        column.isOdd || (column.name.isUTC && !column.hasOffset)
            ? .spelled(date: nil, time: nil, whole: column.column, isUTC: column.name.isUTC)
            : .instant(column.column, unit: column.name.unit)
    }
}
