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

    private static let heatStyles = [
        Style(name: "heat", title: "Heat", kind: .heat, heat: HeatSymbolizer(ramp: heatRamp)),
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
