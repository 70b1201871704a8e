import Text

/// The values that are valid, as JSON Schema.
package indirect enum APISchema: Sendable {
    /// Lengths are in characters. A pattern is a regular expression of ECMA-262 for the whole text.
    case text(pattern: String? = nil, minLength: Int? = nil, maxLength: Int? = nil)
    case integer(ClosedRange<Int>, default: Int? = nil)
    case number(ClosedRange<Double>)
    case choice([String], default: String? = nil)
    case boolean
    case null
    /// A schema with a name, which the document contains once.
    case named(String, APISchema)
    case list(APISchema, limit: Int? = nil)
    /// A list with as many elements as there are schemas, each of its own schema.
    case tuple([APISchema])
    /// A list of at least one element, each of which is there once.
    case set(APISchema, limit: Int)
    /// Members; those whose name ends with `?` may be missing. Without members, any object. Of the members in `together`,
    /// there are all or none.
    /// A closed object has no other members.
    case object([(String, APISchema)] = [], together: [String] = [], isClosed: Bool = false)
    /// Any of several schemas.
    case either([APISchema])

    /// A text that matches a pattern.
    package static func pattern(_ pattern: String) -> APISchema { text(pattern: pattern) }
    /// A number of things.
    package static let count = integer(0...Int.max)
    /// A measure, such as a length or a duration.
    package static let amount = number(0...Double.infinity)
    package static let longitude = number(-180...180)
    package static let latitude = number(-90...90)
    /// 0 or 1.
    package static let flag = choice(["0", "1"], default: "0")
    /// RFC 9457.
    static let problem = object([
        ("type", .text()), ("title", .text()), ("status", .integer(400...599)), ("detail?", .text()),
    ]).named("Problem")

    /// The schema with a name.
    package func named(_ name: String) -> APISchema { .named(name, self) }

    /// The schema, or null.
    package var orNull: APISchema { .either([self, .null]) }

    /// The words of an enumeration.
    package static func words<Value: RawRepresentable<String> & CaseIterable>(
        of type: Value.Type, default usual: Value? = nil
    ) -> APISchema {
        choice(Value.allCases.map(\.rawValue), default: usual?.rawValue)
    }

    /// The schemas that it consists of.
    private var parts: [APISchema] {
        switch self {
        case .named(_, let schema): [schema]
        case .list(let element, _), .set(let element, _): [element]
        case .tuple(let elements): elements
        case .object(let members, _, _): members.map(\.1)
        case .either(let schemas): schemas
        case .text, .integer, .number, .choice, .boolean, .null: []
        }
    }

    /// Whether a parameter has several values, separated by commas.
    var isList: Bool {
        switch self {
        case .list, .tuple, .set: true
        case .named(_, let schema): schema.isList
        default: false
        }
    }

    /// The schema of a parameter: the server refuses control characters in all of them.
    var inTarget: APISchema {
        switch self {
        case .text(nil, let minLength, let maxLength):
            .text(pattern: #"^[^\x00-\x1f\x7f]*$"#, minLength: minLength, maxLength: maxLength)
        case .list(let element, let limit): .list(element.inTarget, limit: limit)
        case .set(let element, let limit): .set(element.inTarget, limit: limit)
        case .tuple(let elements): .tuple(elements.map(\.inTarget))
        default: self
        }
    }

    /// Adds the schemas that have a name, and those that these refer to, as JSON.
    func collect(in named: inout [String: String]) {
        if case .named(let name, let schema) = self {
            var json = JSONWriter()
            schema.write(to: &json)
            let known = named.updateValue(json.text, forKey: name)
            precondition(known.map { $0 == json.text } ?? true, "two schemas have the name \(name)")
            if known != nil { return }
        }
        for part in parts { part.collect(in: &named) }
    }

    /// Adds the schema as JSON Schema.
    func write(to json: inout JSONWriter) {
        json.object { json in
            switch self {
            case .text(let pattern, let minLength, let maxLength):
                json.member("type", "string")
                if let pattern { json.member("pattern", pattern) }
                if let minLength { json.member("minLength", minLength) }
                if let maxLength { json.member("maxLength", maxLength) }
            case .integer(let range, let usual):
                json.member("type", "integer")
                json.member("minimum", range.lowerBound)
                if range.upperBound < .max { json.member("maximum", range.upperBound) }
                if let usual { json.member("default", usual) }
            case .number(let range):
                json.member("type", "number")
                for (name, bound) in [("minimum", range.lowerBound), ("maximum", range.upperBound)]
                where bound.isFinite {
                    json.add(name, bound)
                }
            case .choice(let values, let usual):
                json.member("type", "string")
                json.array("enum", values) { $0.add($1) }
                if let usual { json.member("default", usual) }
            case .boolean: json.member("type", "boolean")
            case .null: json.member("type", "null")
            case .named(let name, _): json.member("$ref", "#/components/schemas/\(name)")
            case .list(let element, let limit):
                json.member("type", "array")
                json.key("items")
                element.write(to: &json)
                if let limit { json.member("maxItems", limit) }
            case .set(let element, let limit):
                json.member("type", "array")
                json.key("items")
                element.write(to: &json)
                json.member("minItems", 1)
                json.member("maxItems", limit)
                json.add("uniqueItems", true)
            case .tuple(let elements):
                json.member("type", "array")
                json.array("prefixItems", elements) { json, element in element.write(to: &json) }
                json.member("minItems", elements.count)
                json.member("maxItems", elements.count)
            case .object(let members, let together, let isClosed):
                Self.write(members, to: &json)
                if isClosed { json.add("additionalProperties", false) }
                guard !together.isEmpty else { return }
                json.object("dependentRequired") { json in
                    for name in together { json.array(name, together.filter { $0 != name }) { $0.add($1) } }
                }
            case .either(let schemas):
                json.array("anyOf", schemas) { json, schema in schema.write(to: &json) }
            }
        }
    }

    private static func write(_ members: [(String, APISchema)], to json: inout JSONWriter) {
        json.member("type", "object")
        guard !members.isEmpty else { return }
        json.object("properties") { json in
            for (name, schema) in members {
                json.key(name.hasSuffix("?") ? String(name.dropLast()) : name)
                schema.write(to: &json)
            }
        }
        let required = members.map(\.0).filter { !$0.hasSuffix("?") }
        guard !required.isEmpty else { return }
        json.array("required", required) { $0.add($1) }
    }
}

extension JSONWriter {
    mutating func member(_ name: String, _ text: String) {
        add(name, text)
    }

    mutating func member(_ name: String, _ number: Int) {
        add(name, number)
    }
}
