import Text
import Tracks

/// Rows of cells as lines of text, in columns.
enum TextTable {
    /// The rows with two spaces between the columns; the columns `numbers` are aligned right.
    static func text(_ texts: [[String]], numbers: Range<Int> = 0..<0) -> String {
        let rows = texts.map { $0.map(\.singleLine) }
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                numbers.contains(column) ? cell.leftPadded(to: widths[column]) : cell.padded(to: widths[column])
            }
            let line = cells.joined(separator: "  ")
            return (line.lastIndex { $0 != " " }.map { String(line[...$0]) } ?? "") + "\n"
        }.joined()
    }

    /// Names and texts, one to a line, with the texts aligned; without those that have no text.
    static func details(_ rows: [(name: String, text: String?)]) -> [String] {
        let known = rows.compactMap { row in row.text.map { (row.name.singleLine, $0.singleLine) } }
        let width = known.map(\.0.count).max() ?? 0
        return known.map { $0.0.padded(to: width + 2) + $0.1 }
    }

    /// An instant in UTC and in the library's time zone, for details.
    static func instant(_ time: Int64, _ calendar: DayCalendar) -> String {
        "\(InstantFormatter.utc(time)) (\(InstantFormatter.local(time, calendar)) \(calendar.zone))"
    }

    /// The message about something that the library does not have; a command `list` of its group lists what there is.
    static func noSuch(_ kind: String, _ name: String) -> String {
        "\(name.singleLine): no such \(kind); see 'tileserve \(kind)s list'"
    }
}
