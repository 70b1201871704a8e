import Text

/// A table as lines of text: in columns if they fit, else each row as a paragraph.
struct PlainTextTable {
    private let header: [String]
    private let rows: [[String]]
    private let columns: Int

    private static let gap = 2
    /// A column with wrapped text is at least this wide; narrower ones are hard to read.
    private static let minimum = 16

    init(header: [String], rows: [[String]], columns: Int) {
        self.header = header
        self.rows = rows
        self.columns = columns
    }

    var lines: [String] {
        widths.map(inColumns) ?? rows.flatMap { [""] + asParagraph($0) }.dropFirst().map { $0 }
    }

    /// The widths of the columns: those of the texts, if they fit. Else narrow columns keep their width, and the others share
    /// the rest. nil if a word does not fit.
    private var widths: [Int]? {
        let all = header.allSatisfy(\.isEmpty) ? rows : [header] + rows
        let count = all.map(\.count).max() ?? 0
        let cells = (0..<count).map { column in all.map { column < $0.count ? $0[column] : "" } }
        let natural = cells.map { $0.map(\.count).max() ?? 0 }
        let longestWord = cells.map { $0.flatMap { $0.split(separator: " ") }.map(\.count).max() ?? 0 }
        let available = columns - Self.gap * (count - 1)
        guard natural.reduce(0, +) > available else { return natural }
        let least = zip(natural, longestWord).map { min($0, max($1, Self.minimum)) }
        guard least.reduce(0, +) <= available else { return nil }
        return shared(available, natural: natural, least: least)
    }

    /// Gives each column its least width, and one character after the other to the column that lacks most.
    private func shared(_ available: Int, natural: [Int], least: [Int]) -> [Int] {
        var widths = least
        for _ in 0..<(available - least.reduce(0, +)) {
            // A column needs as many lines as its text divided by its width.
            let needed = widths.indices.map { Double(natural[$0]) / Double(max(widths[$0], 1)) }
            guard let column = needed.indices.max(by: { needed[$0] < needed[$1] }) else { break }
            widths[column] += 1
        }
        return widths
    }

    private func inColumns(_ widths: [Int]) -> [String] {
        var lines: [String] = []
        if !header.allSatisfy(\.isEmpty) {
            lines += row(header, widths)
            lines.append(widths.map { String(repeating: "-", count: $0) }.joined(separator: "  "))
        }
        let texts = rows.map { row($0, widths) }
        // Without empty lines between them, it is not clear where a row begins whose first cell has several lines.
        let isSpaced = rows.contains { ($0.first?.count ?? 0) > (widths.first ?? 0) }
        for (index, text) in texts.enumerated() {
            if isSpaced, index > 0 { lines.append("") }
            lines += text
        }
        return lines
    }

    private func row(_ cells: [String], _ widths: [Int]) -> [String] {
        let wrapped = zip(cells, widths).map { $0.wrapped(columns: $1) }
        return (0..<(wrapped.map(\.count).max() ?? 0)).map { line in
            let parts = zip(wrapped, widths).map { lines, width in
                let text = line < lines.count ? lines[line] : ""
                return text + String(repeating: " ", count: max(0, width - text.count))
            }
            var text = parts.joined(separator: String(repeating: " ", count: Self.gap))
            while text.last == " " { text.removeLast() }
            return text
        }
    }

    /// The first cell, and below it the others, with the titles of their columns if there are several.
    private func asParagraph(_ cells: [String]) -> [String] {
        let indent = "    "
        var lines = (cells.first ?? "").wrapped(columns: columns)
        for (title, cell) in zip(header, cells).dropFirst() where !cell.isEmpty {
            let text = cells.count > 2 && !title.isEmpty ? "\(title): \(cell)" : cell
            lines += text.wrapped(columns: columns - indent.count).map { indent + $0 }
        }
        return lines
    }
}
