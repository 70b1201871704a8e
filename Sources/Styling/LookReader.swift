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
            let object = object(value, at: "lines", keys: ["color", "width", "casing", "opacity"])
        else { return nil }
        let before = problems.count
        var others = LineSymbolizer.usualOthers
        let coloring = coloring(object, others: &others)
        let width = zoomNumbers(object, "width", at: "lines.width", within: LineSymbolizer.widthLimits)
        let casing = casing(object, "casing", at: "lines.casing")
        let opacity = number(object, "opacity", at: "lines.opacity", within: 0...1, usual: 1)
        guard problems.count == before, let coloring, let width, let opacity else { return nil }
        if let zoom = LineSymbolizer.zoomTooWide(width: width, casing: casing) {
            tell(
                "lines.width", "a line with its casing on both sides is too wide at zoom level \(zoom)",
                "use at most \(Self.text(LineSymbolizer.mostWidth)) pixels at most")
            return nil
        }
        return LineSymbolizer(coloring: coloring, others: others, width: width, casing: casing, opacity: opacity)
    }

    /// Reads the key `dots`; nil if it is missing, or after a problem was reported.
    mutating func dots(_ style: [String: JSONValue]) -> PointSymbolizer? {
        let keys = ["color", "radius", "outline", "from", "opacity", "pin"]
        guard let value = style["dots"], let object = object(value, at: "dots", keys: keys) else { return nil }
        let before = problems.count
        let color = color(object, "color", at: "dots.color")
        let pin = self.color(object, "pin", at: "dots.pin", usual: PointSymbolizer.usualPin)
        let radius = zoomNumbers(object, "radius", at: "dots.radius", within: PointSymbolizer.radiusLimits)
        let outline = casing(object, "outline", at: "dots.outline")
        let zooms =
            Double(PointSymbolizer.firstZoomLimits.lowerBound)...Double(PointSymbolizer.firstZoomLimits.upperBound)
        let from = number(
            object, "from", at: "dots.from", within: zooms, whole: true, usual: Double(PointSymbolizer.usualFirstZoom))
        let opacity = number(object, "opacity", at: "dots.opacity", within: 0...1, usual: 1)
        guard problems.count == before, let color, let pin, let radius, let from, let opacity else { return nil }
        if let zoom = PointSymbolizer.zoomTooWide(radius: radius, outline: outline) {
            tell(
                "dots.radius", "a dot with its outline is too wide at zoom level \(zoom)",
                "use at most \(Self.text(PointSymbolizer.mostReach)) pixels at most")
            return nil
        }
        return PointSymbolizer(
            color: color, radius: radius, outline: outline, firstZoom: Int(from), opacity: opacity, pin: pin)
    }

    /// Reads the key `color` of lines: a colour, or an object that gives what the colour depends on.
    private mutating func coloring(_ lines: [String: JSONValue], others: inout Color) -> LineSymbolizer.Coloring? {
        let path = "lines.color"
        guard case .object(let given)? = lines["color"] else {
            return color(
                lines, "color", at: path, remedy: "write it as #rrggbb, or as an object such as {\"by\": \"speed\", …}"
            ).map { .fixed($0) }
        }
        guard given["by"] != nil else {
            let words = Measure.allCases.map(\.rawValue).joined(separator: ", ")
            tell("\(path).by", "missing", "choose one of \(words)")
            return nil
        }
        guard let by = choice(given, "by", at: "\(path).by", of: Measure.self, usual: .activity),
            let object = object(.object(given), at: path, keys: by.keys)
        else { return nil }
        if let color = color(object, "others", at: "\(path).others", usual: LineSymbolizer.usualOthers) {
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
        guard case .object(let given)? = coloring["colors"], (1...LineSymbolizer.mostActivities).contains(given.count)
        else {
            tell(
                path, "not 1–\(LineSymbolizer.mostActivities) activities",
                "give an object of colors by activity, such as {\"ride\": \"#0072b2\"}")
            return nil
        }
        var colors: [String: Color] = [:]
        for name in given.keys.sorted() {
            let place = "\(path).\(name.prefix(40))"
            guard let color = color(given, name, at: place) else { continue }
            if colors.updateValue(color, forKey: name.lowercased()) != nil {
                tell(place, "the activity occurs twice", "names of activities ignore case")
            }
        }
        return colors
    }

    /// Reads the keys `from` and `to`.
    private mutating func ends(
        _ object: [String: JSONValue], at path: String, within limits: ClosedRange<Double>
    ) -> ClosedRange<Double>? {
        let from = number(object, "from", at: "\(path).from", within: limits, usual: nil)
        let to = number(object, "to", at: "\(path).to", within: limits, usual: nil)
        guard let from, let to else { return nil }
        guard from < to else {
            tell("\(path).to", "\(Self.text(to)) is not above \(Self.text(from))", "give the lower limit as \"from\"")
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
    private mutating func zoomNumbers(
        _ object: [String: JSONValue], _ key: String, at path: String, within limits: ClosedRange<Double>
    ) -> ZoomNumbers? {
        guard case .object(let given)? = object[key] else {
            return number(object, key, at: path, within: limits, usual: nil).map { ZoomNumbers($0) }
        }
        var values: [Int: Double] = [:]
        for key in given.keys.sorted() {
            guard let zoom = Int(key).flatMap({ ZoomLevel($0) }), zoom.description == key else {
                tell(
                    "\(path).\(key.prefix(40))", "\"\(key.prefix(40))\" is not a zoom level",
                    "use whole numbers from \"0\" to \"\(ZoomLevel.deepest)\"")
                continue
            }
            if let value = number(given, key, at: "\(path).\(key)", within: limits, usual: nil) {
                values[zoom.number] = value
            }
        }
        guard values.count == given.count, !values.isEmpty else {
            if given.isEmpty { tell(path, "no number given", "give one, or some by zoom level: {\"10\": 1.5}") }
            return nil
        }
        return ZoomNumbers(values)
    }
}
