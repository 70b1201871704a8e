/// Reads style files; gathers everything that is wrong before it gives up.
struct StyleReader {
    private let file: String
    private var problems: [StyleError.Problem] = []

    private init(file: String) {
        self.file = file
    }

    /// The style in a file's text; throws all of its problems at once.
    static func style(file: String, text: [UInt8]) throws(StyleError) -> Style {
        var reader = StyleReader(file: file)
        guard let style = reader.style(text), reader.problems.isEmpty else {
            throw StyleError(problems: reader.problems)
        }
        return style
    }

    private mutating func style(_ text: [UInt8]) -> Style? {
        let value: JSONValue
        do {
            value = try JSONValue.parsed(text)
        } catch {
            tell("", error.what, "write one JSON object")
            return nil
        }
        let keys = ["name", "title", "kind", "scale", "colors", "opacity", "ramp", "kernel"]
        guard let object = object(value, at: "", keys: keys) else { return nil }
        let name = string(object, "name", at: "name")
        if let name, !Style.isName(name) {
            tell("name", "\"\(name.prefix(40))\" is no name", "use 1–40 of a–z, 0–9 and -, a letter first")
        }
        let title = object["title"] == nil ? nil : string(object, "title", at: "title")
        let kind = choice(object, "kind", at: "kind", of: Style.Kind.self, usual: .heat)
        let scale = choice(object, "scale", at: "scale", of: Scale.self, usual: .log)
        let colorRange = Double(Style.colorLimits.lowerBound)...Double(Style.colorLimits.upperBound)
        let colors = number(
            object, "colors", at: "colors", within: colorRange, whole: true, usual: Double(Style.usualColors))
        let opacity = number(object, "opacity", at: "opacity", within: 0...1, usual: 1)
        let ramp = ramp(object)
        let kernel = kernel(object)
        guard problems.isEmpty, let name, let kind, let scale, let colors, let opacity, let ramp else { return nil }
        return Style(
            name: name, title: title, kind: kind, scale: scale, colors: Int(colors), opacity: opacity, ramp: ramp,
            kernel: kernel)
    }

    private mutating func ramp(_ style: [String: JSONValue]) -> Ramp? {
        guard let value = style["ramp"] else {
            tell("ramp", "there is none", "name one, or give an object with \"stops\"")
            return nil
        }
        if case .string(let name) = value { return namedRamp(name) }
        guard let object = object(value, at: "ramp", keys: ["blend", "stops"]) else { return nil }
        let blend = choice(object, "blend", at: "ramp.blend", of: Ramp.Blend.self, usual: .oklab)
        guard case .array(let values)? = object["stops"], values.count >= 2 else {
            tell("ramp.stops", "there are not two", "give a list of at least two stops, from \"at\": 0 to \"at\": 1")
            return nil
        }
        var stops: [Ramp.Stop] = []
        for (place, value) in values.enumerated() {
            guard let stop = stop(value, at: "ramp.stops[\(place)]") else { continue }
            if let before = stops.last, before.at >= stop.at, stops.count == place {
                tell("ramp.stops[\(place)].at", "\(stop.at) does not follow \(before.at)", "let \"at\" ascend")
            }
            stops.append(stop)
        }
        guard stops.count == values.count else { return nil }
        if let first = stops.first, first.at != 0 {
            tell("ramp.stops[0].at", "\(first.at) is not 0", "let the first stop be at 0")
        }
        if let last = stops.last, last.at != 1 {
            tell("ramp.stops[\(stops.count - 1)].at", "\(last.at) is not 1", "let the last stop be at 1")
        }
        guard problems.isEmpty, let blend else { return nil }
        return Ramp(blend: blend, stops: stops)
    }

    /// nil where there is none; a problem is told.
    private mutating func kernel(_ style: [String: JSONValue]) -> KernelRadius? {
        guard let value = style["kernel"],
            let object = object(value, at: "kernel", keys: ["pixels", "metres"])
        else { return nil }
        guard object.count == 1 else {
            tell("kernel", "there is not one radius", "give either \"pixels\" or \"metres\"")
            return nil
        }
        if object["pixels"] != nil {
            return number(object, "pixels", at: "kernel.pixels", within: KernelRadius.pixelLimits, usual: nil)
                .map { .pixels($0) }
        }
        return number(object, "metres", at: "kernel.metres", within: KernelRadius.metreLimits, usual: nil)
            .map { .metres($0) }
    }

