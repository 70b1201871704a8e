import Colors
import Text

/// A built-in ramp, which a style or a URL can refer to by its name.
public struct NamedRamp: Sendable, Equatable {
    /// The maps on which every colour of a ramp is visible.
    public enum Background: String, Sendable, CaseIterable {
        /// Light maps: higher values are darker.
        case light
        /// Dark maps: higher values are lighter.
        case dark
        /// Both light and dark maps.
        case any
    }

    /// The relation of the two ends of a ramp.
    public enum Scheme: String, Sendable, CaseIterable {
        /// From few to many.
        case sequential
        /// From less to more, with no difference in the middle.
        case diverging
        /// Both ends are the same: directions, hours of the day.
        case cyclic
    }

    public let name: String
    public let background: Background
    public let scheme: Scheme
    /// Whether people who see no red or no green can distinguish its steps, in their order.
    public let isColorBlindSafe: Bool
    public let ramp: Ramp

    /// All built-in ramps. The lightness of sequential ramps rises or falls steadily.
    public static let all: [NamedRamp] = [
        // From violet for a single visit through rose and orange to amber. Its light end is dark enough for white maps,
        // its dark end is light enough for black maps, and every step is lighter than the one before.
        NamedRamp(
            name: "heat", background: .any, isColorBlindSafe: false,
            ramp: Ramp(
                blend: .oklab,
                stops: [
                    Ramp.Stop("#7446ff", at: 0, opacity: 0.85),
                    Ramp.Stop("#bb40e0", at: 0.3, opacity: 0.9),
                    Ramp.Stop("#f2447f", at: 0.55),
                    Ramp.Stop("#ff7a2e", at: 0.8),
                    Ramp.Stop("#ffb81f", at: 1),
                ])),
        even("aurora", .any, "#5844c4", "#2f7bc8", "#1fa2a6", "#55c273", "#e9e340"),
        even("dusk", .any, "#31478a", "#59658a", "#878478", "#bba864", "#f8da4a"),
        even("sunset", .any, "#4f38b4", "#aa4bbd", "#e8658a", "#f59d50", "#f8da4a"),
        even("ember", .dark, "#86182a", "#b52d22", "#dd581f", "#f6982e", "#fff0a8"),
        even("glacier", .dark, "#21458c", "#1f71bd", "#31a3d2", "#86d3e1", "#f4fcff"),
        even("lantern", .dark, "#5d6878", "#8f8468", "#c5a54e", "#f3d05c", "#fffbe0"),
        even("orchid", .dark, "#5a2894", "#8f36a8", "#c650b2", "#ed88b5", "#ffe3d8"),
        even("ink", .light, "#8fb4dd", "#6194cd", "#3a6cb1", "#264a88", "#101f4d"),
        even("moss", .light, "#8cc47e", "#55a873", "#2a825f", "#175c4e", "#06302f"),
        even("plum", .light, "#cd9dd3", "#b273be", "#9046a0", "#66257c", "#36104a"),
        even("rust", .light, "#eaa57a", "#df7a4a", "#c0502e", "#8c2d1f", "#4a0f14"),
        even("slate", .light, "#959fab", "#7b8691", "#5e6975", "#3d4651", "#1a2029"),
        NamedRamp(
            name: "balance", background: .any, scheme: .diverging,
            ramp: Ramp(
                blend: .oklab,
                stops: [
                    Ramp.Stop("#1746c8", at: 0),
                    Ramp.Stop("#4f86e0", at: 0.25),
                    Ramp.Stop("#8a8a8a", at: 0.5, opacity: 0.55),
                    Ramp.Stop("#e58a3c", at: 0.75),
                    Ramp.Stop("#cf3b0a", at: 1),
                ])),
        // A circle in Oklab, so that equal turns look equally far apart: light rose in the north, dark teal in the
        // south, gold in the east and blue in the west. Opposite colours differ in lightness or between blue and
        // yellow, which everybody can see.
        even(
            "compass", .any, scheme: .cyclic,
            "#e89fb5", "#e39963", "#b28d09", "#6b8431", "#1d8071", "#1f82b2", "#738ce3", "#bc9ae7", "#e89fb5"),
    ]

    /// The default ramp for differences.
    public static let defaultDiverging = "balance"

    public static func named(_ name: String) -> NamedRamp? { all.first { $0.name == name } }

    /// The known name most similar to an unknown one, if any is similar.
    public static func name(like unknown: String) -> String? {
        SpellingSuggestion.nearest(to: unknown, of: all.map(\.name))
    }

    private init(
        name: String, background: Background, scheme: Scheme = .sequential, isColorBlindSafe: Bool = true, ramp: Ramp
    ) {
        self.name = name
        self.background = background
        self.scheme = scheme
        self.isColorBlindSafe = isColorBlindSafe
        self.ramp = ramp
    }

    /// A ramp with stops at equal distances, whose lightness (or hue, if cyclic) changes in about equal steps.
    private static func even(
        _ name: String, _ background: Background, scheme: Scheme = .sequential, _ colors: String...
    ) -> NamedRamp {
        let stops = colors.enumerated().map { place, text in
            Ramp.Stop(text, at: Double(place) / Double(colors.count - 1))
        }
        return NamedRamp(name: name, background: background, scheme: scheme, ramp: Ramp(blend: .oklab, stops: stops))
    }
}

extension Ramp.Stop {
    /// A built-in stop; `text` must be a valid colour.
    init(_ text: String, at: Double, opacity: Double = 1) {
        guard let color = Color(text) else { preconditionFailure("\(text) is not a valid colour") }
        self.init(
            at: at,
            color: Color(
                red: color.red, green: color.green, blue: color.blue, alpha: UInt8((opacity * 255).rounded())))
    }
}
