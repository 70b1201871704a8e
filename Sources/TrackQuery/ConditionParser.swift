import Text

/// Parses a condition by recursive descent.
///
///     condition  = conjunction { "or" conjunction }
///     conjunction = negation { "and" negation }
///     negation   = "not" negation | "(" condition ")" | comparison
///     comparison = field sign value | field [ "not" ] "in" "(" value { "," value } ")"
struct ConditionParser {
    private let tokens: [ConditionToken]
    private var position = 0
    private var depth = 0

    /// The maximum depth of nesting; each level needs a stack frame.
    private static let maxDepth = 50
    private static let reserved: Set<String> = ["and", "or", "not", "in"]

    init(_ tokens: [ConditionToken]) {
        self.tokens = tokens
    }

    /// Parses the whole text.
    mutating func parse() throws(ConditionError) -> ConditionNode {
        guard !tokens.isEmpty else { throw ConditionError(column: 1, .empty) }
        let root = try condition()
        if let rest = current { throw ConditionError(column: rest.column, .unexpectedToken(rest.displayText)) }
        return root
    }

    private var current: ConditionToken? { position < tokens.count ? tokens[position] : nil }

    /// The column of a token that is missing at the end.
    private var endColumn: Int { tokens.last.map { $0.column + $0.displayText.count } ?? 1 }

    private mutating func take(word: String) -> Bool {
        guard let token = current, token.isWord(word) else { return false }
        position += 1
        return true
    }

    private mutating func next(expecting expected: String) throws(ConditionError) -> ConditionToken {
        guard let token = current else { throw ConditionError(column: endColumn, .unexpectedEnd(expected)) }
        position += 1
        return token
    }

    private mutating func condition() throws(ConditionError) -> ConditionNode {
        var node = try conjunction()
        while take(word: "or") { node = .either(node, try conjunction()) }
        return node
    }

    private mutating func conjunction() throws(ConditionError) -> ConditionNode {
        var node = try negation()
        while take(word: "and") { node = .both(node, try negation()) }
        return node
    }

    private mutating func negation() throws(ConditionError) -> ConditionNode {
        let column = current?.column ?? endColumn
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.maxDepth else { throw ConditionError(column: column, .tooDeep) }
        if take(word: "not") { return .not(try negation()) }
        guard case .open = current?.kind else { return try comparison() }
        position += 1
        let node = try condition()
        try takeClose(expecting: "and, or or )")
        return node
    }

    private mutating func takeClose(expecting expected: String) throws(ConditionError) {
        let token = try next(expecting: expected)
        guard case .close = token.kind else {
            throw ConditionError(column: token.column, .found(token.displayText, insteadOf: expected))
        }
    }

    private mutating func comparison() throws(ConditionError) -> ConditionNode {
        let field = try field()
        let sign = try next(expecting: "a comparison, such as \(field.rawValue) = …")
        if case .comparison(let comparison) = sign.kind {
            return try compared(field, comparison, column: sign.column)
        }
        let isNegated = sign.isWord("not")
        let word = isNegated ? try next(expecting: "in (…)") : sign
        guard word.isWord("in") else {
            let expected = isNegated ? "in (…)" : "=, !=, ~, in or another comparison"
            throw ConditionError(column: word.column, .found(word.displayText, insteadOf: expected))
        }
        let node = try oneOf(field)
        return isNegated ? .not(node) : node
    }

    private mutating func field() throws(ConditionError) -> ConditionField {
        let token = try next(expecting: "a field, such as activity")
        guard case .word(let name) = token.kind else {
            throw ConditionError(
                column: token.column, .found(token.displayText, insteadOf: "a field, such as activity"))
        }
        guard let field = ConditionField(rawValue: name.lowercased()) else {
            throw ConditionError(column: token.column, .unknownField(name))
        }
        return field
    }

    private mutating func oneOf(_ field: ConditionField) throws(ConditionError) -> ConditionNode {
        let open = try next(expecting: "( and values after in")
        guard case .open = open.kind else {
            throw ConditionError(column: open.column, .found(open.displayText, insteadOf: "( and values after in"))
        }
        var nodes: [ConditionNode] = []
        var texts: Set<String> = []
        while true {
            switch try compared(field, .equal, column: open.column) {
            case .isOne(_, let some): texts.formUnion(some)
            case let node: nodes.append(node)
            }
            guard case .comma = current?.kind else { break }
            position += 1
        }
        try takeClose(expecting: ", or )")
        guard nodes.isEmpty else { return nodes.dropFirst().reduce(nodes[0]) { .either($0, $1) } }
        return .isOne(field, of: texts)
    }

    /// Parses the value that follows an operator, and returns the comparison.
    private mutating func compared(
        _ field: ConditionField, _ sign: ConditionOperator, column: Int
    ) throws(ConditionError) -> ConditionNode {
        let isOrder = sign != .equal && sign != .unequal && sign != .contains
        guard field.isText ? !isOrder : sign != .contains else {
            throw ConditionError(column: column, .wrongOperator(sign.rawValue, field: field.rawValue))
        }
        let (value, column) = try value(of: field)
        switch field {
        case .metres, .seconds:
            guard let number = FixedDecimal(value)?.double else {
                throw ConditionError(column: column, .notANumber(value, field: field.rawValue))
            }
            return .number(field, sign, number)
        case .start:
            guard let day = Self.day(value) else { throw ConditionError(column: column, .notADay(value)) }
            return .day(sign, day)
        case .activity, .person, .device, .tag, .name, .source:
            let text = value.lowercased()
            switch sign {
            case .contains: return .contains(field, text)
            case .unequal: return .not(.isOne(field, of: [text]))
            default: return .isOne(field, of: [text])
            }
        }
    }

    private mutating func value(of field: ConditionField) throws(ConditionError) -> (String, column: Int) {
        let token = try next(expecting: "a value for \(field.rawValue)")
        switch token.kind {
        case .quoted(let text): return (text, token.column)
        case .word(let text):
            guard !Self.reserved.contains(text.lowercased()) else {
                throw ConditionError(column: token.column, .reserved(text))
            }
            return (text, token.column)
        default:
            throw ConditionError(
                column: token.column, .found(token.displayText, insteadOf: "a value for \(field.rawValue)"))
        }
    }

    /// Parses a day `YYYY-MM-DD`.
    private static func day(_ text: String) -> Int32? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.utf8.count) == [4, 2, 2],
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        return CivilDay(year: year, month: month, day: day)?.daysSince1970
    }
}
