public import Digest

/// Symbolizer of heat: how cells are coloured by their counts.
public struct HeatSymbolizer: Sendable, Equatable {
    /// The allowed number of colours, including the transparent one of empty cells.
    public static let colorLimits = 8...64
    /// The default number of colours: with 16 a pixel takes four bits.
    public static let defaultColorCount = 16

    public let scale: Scale
    /// The number of colours including the transparent one, within `colorLimits`.
    public let colors: Int
    /// 0…1; multiplied by the opacity of each colour.
    public let opacity: Double
    public let ramp: Ramp
    /// The radius over which counts are spread; nil for none.
    public let kernel: KernelRadius?
    /// The digest of everything that can change a picture.
    public let digest: ContentDigest

    public init(
        scale: Scale = .log, colors: Int = defaultColorCount, opacity: Double = 1, ramp: Ramp,
        kernel: KernelRadius? = nil
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

    /// The same symbolizer with another ramp.
    public func with(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(scale: scale, colors: colors, opacity: opacity, ramp: ramp, kernel: kernel)
    }

    /// The same symbolizer for differences: with a diverging ramp, without a kernel, and with a scale of the zoom
    /// level.
    public func forDifferences(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(scale: scale == .local ? .equalize : scale, colors: colors, opacity: opacity, ramp: ramp)
    }

    /// The colour at a position of the ramp, with `opacity` applied.
    func color(at position: Double) -> Color {
        let color = ramp.color(at: position)
        let alpha = (Double(color.alpha) * opacity).rounded()
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
    }
}
