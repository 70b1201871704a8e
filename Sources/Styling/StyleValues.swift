import Colors
import Text

// Reads values by type. A missing value has its default; without one, it is a problem.
extension StyleReader {
    mutating func report(_ path: String, _ what: String, _ remedy: String) {
        problems.append(StyleError.Problem(file: file, path: path, what: what, remedy: remedy))
    }

    mutating func object(_ value: JSONValue, at path: String, keys: [String]) -> [String: JSONValue]? {
        guard let object = value.membersByName else {
            report(path, "\(value.noun) is not an object", "write it in braces: { … }")
            return nil
        }
        for key in object.keys.sorted() where !keys.contains(key) {
            let near = SpellingSuggestion.nearest(to: key, of: keys)
            report(
                path.isEmpty ? key : "\(path).\(key)", "unknown key",
                near.map { "did you mean \"\($0)\"?" } ?? "the keys here are \(keys.joined(separator: ", "))")
        }
        return object
    }

    mutating func string(_ object: [String: JSONValue], _ key: String, at path: String) -> String? {
        switch object[key] {
        case .text(let text)?: return text
        case nil: report(path, "missing", "give a string in quotes")
        case let other?: report(path, "\(other.noun) is not a string", "write it in quotes")
        }
        return nil
    }

    /// Reads a colour of six digits; if it is missing, the default or a problem.
    mutating func color(
        _ object: [String: JSONValue], _ key: String, at path: String, defaultValue: Color? = nil,
        remedy: String = "write it as #rrggbb"
    ) -> Color? {
        if object[key] == nil, let defaultValue { return defaultValue }
        guard let text = string(object, key, at: path) else { return nil }
        guard let color = Color(text), text.utf8.count == 7 else {
            report(path, "\"\(text.prefix(40))\" is not a color", remedy)
            return nil
        }
        return color
    }

    mutating func number(
        _ object: [String: JSONValue], _ key: String, at path: String, within limits: ClosedRange<Double>,
        whole: Bool = false, defaultValue: Double?
    ) -> Double? {
        let (low, high) = (Self.text(limits.lowerBound), Self.text(limits.upperBound))
        let remedy = "give a \(whole ? "whole " : "")number from \(low) to \(high)"
        guard let given = object[key] else {
            if defaultValue == nil { report(path, "missing", remedy) }
            return defaultValue
        }
        if let value = given.double, limits.contains(value), !whole || value == value.rounded() { return value }
        report(path, "\(given.noun) is not a valid value", remedy)
        return nil
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ object: [String: JSONValue], _ key: String, at path: String, of type: Choice.Type, defaultValue: Choice
    ) -> Choice? {
        guard let value = object[key] else { return defaultValue }
        let words = Choice.allCases.map(\.rawValue)
        if case .text(let text) = value {
            if let choice = Choice(rawValue: text) { return choice }
            let near = SpellingSuggestion.nearest(to: text, of: words)
            report(
                path, "there is no \"\(text.prefix(40))\"",
                near.map { "did you mean \"\($0)\"?" } ?? "choose one of \(words.joined(separator: ", "))")
        } else {
            report(path, "\(value.noun) is not a string", "choose one of \(words.joined(separator: ", "))")
        }
        return nil
    }

    static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
