package import HTTPCore
package import PrimaryStore
package import Text

/// The members of a JSON object that a client has sent, read one by one: those of something new, or a merge patch
/// (RFC 7396). What is wrong is collected, and `check` throws all of it in one `400`.
package struct BodyMembers {
    private let names: [String]
    private let values: [String: JSONValue]
    private var known: [String] = []
    private var faults: [String] = []

    /// Reads a body; the `400` says that it has to be a JSON object.
    package init(_ bytes: [UInt8]) throws(Problem) {
        guard let members = JSONBody.members(of: bytes) else {
            throw Problem.badRequest("the body has to be a JSON object")
        }
        self.init(members)
    }

    /// The members of an object, or the fields of a form.
    package init(_ members: [(name: String, value: JSONValue)]) {
        var values: [String: JSONValue] = [:]
        for (name, value) in members where values.updateValue(value, forKey: name) != nil {
            faults.append("\(Self.shown(name)) is given twice")
        }
        names = members.map(\.name)
        self.values = values
    }

    /// What `read` makes of a member; nil if it is not given. If `read` returns nil, the `400` says what is `expected`.
    package mutating func value<Value>(
        _ name: String, _ expected: @autoclosure () -> String, isRequired: Bool = false, _ read: (JSONValue) -> Value?
    ) -> Value? {
        known.append(name)
        let value = values[name].flatMap(read)
        if value == nil, isRequired || values[name] != nil { addFault("\(name) has to be \(expected())") }
        return value
    }

    /// What `read` makes of a text; `null` and an empty text stand for no value.
    package mutating func text<Value>(
        _ name: String, _ expected: @autoclosure () -> String, _ read: (String) -> Value?
    ) -> EditedValue<Value> {
        value(name, "\(expected()), or null") { value in
            if value.isNull { return .set(nil) }
            guard case .text(let text) = value else { return nil }
            return text.isEmpty ? .set(nil) : read(text).map { .set($0) }
        } ?? .keep
    }

    /// Whether a member is given, rightly or not.
    package func has(_ name: String) -> Bool { values[name] != nil }

    /// Adds something that is wrong about several members.
    package mutating func addFault(_ fault: String) { faults.append(fault) }

    /// Throws a `400` that names each member that is wrong, or that nobody has read.
    package func check() throws(Problem) {
        let unknown = names.filter { !known.contains($0) }.map {
            "\(Self.shown($0)) cannot be set; \(DisplayText.list(known, "and")) can"
        }
        guard faults.isEmpty, unknown.isEmpty else {
            throw Problem.badRequest((faults + unknown).joined(separator: "; "))
        }
    }

    private static func shown(_ name: String) -> String { String(name.prefix(40)) }
}
