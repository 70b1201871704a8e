public import Digest

/// A map style, as a style file defines it: heat, lines above it, and points above the lines.
public struct Style: Sendable, Equatable {
    /// The main content of a style.
    public enum Kind: String, Sendable, CaseIterable {
        /// Cells coloured by their counts; lines and points may be drawn above them.
        case heat
        /// Lines; points may be drawn above them.
        case tracks
        /// Points; lines may be drawn below them.
        case points
    }

    /// The name used in requests: 1–40 of a–z, 0–9 and hyphens, a letter first.
    public let name: String
    /// The name shown to people.
    public let title: String
    public let kind: Kind
    /// Present in styles of the kind `heat`, and in no others.
    public let heat: HeatSymbolizer?
    public let lines: LineSymbolizer?
    public let points: PointSymbolizer?
    /// The digest of everything that can change a picture; the title is not part of it.
    public let digest: ContentDigest

    public init(
        name: String, title: String? = nil, kind: Kind, heat: HeatSymbolizer? = nil, lines: LineSymbolizer? = nil,
        points: PointSymbolizer? = nil
    ) {
        precondition(Self.isName(name) && (kind == .heat) == (heat != nil))
        precondition((kind != .tracks || lines != nil) && (kind != .points || points != nil))
        self.name = name
        self.title = title ?? name
        self.kind = kind
        self.heat = heat
        self.lines = lines
        self.points = points
        var digester = Digester()
        digester.update("style")
        digester.update(kind.rawValue)
        for symbolizer in [heat?.digest, lines?.digest, points?.digest] {
            digester.update(symbolizer == nil ? 0 : 1)
            if let symbolizer { digester.update(symbolizer) }
        }
        digest = digester.finish()
    }

    /// The ramp that `with(ramp:)` replaces: the ramp of heat, else the ramp of lines; nil if neither has one.
    public var ramp: Ramp? { heat?.ramp ?? lines?.ramp }

    /// Whether the colours depend on the background.
    public var takesTheme: Bool { heat?.darkRamp != nil }

    /// Whether its tiles are large as PNG: smooth lines and points have more colours than a palette. As WebP they are smaller by 20 %
    /// and 29 %.
    public var isLargeAsPNG: Bool { lines != nil || points != nil }

    /// The style for a background; the style itself if it is the same on all backgrounds.
    public func with(theme: Theme) -> Style {
        guard let heat, let dark = heat.darkRamp else { return self }
        let ramp = theme == .light ? heat.ramp : dark
        return Style(name: name, title: title, kind: kind, heat: heat.with(ramp: ramp), lines: lines, points: points)
    }

    /// The same style with another ramp; nil if it has no ramp.
    public func with(ramp: Ramp) -> Style? {
        if let heat {
            return Style(
                name: name, title: title, kind: kind, heat: heat.with(ramp: ramp), lines: lines, points: points)
        }
        guard let lines = lines?.with(ramp: ramp) else { return nil }
        return Style(name: name, title: title, kind: kind, lines: lines, points: points)
    }

    /// The style for differences: heat alone, with a diverging ramp; nil if the style has no heat.
    public func forDifferences(ramp: Ramp) -> Style? {
        heat.map { Style(name: name, title: title, kind: kind, heat: $0.forDifferences(ramp: ramp)) }
    }

    /// Whether a text is a valid name of a style.
    public static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 40, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}
