import Text

/// The arguments of a command, separated into options and operands; values are not parsed yet.
struct CommandLineArguments {
    private(set) var operands: [String] = []
    private var values: [Option: [String]] = [:]

    /// Parses `words`: `--option value` and `--option=value` at any position; everything after `--` is an operand.
    init(_ words: [String], options: [Option], operands allowed: Operands) throws(UsageError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let (name, inline) = Self.parts(of: word)
            guard let option = options.first(where: { $0.isNamed(name) }) else {
                throw .unknownOption(name, suggestion: Self.suggestion(for: name, options))
            }
            if option.value == nil {
                if let inline { throw .unexpectedValue(option, inline) }
                values[option, default: []].append("")
            } else if let inline {
                values[option, default: []].append(inline)
            } else {
                // A value may begin with one dash (a box west of Greenwich, `-` for standard output), but not with two.
                guard let next = rest.first, !next.hasPrefix("--") else { throw .missingValue(option) }
                values[option, default: []].append(next)
                rest.removeFirst()
            }
        }
        switch allowed {
        case .none: if let extra = operands.first { throw .unexpectedOperand(extra) }
        case .atMostOne: if operands.count > 1 { throw .unexpectedOperand(operands[1]) }
        case .some(let name): if operands.isEmpty { throw .missingOperand(name) }
        case .any: break
        }
    }

    /// Whether an option was given.
    func has(_ option: Option) -> Bool { values[option] != nil }

    /// The operand of a command that takes one.
    func onlyOperand() throws(UsageError) -> String {
        if operands.count > 1 { throw .unexpectedOperand(operands[1]) }
        return operands.first ?? ""
    }

    /// The text of an option, the last one if it was given several times; throws if it is empty.
    func text(_ option: Option) throws(UsageError) -> String? {
        guard let text = values[option]?.last else { return nil }
        guard !text.isEmpty else { throw .badValue(option, text, expected: .notEmpty) }
        return text
    }

    /// The value of an option, parsed by `read`; if that returns nil, the error says what was expected.
    func value<Value>(
        _ option: Option, _ expected: Expectation, _ read: (String) -> Value?
    ) throws(UsageError) -> Value? {
        guard let text = values[option]?.last else { return nil }
        guard let value = read(text) else { throw .badValue(option, text, expected: expected) }
        return value
    }

    /// The value of an option that is one of the words of an enumeration, whatever their case.
    func choice<Value: CaseIterable & RawRepresentable<String>>(_ option: Option) throws(UsageError) -> Value? {
        try value(option, .oneOf(Value.allCases.map(\.rawValue))) { text in
            Value.allCases.first { $0.rawValue.lowercased() == text.lowercased() }
        }
    }

    /// All values of an option that may be given several times, in the order given.
    func allValues<Value>(
        _ option: Option, _ expected: Expectation, _ read: (String) -> Value?
    ) throws(UsageError) -> [Value] {
        var result: [Value] = []
        for text in values[option] ?? [] {
            guard let value = read(text) else { throw .badValue(option, text, expected: expected) }
            result.append(value)
        }
        return result
    }

    /// The integer value of an option, within `range`.
    func number(_ option: Option, in range: ClosedRange<Int>) throws(UsageError) -> Int? {
        try value(option, .wholeNumber(range)) { text in
            guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            return Int(text).flatMap { range.contains($0) ? $0 : nil }
        }
    }

    private static func parts(of word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }

    private static func suggestion(for word: String, _ options: [Option]) -> String? {
        let bare = String(word.drop { $0 == "-" })
        guard !bare.isEmpty else { return nil }
        return SpellingSuggestion.nearest(to: bare, of: options.map(\.name)).map { "--\($0)" }
    }
}
