import Files
import Tracks

/// Which columns of a table were taken for what.
public struct ColumnsTaken: Sendable, Equatable {
    /// The columns of the longitude and the latitude, with those of their hemispheres.
    public internal(set) var places: [String] = []
    /// The columns of the time; none where no column is one.
    public internal(set) var times: [String] = []
    /// Columns whose names look like those of times, and that are kept as fields.
    public internal(set) var others: [String] = []
    /// Those of them that count from a beginning that is not told.
    public internal(set) var relative: [String] = []
    /// How coordinates are counted.
    public internal(set) var scale = CoordinateScale.degrees
    /// The order of dates that are written as three numbers; nil where none are.
    public internal(set) var dateOrder: DateOrder?
    /// Whether no date of the file shows the order.
    public internal(set) var isOrderAssumed = false
    /// Whether numbers were taken for days since 1899-12-30.
    public internal(set) var areSerialDays = false
    /// The columns that were converted, with their units as the header has them.
    public internal(set) var converted: [String] = []
}

/// How the rows of a table are read: what its header says, and what its first rows show.
struct CSVPlan: Sendable {
    let header: CSVHeader
    let longitude: Int
    let latitude: Int
    private(set) var longitudeHemisphere: Int?
    private(set) var latitudeHemisphere: Int?
    private(set) var scale = CoordinateScale.degrees
    private(set) var time = CSVTimePlan.none
    /// Of hours ahead of UTC, beside times without an offset.
    private(set) var offset: Int?
    var dateOrder: DateOrder?
    /// Whether the rest of the file is to be asked for the order of its dates.
    private(set) var isOrderOpen = false
    private var isOrderAssumed = false
    private var relative: [Int] = []
    private var others: [Int] = []

    /// As many rows are looked at.
    private static let sampleRows = 1000