    private mutating func namedRamp(_ name: String) -> Ramp? {
        if let named = NamedRamp.named(name) { return named.ramp }
        let near = NamedRamp.name(like: name)
        let names = NamedRamp.all.map(\.name).joined(separator: ", ")
        tell(
            "ramp", "there is no \"\(name.prefix(40))\"",
            near.map { "did you mean \"\($0)\"?" } ?? "choose one of \(names), or give an object with \"stops\"")
        return nil
    }

    private mutating func stop(_ value: JSONValue, at path: String) -> Ramp.Stop? {
        guard let object = object(value, at: path, keys: ["at", "color", "opacity"]) else { return nil }
        let at = number(object, "at", at: "\(path).at", within: 0...1, usual: nil)
        let text = string(object, "color", at: "\(path).color")
        let opacity = number(object, "opacity", at: "\(path).opacity", within: 0...1, usual: 1)
        guard let text else { return nil }
        guard let color = Color(text), text.utf8.count == 7 else {
            tell(
                "\(path).color", "\"\(text.prefix(40))\" is no color", "write it as #rrggbb, with \"opacity\" beside it"
            )
            return nil
        }
        guard let at, let opacity else { return nil }
        let alpha = UInt8((opacity * 255).rounded())
        return Ramp.Stop(
            at: at, color: Color(red: color.red, green: color.green, blue: color.blue, alpha: alpha))
    }
}

// Values by their kind: what is not there has its usual value or is a problem.
extension StyleReader {
    private mutating func tell(_ path: String, _ what: String, _ remedy: String) {
        problems.append(StyleError.Problem(file: file, path: path, what: what, remedy: remedy))
    }

    private mutating func object(_ value: JSONValue, at path: String, keys: [String]) -> [String: JSONValue]? {
        guard case .object(let object) = value else {
            tell(path, "\(value.noun) is no object", "write it in braces: { … }")
            return nil
        }
        for key in object.keys.sorted() where !keys.contains(key) {
            let near = Spelling.nearest(to: key, of: keys)
            tell(
                path.isEmpty ? key : "\(path).\(key)", "there is no such key",
                near.map { "did you mean \"\($0)\"?" } ?? "the keys here are \(keys.joined(separator: ", "))")
        }
        return object
    }

    private mutating func string(_ object: [String: JSONValue], _ key: String, at path: String) -> String? {
        switch object[key] {
        case .string(let text)?: return text
        case nil: tell(path, "there is none", "give a text in quotes")
        case let other?: tell(path, "\(other.noun) is no text", "write it in quotes")
        }
        return nil
    }

    private mutating func number(
        _ object: [String: JSONValue], _ key: String, at path: String, within limits: ClosedRange<Double>,
        whole: Bool = false, usual: Double?
    ) -> Double? {
        let (low, high) = (Self.text(limits.lowerBound), Self.text(limits.upperBound))
        let remedy = "give a \(whole ? "whole " : "")number from \(low) to \(high)"
        switch object[key] {
        case .number(let value)? where limits.contains(value) && (!whole || value == value.rounded()): return value
        case nil:
            if let usual { return usual }
            tell(path, "there is none", remedy)
        case let other?: tell(path, "\(other.noun) does not fit", remedy)
        }
        return nil
    }

    private mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ object: [String: JSONValue], _ key: String, at path: String, of type: Choice.Type, usual: Choice
    ) -> Choice? {
        guard let value = object[key] else { return usual }
        let words = Choice.allCases.map(\.rawValue)
        if case .string(let text) = value {
            if let choice = Choice(rawValue: text) { return choice }
            let near = Spelling.nearest(to: text, of: words)
            tell(
                path, "there is no \"\(text.prefix(40))\"",
                near.map { "did you mean \"\($0)\"?" } ?? "choose one of \(words.joined(separator: ", "))")
        } else {
            tell(path, "\(value.noun) is no text", "choose one of \(words.joined(separator: ", "))")
        }
        return nil
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
