import Foundation
import TestSupport
import Text

/// Generates values that match the schemas of an OpenAPI document, and texts that do not.
struct SchemaValues {
    typealias Object = [String: Any]

    let schema: JSONSchema
    var random: SeededRandom

    private mutating func one<Element>(of elements: [Element]) -> Element { elements[random.below(elements.count)] }

    // MARK: Texts

    /// A text of a parameter that its schema allows.
    mutating func text(_ given: Object) -> String {
        let schema = schema.resolved(given)
        if let choices = schema["anyOf"] as? [Object] { return text(one(of: choices)) }
        if let choices = schema["enum"] as? [String] { return one(of: choices) }
        switch schema["type"] as? String {
        case "integer": return "\(integer(schema))"
        case "number": return number(schema)
        case "array":
            if let each = schema["prefixItems"] as? [Object] { return each.map { text($0) }.joined(separator: ",") }
            let items = schema["items"] as? Object ?? [:]
            let count = (schema["minItems"] as? Int ?? 1) + random.below(3)
            return Set((0..<count).map { _ in text(items) }).sorted().joined(separator: ",")
        default: return string(schema)
        }
    }

    private mutating func integer(_ schema: Object) -> Int {
        let least = schema["minimum"] as? Int ?? -1000
        let most = schema["maximum"] as? Int ?? max(least, 1_000_000)
        return one(of: [
            least, most, least + random.below(max(most - least, 1)), least + min(random.below(20), most - least),
        ])
    }

    /// A number in one of the spellings of programs.
    private mutating func number(_ schema: Object) -> String {
        let least = schema["minimum"] as? Double ?? -1e6
        let most = schema["maximum"] as? Double ?? 1e6
        let value = Double.random(in: least...most, using: &random)
        let spellings = [
            "\(value)", "\(least)", "\(most)", "\(value / 1e9 + max(least, 0))", "\(Int(value))",
            String(format: "%.3e", value), String(format: "%.20f", value), "-0", "5e-324", "+5", ".5", "5.",
        ]
        let allowed = spellings.filter { self.schema.allows($0, schema) }
        return allowed.isEmpty ? "\(value)" : one(of: allowed)
    }

    private mutating func string(_ schema: Object) -> String {
        if let pattern = schema["pattern"] as? String {
            var texts = PatternText(pattern, seed: random.next())
            for _ in 0..<50 {
                let text = texts.next()
                if self.schema.allows(text, schema) { return text }
            }
        }
        let least = schema["minLength"] as? Int ?? 0
        let most = min(schema["maxLength"] as? Int ?? 20, 300)
        let letters = Array("aZ09 -_.:;/?#&=+%'\"<>{}[]\\|~é東𝄞\u{200D}\u{FFFD}".unicodeScalars)
        let count = one(of: [least, most, min(most, least + random.below(8))])
        return String(String.UnicodeScalarView((0..<count).map { _ in one(of: letters) }))
    }

    /// Texts of a parameter that its schema does not allow.
    mutating func invalidTexts(_ given: Object) -> [String] {
        let schema = schema.resolved(given)
        var texts = ["\u{1}", "a\u{7F}", "", "no-such-value", "1,5", "NaN", "Infinity", "1e999", "0x10", "--", "٣"]
        for key in ["minimum", "maximum"] {
            guard let bound = schema[key] as? Double else { continue }
            let step = key == "minimum" ? -1.0 : 1.0
            texts += ["\(Int(bound + step))", "\(bound + step / 1024)", "\(bound + step * 1e20)"]
        }
        if let most = schema["maxLength"] as? Int { texts.append(String(repeating: "x", count: most + 1)) }
        if let most = schema["maxItems"] as? Int {
            let items = schema["items"] as? Object ?? [:]
            texts.append((0...most).map { _ in text(items) }.joined(separator: ","))
            texts.append("a,a")
        }
        for _ in 0..<20 {
            var letters = Array(text(given).unicodeScalars)
            guard !letters.isEmpty else { continue }
            let place = random.below(letters.count)
            switch random.below(3) {
            case 0: letters.remove(at: place)
            case 1: letters.insert(one(of: Array("0x-:,/ Z9".unicodeScalars)), at: place)
            default: letters[place] = one(of: Array("0x-:,/ Z9".unicodeScalars))
            }
            texts.append(String(String.UnicodeScalarView(letters)))
        }
        return texts.filter { !self.schema.allows($0, given) }
    }

    // MARK: Bodies

    /// A value that a schema allows, as JSON.
    mutating func json(_ given: Object) -> String {
        let schema = schema.resolved(given)
        if let choices = schema["anyOf"] as? [Object] { return json(one(of: choices)) }
        switch schema["type"] as? String {
        case "null": return "null"
        case "boolean": return one(of: ["true", "false"])
        case "integer": return "\(integer(schema))"
        case "number":
            // JSON has neither a plus sign nor a point at an end.
            let number = number(schema)
            return number.first?.isNumber == true && number.last != "." || number.hasPrefix("-") ? number : "0.5"
        case "array":
            let elements = schema["prefixItems"] as? [Object] ?? []
            let items = schema["items"] as? Object ?? [:]
            let each = elements.isEmpty ? Array(repeating: items, count: random.below(3)) : elements
            return "[\(each.map { json($0) }.joined(separator: ","))]"
        case "string":
            return Self.quoted(schema["enum"] == nil ? string(schema) : text(schema))
        default:
            var required = Set(schema["required"] as? [String] ?? [])
            let together = Array((schema["dependentRequired"] as? Object ?? [:]).keys)
            var properties = schema["properties"] as? Object ?? [:]
            if random.once(in: 2) { required.formUnion(together) } else { together.forEach { properties[$0] = nil } }
            let members = properties.sorted { $0.key < $1.key }.compactMap {
                name, schema -> String? in
                guard required.contains(name) || random.once(in: 2) else { return nil }
                return "\(Self.quoted(name)):\(json(schema as? Object ?? [:]))"
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONWriter.append(text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
