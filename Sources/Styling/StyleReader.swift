import Text

/// Reads style files; collects all problems before it fails.
struct StyleReader {
    let file: String
    var problems: [StyleError.Problem] = []

    private init(file: String) {
        self.file = file
    }

    /// Parses the text of a file; throws all of its problems together.
    static func style(file: String, text: [UInt8]) throws(StyleError) -> Style {
        var reader = StyleReader(file: file)
        guard let style = reader.style(text), reader.problems.isEmpty else {
            throw StyleError(problems: reader.problems)
        }
        return style
    }

    private static let heatKeys = ["scale", "range", "colors", "opacity", "ramp", "kernel"]

    private mutating func style(_ text: [UInt8]) -> Style? {
        let value: JSONValue
        do {
            value = try StyleDocument.parsed(text)
        } catch {
            report("", error.what, "write one JSON object")
            return nil
        }
        let keys = ["name", "title", "kind"] + Self.heatKeys + ["lines", "dots"]
        guard let object = object(value, at: "", keys: keys) else { return nil }
        let name = string(object, "name", at: "name")
        if let name, !Style.isName(name) {
            report("name", "\"\(name.prefix(40))\" is not a valid name", "use 1–40 of a–z, 0–9 and -, a letter first")
        }
        let title = object["title"] == nil ? nil : string(object, "title", at: "title")
        let kind = choice(object, "kind", at: "kind", of: Style.Kind.self, defaultValue: .heat)
        let heat = kind == .heat ? heat(object) : nil
        let lines = lines(object)
        let points = points(object)
        if let kind { checkParts(of: object, kind) }
        guard problems.isEmpty, let name, let kind else { return nil }
        return Style(name: name, title: title, kind: kind, heat: heat, lines: lines, points: points)
    }

    /// Reports keys that a style of its kind must have and lacks, and keys that it must not have.
    private mutating func checkParts(of style: [String: JSONValue], _ kind: Style.Kind) {
        switch kind {
        case .heat: return
        case .tracks where style["lines"] == nil:
            report("lines", "missing", "a style of the kind \"tracks\" needs the key \"lines\"")
        case .points where style["dots"] == nil:
            report("dots", "missing", "a style of the kind \"points\" needs the key \"dots\"")
        case .tracks, .points: break
        }
        for key in Self.heatKeys where style[key] != nil {
            let target = kind == .tracks ? "lines" : "dots"
            report(
                key, "the kind \"\(kind.rawValue)\" does not support this key",
                key == "opacity" ? "move it to \"\(target)\"" : "remove it, or set the kind to \"heat\"")
        }
    }

    private mutating func heat(_ style: [String: JSONValue]) -> HeatSymbolizer? {
        let scale = choice(style, "scale", at: "scale", of: Scale.self, defaultValue: .log)
        let colorRange = Double(HeatSymbolizer.colorLimits.lowerBound)...Double(HeatSymbolizer.colorLimits.upperBound)
        let colors = number(
            style, "colors", at: "colors", within: colorRange, whole: true,
            defaultValue: Double(HeatSymbolizer.defaultColorCount))
        let opacity = number(style, "opacity", at: "opacity", within: 0...1, defaultValue: 1)
        let range = choice(style, "range", at: "range", of: ScaleRange.self, defaultValue: .zoomLevel)
        let ramps = ramps(style)
        let kernel = kernel(style)
        guard problems.isEmpty, let scale, let colors, let opacity, let range, let ramps else { return nil }
        return HeatSymbolizer(
            scale: scale, colors: Int(colors), opacity: opacity, ramp: ramps.ramp, darkRamp: ramps.dark,
            kernel: kernel, range: range)
    }

    /// Reads the key `kernel`; nil if it is missing, or after a problem was reported.
    private mutating func kernel(_ style: [String: JSONValue]) -> KernelRadius? {
        guard let value = style["kernel"],
            let object = object(value, at: "kernel", keys: ["pixels", "metres"])
        else { return nil }
        guard object.count == 1 else {
            report("kernel", "exactly one radius is needed", "give either \"pixels\" or \"metres\"")
            return nil
        }
        if object["pixels"] != nil {
            return zoomNumbers(object, "pixels", at: "kernel.pixels", within: KernelRadius.pixelLimits)
                .map { .pixels($0) }
        }
        return number(object, "metres", at: "kernel.metres", within: KernelRadius.metreLimits, defaultValue: nil)
            .map { .metres($0) }
    }
}
