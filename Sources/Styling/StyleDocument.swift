import Foundation
import Text

/// The text of a style file as JSON.
enum StyleDocument {
    /// Parses a JSON text; throws a description of where it is invalid.
    static func parsed(_ text: [UInt8]) throws(SyntaxError) -> JSONValue {
        do {
            return try JSONReader.value(Array(text.dropFirst(ByteOrderMark.length(in: text))))
        } catch JSONError.syntax(let reason, let line) {
            throw SyntaxError(what: "this is not valid JSON (line \(line): \(reason))")
        } catch {
            throw SyntaxError(what: "this is not valid JSON")
        }
    }

    struct SyntaxError: Error {
        let what: String
    }
}

extension JSONValue {
    /// The members of an object by name; of several with one name, the first. nil for other values.
    var membersByName: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The nearest Double of a number; nil for other values.
    var double: Double? {
        switch self {
        // A quotient of numbers that Double holds exactly is rounded once; other numbers are parsed as text.
        case .number(let number) where number.mantissa.magnitude < 1 << 53 && number.mantissa != 0: number.double
        case .number(let number): Double(number.description)
        case .none(let spelling): Double(spelling)
        default: nil
        }
    }

    /// The value as it is named in error messages.
    var noun: String {
        switch self {
        case .none where double == nil: return "null"
        case .none, .number:
            let value = double ?? 0
            return "the number \(value.formatted(.number.grouping(.never).locale(Locale(identifier: "en"))))"
        case .bool(let value): return value ? "true" : "false"
        case .text(let value): return "\"\(value.prefix(40))\""
        case .list: return "a list"
        case .object: return "an object"
        }
    }
}
