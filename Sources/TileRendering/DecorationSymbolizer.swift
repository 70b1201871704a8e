import Styling

/// How the marks along single tracks look: the same over every style, as they tell one line from where it leads.
///
/// Lengths are pixels of a tile of 256; nothing reaches farther than 8 from its place.
enum DecorationSymbolizer {
    /// From an arrow's place forwards to its tip.
    static let tip = 2.5
    /// Backwards to the ends of its arms.
    static let back = 1.5
    /// Sideways to the ends of its arms.
    static let halfSpan = 3.5
    static let arrowWidth = 1.75
    /// Round arrows, starts and ends.
    static let rim = 1.0
    static let dotRadius = 4.5
    static let holeRadius = 2.0

    static let light = Color(red: 255, green: 255, blue: 255)
    static let dark = Color(red: 0x1d, green: 0x24, blue: 0x30)
    static let start = Color(red: 0x1a, green: 0x98, blue: 0x50)
}
