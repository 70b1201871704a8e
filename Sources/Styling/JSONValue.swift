import Foundation

/// A parsed JSON text that keeps its structure, so that an error can give the path of a value.
enum JSONValue: Equatable, Decodable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Parses a JSON text; throws a description of where it is invalid.
    static func parsed(_ text: [UInt8]) throws(SyntaxError) -> JSONValue {
        do {
            return try JSONDecoder().decode(JSONValue.self, from: Data(text))
        } catch let error as DecodingError {
            throw SyntaxError(what: sentence(on: error))
        } catch {
            throw SyntaxError(what: "this is not valid JSON")
        }
    }

    struct SyntaxError: Error {
        let what: String
    }

    private static func sentence(on error: DecodingError) -> String {
        guard case .dataCorrupted(let context) = error, let cause = context.underlyingError as? CocoaError,
            let detail = cause.errorUserInfo[NSDebugDescriptionErrorKey] as? String
        else { return "this is not valid JSON" }
        let plain = detail.hasSuffix(".") ? String(detail.dropLast()) : detail
        return "this is not valid JSON (\(plain))"
    }

    /// The value as it is named in error messages.
    var noun: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value):
            "the number \(value.formatted(.number.grouping(.never).locale(Locale(identifier: "en"))))"
        case .string(let value): "\"\(value.prefix(40))\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}
