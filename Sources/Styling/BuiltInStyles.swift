/// The styles that are there without any file; `Styles/` holds the same as files to start one's own from.
extension Style {
    /// All styles compiled in.
    public static let builtIn: [Style] = [heat]

    /// Violet for a single visit, by way of rose and orange to amber: dark enough at its light end to stand on white,
    /// light enough at its dark end to stand on black, and every step lighter than the one before.
    static let heat = Style(
        name: "heat", title: "Heat", scale: .log, colors: 16, opacity: 1,
        ramp: Ramp(
            blend: .oklab,
            stops: [
                stop(0, "#7446ff", opacity: 0.85),
                stop(0.3, "#bb40e0", opacity: 0.9),
                stop(0.55, "#f2447f"),
                stop(0.8, "#ff7a2e"),
                stop(1, "#ffb81f"),
            ]))

    private static func stop(_ at: Double, _ text: String, opacity: Double = 1) -> Ramp.Stop {
        guard let color = Color(text) else { preconditionFailure("\(text) is a color") }
        return Ramp.Stop(
            at: at,
            color: Color(
                red: color.red, green: color.green, blue: color.blue, alpha: UInt8((opacity * 255).rounded())))
    }
}
