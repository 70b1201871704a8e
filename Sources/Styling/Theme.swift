/// The background on which tiles are shown.
public enum Theme: String, Hashable, Sendable, CaseIterable {
    /// Light maps: higher values are darker.
    case light
    /// Dark maps: higher values are lighter.
    case dark
}
