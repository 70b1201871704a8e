/// A JSON value in memory.
public enum JSONValue: Sendable {
    case text(String)
    case number(FixedDecimal)
    /// `null`, or a number that cannot be represented: `NaN`, `1e999`; with its spelling.
    case none(String)
    case bool(Bool)
    case list([JSONValue])
    /// The members in the order of the text; a name may occur several times.
    case object([(name: String, value: JSONValue)])
}

extension JSONValue {
    public var isNull: Bool {
        guard case .none(let spelling) = self else { return false }
        return spelling == "null"
    }

    /// The members of an object; empty for other values.
    public var members: [(name: String, value: JSONValue)] {
        guard case .object(let members) = self else { return [] }
        return members
    }

    /// The first member of an object with that name.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// A number, also in a spelling of which `JSONReader.value` keeps more than the number: `13.404953999999999` (as programs
    /// write computed coordinates), `1.34e1`, `-0`. Digits after the 18th are rounded; nil for other values.
    public var decimal: FixedDecimal? {
        switch self {
        case .number(let number): number
        case .none(let spelling): FixedDecimal(spelling)
        default: nil
        }
    }

    /// The elements of a list; empty for other values.
    public var elements: [JSONValue] {
        guard case .list(let elements) = self else { return [] }
        return elements
    }

    /// The leaf values with dotted names (`motion.kind`); a list of plain values becomes one text.
    public func leaves(_ name: String) -> [(name: String, value: JSONValue)] {
        switch self {
        case .object(let members): members.flatMap { $0.value.leaves(name + "." + $0.name) }
        case .list(let elements): [(name, .text(elements.compactMap(\.text).joined(separator: ",")))]
        case .none: []
        default: [(name, self)]
        }
    }

    /// A plain value as text; nil for other values.
    public var text: String? {
        switch self {
        case .text(let text): text
        case .number(let number): number.description
        case .bool(let value): value ? "true" : "false"
        case .none, .list, .object: nil
        }
    }

    /// A number, or a text parsed as a number.
    public var spelledNumber: FixedDecimal? {
        if case .text(let text) = self { return FixedDecimal(text) }
        return decimal
    }

    /// The plain values of a list, with nested lists flattened.
    public var flattened: [JSONValue] {
        guard case .list(let elements) = self else { return [self] }
        return elements.flatMap(\.flattened)
    }
}
