public import Digest

/// How counts look: cells coloured by how often somebody was there.
public struct HeatSymbolizer: Sendable, Equatable {
    /// How many colours there may be, the transparent one of empty cells counted in.
    public static let colorLimits = 8...64
    /// How many colours there are where nothing else is said: with 16 a pixel takes four bits.
    public static let usualColors = 16

    public let scale: Scale
    /// Colours with the transparent one, within `colorLimits`.
    public let colors: Int
    /// 0…1, times each colour's own.
    public let opacity: Double
    public let ramp: Ramp
    /// How far counts spread over the cells around them; nil for not at all.
    public let kernel: KernelRadius?
    /// Of all that can change a picture.
    public let digest: ContentDigest

    public init(
        scale: Scale = .log, colors: Int = usualColors, opacity: Double = 1, ramp: Ramp, kernel: KernelRadius? = nil
    ) {
        precondition(Self.colorLimits.contains(colors) && (0...1).contains(opacity))
        self.scale = scale
        self.colors = colors
        self.opacity = opacity
        self.ramp = ramp
        self.kernel = kernel
        var digester = Digester()
        digester.update("heat")
        digester.update(scale.rawValue)
        digester.update(colors)
        digester.update(opacity.bitPattern)
        ramp.update(&digester)
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

    /// The same look in other colours.
    public func with(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(scale: scale, colors: colors, opacity: opacity, ramp: ramp, kernel: kernel)
    }

    /// The same look as differences are drawn: in a diverging ramp, without a kernel, by the zoom level's scale.
    public func forDifferences(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(scale: scale == .local ? .equalize : scale, colors: colors, opacity: opacity, ramp: ramp)
    }

    /// The colour at a position of the ramp, as opaque as the look has it.
    func color(at position: Double) -> Color {
        let color = ramp.color(at: position)
        let alpha = (Double(color.alpha) * opacity).rounded()
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
    }
}
