import Foundation
import Text
import Tracks

/// Rows of a CSV file, stored as columns.
struct CSVRows: Sendable {
    /// Consecutive rows of the same segment of the same recording.
    struct Run: Sendable {
        /// Index into `keys`.
        var key: Int
        var segment: String?
        var name: String?
        /// The first row; the run ends at the next run, or at the last row.
        var start: Int
    }

    /// Plain numbers, and texts for all other cells.
    struct Field: Sendable {
        var numbers = SparseNumbers()
        var texts: [(row: Int, text: String)] = []
    }

    var longitudes: [FixedDecimal] = []
    var latitudes: [FixedDecimal] = []
    var times: [Int64] = []
    /// How far clocks were set back, for the rows with a time that they showed twice; `times` has the first instant.
    var shifts: [Int: Int64] = [:]
    var fields: [Field]
    var keys: [TrackKey] = []
    var runs: [Run] = []
    /// Lines are counted from 0 at the start of the block.
    var refused = Findings<Refusal>()
    var unreadTimes = Findings<String>()
    var lines = 0
}

/// Reads blocks that begin and end with a row; a value, so that several blocks can be read concurrently.
struct CSVBlockReader: Sendable {
    private struct FieldColumn {
        var column: Int
        var isText: Bool
        var unit: FieldUnit?
        /// What the field measures, so that a unit in a cell can be one of it.
        var quantity: FieldUnit.Quantity
    }

    let fieldNames: [String]

    private let separator: UInt8
    private let comma: Bool
    private let columnCount: Int
    let plan: CSVPlan
    private let longitude: Int
    private let latitude: Int
    /// Whether coordinates are signed degrees, the usual case.
    private let isPlain: Bool
    /// The index of the field that keeps unreadable times.
    private let unreadTimeField: Int
    private let fields: [FieldColumn]
    private let keys: [(role: CSVRole, column: Int)]
    private var times: InstantReader

    init(_ plan: CSVPlan, times: InstantReader) {
        self.plan = plan
        self.times = times
        // The rows before a block are not known when it is read.
        self.times.isInOrder = false
        let header = plan.header
        longitude = plan.longitude
        latitude = plan.latitude
        isPlain = plan.scale == .degrees && plan.longitudeHemisphere == nil && plan.latitudeHemisphere == nil
        separator = header.separator
        comma = header.comma
        columnCount = header.roles.count
        let used = plan.usedColumns
        var names: [String] = []
        var fields: [FieldColumn] = []
        for (column, role) in header.roles.enumerated() {
            guard !used.contains(column), case .field(let name, let isText) = role else { continue }
            fields.append(
                FieldColumn(
                    column: column, isText: isText, unit: header.units[column], quantity: FieldUnit.quantity(of: name)))
            names.append(names.contains(name) ? "\(name) \(column + 1)" : name)
        }
        self.fields = fields
        unreadTimeField = names.count
        if let stamp = plan.time.columns.last { names.append(ElementName.decoded(header.names[stamp])) }
        fieldNames = names
        let keyRoles: [CSVRole] = [.person, .device, .track, .activity, .segment, .trackName]
        keys = keyRoles.compactMap { role in header.column(role).map { (role, $0) } }
    }

    /// Reads the rows of a block; `isLast` means that the file ends with it.
    func rows(of block: [UInt8], isLast: Bool) -> CSVRows {
        let bytes = block.span
        var state = CSVBlockState(columns: columnCount, keys: keys.count, fields: fieldNames.count, times: times)
        var at = 0
        while at < bytes.count {
            let start = at
            let line = state.rows.lines
            let found = split(bytes, from: &at, into: &state)
            guard found > 1 || !ByteText.trimmed(bytes, start..<at).isEmpty else { continue }
            // If the file ends within a row, the last cell that is there may be cut, too: half a longitude is a valid
            // number.
            let isCut = isLast && at == bytes.count && bytes[at - 1] != UInt8(ascii: "\n") && found < columnCount
            guard !isCut, found > longitude, found > latitude else {
                state.rows.refused.add(.shortRow(columns: found), line: line)
                continue
            }
            take(bytes, &state, line: line, cells: found)
        }
        return state.rows
    }

