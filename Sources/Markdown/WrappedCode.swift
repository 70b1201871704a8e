import Text

/// Lines of code that are wrapped to a width.
enum WrappedCode {
    /// Wraps a line of code: a comment behind it gets lines of its own below it, other lines are continued with more
    /// indentation.
    static func lines(_ line: String, columns: Int) -> [String] {
        guard line.count > columns else { return [line] }
        let indent = String(line.prefix { $0 == " " })
        let text = line.dropFirst(indent.count)
        if let gap = text.lastRange(of: "   "), gap.lowerBound > text.startIndex {
            let head = text[..<gap.lowerBound].trimmed
            let tail = text[gap.upperBound...].trimmed
            let comment = tail.wrapped(columns: columns - indent.count - 4).map { indent + "    " + $0 }
            return lines(indent + head, columns: columns) + comment
        }
        let wrapped = text.wrapped(columns: columns - indent.count - 2)
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
