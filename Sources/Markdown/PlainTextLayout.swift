import Text

/// Sets a document as plain text for a terminal.
///
/// Headings begin in the first column, the rest is indented. No line is longer than `columns`, except a word that is longer,
/// such as a URL: divided, it could not be copied.
package struct PlainTextLayout {
    private let columns: Int
    /// The text that is shown for a link.
    private let show: (MarkdownLink) -> String

    private static let indent = 2

    package init(columns: Int, show: @escaping (MarkdownLink) -> String) {
        self.columns = columns
        self.show = show
    }

    /// The lines of the document.
    package func lines(of blocks: [MarkdownBlock]) -> [String] {
        var lines: [String] = []
        for (index, block) in blocks.enumerated() {
            if index > 0 { lines.append("") }
            lines += self.lines(of: block)
        }
        return lines
    }

    private func lines(of block: MarkdownBlock) -> [String] {
        switch block {
        case .heading(let level, let text):
            let text = plain(text)
            return (level <= 2 ? text.uppercased() : text).wrapped(columns: columns)
        case .paragraph(let text):
            return indented(plain(text).wrapped(columns: columns - Self.indent), by: Self.indent)
        case .list(let items): return items.flatMap { lines(of: $0) }
        case .table(let header, let rows):
            let table = PlainTextTable(
                header: header.map(plain), rows: rows.map { $0.map(cell) }, columns: columns - Self.indent)
            return indented(table.lines, by: Self.indent)
        case .code(let code):
            let indent = Self.indent * 2
            return indented(code.flatMap { WrappedCode.lines($0, columns: columns - indent) }, by: indent)
        }
    }

    private func lines(of item: MarkdownBlock.Item) -> [String] {
        let head = item.marker + " "
        let indent = Self.indent + head.count
        let lines = indented(plain(item.text).wrapped(columns: columns - indent), by: indent)
        return [String(repeating: " ", count: Self.indent) + head + (lines.first ?? "").dropFirst(indent)]
            + lines.dropFirst()
    }

    private func plain(_ text: String) -> String {
        InlineMarkdown.plain(text, show: show)
    }

    /// Code in a cell without other words needs no quotation marks.
    private func cell(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        let isCode = parts.enumerated().allSatisfy { $0.offset % 2 == 1 || !$0.element.contains(where: \.isLetter) }
        return isCode ? parts.joined() : plain(text)
    }

    private func indented(_ lines: [String], by indent: Int) -> [String] {
        lines.map { $0.isEmpty ? $0 : String(repeating: " ", count: indent) + $0 }
    }
}
