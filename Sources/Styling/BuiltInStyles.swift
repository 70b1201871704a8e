/// The styles that are there without any file; `Styles/` holds the same as files to start one's own from.
extension Style {
    /// All styles compiled in.
    public static let builtIn: [Style] = heats + lineStyles

    /// Violet for a single visit, by way of rose and orange to amber: dark enough at its light end to stand on white,
    /// light enough at its dark end to stand on black, and every step lighter than the one before.
    static let heatRamp = Ramp(
        blend: .oklab,
        stops: [
            Ramp.Stop("#7446ff", at: 0, opacity: 0.85),
            Ramp.Stop("#bb40e0", at: 0.3, opacity: 0.9),
            Ramp.Stop("#f2447f", at: 0.55),
            Ramp.Stop("#ff7a2e", at: 0.8),
            Ramp.Stop("#ffb81f", at: 1),
        ])

    private static let heats = [
        Style(name: "heat", title: "Heat", kind: .heat, heat: HeatSymbolizer(ramp: heatRamp)),
        // Embers to pale flame, the widest span of lightness that a dark ground allows.
        Style(name: "heat-dark", title: "Heat on dark maps", kind: .heat, heat: HeatSymbolizer(ramp: ramp("ember"))),
        // The more, the darker.
        Style(name: "heat-light", title: "Heat on light maps", kind: .heat, heat: HeatSymbolizer(ramp: ramp("rust"))),
        // Lines with a glow round them: for maps of few tracks, and for looking from afar.
        Style(
            name: "heat-glow", title: "Glowing heat", kind: .heat,
            heat: HeatSymbolizer(colors: 32, ramp: heatRamp, kernel: .pixels(3))),
        // What is much for its neighbourhood, in towns and in the woods.
        Style(
            name: "heat-local", title: "Heat by neighbourhood", kind: .heat,
            heat: HeatSymbolizer(scale: .local, ramp: heatRamp)),
    ]

    /// A ramp of ours: there is one of this name.
    static func ramp(_ name: String) -> Ramp {
        guard let named = NamedRamp.named(name) else { preconditionFailure("\(name) is a ramp") }
        return named.ramp
    }
}
