public import Digest

/// How a tile looks, as a style file says it.
public struct Style: Sendable, Equatable {
    /// What a style draws.
    public enum Kind: String, Sendable, CaseIterable {
        /// Cells coloured by their counts.
        case heat
    }

    /// How many colours a style may have, the transparent one of empty cells counted in.
    public static let colorLimits = 8...64
    /// How many colours a style has that does not say: with 16 a pixel takes four bits.
    public static let usualColors = 16

    /// What it is asked for by: a–z, 0–9 and hyphens, 1–40 of them, the first a letter.
    public let name: String
    /// What people read.
    public let title: String
    public let kind: Kind
    public let scale: Scale
    /// Colours with the transparent one, within `colorLimits`.
    public let colors: Int
    /// 0…1, times each colour's own.
    public let opacity: Double
    public let ramp: Ramp
    /// How far counts spread over the cells around them; nil for not at all.
    public let kernel: KernelRadius?
    /// Of all that can change a picture (not of the title).
    public let digest: ContentDigest

    public init(
        name: String, title: String? = nil, kind: Kind = .heat, scale: Scale = .log, colors: Int = usualColors,
        opacity: Double = 1, ramp: Ramp, kernel: KernelRadius? = nil
    ) {
        precondition(Self.isName(name) && Self.colorLimits.contains(colors) && (0...1).contains(opacity))
        self.name = name
        self.title = title ?? name
        self.kind = kind
        self.scale = scale
        self.colors = colors
        self.opacity = opacity
        self.ramp = ramp
        self.kernel = kernel
        var digester = Digester()
        for text in ["style", kind.rawValue, scale.rawValue, ramp.blend.rawValue] { digester.update(text) }
        digester.update(colors)
        digester.update(opacity.bitPattern)
        for stop in ramp.stops {
            digester.update(stop.at.bitPattern)
            digester.update(stop.color.description)
        }
        switch kernel {
        case nil: break
        case .pixels(let radius):
            digester.update("pixels")
            digester.update(radius.bitPattern)
        case .metres(let radius):
            digester.update("metres")
            digester.update(radius.bitPattern)
        }
        digest = digester.finish()
    }

    /// The same style in other colours.
    public func with(ramp: Ramp) -> Style {
        Style(
            name: name, title: title, kind: kind, scale: scale, colors: colors, opacity: opacity, ramp: ramp,
            kernel: kernel)
    }

    /// The same style as differences are drawn: in a diverging ramp, without a kernel, by the zoom level's scale.
    public func forDifferences(ramp: Ramp) -> Style {
        Style(
            name: name, title: title, kind: kind, scale: scale == .local ? .equalize : scale, colors: colors,
            opacity: opacity, ramp: ramp)
    }

    /// The colour at a position of the ramp, as opaque as the style has it.
    func color(at position: Double) -> Color {
        let color = ramp.color(at: position)
        let alpha = (Double(color.alpha) * opacity).rounded()
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
    }

    /// Whether a text can name a style.
    public static func isName(_ text: String) -> Bool {
        let bytes = text.utf8
        guard let first = bytes.first, bytes.count <= 40, isLetter(first) else { return false }
        return bytes.allSatisfy { isLetter($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte) }
}
