public import Digest

/// How a tile looks, as a style file says it: heat, lines over it, and dots over these.
public struct Style: Sendable, Equatable {
    /// What a style is about.
    public enum Kind: String, Sendable, CaseIterable {
        /// Cells coloured by their counts; lines and dots may lie over them.
        case heat
        /// Lines; dots may lie over them.
        case tracks
        /// Dots; lines may lie below them.
        case points
    }

    /// What it is asked for by: a–z, 0–9 and hyphens, 1–40 of them, the first a letter.
    public let name: String
    /// What people read.
    public let title: String
    public let kind: Kind
    /// There in styles of the kind `heat`, and in no other.
    public let heat: HeatSymbolizer?
    public let lines: LineSymbolizer?
    public let dots: PointSymbolizer?
    /// Of all that can change a picture (not of the title).
    public let digest: ContentDigest

    public init(
        name: String, title: String? = nil, kind: Kind, heat: HeatSymbolizer? = nil, lines: LineSymbolizer? = nil,
        dots: PointSymbolizer? = nil
    ) {
        precondition(Self.isName(name) && (kind == .heat) == (heat != nil))
        precondition((kind != .tracks || lines != nil) && (kind != .points || dots != nil))
        self.name = name
        self.title = title ?? name
        self.kind = kind
        self.heat = heat
        self.lines = lines
        self.dots = dots
        var digester = Digester()
        digester.update("style")
        digester.update(kind.rawValue)
        for look in [heat?.digest, lines?.digest, dots?.digest] {
            digester.update(look == nil ? 0 : 1)
            if let look { digester.update(look) }
        }
        digest = digester.finish()
    }

    /// The ramp that `with(ramp:)` replaces: that of heat, else that of lines; nil where neither has one.
    public var ramp: Ramp? { heat?.ramp ?? lines?.ramp }

    /// The same style in other colours; nil where it has no ramp.
    public func with(ramp: Ramp) -> Style? {
        if let heat {
            return Style(name: name, title: title, kind: kind, heat: heat.with(ramp: ramp), lines: lines, dots: dots)
        }
        guard let lines = lines?.with(ramp: ramp) else { return nil }
        return Style(name: name, title: title, kind: kind, lines: lines, dots: dots)
    }

    /// The same style as differences are drawn: their colours alone, in a diverging ramp; nil where it has no heat.
    public func forDifferences(ramp: Ramp) -> Style? {
        heat.map { Style(name: name, title: title, kind: kind, heat: $0.forDifferences(ramp: ramp)) }
    }

    /// Whether a text can name a style.
    public static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 40, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}
