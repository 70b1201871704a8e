/// What `tileserve COMMAND --help` shows.
struct HelpScreen: Sendable {
    /// What stands behind the command's name in the usage line.
    let usage: String
    /// What it does, in a clause, for the list of commands.
    let summary: String
    /// What it does, in sentences.
    let about: String
    /// In the order of reading.
    let options: [Option]
    /// A command line, and what it does.
    let examples: [(line: String, does: String)]

    /// Columns of a screen that help fits into.
    static let columns = 80

    /// The whole screen of the command called `name`.
    func text(name: String) -> String {
        var lines = Layout.hanging("Usage: tileserve \(name) ", usage, columns: Self.columns)
        lines += [""] + Layout.paragraphs(about, columns: Self.columns)
        if !options.isEmpty {
            lines += ["", "Options:"]
            lines += Layout.table(
                options.map { ($0.shown, $0.text) } + [("--help", "shows this")], columns: Self.columns)
        }
        lines += ["", "Examples:"]
        for example in examples { lines += ["  " + example.line, "      " + example.does] }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Words in lines and columns.
enum Layout {
    /// Columns of a table's left side; what is wider has a line of its own.
    private static let leftColumns = 24

    /// `text` in lines of at most `columns` characters.
    static func wrapped(_ text: some StringProtocol, columns: Int) -> [String] {
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

    /// Paragraphs, one a line of `text`, with an empty line between.
    static func paragraphs(_ text: String, columns: Int) -> [String] {
        Array(text.split(separator: "\n").map { wrapped($0, columns: columns) }.joined(separator: [""]))
    }

    /// `text` behind `head`, its further lines as far to the right.
    static func hanging(_ head: String, _ text: String, columns: Int) -> [String] {
        let indent = String(repeating: " ", count: head.count)
        let lines = wrapped(text, columns: columns - head.count)
        guard let first = lines.first else { return [head] }
        return [head + first] + lines.dropFirst().map { indent + $0 }
    }

    /// Two columns, indented.
    static func table(_ rows: [(String, String)], columns: Int) -> [String] {
        rows.flatMap { left, right in
            let head = "  " + left
            let indent = String(repeating: " ", count: leftColumns + 2)
            let lines = wrapped(right, columns: columns - indent.count).map { indent + $0 }
            guard let first = lines.first, head.count + 2 <= indent.count else { return [head] + lines }
            return [head + first.dropFirst(head.count)] + lines.dropFirst()
        }
    }
}
