import Text
import Tracks

/// The header row of a CSV file.
struct CSVHeader: Sendable {
    /// Separator between cells.
    let separator: UInt8
    /// Column names.
    let names: [String]
    /// Column roles.
    let roles: [CSVRole]
    /// Units of field columns, where the header or a convention states one.
    let units: [FieldUnit?]
    /// Length of the header in bytes, including everything before it.
    let length: Int
    /// Number of lines of the header, including those before it.
    let lines: Int

    /// Whether decimals may have a comma.
    var comma: Bool { separator == UInt8(ascii: ";") || separator == UInt8(ascii: "\t") }

    /// The column with a role.
    func column(_ role: CSVRole) -> Int? { roles.firstIndex(of: role) }

    /// Number of lines searched for the header; comments, blank lines and Excel's `sep=;` may precede it.
    private static let prefaceLimit = 32

    /// Finds the header in the first bytes of a file; nil if no row names both longitude and latitude.
    init?(head: [UInt8]) {
        var at = ByteOrderMark.length(in: head)
        for line in 1...Self.prefaceLimit {
            guard at < head.count else { return nil }
            let end = head[at...].firstIndex(of: UInt8(ascii: "\n")) ?? head.count
            let row = Self.row(head[at..<end])
            if let (separator, names) = Self.names(in: row) {
                self.separator = separator
                self.names = names
                let roles = CSVColumns.roles(of: names)
                self.roles = roles
                let unitRow = Self.unitRow(above: at, in: head, separator, count: names.count)
                // Attitude shows an avionics log, in which speeds are in knots and altitudes in feet.
                let isFlight = names.contains("Bank") && names.contains("Pitch")
                let services = [FieldName.speed, FieldName.distance].reduce(into: [:]) { units, field in
                    units[field] = ServiceUnits.unit(of: field, in: names)
                }
                units = zip(names.indices, names).map { column, name in
                    guard case .field(let field, _) = roles[column] else { return nil }
                    if let unit = UnitName(name).field?.unit { return unit }
                    if let unit = unitRow[column], unit.quantity == FieldUnit.quantity(of: field) { return unit }
                    if let unit = services[field] { return unit }
                    return CSVColumns.conventionalUnit(name, field, isFlight: isFlight)
                }
                length = min(end + 1, head.count)
                lines = line
                return
            }
            at = end + 1
        }
        return nil
    }

    /// Describes a text that has columns but no header with coordinates; nil for other texts.
    static func looksLikeColumns(_ head: [UInt8]) -> String? {
        let row = head.prefix { $0 != UInt8(ascii: "\n") }
        let separatorCount = separators.map { separator in row.count { $0 == separator } }.max() ?? 0
        guard separatorCount >= 1, row.count < 4096 else { return nil }
        return "columns without a header that names longitude and latitude"
    }

    /// Whether each NUL is followed by another one or by the end of a cell: Columbus loggers fill cells up to a fixed width
    /// with NULs, which are trimmed like blanks.
    static func hasOnlyPaddingNULs(_ text: [UInt8]) -> Bool {
        guard text.contains(0) else { return true }
        return zip(text, text.dropFirst()).allSatisfy { byte, next in
            byte != 0 || next == 0 || next == UInt8(ascii: "\r") || next == UInt8(ascii: "\n")
                || separators.contains(next)
        }
    }

    private static let separators = Array(",;\t|".utf8)

    private static func row(_ line: ArraySlice<UInt8>) -> [UInt8] {
        line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line)
    }

    /// The units in a comment line directly above the header, one cell per column, as avionics software writes them.
    private static func unitRow(above start: Int, in head: [UInt8], _ separator: UInt8, count: Int) -> [FieldUnit?] {
        let none = [FieldUnit?](repeating: nil, count: count)
        guard start > 1,
            let before = head[..<(start - 1)].lastIndex(of: UInt8(ascii: "\n")).map({ $0 + 1 }) ?? Optional(0),
            head[before] == UInt8(ascii: "#")
        else { return none }
        let cells = cells(row(head[(before + 1)..<(start - 1)]), separator)
        return cells.count == count ? cells.map { FieldUnit($0) } : none
    }

    /// The names of a row that names longitude and latitude, with the separator that yields them.
    private static func names(in row: [UInt8]) -> (UInt8, [String])? {
        guard row.count <= 16_384 else { return nil }
        let bare = row.first == UInt8(ascii: "#") ? Array(row.dropFirst()) : row
        for separator in separators {
            let names = cells(bare, separator)
            let roles = Set(CSVColumns.roles(of: names))
            if roles.contains(.longitude), roles.contains(.latitude) { return (separator, names) }
        }
        return nil
    }

    private static func cells(_ row: [UInt8], _ separator: UInt8) -> [String] {
        rawCells(row, separator).map { ByteText.string($0.span, ByteText.trimmed($0.span, $0.indices)) }
    }

    /// Calls `body` with the cells of each row, without quotes, until it returns false. Line breaks in quotes do not
    /// end a row, as in `CSVSplitter`. If `isComplete`, the end of the bytes ends a row, too.
    static func forEachRow(
        in bytes: ArraySlice<UInt8>, _ separator: UInt8, isComplete: Bool, _ body: ([[UInt8]]) -> Bool
    ) {
        let (quote, newline) = (UInt8(ascii: "\""), UInt8(ascii: "\n"))
        var cells: [[UInt8]] = [[]]
        var isQuoted = false
        var isCellStart = true
        var wasQuoted = false
        for byte in bytes {
            let canOpen = isCellStart || wasQuoted
            wasQuoted = false
            if isQuoted {
                if byte == quote { (isQuoted, wasQuoted) = (false, true) } else { cells[cells.count - 1].append(byte) }
                isCellStart = false
                continue
            }
            isCellStart = byte == separator || byte == newline
            if byte == quote {
                isQuoted = canOpen
            } else if byte == separator {
                cells.append([])
            } else if byte == newline {
                guard body(cells) else { return }
                cells = [[]]
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        if isComplete, cells != [[]] { _ = body(cells) }
    }

    /// The cells of a row, without quotes.
    static func rawCells(_ row: [UInt8], _ separator: UInt8) -> [[UInt8]] {
        var cells: [[UInt8]] = [[]]
        var quoted = false
        for byte in row {
            if byte == UInt8(ascii: "\"") {
                quoted.toggle()
            } else if byte == separator, !quoted {
                cells.append([])
            } else {
                cells[cells.count - 1].append(byte)
            }
        }
        return cells
    }
}
