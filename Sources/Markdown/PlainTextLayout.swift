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
            return Self.wrapped(level <= 2 ? text.uppercased() : text, columns: columns)
        case .paragraph(let text):
            return indented(Self.wrapped(plain(text), columns: columns - Self.indent), by: Self.indent)
        case .list(let items): return items.flatMap { lines(of: $0) }
        case .table(let header, let rows):
            let table = PlainTextTable(
                header: header.map(plain), rows: rows.map { $0.map(cell) }, columns: columns - Self.indent)
            return indented(table.lines, by: Self.indent)
        case .code(let code):
            let indent = Self.indent * 2
            return indented(code.flatMap { Self.wrappedCode($0, columns: columns - indent) }, by: indent)
        }
    }

    private func lines(of item: MarkdownBlock.Item) -> [String] {
        let head = item.marker + " "
        let indent = Self.indent + head.count
        let lines = indented(Self.wrapped(plain(item.text), columns: columns - indent), by: indent)
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

    /// Wraps a text between its words.
    static func wrapped(_ text: String, columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }

    /// Wraps a line of code: a comment behind it gets lines of its own below it, other lines are continued with more
    /// indentation.
    static func wrappedCode(_ line: String, columns: Int) -> [String] {
        guard line.count > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let code = line.dropFirst(indent.count)
        if let gap = code.lastRange(of: "   "), gap.lowerBound > code.startIndex {
            let head = code[..<gap.lowerBound].trimmed
            let tail = code[gap.upperBound...].trimmed
            let comment = wrapped(tail, columns: columns - indent.count - 4).map { indent + "    " + $0 }
            return wrappedCode(indent + head, columns: columns) + comment
        }
        let words = wrapped(String(code), columns: columns - indent.count - 2)
        return words.enumerated().map { index, words in indent + (index > 0 ? "  " : "") + words }
    }
}

extension Substring {
    /// The last place where the text occurs.
    fileprivate func lastRange(of text: String) -> Range<Index>? {
        var found: Range<Index>?
        var position = startIndex
        while position < endIndex {
            if self[position...].hasPrefix(text) {
                found = position..<index(position, offsetBy: text.count)
            }
            position = index(after: position)
        }
        return found
    }
}