    /// Finds the cells of a row, moves `at` past it, and returns the number of cells.
    @inline(__always)
    private func split(_ bytes: Span<UInt8>, from at: inout Int, into state: inout CSVBlockState) -> Int {
        let newline = UInt8(ascii: "\n")
        let end = bytes.count
        var cell = 0
        var start = at
        while true {
            if at < end, bytes[at] == UInt8(ascii: "\"") {
                at = closingQuote(bytes, at + 1, &state)
                state.set(cell, start + 1, at)
                while at < end, bytes[at] != separator, bytes[at] != newline { at += 1 }
            } else {
                while at < end {
                    let byte = bytes[at]
                    if byte == separator || byte == newline { break }
                    at += 1
                }
                state.set(cell, start, at)
            }
            cell += 1
            guard at < end, bytes[at] == separator else { break }
            at += 1
            start = at
        }
        if at < end { at += 1 }
        state.rows.lines += 1
        return cell
    }

    /// The index of the quote that closes a cell; `start` is the first byte inside the quotes.
    private func closingQuote(_ bytes: Span<UInt8>, _ start: Int, _ state: inout CSVBlockState) -> Int {
        let quote = UInt8(ascii: "\"")
        var at = start
        while at < bytes.count {
            if bytes[at] == quote {
                guard at + 1 < bytes.count, bytes[at + 1] == quote else { return at }
                at += 1
            } else if bytes[at] == UInt8(ascii: "\n") {
                state.rows.lines += 1
            }
            at += 1
        }
        return at
    }

    @inline(__always)
    private func take(_ bytes: Span<UInt8>, _ state: inout CSVBlockState, line: Int, cells: Int) {
        guard let place = isPlain ? plainPlace(bytes, state) : uncommonPlace(bytes, state, cells: cells) else {
            let reason = refusal(bytes, state, cells: cells)
            state.rows.refused.add(reason, line: line)
            return
        }
        let row = state.rows.times.count
        if !keys.isEmpty || row == 0 { takeKey(bytes, &state, row: row, cells: cells) }
        state.rows.longitudes.append(place.longitude)
        state.rows.latitudes.append(place.latitude)
        state.rows.times.append(
            time(bytes, &state, line: line, cells: cells, row: row)?.milliseconds ?? PointColumns.untimed)
        let shift = state.times.takeShift()
        if shift != 0 { state.rows.shifts[row] = shift }
        for (index, field) in fields.enumerated() where field.column < cells {
            if let unit = field.unit, !unit.isLibraryUnit {
                takeConverted(bytes, state.cell(field.column), field, unit, &state.rows.fields[index], row: row)
            } else {
                takeField(bytes, state.cell(field.column), field, &state.rows.fields[index], row: row)
            }
        }
    }

    @inline(__always)
    private func plainPlace(_ bytes: Span<UInt8>, _ state: CSVBlockState) -> Place? {
        if let east = FixedDecimal(bytes, state.cell(longitude), comma: comma),
            let north = FixedDecimal(bytes, state.cell(latitude), comma: comma)
        {
            return Place(longitude: east, latitude: north)
        }
        return uncommonPlace(bytes, state, cells: 0)
    }

    /// Reads coordinates with letters, with hemispheres in separate columns, or in another unit.
    private func uncommonPlace(_ bytes: Span<UInt8>, _ state: CSVBlockState, cells: Int) -> Place? {
        guard let east = coordinate(bytes, state, longitude, plan.longitudeHemisphere, .longitude, cells),
            let north = coordinate(bytes, state, latitude, plan.latitudeHemisphere, .latitude, cells)
        else { return nil }
        return Place(longitude: east, latitude: north)
    }

