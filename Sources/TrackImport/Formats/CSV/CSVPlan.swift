import Files
import Text

/// How the rows of a table are read, derived from its header and first rows.
struct CSVPlan: Sendable {
    let header: CSVHeader
    let longitude: Int
    let latitude: Int
    private(set) var longitudeHemisphere: Int?
    private(set) var latitudeHemisphere: Int?
    private(set) var scale = CoordinateScale.degrees
    private(set) var time = CSVTimePlan.none
    /// The column with the offset from UTC, for times without one.
    private(set) var offset: Int?
    var dateOrder: DateOrder?
    /// Whether the rest of the file must be scanned for the order of dates.
    private(set) var needsOrderScan = false
    /// Whether dates are six digits: two each of year, month and day.
    private(set) var hasCompactDates = false
    private var isOrderAssumed = false
    private var relativeTimes: [Int] = []
    private var others: [Int] = []

    /// Number of rows examined.
    private static let sampleRowCount = 1000

    /// nil if the header names no longitude or latitude.
    init?(_ header: CSVHeader, head: [UInt8]) {
        guard let longitude = header.column(.longitude), let latitude = header.column(.latitude) else { return nil }
        self.header = header
        self.longitude = longitude
        self.latitude = latitude
        let rows = Self.sample(header, head)
        let words = header.names.map { FieldVocabulary.normalised($0) }
        func column(in names: Set<String>) -> Int? {
            // The column of the coordinate itself may be called `LATITUDE N/S`.
            words.indices.first { names.contains(words[$0]) && $0 != longitude && $0 != latitude }
        }
        longitudeHemisphere = column(in: CSVColumns.longitudeHemispheres)
        latitudeHemisphere = column(in: CSVColumns.latitudeHemispheres)
        if header.names[longitude].isEmpty == false, longitudeHemisphere == nil, latitudeHemisphere == nil {
            longitudeHemisphere = Self.namelessHemisphere(header, rows, following: longitude, ["E", "W"])
            latitudeHemisphere = Self.namelessHemisphere(header, rows, following: latitude, ["N", "S"])
        }
        scale = Self.scale(header, rows, longitude, latitude, hasHemispheres: longitudeHemisphere != nil)
        offset = words.firstIndex { CSVColumns.offsets.contains($0) }
        var columns: [CSVTimeEvidence] = []
        for (column, name) in header.names.enumerated() {
            guard let name = CSVTimeName(name) else { continue }
            var evidence = CSVTimeEvidence(column, name)
            for row in rows where column < row.count { evidence.add(row[column], comma: header.comma) }
            columns.append(evidence)
        }
        let keys: [CSVRole] = [.person, .device, .track, .activity, .segment, .trackName, .longitude, .latitude]
        let choice = CSVTimeChoice(columns, taken: Set(keys.compactMap { header.column($0) }))
        time = choice.plan
        relativeTimes = choice.relativeTimes
        others = choice.others
        // Loggers of Columbus write UTC as `240501,100000`.
        if words[latitude] == "latitudens", let date = words.firstIndex(of: "date"),
            let clock = words.firstIndex(of: "time")
        {
            time = .spelled(date: date, time: clock, whole: nil, isUTC: true)
            hasCompactDates = true
            relativeTimes.removeAll { $0 == date || $0 == clock }
            others.removeAll { $0 == date || $0 == clock }
        }
        if offset != nil, case .pair(let date, let clock) = time {
            time = .spelled(date: date, time: clock, whole: nil, isUTC: false)
        }
        if case .spelled(let date, _, let whole, _) = time, let column = date ?? whole {
            var scan = DateOrderDetector()
            for row in rows where column < row.count { scan.add(row[column]) }
            dateOrder = scan.order
            needsOrderScan = scan.hasTriples && scan.order == nil
        }
    }

    /// Columns that are not fields.
    var usedColumns: Set<Int> {
        Set(time.columns + [longitude, latitude, longitudeHemisphere, latitudeHemisphere].compactMap(\.self))
    }

