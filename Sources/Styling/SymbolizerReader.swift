import Colors
import Text
import TileMath

// Reads the symbolizers of lines and points.
extension StyleReader {
    /// What the colour of a line depends on: the values of the key `by`.
    private enum Measure: String, CaseIterable {
        case activity, age, direction, elevation, speed

        var keys: [String] {
            switch self {
            case .activity: ["by", "colors", "others"]
            case .age, .direction: ["by", "ramp", "others"]
            case .elevation, .speed: ["by", "ramp", "from", "to", "others"]
            }
        }
    }

    /// Speeds in m/s; a step faster than 350 m/s is treated as a gap.
    private static let speedLimits = 0.1...350.0
    /// Elevations in metres, from the shore of the Dead Sea to the altitude of airliners.
    private static let elevationLimits = -500.0...20_000.0

    /// Reads the key `lines`; nil if it is missing, or after a problem was reported.
    mutating func lines(_ style: [String: JSONValue]) -> LineSymbolizer? {
        guard let value = style["lines"],
            let object = object(value, at: "lines", keys: ["color", "dense", "width", "casing", "opacity"])
        else { return nil }
        let before = problems.count
        var others = LineSymbolizer.defaultOtherColor
        let coloring = coloring(object, others: &others)
        let width = zoomNumbers(object, "width", at: "lines.width", within: LineSymbolizer.widthLimits)
        let casing = casing(object, "casing", at: "lines.casing")
        let opacity = number(object, "opacity", at: "lines.opacity", within: 0...1, defaultValue: 1)
        guard problems.count == before, let coloring, let width, let opacity else { return nil }
        if let zoom = LineSymbolizer.zoomTooWide(width: width, casing: casing) {
            report(
                "lines.width", "a line with its casing on both sides is too wide at zoom level \(zoom)",
                "use at most \(Self.text(LineSymbolizer.maxWidth)) pixels")
            return nil
        }
        return LineSymbolizer(coloring: coloring, others: others, width: width, casing: casing, opacity: opacity)
    }

    /// Reads the key `dots`; nil if it is missing, or after a problem was reported.
    mutating func points(_ style: [String: JSONValue]) -> PointSymbolizer? {
        let keys = ["color", "radius", "outline", "from", "opacity", "pin"]
        guard let value = style["dots"], let object = object(value, at: "dots", keys: keys) else { return nil }
        let before = problems.count
        let color = color(object, "color", at: "dots.color")
        let pin = self.color(object, "pin", at: "dots.pin", defaultValue: PointSymbolizer.defaultPin)
        let radius = zoomNumbers(object, "radius", at: "dots.radius", within: PointSymbolizer.radiusLimits)
        let outline = casing(object, "outline", at: "dots.outline")
        let zooms =
            Double(PointSymbolizer.firstZoomLimits.lowerBound)...Double(PointSymbolizer.firstZoomLimits.upperBound)
        let from = number(
            object, "from", at: "dots.from", within: zooms, whole: true,
            defaultValue: Double(PointSymbolizer.defaultFirstZoom))
        let opacity = number(object, "opacity", at: "dots.opacity", within: 0...1, defaultValue: 1)
        guard problems.count == before, let color, let pin, let radius, let from, let opacity else { return nil }
        if let zoom = PointSymbolizer.zoomTooWide(radius: radius, outline: outline) {
            report(
                "dots.radius", "a dot with its outline is too wide at zoom level \(zoom)",
                "use at most \(Self.text(PointSymbolizer.maxReach)) pixels")
            return nil
        }
        return PointSymbolizer(
            color: color, radius: radius, outline: outline, firstZoom: Int(from), opacity: opacity, pin: pin)
    }