    private func coordinate(
        _ bytes: Span<UInt8>, _ state: CSVBlockState, _ column: Int, _ hemisphere: Int?, _ axis: AngleText.Axis,
        _ cells: Int
    ) -> FixedDecimal? {
        let cell = state.cell(column)
        let number = FixedDecimal(bytes, cell, comma: comma).flatMap { plan.scale.degrees($0) }
        guard let degrees = number ?? AngleText.degrees(bytes, cell, axis, comma: comma) else { return nil }
        guard let hemisphere else { return degrees }
        // A number without its hemisphere, or with a sign that contradicts it, is invalid.
        guard hemisphere < cells,
            let isNegative = AngleText.hemisphere(Self.text(bytes, state.cell(hemisphere)), axis),
            degrees.mantissa >= 0 || isNegative
        else { return nil }
        return isNegative && degrees.mantissa > 0
            ? FixedDecimal(mantissa: -degrees.mantissa, places: degrees.places) : degrees
    }

    private func takeConverted(
        _ bytes: Span<UInt8>, _ cell: Range<Int>, _ column: FieldColumn, _ unit: FieldUnit,
        _ field: inout CSVRows.Field, row: Int
    ) {
        let cell = ByteText.trimmed(bytes, cell)
        guard !cell.isEmpty else { return }
        if let number = FixedDecimal(bytes, cell, comma: comma).flatMap({ unit.converted($0) }) {
            field.numbers.set(number, at: row)
        } else {
            takeText(bytes, cell, column, &field, row: row)
        }
    }

    @inline(__always)
    private func takeField(
        _ bytes: Span<UInt8>, _ cell: Range<Int>, _ column: FieldColumn, _ field: inout CSVRows.Field, row: Int
    ) {
        let cell = ByteText.trimmed(bytes, cell)
        guard !cell.isEmpty else { return }
        if !column.isText, let number = FixedDecimal(plain: bytes, cell, comma: comma) {
            field.numbers.set(number, at: row)
        } else if column.unit != nil, let number = FixedDecimal(bytes, cell, comma: comma) {
            // In a column with a unit, `4.2E1` is a number too.
            field.numbers.set(number, at: row)
        } else {
            takeText(bytes, cell, column, &field, row: row)
        }
    }

    /// Takes a cell that is no number, but may be a number with its unit: `98.470 m`, `0.865 km/h`.
    private func takeText(
        _ bytes: Span<UInt8>, _ cell: Range<Int>, _ column: FieldColumn, _ field: inout CSVRows.Field, row: Int
    ) {
        let text = Self.text(bytes, cell)
        if let number = FieldUnit.measured(text, column.quantity, comma: comma) {
            field.numbers.set(number, at: row)
        } else {
            field.texts.append((row, text))
        }
    }

    @inline(__always)
    private func time(
        _ bytes: Span<UInt8>, _ state: inout CSVBlockState, line: Int, cells: Int, row: Int
    ) -> Instant? {
        switch plan.time {
        case .instant(let column, let unit):
            guard column < cells else { return nil }
            let cell = state.cell(column)
            if let found = state.times.instant(bytes, cell, unit: unit) { return found }
            // A column whose name states a unit may contain written times nevertheless.
            if unit != nil, let found = state.times.instant(bytes, cell) { return found }
        case .pair(let date, let timeOfDay):
            guard date < cells, timeOfDay < cells else { break }
            let cell = state.cell(timeOfDay)
            if let found = state.times.instant(bytes, date: state.cell(date), time: cell) { return found }
            // The time column may contain both date and time.
            if cell.count >= 10, let found = state.times.instant(bytes, cell) { return found }
        case .none: return nil
        case .spelled, .serialDays: break
        }
        if let found = uncommonTime(bytes, &state, cells: cells) { return found }
        keepUnreadTime(bytes, &state, line: line, cells: cells, row: row)
        return nil
    }

    /// Keeps an unreadable time as a field.
    private func keepUnreadTime(_ bytes: Span<UInt8>, _ state: inout CSVBlockState, line: Int, cells: Int, row: Int) {
        let parts = plan.time.columns.compactMap { column -> String? in
            let text = column < cells ? Self.text(bytes, state.cell(column)) : ""
            return text.isEmpty ? nil : text
        }
        guard !parts.isEmpty else { return }
        let stamp = parts.joined(separator: " ")
        state.rows.unreadTimes.add(stamp, line: line)
        state.rows.fields[unreadTimeField].texts.append((row, stamp))
    }

