/// The built-in styles. `Styles/` holds the same styles as files, to copy and change.
extension Style {
    public static let builtIn: [Style] = heatStyles + lineStyles

    /// From violet for a single visit through rose and orange to amber. Its light end is dark enough for white maps,
    /// its dark end is light enough for black maps, and every step is lighter than the one before.
    static let heatRamp = Ramp(
        blend: .oklab,
        stops: [
            Ramp.Stop("#7446ff", at: 0, opacity: 0.85),
            Ramp.Stop("#bb40e0", at: 0.3, opacity: 0.9),
            Ramp.Stop("#f2447f", at: 0.55),
            Ramp.Stop("#ff7a2e", at: 0.8),
            Ramp.Stop("#ffb81f", at: 1),
        ])

    /// On light maps from violet for a single visit through magenta and red to a red that is almost black: every step
    /// is darker than the one before.
    static let lightGlow = Ramp(
        blend: .oklab,
        stops: [
            Ramp.Stop("#8f6ff2", at: 0),
            Ramp.Stop("#b341cf", at: 0.25),
            Ramp.Stop("#c4196f", at: 0.5),
            Ramp.Stop("#9c0c26", at: 0.75),
            Ramp.Stop("#5a0519", at: 1),
        ])

    /// On dark maps from violet through magenta and orange to a yellow that is almost white: every step is lighter
    /// than the one before.
    static let darkGlow = Ramp(
        blend: .oklab,
        stops: [
            Ramp.Stop("#7d52ff", at: 0),
            Ramp.Stop("#cc48e6", at: 0.25),
            Ramp.Stop("#ff5780", at: 0.5),
            Ramp.Stop("#ffa03c", at: 0.75),
            Ramp.Stop("#fff3c4", at: 1),
        ])

    private static let heatStyles = [
        // Soft lines whose colours mean the same at all zoom levels, for light and for dark maps.
        Style(
            name: "heat", title: "Heat", kind: .heat,
            heat: HeatSymbolizer(
                colors: 32, ramp: lightGlow, darkRamp: darkGlow, kernel: .pixels(ZoomNumbers([8: 1.2, 17: 6])),
                range: .library)),
        // One pixel for each cell: the counts as they are stored.
        Style(name: "heat-cells", title: "Heat by cell", kind: .heat, heat: HeatSymbolizer(ramp: heatRamp)),
        // From dark red to pale yellow, the widest range of lightness that a dark background allows.
        Style(name: "heat-dark", title: "Heat on dark maps", kind: .heat, heat: HeatSymbolizer(ramp: ramp("ember"))),
        // Higher counts are darker.
        Style(name: "heat-light", title: "Heat on light maps", kind: .heat, heat: HeatSymbolizer(ramp: ramp("rust"))),
        // Lines with a glow around them: for maps of few tracks, and for low zoom levels.
        Style(
            name: "heat-glow", title: "Glowing heat", kind: .heat,
            heat: HeatSymbolizer(colors: 32, ramp: heatRamp, kernel: .pixels(3))),
        // Shows what is high compared with its neighbourhood, in towns and in the woods.
        Style(
            name: "heat-local", title: "Heat by neighbourhood", kind: .heat,
            heat: HeatSymbolizer(scale: .local, ramp: heatRamp)),
    ]

    /// A built-in ramp; it must exist.
    static func ramp(_ name: String) -> Ramp {
        guard let named = NamedRamp.named(name) else { preconditionFailure("\(name) is not a built-in ramp") }
        return named.ramp
    }
}
