import Colors
public import Digest
public import TileMath

/// Which counts determine the range of a scale.
public enum ScaleRange: String, Sendable, CaseIterable {
    /// The counts of each zoom level: more contrast.
    case zoomLevel = "zoom"
    /// The same counts for all zoom levels: a colour means the same while one zooms.
    case library
}

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
    /// The ramp for dark backgrounds; nil if `ramp` is for all backgrounds.
    public let darkRamp: Ramp?
    /// The radius over which counts are spread; nil for none.
    public let kernel: KernelRadius?
    /// The counts from which the range of the scale is made.
    public let range: ScaleRange
    /// The digest of everything that can change a picture.
    public let digest: ContentDigest

    public init(
        scale: Scale = .log, colors: Int = defaultColorCount, opacity: Double = 1, ramp: Ramp, darkRamp: Ramp? = nil,
        kernel: KernelRadius? = nil, range: ScaleRange = .zoomLevel
    ) {
        precondition(Self.colorLimits.contains(colors) && (0...1).contains(opacity))
        self.scale = scale
        self.colors = colors
        self.opacity = opacity
        self.ramp = ramp
        self.darkRamp = darkRamp
        self.kernel = kernel
        self.range = range
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
            radius.update(&digester)
        case .metres(let radius):
            digester.update("metres")
            digester.update(radius.bitPattern)
        }
        if let darkRamp {
            digester.update("dark")
            darkRamp.update(&digester)
        }
        // As `dark`, added only if set: the digests of styles without these keys stay as they were.
        if range == .library { digester.update(range.rawValue) }
        digest = digester.finish()
    }

    /// The same symbolizer with one other ramp for all backgrounds.
    public func with(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(scale: scale, colors: colors, opacity: opacity, ramp: ramp, kernel: kernel, range: range)
    }

    /// The same symbolizer for differences: with a diverging ramp, and with a scale that is not local.
    public func forDifferences(ramp: Ramp) -> HeatSymbolizer {
        HeatSymbolizer(
            scale: scale == .local ? .equalize : scale, colors: colors, opacity: opacity, ramp: ramp, kernel: kernel,
            range: range)
    }

    /// The zoom level whose counts determine the range of the scale in a tile of `zoom`.
    public func rangeZoom(for zoom: ZoomLevel) -> ZoomLevel {
        switch range {
        case .zoomLevel: min(zoom, .deepestGrid)
        case .library: ZoomLevel(Self.libraryRangeZoom) ?? zoom
        }
    }

    /// At this zoom level a town fills the screen; the counts of its cells reach about as high as those of all zoom
    /// levels from 8 to 14.
    private static let libraryRangeZoom = 12

    /// The colour at a position of the ramp, with `opacity` applied.
    func color(at position: Double) -> Color {
        let color = ramp.color(at: position)
        let alpha = (Double(color.alpha) * opacity).rounded()
        return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
    }
}