    /// How the columns were used, for the receipt.
    var taken: ColumnUsage {
        var taken = ColumnUsage()
        let names = header.names
        taken.places = [longitude, longitudeHemisphere, latitude, latitudeHemisphere].compactMap {
            $0.map { names[$0] }
        }
        taken.times = (time.columns + (time.columns.isEmpty ? [] : [offset].compactMap(\.self))).map { names[$0] }
        taken.others = others.map { names[$0] }
        taken.relativeTimes = relativeTimes.map { names[$0] }
        taken.scale = scale
        taken.dateOrder = dateOrder
        taken.isOrderAssumed = isOrderAssumed
        if case .serialDays = time { taken.usesSerialDays = true }
        for (column, unit) in header.units.enumerated() {
            if let unit, !unit.isLibraryUnit, !usedColumns.contains(column) { taken.converted.append(names[column]) }
        }
        return taken
    }

    /// Scans the file for the order of dates if the first rows leave it open; returns a source from its beginning.
    mutating func findDateOrder(in source: PeekedSource, _ reading: FileReading) throws -> any ByteSource {
        guard needsOrderScan, case .spelled(let date, let ofDay, let whole, _) = time, let column = date ?? whole
        else {
            return source
        }
        var scan = DateOrderDetector()
        let spool = try SpooledSource()
        var splitter = CSVSplitter(source, headerLength: header.length, separator: header.separator)
        while scan.order == nil {
            let block = try splitter.rowBlock { rest in
                do {
                    let block = try reading.next(from: &rest)
                    if !block.isEmpty { try spool.append(block) }
                    return block
                } catch {
                    guard ImportFailure(error).keepsEarlierPoints else { throw error }
                    spool.failure = error
                    return []
                }
            }
            guard let block else { break }
            guard case .rows(let bytes, _) = block else { continue }
            CSVHeader.forEachRow(in: bytes[...], header.separator, isComplete: true) { cells in
                if column < cells.count { scan.add(cells[column]) }
                if let ofDay, ofDay < cells.count { scan.add(time: cells[ofDay]) }
                return scan.order == nil
            }
        }
        dateOrder = scan.order ?? scan.assumed
        isOrderAssumed = scan.order == nil
        spool.rest = splitter.source
        return spool
    }

    // MARK: Sample of the first rows

    private static func sample(_ header: CSVHeader, _ head: [UInt8]) -> [[[UInt8]]] {
        var rows: [[[UInt8]]] = []
        let rest = head.dropFirst(header.length)
        CSVHeader.forEachRow(in: rest, header.separator, isComplete: false) { cells in
            rows.append(cells)
            return rows.count < sampleRowCount
        }
        guard rows.isEmpty else { return rows }
        // The only row of the file, a truncated one, or one with a quote that is not closed.
        for row in rest.split(separator: UInt8(ascii: "\n")).prefix(sampleRowCount) {
            rows.append(CSVHeader.rawCells(Array(row), header.separator))
        }
        return rows
    }

    /// The column directly after a coordinate, if it is unnamed (or `dir`, `hem`, `ref`) and contains only these
    /// letters.
    private static func namelessHemisphere(
        _ header: CSVHeader, _ rows: [[[UInt8]]], following column: Int, _ letters: Set<String>
    ) -> Int? {
        let next = column + 1
        guard next < header.names.count, ["", "dir", "hem", "ref"].contains(header.names[next].lowercased()) else {
            return nil
        }
        let cells = rows.compactMap { next < $0.count ? text($0[next]) : nil }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy { letters.contains($0.uppercased()) } ? next : nil
    }

    private static func text(_ cell: [UInt8]) -> String {
        ByteText.string(cell.span, ByteText.trimmed(cell.span, cell.indices))
    }

