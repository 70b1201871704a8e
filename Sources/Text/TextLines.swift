extension StringProtocol {
    /// The text without white space at its ends.
    public var trimmed: String {
        let start = drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(start[...end])
    }

    /// The words in two lines of about the same length; nil if there are less than two words.
    public func inTwoLines() -> (String, String)? {
        let words = split(whereSeparator: \.isWhitespace)
        let splits = words.indices.dropFirst().map { index in
            (words[..<index].joined(separator: " "), words[index...].joined(separator: " "))
        }
        return splits.min { Swift.max($0.0.count, $0.1.count) < Swift.max($1.0.count, $1.1.count) }
    }

    /// The words of the text in lines of at most `columns` characters; a longer word has a line of its own.
    public func wrapped(columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ") {
            if !line.isEmpty, line.count + 1 + word.count > columns {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " " + word
        }
        return line.isEmpty ? lines : lines + [line]
    }
}
