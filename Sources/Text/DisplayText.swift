/// Numbers, lists and texts of files, as shown to people.
package enum DisplayText {
    /// `1,234,567`.
    package static func count(_ number: Int) -> String {
        (number < 0 ? "-" : "") + grouped(String(number.magnitude))
    }

    /// `1 track`, `2,000 tracks`.
    package static func count(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(count(number)) \(number == 1 ? singular : plural ?? singular + "s")"
    }

    /// Digits with commas between the thousands.
    package static func grouped(_ digits: some StringProtocol) -> String {
        let count = digits.count
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `a, b or c`.
    package static func list(_ words: [String], _ conjunction: String) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) " + last
    }

    /// The text with spaces in place of control characters and line breaks, which could break the line or control the
    /// terminal.
    package static func singleLine(_ text: String) -> String {
        let breaks: [Unicode.GeneralCategory] = [.control, .lineSeparator, .paragraphSeparator]
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { breaks.contains($0.properties.generalCategory) ? " " : $0 }))
    }

    /// Cuts to at most `width` characters; the last is … if something was cut.
    package static func clipped(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text
    }
}