    private static func scale(
        _ header: CSVHeader, _ rows: [[[UInt8]]], _ longitude: Int, _ latitude: Int, hasHemispheres: Bool
    ) -> CoordinateScale {
        if let named = CSVColumns.scale(of: header.names[latitude]) { return named }
        func numbers(_ column: Int) -> [FixedDecimal] {
            var numbers: [FixedDecimal] = []
            for row in rows where column < row.count {
                let cell = row[column]
                guard let number = FixedDecimal(cell.span, cell.indices, comma: header.comma), number.mantissa != 0
                else {
                    continue
                }
                numbers.append(number)
            }
            return numbers
        }
        let (east, north) = (numbers(longitude), numbers(latitude))
        guard !east.isEmpty, !north.isEmpty else { return .degrees }
        func isWithin(_ numbers: [FixedDecimal], _ limit: Double) -> Bool {
            numbers.allSatisfy { $0.places == 0 && $0.double.magnitude > 180 && $0.double.magnitude <= limit }
        }
        // Northings of projections are below ten million metres, and seldom whole. The price: 1e7 is 1°, so a file that
        // stays within 1° of the equator and of Greenwich is not recognised, and its points are refused as out of
        // range.
        let greatest = (east + north).map { $0.double.magnitude }.max() ?? 0
        let isPlanar = CSVColumns.isPlanar(header.names[latitude])
        if !isPlanar, greatest >= 1e7, isWithin(east, 1.8e9), isWithin(north, 9e8) { return .e7 }
        let isMinutes = hasHemispheres && north.contains { $0.double.magnitude > 90 }
        return isMinutes && (east + north).allSatisfy { CoordinateScale.degreesMinutes.degrees($0) != nil }
            ? .degreesMinutes : .degrees
    }
}

/// Detects the order of day, month and year in dates written as three numbers.
struct DateOrderDetector {
    private(set) var hasTriples = false
    private(set) var order: DateOrder?
    // The numbers seen in the first, second and third position, one bit per number.
    private var firsts: UInt32 = 0
    private var seconds: UInt32 = 0
    private var thirds: UInt32 = 0
    private var uses12HourClock = false
    private var isYearShort = false

    mutating func add(_ cell: [UInt8]) {
        guard order == nil, let spelling = WrittenTime(cell.span, cell.indices), let triple = spelling.triple,
            triple.digits.0 != 4
        else { return }
        hasTriples = true
        uses12HourClock = uses12HourClock || spelling.uses12HourClock
        let (first, second, third) = triple.numbers
        isYearShort = triple.digits.2 == 2
        if first < 32 { firsts |= 1 << first }
        if second < 32 { seconds |= 1 << second }
        if third < 32 { thirds |= 1 << third }
        if first > 31 {
            order = .yearMonthDay
        } else if triple.hasPoints {
            order = .dayMonthYear
        } else if !isYearShort || third > 31 {
            if first > 12 { order = .dayMonthYear } else if second > 12 { order = .monthDayYear }
        } else if second > 12 {
            order = .monthDayYear
        }
    }

    /// Adds a time of day from a column of its own.
    mutating func add(time cell: [UInt8]) {
        guard !uses12HourClock else { return }
        uses12HourClock = WrittenTime(cell.span, cell.indices)?.uses12HourClock ?? false
    }

    /// The likelier order if no date determines it: days vary more than months, and 12-hour clocks are American.
    var assumed: DateOrder {
        // With two-digit years: the days vary, the year does not.
        if isYearShort, firsts >> 13 != 0 {
            return thirds.nonzeroBitCount > firsts.nonzeroBitCount ? .yearMonthDay : .dayMonthYear
        }
        let (first, second) = (firsts.nonzeroBitCount, seconds.nonzeroBitCount)
        if first != second { return first > second ? .dayMonthYear : .monthDayYear }
        return uses12HourClock ? .monthDayYear : .dayMonthYear
    }
}

/// Replays bytes kept in a temporary file, then continues with the original source, which cannot be read a second time.
private final class SpooledSource: ByteSource {
    private let file: TemporaryFile
    private var source: FileSource?
    private var isReplayed = false
    var rest: (any ByteSource)?
    /// The error with which the source ended.
    var failure: (any Error)?

    init() throws {
        file = try TemporaryFile()
    }

    func append(_ block: [UInt8]) throws {
        try file.append(block)
    }

    func read() throws -> [UInt8] {
        if !isReplayed {
            let source = try source ?? FileSource(path: file.path)
            self.source = source
            let block = try source.read(upTo: blockSize)
            if !block.isEmpty { return block }
            isReplayed = true
        }
        if let failure { throw failure }
        return try rest?.read() ?? []
    }
}
