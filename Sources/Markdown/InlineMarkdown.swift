/// The target of a link or a picture, and the text that the document shows for it.
package struct MarkdownLink: Equatable {
    package let text: String
    package let target: String
    package let isPicture: Bool
}

/// Converts inline markup to plain text.
///
/// Code that could be read as a part of the sentence (a word, or several ones) gets quotation marks, and so does
/// emphasised text, which names a button or a new term.
package struct InlineMarkdown {
    private let characters: [Character]
    private var position = 0
    private var result = ""
    /// What is shown for a link.
    private let show: (MarkdownLink) -> String

    package static func plain(_ text: String, show: (MarkdownLink) -> String) -> String {
        withoutActuallyEscaping(show) { show in
            var reader = InlineMarkdown(characters: Array(text), show: show)
            reader.read()
            return reader.result
        }
    }

    private init(characters: [Character], show: @escaping (MarkdownLink) -> String) {
        self.characters = characters
        self.show = show
    }

    private mutating func read() {
        while position < characters.count {
            switch characters[position] {
            case "\\": readEscape()
            case "`": readCode()
            case "*": readEmphasis()
            case "[": readLink(isPicture: false)
            case "!" where follows("["):
                position += 1
                readLink(isPicture: true)
            default: copy()
            }
        }
    }

    private mutating func copy() {
        result.append(characters[position])
        position += 1
    }

    private func follows(_ character: Character) -> Bool {
        position + 1 < characters.count && characters[position + 1] == character
    }

    private mutating func readEscape() {
        if position + 1 < characters.count, characters[position + 1].isASCII, characters[position + 1].isPunctuation {
            position += 1
        }
        copy()
    }

    private mutating func readCode() {
        let fence = characters[position...].prefix { $0 == "`" }.count
        let start = position + fence
        guard let end = run(of: "`", count: fence, from: start) else { return copy() }
        let code = String(characters[start..<end])
        position = end + fence
        let isSentence = code.allSatisfy { $0.isLetter } || code.contains(" ")
        result += isSentence && !code.contains("'") ? "'\(code)'" : code
    }

    private mutating func readEmphasis() {
        let count = min(characters[position...].prefix { $0 == "*" }.count, 2)
        let start = position + count
        guard start < characters.count, !characters[start].isWhitespace,
            let end = run(of: "*", count: count, from: start)
        else { return copy() }
        let text = Self.plain(String(characters[start..<end]), show: show)
        position = end + count
        // A term in bold is the head of its paragraph, or a warning: both are sentences by themselves.
        result += count == 2 ? text : "'\(text)'"
    }

    /// The position of the next run of exactly `count` characters.
    private func run(of character: Character, count: Int, from start: Int) -> Int? {
        var index = start
        while index < characters.count {
            let length = characters[index...].prefix { $0 == character }.count
            if length == count { return index }
            index += max(length, 1)
        }
        return nil
    }

    private mutating func readLink(isPicture: Bool) {
        guard let end = closing(of: "[", "]", at: position), end + 1 < characters.count, characters[end + 1] == "(",
            let targetEnd = closing(of: "(", ")", at: end + 1)
        else { return copy() }
        let text = Self.plain(String(characters[(position + 1)..<end]), show: show)
        let target = String(characters[(end + 2)..<targetEnd])
        position = targetEnd + 1
        result += show(MarkdownLink(text: text, target: target, isPicture: isPicture))
    }

    /// The position of the bracket that closes the one at `start`; brackets in code do not count.
    private func closing(of opening: Character, _ closing: Character, at start: Int) -> Int? {
        var depth = 0
        var isCode = false
        for index in start..<characters.count {
            if characters[index] == "`" { isCode.toggle() }
            if isCode { continue }
            if characters[index] == opening { depth += 1 }
            if characters[index] == closing { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
