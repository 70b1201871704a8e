import Foundation
import Text

/// Compares JSON values and texts of parameters with the schemas of an OpenAPI document, as far as tileserve uses JSON
/// Schema.
final class JSONSchema {
    typealias Object = [String: Any]

    private let schemas: Object
    private var patterns: [String: Regex<AnyRegexOutput>] = [:]

    init(_ document: Object) {
        schemas = (document["components"] as? Object)?["schemas"] as? Object ?? [:]
    }

    /// A schema, or the one that it refers to.
    func resolved(_ schema: Object) -> Object {
        guard let name = (schema["$ref"] as? String)?.split(separator: "/").last.map(String.init) else { return schema }
        return schemas[name] as? Object ?? [:]
    }

    // MARK: Values

    /// What of a value does not match a schema.
    func faults(_ value: JSONValue, _ given: Object, _ place: String) -> [String] {
        let schema = resolved(given)
        if let choices = schema["anyOf"] as? [Object] {
            let found = choices.map { faults(value, $0, place) }
            return found.contains([]) ? [] : found.min { $0.count < $1.count } ?? []
        }
        switch (schema["type"] as? String, value) {
        case (nil, _), ("boolean", .bool): return []
        case ("null", _) where value.isNull: return []
        case ("string", .text(let text)): return faults(text, schema, place)
        case ("integer", _), ("number", _):
            guard let number = value.decimal?.double else { return ["\(place) is no number"] }
            return faults(number, schema, place)
        case ("array", .list(let elements)): return faults(elements, schema, place)
        case ("object", .object(let members)): return faults(members, schema, place)
        default: return ["\(place) is not of the type \(schema["type"] ?? "")"]
        }
    }

    private func faults(_ text: String, _ schema: Object, _ place: String) -> [String] {
        if let choices = schema["enum"] as? [String], !choices.contains(text) { return ["\(place) is \(text)"] }
        let length = text.unicodeScalars.count
        if let least = schema["minLength"] as? Int, length < least { return ["\(place) is too short"] }
        if let most = schema["maxLength"] as? Int, length > most { return ["\(place) is too long"] }
        guard let pattern = schema["pattern"] as? String else { return [] }
        return matches(text, pattern) ? [] : ["\(place) is \(text), not \(pattern)"]
    }

    private func faults(_ number: Double, _ schema: Object, _ place: String) -> [String] {
        if schema["type"] as? String == "integer", number != number.rounded() { return ["\(place) is no integer"] }
        if let least = schema["minimum"] as? Double, number < least { return ["\(place) is \(number)"] }
        if let most = schema["maximum"] as? Double, number > most { return ["\(place) is \(number)"] }
        return []
    }

    private func faults(_ elements: [JSONValue], _ schema: Object, _ place: String) -> [String] {
        if let least = schema["minItems"] as? Int, elements.count < least { return ["\(place) has too few"] }
        if let most = schema["maxItems"] as? Int, elements.count > most { return ["\(place) has too many"] }
        if schema["uniqueItems"] as? Bool == true, Set(elements.map { "\($0)" }).count < elements.count {
            return ["\(place) has an element twice"]
        }
        if let each = schema["prefixItems"] as? [Object] {
            return zip(elements, each).flatMap { faults($0, $1, place + "[]") }
        }
        guard let items = schema["items"] as? Object else { return [] }
        return elements.prefix(20).flatMap { faults($0, items, place + "[]") }
    }

    private func faults(_ members: [(name: String, value: JSONValue)], _ schema: Object, _ place: String) -> [String] {
        let missing = (schema["required"] as? [String] ?? []).filter { name in !members.contains { $0.name == name } }
        let properties = schema["properties"] as? Object ?? [:]
        if schema["additionalProperties"] as? Bool == false,
            let other = members.first(where: { properties[$0.name] == nil })
        {
            return ["\(place) has \(other.name)"]
        }
        for (name, needed) in schema["dependentRequired"] as? [String: [String]] ?? [:] {
            guard members.contains(where: { $0.name == name }) else { continue }
            if !needed.allSatisfy({ name in members.contains { $0.name == name } }) {
                return ["\(place) has only \(name)"]
            }
        }
        return missing.map { "\(place) has no \($0)" }
            + members.flatMap { name, value in
                (properties[name] as? Object).map { faults(value, $0, "\(place).\(name)") } ?? []
            }
    }

    private func matches(_ text: String, _ pattern: String) -> Bool {
        if patterns[pattern] == nil {
            patterns[pattern] = (try? Regex(pattern))?.matchingSemantics(.unicodeScalar)
        }
        return patterns[pattern].map { text.contains($0) } ?? false
    }

    // MARK: Parameters

    /// Whether a parameter may have a text.
    func allows(_ text: String, _ given: Object) -> Bool {
        let schema = resolved(given)
        if let choices = schema["anyOf"] as? [Object] { return choices.contains { allows(text, $0) } }
        switch schema["type"] as? String {
        case "integer", "number":
            return FixedDecimal(text).map { faults($0.double, schema, "") == [] } ?? false
        case "array":
            let parts = text.unicodeScalars.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
            let counts = schema.filter { ["minItems", "maxItems", "uniqueItems"].contains($0.key) }
            guard faults(parts.map { .text($0) }, counts, "") == [] else { return false }
            if let each = schema["prefixItems"] as? [Object] { return zip(parts, each).allSatisfy { allows($0, $1) } }
            return (schema["items"] as? Object).map { items in parts.allSatisfy { allows($0, items) } } ?? true
        default: return faults(text, schema, "") == []
        }
    }
}
