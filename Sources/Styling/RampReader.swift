import Colors
import Text

// Reads ramps, given by name or by stops.
extension StyleReader {
    /// Reads the ramp of heat: one for all backgrounds, or an object with one for each theme.
    mutating func ramps(_ style: [String: JSONValue]) -> (ramp: Ramp, dark: Ramp?)? {
        let themes = Theme.allCases.map(\.rawValue)
        guard let value = style["ramp"], let given = value.membersByName,
            themes.contains(where: { given[$0] != nil })
        else { return ramp(style, at: "ramp").map { ($0, nil) } }
        guard let object = object(value, at: "ramp", keys: themes) else { return nil }
        let light = ramp(object, Theme.light.rawValue, at: "ramp.light")
        let dark = ramp(object, Theme.dark.rawValue, at: "ramp.dark")
        guard let light, let dark else { return nil }
        return (light, dark)
    }

    /// Reads the ramp under a key of an object; `path` is the path to it.
    mutating func ramp(_ object: [String: JSONValue], _ key: String = "ramp", at path: String) -> Ramp? {
        guard let value = object[key] else {
            report(path, "missing", "name one, or give an object with \"stops\"")
            return nil
        }
        if case .text(let name) = value { return namedRamp(name, at: path) }
        guard let object = self.object(value, at: path, keys: ["blend", "stops"]) else { return nil }
        let blend = choice(object, "blend", at: "\(path).blend", of: Ramp.Blend.self, defaultValue: .oklab)
        guard case .list(let values)? = object["stops"], values.count >= 2 else {
            report(
                "\(path).stops", "fewer than two stops",
                "give a list of at least two stops, from \"at\": 0 to \"at\": 1")
            return nil
        }
        guard let stops = stops(values, at: "\(path).stops"), let blend else { return nil }
        return Ramp(blend: blend, stops: stops)
    }

    /// The stops of a ramp; nil if one of them has a problem.
    private mutating func stops(_ values: [JSONValue], at path: String) -> [Ramp.Stop]? {
        let before = problems.count
        var stops: [Ramp.Stop] = []
        for (place, value) in values.enumerated() {
            guard let stop = stop(value, at: "\(path)[\(place)]") else { continue }
            if let before = stops.last, before.at >= stop.at, stops.count == place {
                report(
                    "\(path)[\(place)].at", "\(stop.at) is not greater than \(before.at)",
                    "give stops in ascending order of \"at\"")
            }
            stops.append(stop)
        }
        guard stops.count == values.count else { return nil }
        if let first = stops.first, first.at != 0 {
            report("\(path)[0].at", "\(first.at) is not 0", "start with a stop at 0")
        }
        if let last = stops.last, last.at != 1 {
            report("\(path)[\(stops.count - 1)].at", "\(last.at) is not 1", "end with a stop at 1")
        }
        return problems.count == before ? stops : nil
    }

    private mutating func namedRamp(_ name: String, at path: String) -> Ramp? {
        if let named = NamedRamp.named(name) { return named.ramp }
        let near = NamedRamp.name(like: name)
        let names = NamedRamp.all.map(\.name).joined(separator: ", ")
        report(
            path, "there is no \"\(name.prefix(40))\"",
            near.map { "did you mean \"\($0)\"?" } ?? "choose one of \(names), or give an object with \"stops\"")
        return nil
    }

    private mutating func stop(_ value: JSONValue, at path: String) -> Ramp.Stop? {
        guard let object = object(value, at: path, keys: ["at", "color", "opacity"]) else { return nil }
        let at = number(object, "at", at: "\(path).at", within: 0...1, defaultValue: nil)
        let color = color(
            object, "color", at: "\(path).color", remedy: "write it as #rrggbb, with \"opacity\" beside it")
        let opacity = number(object, "opacity", at: "\(path).opacity", within: 0...1, defaultValue: 1)
        guard let at, let color, let opacity else { return nil }
        let alpha = UInt8((opacity * 255).rounded())
        return Ramp.Stop(
            at: at, color: Color(red: color.red, green: color.green, blue: color.blue, alpha: alpha))
    }
}
