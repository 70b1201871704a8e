/// A token of a condition, with the column at which it begins.
struct ConditionToken: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        case word(String)
        case quoted(String)
        case comparison(ConditionOperator)
        case open
        case close
        case comma
    }

    var kind: Kind
    var column: Int

    /// The token as it appears in error messages.
    var displayText: String {
        switch kind {
        case .word(let text), .quoted(let text): text
        case .comparison(let sign): sign.rawValue
        case .open: "("
        case .close: ")"
        case .comma: ","
        }
    }

    /// Whether the token is this reserved word.
    func isWord(_ word: String) -> Bool {
        if case .word(let text) = kind { text.lowercased() == word } else { false }
    }

    /// Splits a condition into tokens.
    static func tokens(of text: String) throws(ConditionError) -> [ConditionToken] {
        var lexer = Lexer(characters: Array(text))
        var tokens: [ConditionToken] = []
        while let token = try lexer.next() { tokens.append(token) }
        return tokens
    }

    private struct Lexer {
        let characters: [Character]
        var position = 0

        mutating func next() throws(ConditionError) -> ConditionToken? {
            while position < characters.count, characters[position].isWhitespace { position += 1 }
            guard position < characters.count else { return nil }
            let column = position + 1
            let first = characters[position]
            let kind: Kind
            switch first {
            case "(": kind = taking(1, .open)
            case ")": kind = taking(1, .close)
            case ",": kind = taking(1, .comma)
            case "\"", "'": kind = .quoted(try quoted(by: first))
            default:
                if let sign = comparison() {
                    kind = taking(sign.rawValue.count, .comparison(sign))
                } else {
                    let word = word()
                    guard !word.isEmpty else { throw ConditionError(column: column, .unexpectedCharacter(first)) }
                    kind = .word(word)
                }
            }
            return ConditionToken(kind: kind, column: column)
        }

        private mutating func taking(_ count: Int, _ kind: Kind) -> Kind {
            position += count
            return kind
        }

        /// The longest operator at the current position.
        private func comparison() -> ConditionOperator? {
            let here = String(characters[position..<min(position + 2, characters.count)])
            return ConditionOperator.allCases.filter { here.hasPrefix($0.rawValue) }.max {
                $0.rawValue.count < $1.rawValue.count
            }
        }

        /// The text within quotes; a backslash escapes a quote or a backslash.
        private mutating func quoted(by quote: Character) throws(ConditionError) -> String {
            let start = position
            position += 1
            var text = ""
            while position < characters.count {
                let character = characters[position]
                position += 1
                if character == quote { return text }
                let escaped = character == "\\" && position < characters.count ? characters[position] : nil
                if let escaped, escaped == quote || escaped == "\\" {
                    text.append(escaped)
                    position += 1
                } else {
                    text.append(character)
                }
            }
            throw ConditionError(column: start + 1, .unterminatedQuote)
        }

        private mutating func word() -> String {
            let start = position
            while position < characters.count, Self.isWordCharacter(characters[position]) { position += 1 }
            return String(characters[start..<position])
        }

        private static func isWordCharacter(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || "_-.:/+@#&*".contains(character)
        }
    }
}