    /// nil where the header names no longitude or latitude.
    init?(_ header: CSVHeader, head: [UInt8]) {
        guard let longitude = header.column(.longitude), let latitude = header.column(.latitude) else { return nil }
        self.header = header
        self.longitude = longitude
        self.latitude = latitude
        let rows = Self.sample(header, head)
        let words = header.names.map { FieldVocabulary.normalised($0) }
        longitudeHemisphere = words.firstIndex { CSVColumns.longitudeHemispheres.contains($0) }
        latitudeHemisphere = words.firstIndex { CSVColumns.latitudeHemispheres.contains($0) }
        if header.names[longitude].isEmpty == false, longitudeHemisphere == nil, latitudeHemisphere == nil {
            longitudeHemisphere = Self.namelessHemisphere(header, rows, behind: longitude, ["E", "W"])
            latitudeHemisphere = Self.namelessHemisphere(header, rows, behind: latitude, ["N", "S"])
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
        relative = choice.relative
        others = choice.others
        if offset != nil, case .pair(let date, let clock) = time {
            time = .spelled(date: date, time: clock, whole: nil, isUTC: false)
        }
        if case .spelled(let date, _, let whole, _) = time, let column = date ?? whole {
            var scan = DateOrderScan(column: column)
            for row in rows where column < row.count { scan.add(row[column]) }
            dateOrder = scan.order
            isOrderOpen = scan.hasTriples && scan.order == nil
        }
    }

    /// The columns that are taken for something else than fields.
    var usedColumns: Set<Int> {
        Set(time.columns + [longitude, latitude, longitudeHemisphere, latitudeHemisphere].compactMap(\.self))
    }

    /// Which columns were taken for what.
    var taken: ColumnsTaken {
        var taken = ColumnsTaken()
        let names = header.names
        taken.places = [longitude, longitudeHemisphere, latitude, latitudeHemisphere].compactMap {
            $0.map { names[$0] }
        }
        taken.times = (time.columns + (time.columns.isEmpty ? [] : [offset].compactMap(\.self))).map { names[$0] }
        taken.others = others.map { names[$0] }
        taken.relative = relative.map { names[$0] }
        taken.scale = scale
        taken.dateOrder = dateOrder
        taken.isOrderAssumed = isOrderAssumed
        if case .serialDays = time { taken.areSerialDays = true }
        for (column, unit) in header.units.enumerated() {
            if let unit, !unit.isOwn, !usedColumns.contains(column) { taken.converted.append(names[column]) }
        }
        return taken
    }

    /// Looks for the order of dates where the first rows leave it open; gives back what is to be read from its beginning.
    mutating func findDateOrder(in source: PeekedSource, _ reading: FileReading) throws -> any ByteSource {
        guard isOrderOpen, case .spelled(let date, _, let whole, _) = time, let column = date ?? whole else {
            return source
        }
        var scan = DateOrderScan(column: column)
        var rest: any ByteSource = source
        let spool = try SpooledSource()
        var held: [UInt8] = []
        var toSkip = header.length
        while scan.order == nil {
            let block: [UInt8]
            do { block = try reading.next(from: &rest) } catch {
                guard ImportFailure(error).keepsWholePoints else { throw error }
                spool.failure = error
                break
            }
            guard !block.isEmpty else { break }
            try spool.append(block)
            held += block.dropFirst(toSkip)
            toSkip = max(0, toSkip - block.count)
            while let end = held.firstIndex(of: UInt8(ascii: "\n")) {
                // All rows at once: cutting them off one by one would copy the rest each time.
                let last = held.lastIndex(of: UInt8(ascii: "\n")) ?? end
                for row in held[...last].split(separator: UInt8(ascii: "\n")) where scan.order == nil {
                    let cells = CSVHeader.rawCells(Array(row), header.separator)
                    if column < cells.count { scan.add(cells[column]) }
                }
                held.removeFirst(last + 1)
            }
            // What has no line end is no row of a track.
            if held.count > CSVSplitter.rowLimit { held = [] }
        }
        if scan.order == nil, !held.isEmpty {
            let cells = CSVHeader.rawCells(held, header.separator)
            if column < cells.count { scan.add(cells[column]) }
        }
        dateOrder = scan.order ?? scan.assumed
        isOrderAssumed = scan.order == nil
        spool.rest = rest
        return spool
    }

    // MARK: The first rows

    private static func sample(_ header: CSVHeader, _ head: [UInt8]) -> [[[UInt8]]] {
        var rows: [[[UInt8]]] = []
        var at = min(header.length, head.count)
        while rows.count < sampleRows, at < head.count {
            guard let end = head[at...].firstIndex(of: UInt8(ascii: "\n")) else {
                // The last row of the file, or one that is cut.
                if rows.isEmpty { rows.append(CSVHeader.rawCells(Array(head[at...]), header.separator)) }
                break
            }
            rows.append(CSVHeader.rawCells(Array(head[at..<end]), header.separator))
            at = end + 1
        }
        return rows
    }

    /// A column without a name right behind a coordinate that holds nothing but these letters.
    private static func namelessHemisphere(
        _ header: CSVHeader, _ rows: [[[UInt8]]], behind column: Int, _ letters: Set<String>
    ) -> Int? {
        let next = column + 1
        guard next < header.names.count, ["", "dir", "hem", "ref"].contains(header.names[next].lowercased()) else {
            return nil
        }
        let cells = rows.compactMap { next < $0.count ? text($0[next]) : nil }.filter { !$0.isEmpty }
        return !cells.isEmpty && cells.allSatisfy { letters.contains($0.uppercased()) } ? next : nil
    }

    private static func text(_ cell: [UInt8]) -> String {
        Text.string(cell.span, Text.trimmed(cell.span, cell.indices))
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
        // Metres of a projection are less than ten million to the north, and seldom whole.
        let greatest = (east + north).map { $0.double.magnitude }.max() ?? 0
        let isPlanar = CSVColumns.isPlanar(header.names[latitude])
        if !isPlanar, greatest >= 1e7, isWithin(east, 1.8e9), isWithin(north, 9e8) { return .e7 }
        let isMinutes = hasHemispheres && north.contains { $0.double.magnitude > 90 }
        return isMinutes && (east + north).allSatisfy { CoordinateScale.degreesMinutes.degrees($0) != nil }
            ? .degreesMinutes : .degrees
    }
}

/// Finds out from dates of three numbers in which order they have them.
struct DateOrderScan {
    let column: Int
    private(set) var hasTriples = false
    private(set) var order: DateOrder?
    // Which numbers came first, second and third: a bit for each.
    private var firsts: UInt32 = 0
    private var seconds: UInt32 = 0
    private var thirds: UInt32 = 0
    private var hasHalves = false
    private var isYearShort = false

    init(column: Int) {
        self.column = column
    }

    mutating func add(_ cell: [UInt8]) {
        guard order == nil, let spelling = TimeSpelling(cell.span, cell.indices), let triple = spelling.triple,
            triple.digits.0 != 4
        else { return }
        hasTriples = true
        hasHalves = hasHalves || spelling.hasHalf
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

    /// What is most likely where no date shows it: days change more often than months, and clocks of twelve hours are American.
    var assumed: DateOrder {
        // Of a year of two digits, days change and the year does not.
        if isYearShort, firsts >> 13 != 0 {
            return thirds.nonzeroBitCount > firsts.nonzeroBitCount ? .yearMonthDay : .dayMonthYear
        }
        let (first, second) = (firsts.nonzeroBitCount, seconds.nonzeroBitCount)
        if first != second { return first > second ? .dayMonthYear : .monthDayYear }
        return hasHalves ? .monthDayYear : .dayMonthYear
    }
}

/// Bytes that were kept in a file without a name, then those of the source that they came from.
private final class SpooledSource: ByteSource {
    private let file: TemporaryFile
    private var source: FileSource?
    private var isBehind = false
    var rest: (any ByteSource)?
    /// What the source broke off with.
    var failure: (any Error)?

    init() throws {
        file = try TemporaryFile()
    }

    func append(_ block: [UInt8]) throws {
        try file.append(block)
    }

    func read() throws -> [UInt8] {
        if !isBehind {
            let source = try source ?? FileSource(path: file.path)
            self.source = source
            let block = try source.read(upTo: blockSize)
            if !block.isEmpty { return block }
            isBehind = true
        }
        if let failure { throw failure }
        return try rest?.read() ?? []
    }
}
