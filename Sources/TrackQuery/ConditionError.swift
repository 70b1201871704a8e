/// A syntax error in a condition; `description` is one line.
public struct ConditionError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Sendable, Equatable {
        /// The text is empty.
        case empty
        /// The text has more than this many characters.
        case tooLong(limit: Int)
        /// Parentheses are nested too deeply.
        case tooDeep
        /// A character that cannot begin a token.
        case unexpectedCharacter(Character)
        /// A quote that is not closed.
        case unterminatedQuote
        /// No field has this name.
        case unknownField(String)
        /// The text ends where this is expected.
        case unexpectedEnd(String)
        /// A token that is not the expected one.
        case found(String, insteadOf: String)
        /// A token after the end of the condition.
        case unexpectedToken(String)
        /// An operator that the field does not support.
        case wrongOperator(String, field: String)
        /// A value that is not a number, for a numeric field.
        case notANumber(String, field: String)
        /// A value that is not a day, for a field of days.
        case notADay(String)
        /// A reserved word in place of a value.
        case reserved(String)
    }

    /// The column at which the error begins, in characters from 1.
    public let column: Int
    public let reason: Reason

    init(column: Int, _ reason: Reason) {
        self.column = column
        self.reason = reason
    }

    public var description: String { "column \(column): \(Self.sentence(reason))" }

    private static func sentence(_ reason: Reason) -> String {
        switch reason {
        case .empty: "the condition is empty; write a condition like activity = ride"
        case .tooLong(let limit): "more than \(limit) characters; write a shorter condition"
        case .tooDeep: "parentheses are nested too deeply; use fewer"
        case .unexpectedCharacter(let character):
            "'\(character)' is not allowed here; write values that contain it in quotes"
        case .unterminatedQuote: "the quote is not closed; close it"
        case .unknownField(let name):
            "there is no field '\(name)'; there are: \(ConditionField.allCases.map(\.rawValue).joined(separator: ", "))"
        case .unexpectedEnd(let expected): "the condition ends too early; write \(expected)"
        case .found(let word, let expected): "'\(word)' is unexpected; write \(expected)"
        case .unexpectedToken(let word):
            "'\(word)' is unexpected after the condition; join conditions with 'and' or 'or', and put values of several words in quotes"
        case .wrongOperator(let word, let field) where ConditionField(rawValue: field)?.isText == true:
            "\(field) does not support the operator '\(word)'; write =, !=, ~ or in"
        case .wrongOperator(let word, let field):
            "\(field) does not support the operator '\(word)'; write =, !=, <, <=, > or >="
        case .notANumber(let word, let field): "'\(word)' is not a number; write \(field) = 5000"
        case .notADay(let word): "'\(word)' is not a day; write one like 2024-05-31"
        case .reserved(let word): "'\(word)' is a reserved word; write it in quotes to use it as a value"
        }
    }
}
