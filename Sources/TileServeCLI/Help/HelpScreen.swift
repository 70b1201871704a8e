import Text

/// The help text of a command (`tileserve COMMAND --help`).
struct HelpScreen: Sendable {
    /// The part of the usage line after the command's name.
    let usage: String
    /// A short description, for the list of commands.
    let summary: String
    /// The full description.
    let about: String
    /// The options, in the order shown.
    let options: [Option]
    /// Example command lines with explanations.
    let examples: [(line: String, does: String)]

    /// The width of the help text, in characters.
    static let columns = 80

    /// The help text of the command called `name`.
    func text(name: String) -> String {
        var lines = Layout.hanging("Usage: tileserve \(name) ", usage, columns: Self.columns)
        lines += [""] + Layout.paragraphs(about, columns: Self.columns)
        if !options.isEmpty {
            lines += ["", "Options:"]
            lines += Layout.table(
                options.map { ($0.shown, $0.text) } + [("--help", "shows this help")], columns: Self.columns)
        }
        lines += ["", "Examples:"]
        for example in examples { lines += ["  " + example.line, "      " + example.does] }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// Formats text in lines and columns.
enum Layout {
    /// The width of a table's left column; wider entries get a line of their own.
    private static let leftColumns = 24

    /// Wraps each line of `text` as a paragraph, with an empty line between paragraphs.
    static func paragraphs(_ text: String, columns: Int) -> [String] {
        Array(text.split(separator: "\n").map { $0.wrapped(columns: columns) }.joined(separator: [""]))
    }

    /// Wraps `text` after `head`, with a hanging indent.
    static func hanging(_ head: String, _ text: String, columns: Int) -> [String] {
        let indent = String(repeating: " ", count: head.count)
        let lines = text.wrapped(columns: columns - head.count)
        guard let first = lines.first else { return [head] }
        return [head + first] + lines.dropFirst().map { indent + $0 }
    }

    /// Formats two columns, indented.
    static func table(_ rows: [(String, String)], columns: Int) -> [String] {
        rows.flatMap { left, right in
            let head = "  " + left
            let indent = String(repeating: " ", count: leftColumns + 2)
            let lines = right.wrapped(columns: columns - indent.count).map { indent + $0 }
            guard let first = lines.first, head.count + 2 <= indent.count else { return [head] + lines }
            return [head + first.dropFirst(head.count)] + lines.dropFirst()
        }
    }
}
