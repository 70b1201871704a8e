/// The options of a command, `--name value`. A command takes the ones it knows; the rest are errors.
struct Arguments {
    private var values: [String: String] = [:]

    /// A usage error, in one line.
    struct UsageError: Error {
        var text: String
    }

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            guard word.hasPrefix("--"), word.count > 2 else { throw UsageError(text: "\(word): not an option") }
            guard let value = rest.popFirst() else { throw UsageError(text: "\(word): needs a value") }
            values[String(word.dropFirst(2))] = value
        }
    }

    /// The text of an option.
    mutating func text(_ name: String) -> String? {
        values.removeValue(forKey: name)
    }

    /// The whole number of an option, 1 or more, such as 500k or 10M.
    mutating func number(_ name: String) throws -> Int? {
        guard let text = values.removeValue(forKey: name) else { return nil }
        let factors: [Character: Int] = ["k": 1_000, "M": 1_000_000]
        let factor = text.last.flatMap { factors[$0] }
        guard let digits = Int(factor == nil ? text : String(text.dropLast())), digits > 0 else {
            throw UsageError(text: "--\(name) \(text): not a number above 0")
        }
        let (number, overflow) = digits.multipliedReportingOverflow(by: factor ?? 1)
        guard !overflow else { throw UsageError(text: "--\(name) \(text): too large") }
        return number
    }

    /// Fails if an unknown option was given.
    func finish() throws {
        guard let name = values.keys.min() else { return }
        throw UsageError(text: "--\(name): unknown option")
    }
}
