import Colors

/// Symbolizer of the decorations of single tracks: arrows, starts and ends. It is the same in every style, because
/// decorations only show the direction of a line.
///
/// Lengths are pixels of a 256-pixel tile; no decoration extends more than 8 pixels from its position.
enum DecorationSymbolizer {
    /// The distance from an arrow's position forward to its tip.
    static let tip = 2.5
    /// The distance from an arrow's position back to the ends of its arms.
    static let back = 1.5
    /// The distance from an arrow's axis to the ends of its arms.
    static let halfSpan = 3.5
    static let arrowWidth = 1.75
    /// The width of the outline of arrows, starts and ends.
    static let rim = 1.0
    static let dotRadius = 4.5
    static let holeRadius = 2.0

    static let light = Color(red: 255, green: 255, blue: 255)
    static let dark = Color(red: 0x1d, green: 0x24, blue: 0x30)
    static let start = Color(red: 0x1a, green: 0x98, blue: 0x50)
}
