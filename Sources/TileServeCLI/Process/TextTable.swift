/// Rows of cells as lines of text, in columns.
enum TextTable {
    /// The rows with two spaces between the columns; the columns `numbers` are aligned right.
    static func text(_ rows: [[String]], numbers: Range<Int> = 0..<0) -> String {
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
}
