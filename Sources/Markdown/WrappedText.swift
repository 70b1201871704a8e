/// Lines that are wrapped to a width.
enum WrappedText {
    /// Wraps a text between its words.
    static func words(_ text: String, columns: Int) -> [String] {
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
    static func code(_ line: String, columns: Int) -> [String] {
        guard line.count > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let text = line.dropFirst(indent.count)
        if let gap = text.lastRange(of: "   "), gap.lowerBound > text.startIndex {
            let head = text[..<gap.lowerBound].trimmed
            let tail = text[gap.upperBound...].trimmed
            let comment = words(tail, columns: columns - indent.count - 4).map { indent + "    " + $0 }
            return code(indent + head, columns: columns) + comment
        }
        let wrapped = words(String(text), columns: columns - indent.count - 2)
        return wrapped.enumerated().map { index, words in indent + (index > 0 ? "  " : "") + words }
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
