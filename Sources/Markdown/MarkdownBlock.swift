import Text

/// A part of a document. Texts contain inline markup, which `InlineMarkdown` removes.
package enum MarkdownBlock: Equatable {
    case heading(level: Int, String)
    case paragraph(String)
    /// Items with their markers, `-` or `2.`.
    case list([Item])
    case table(header: [String], rows: [[String]])
    /// The lines of a code block.
    case code([String])

    package struct Item: Equatable {
        package let marker: String
        package let text: String
    }
}

/// The blocks of a document. Reads the part of Markdown (as GitHub defines it) that the pages of the manual use: headings,
/// paragraphs, lists of one level, tables, and code with fences.
package struct MarkdownReader {
    private let lines: [Substring]
    private var position = 0

    package static func blocks(of text: String) -> [MarkdownBlock] {
        var reader = MarkdownReader(lines: text.split(separator: "\n", omittingEmptySubsequences: false))
        var blocks: [MarkdownBlock] = []
        while let block = reader.next() { blocks.append(block) }
        return blocks
    }

    private mutating func next() -> MarkdownBlock? {
        while position < lines.count, lines[position].isBlank { position += 1 }
        guard position < lines.count else { return nil }
        let line = lines[position]
        if let heading = Self.heading(line) {
            position += 1
            return heading
        }
        if line.hasPrefix("```") { return fencedCode() }
        if line.hasPrefix("|") { return table() }
        if Self.item(line) != nil { return list() }
        // A line of a paragraph may begin with a number and a full stop; so only `1.` begins a list there.
        return .paragraph(
            text { Self.beginsBlock($0) || ["-", "1."].contains(Self.item($0)?.marker) })
    }

    private static func beginsBlock(_ line: Substring) -> Bool {
        heading(line) != nil || line.hasPrefix("```") || line.hasPrefix("|")
    }

    private static func heading(_ line: Substring) -> MarkdownBlock? {
        let level = line.prefix { $0 == "#" }.count
        guard (1...6).contains(level), line.dropFirst(level).first == " " else { return nil }
        return .heading(level: level, line.dropFirst(level).trimmed)
    }

    /// The marker of a list item, and the text after it.
    private static func item(_ line: Substring) -> (marker: String, text: Substring)? {
        if line.hasPrefix("- ") { return ("-", line.dropFirst(2)) }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, line.dropFirst(digits.count).hasPrefix(". ") else { return nil }
        return (digits + ".", line.dropFirst(digits.count + 2))
    }

    /// The lines from the current one to a blank one, or to one that ends the text, joined by spaces.
    private mutating func text(until ends: (Substring) -> Bool) -> String {
        var words = [lines[position].trimmed]
        position += 1
        while position < lines.count, !lines[position].isBlank, !ends(lines[position]) {
            words.append(lines[position].trimmed)
            position += 1
        }
        return words.joined(separator: " ")
    }

    private mutating func list() -> MarkdownBlock {
        var items: [MarkdownBlock.Item] = []
        while position < lines.count, let item = Self.item(lines[position]) {
            let text = text { Self.beginsBlock($0) || Self.item($0) != nil }
            items.append(
                MarkdownBlock.Item(marker: item.marker, text: String(text.dropFirst(item.marker.count + 1))))
        }
        return .list(items)
    }

    private mutating func fencedCode() -> MarkdownBlock {
        position += 1
        var code: [String] = []
        while position < lines.count, !lines[position].hasPrefix("```") {
            code.append(String(lines[position]))
            position += 1
        }
        position += 1
        return .code(code)
    }

    private mutating func table() -> MarkdownBlock {
        var rows: [[String]] = []
        while position < lines.count, lines[position].hasPrefix("|") {
            rows.append(Self.cells(lines[position]))
            position += 1
        }
        return .table(header: rows[0], rows: Array(rows.dropFirst(2)))
    }

    /// The cells of a row. A bar after a backslash does not end a cell, and is a bar of its text, also in code.
    private static func cells(_ line: Substring) -> [String] {
        var cells: [String] = []
        var cell = ""
        for character in line.trimmed.dropFirst() {
            if character == "|", cell.last == "\\" {
                cell.removeLast()
                cell.append("|")
            } else if character == "|" {
                cells.append(cell.trimmed)
                cell = ""
            } else {
                cell.append(character)
            }
        }
        return cells
    }
}

extension Substring {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