    private func refusal(_ bytes: Span<UInt8>, _ state: CSVBlockState, cells: Int) -> Refusal {
        let east = ByteText.trimmed(bytes, state.cell(longitude))
        let north = ByteText.trimmed(bytes, state.cell(latitude))
        if east.isEmpty || north.isEmpty { return .noPlace }
        func written(_ cell: Range<Int>, _ hemisphere: Int?) -> String {
            let letter = hemisphere.map { $0 < cells ? Self.text(bytes, state.cell($0)) : "" }
            return Self.text(bytes, cell) + (letter.map { $0.isEmpty ? " (no hemisphere)" : " " + $0 } ?? "")
        }
        let number = coordinate(bytes, state, longitude, plan.longitudeHemisphere, .longitude, cells)
        guard let number, Place.isWithin(number, degrees: 180) else {
            return .longitude(written(east, plan.longitudeHemisphere))
        }
        return .latitude(written(north, plan.latitudeHemisphere))
    }

    // MARK: Recording keys

    private func takeKey(_ bytes: Span<UInt8>, _ state: inout CSVBlockState, row: Int, cells: Int) {
        if row > 0, isSameKey(bytes, state, cells) { return }
        var key = TrackKey()
        var run = CSVRows.Run(key: 0, segment: nil, name: nil, start: row)
        for (index, (role, column)) in keys.enumerated() {
            let cell = column < cells ? state.cell(column) : 0..<0
            state.key[index] = cell
            let trimmed = ByteText.trimmed(bytes, cell)
            guard !trimmed.isEmpty else { continue }
            let word = Self.text(bytes, trimmed)
            switch role {
            case .person: key.person = word
            case .device: key.device = word
            case .track: key.track = word
            case .activity: key.activity = word.lowercased()
            case .segment: run.segment = word
            default: run.name = word
            }
        }
        run.key = state.number(of: key)
        state.rows.runs.append(run)
    }

    @inline(__always)
    private func isSameKey(_ bytes: Span<UInt8>, _ state: CSVBlockState, _ cells: Int) -> Bool {
        for index in keys.indices {
            let column = keys[index].column
            let old = state.key[index]
            let new = column < cells ? state.cell(column) : 0..<0
            guard old.count == new.count else { return false }
            for offset in 0..<old.count where bytes[old.lowerBound + offset] != bytes[new.lowerBound + offset] {
                return false
            }
        }
        return true
    }

    fileprivate static func text(_ bytes: Span<UInt8>, _ cell: Range<Int>) -> String {
        let trimmed = ByteText.trimmed(bytes, cell)
        return CSVText.unquoted(ByteText.string(bytes, trimmed))
    }
}

/// Working state while a block is read.
struct CSVBlockState {
    var rows: CSVRows
    var times: InstantReader
    /// The key cells of the last row that began a run, one for each key column.
    var key: [Range<Int>]
    private var starts: [Int]
    private var ends: [Int]
    private var numbers: [TrackKey: Int] = [:]

    init(columns: Int, keys: Int, fields: Int, times: InstantReader) {
        rows = CSVRows(fields: Array(repeating: CSVRows.Field(), count: fields))
        self.times = times
        key = Array(repeating: 0..<0, count: keys)
        starts = Array(repeating: 0, count: columns)
        ends = Array(repeating: 0, count: columns)
    }

    @inline(__always)
    mutating func set(_ cell: Int, _ start: Int, _ end: Int) {
        // Cells after the header's last column are ignored.
        guard cell < starts.count else { return }
        starts[cell] = start
        ends[cell] = end
    }

    @inline(__always)
    func cell(_ column: Int) -> Range<Int> {
        starts[column]..<max(starts[column], ends[column])
    }

    mutating func number(of key: TrackKey) -> Int {
        if let number = numbers[key] { return number }
        numbers[key] = rows.keys.count
        rows.keys.append(key)
        return rows.keys.count - 1
    }
}