    /// Reads the key `color` of lines: a colour, or an object that gives what the colour depends on.
    private mutating func coloring(_ lines: [String: JSONValue], others: inout Color) -> LineSymbolizer.Coloring? {
        let path = "lines.color"
        guard let value = lines["color"], let given = value.membersByName else {
            let single = color(
                lines, "color", at: path, remedy: "write it as #rrggbb, or as an object such as {\"by\": \"speed\", …}")
            let dense = lines["dense"] == nil ? nil : color(lines, "dense", at: "lines.dense")
            return single.map { .fixed($0, dense: dense) }
        }
        if lines["dense"] != nil {
            report("lines.dense", "colours that mean something cannot also show density", "give \"color\" as #rrggbb")
        }
        guard given["by"] != nil else {
            let words = Measure.allCases.map(\.rawValue).joined(separator: ", ")
            report("\(path).by", "missing", "choose one of \(words)")
            return nil
        }
        guard let by = choice(given, "by", at: "\(path).by", of: Measure.self, defaultValue: .activity),
            let object = object(value, at: path, keys: by.keys)
        else { return nil }
        if let color = color(object, "others", at: "\(path).others", defaultValue: LineSymbolizer.defaultOtherColor) {
            others = color
        }
        switch by {
        case .activity: return activities(object, at: "\(path).colors").map { .activity($0) }
        case .age: return ramp(object, at: "\(path).ramp").map { .age($0) }
        case .direction: return ramp(object, at: "\(path).ramp").map { .direction($0) }
        case .speed:
            let ends = ends(object, at: path, within: Self.speedLimits)
            guard let ramp = ramp(object, at: "\(path).ramp"), let ends else { return nil }
            return .speed(ramp, metresPerSecond: ends)
        case .elevation:
            let ends = ends(object, at: path, within: Self.elevationLimits)
            guard let ramp = ramp(object, at: "\(path).ramp"), let ends else { return nil }
            return .elevation(ramp, metres: ends)
        }
    }

    private mutating func activities(_ coloring: [String: JSONValue], at path: String) -> [String: Color]? {
        guard let given = coloring["colors"]?.membersByName, (1...LineSymbolizer.maxActivities).contains(given.count)
        else {
            report(
                path, "not 1–\(LineSymbolizer.maxActivities) activities",
                "give an object of colors by activity, such as {\"ride\": \"#0072b2\"}")
            return nil
        }
        var colors: [String: Color] = [:]
        for name in given.keys.sorted() {
            let member = "\(path).\(name.prefix(40))"
            guard let color = color(given, name, at: member) else { continue }
            if colors.updateValue(color, forKey: name.lowercased()) != nil {
                report(member, "the activity occurs twice", "names of activities ignore case")
            }
        }
        return colors
    }

    /// Reads the keys `from` and `to`.
    private mutating func ends(
        _ object: [String: JSONValue], at path: String, within limits: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        let from = number(object, "from", at: "\(path).from", within: limits, defaultValue: nil)
        let to = number(object, "to", at: "\(path).to", within: limits, defaultValue: nil)
        guard let from, let to else { return nil }
        guard from < to else {
            report("\(path).to", "\(Self.text(to)) is not above \(Self.text(from))", "give the lower limit as \"from\"")
            return nil
        }
        return from...to
    }

    /// nil if the key is missing, or after a problem was reported.
    private mutating func casing(_ object: [String: JSONValue], _ key: String, at path: String) -> Casing? {
        guard let value = object[key], let casing = self.object(value, at: path, keys: ["color", "width"]) else {
            return nil
        }
        let color = color(casing, "color", at: "\(path).color")
        let width = zoomNumbers(casing, "width", at: "\(path).width", within: Casing.widthLimits)
        guard let color, let width else { return nil }
        return Casing(color: color, width: width)
    }

    /// Reads a number, or an object of numbers by zoom level.
    mutating func zoomNumbers(
        _ object: [String: JSONValue], _ key: String, at path: String, within limits: ClosedRange<Double>
    ) -> ZoomNumbers? {
        guard let given = object[key]?.membersByName else {
            return number(object, key, at: path, within: limits, defaultValue: nil).map { ZoomNumbers($0) }
        }
        var values: [Int: Double] = [:]
        for key in given.keys.sorted() {
            guard let zoom = Int(key).flatMap({ ZoomLevel($0) }), zoom.description == key else {
                report(
                    "\(path).\(key.prefix(40))", "\"\(key.prefix(40))\" is not a zoom level",
                    "use whole numbers from \"0\" to \"\(ZoomLevel.deepest)\"")
                continue
            }
            if let value = number(given, key, at: "\(path).\(key)", within: limits, defaultValue: nil) {
                values[zoom.number] = value
            }
        }
        guard values.count == given.count, !values.isEmpty else {
            if given.isEmpty { report(path, "no number given", "give one, or some by zoom level: {\"10\": 1.5}") }
            return nil
        }
        return ZoomNumbers(values)
    }
}
