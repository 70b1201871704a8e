public import Colors
public import Styling

/// The colours of the base map. It is muted, so that heat and lines stand out: only letters have a contrast
/// above 1.6 to what is below them.
public struct BaseMapColors: Sendable, Hashable {
    public let water: Color
    public let land: Color
    public let river: Color
    public let coast: Color
    public let border: Color
    /// Names of towns, and their dots.
    public let town: Color
    /// Names of countries.
    public let country: Color

    /// The colours for a theme.
    public init(_ theme: Theme) {
        switch theme {
        case .light:
            water = Color(rgb: 0xDBE3E9)
            land = Color(rgb: 0xF6F4EF)
            river = Color(rgb: 0xCBD9E3)
            coast = Color(rgb: 0xBFCBD4)
            border = Color(rgb: 0xCCC5BB)
            town = Color(rgb: 0x66666C)
            country = Color(rgb: 0x85828A)
        case .dark:
            water = Color(rgb: 0x111418)
            land = Color(rgb: 0x1D2026)
            river = Color(rgb: 0x15191F)
            coast = Color(rgb: 0x2C3139)
            border = Color(rgb: 0x343942)
            town = Color(rgb: 0x9A9FA8)
            country = Color(rgb: 0x767B85)
        }
    }
}
