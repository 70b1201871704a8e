/// Why a text is no condition; `description` says it in one line.
public struct ConditionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Fault: Sendable, Equatable {
        /// There is nothing.
        case empty
        /// It has more characters than are read.
        case tooLong
        /// Parentheses stand in parentheses too often.
        case tooDeep
        /// A character that begins nothing.
        case strayCharacter(Character)
        /// A quote that is not closed.
        case openQuote
        /// No field has this name.
        case unknownField(String)
        /// It ends where this should follow.
        case endInsteadOf(String)
        /// This stands where that should.
        case found(String, insteadOf: String)
        /// A word behind the end of a condition.
        case surplus(String)
        /// The field is not compared this way.
        case wrongOperator(String, field: String)
        /// The field is a number, and this is none.
        case noNumber(String, field: String)
        /// The field is a day, and this is none.
        case noDay(String)
        /// A word of the language where a value should stand.
        case reserved(String)
    }

    /// Where it begins, in characters from 1.
    public let column: Int
    /// What is wrong.
    public let fault: Fault

    init(column: Int, _ fault: Fault) {
        self.column = column
        self.fault = fault
    }

    public var description: String { "column \(column): \(Self.sentence(fault))" }

    private static func sentence(_ fault: Fault) -> String {
        switch fault {
        case .empty: "nothing is asked for; write a condition like activity = ride"
        case .tooLong: "more than \(TrackCondition.mostCharacters) characters; write a shorter condition"
        case .tooDeep: "too many parentheses within each other; leave some out"
        case .strayCharacter(let character): "'\(character)' means nothing here; write values that have it in quotes"
        case .openQuote: "the quote is not closed; close it"
        case .unknownField(let name):
            "there is no field '\(name)'; there are: \(TrackCondition.fieldNames.joined(separator: ", "))"
        case .endInsteadOf(let expected): "the condition ends too early; write \(expected)"
        case .found(let word, let expected): "'\(word)' stands here; write \(expected)"
        case .surplus(let word):
            "'\(word)' is too much; join conditions with and or or, and put values of several words in quotes"
        case .wrongOperator(let word, let field) where ConditionField(rawValue: field)?.isText == true:
            "\(field) is not compared with '\(word)'; write =, !=, ~ or in"
        case .wrongOperator(let word, let field):
            "\(field) is not compared with '\(word)'; write =, !=, <, <=, > or >="
        case .noNumber(let word, let field): "'\(word)' is no number; write \(field) = 5000"
        case .noDay(let word): "'\(word)' is no day; write one like 2024-05-31"
        case .reserved(let word): "'\(word)' is a word of the language; as a value it stands in quotes"
        }
    }
}
