internal import Colors
internal import Styling

/// The colours of a scene.
struct ScenePalette {
    let ground: Color
    let ink: Color
    let halo: Color
    private let tracks: [Color]

    init(_ theme: Theme) {
        switch theme {
        case .light:
            ground = Color(rgb: 0xEFEDE6)
            ink = Color(rgb: 0x2B2F36)
            halo = Color(rgb: 0xFFFFFF)
            tracks = [0xD1495B, 0x00798C, 0xB7791F, 0x30638E, 0x7A5195, 0x3B8E4A].map { Color(rgb: $0) }
        case .dark:
            ground = Color(rgb: 0x191D23)
            ink = Color(rgb: 0xE6E8EC)
            halo = Color(rgb: 0x14171C)
            tracks = [0xFF6B6B, 0x4ECDC4, 0xFFD166, 0x74B9FF, 0xC792EA, 0x8BD450].map { Color(rgb: $0) }
        }
    }

    /// The colour of a track by its number; repeated if there are more.
    func track(_ number: Int) -> Color { tracks[number % tracks.count] }
}

extension Color {
    /// The colour between black and this one.
    func shaded(_ part: Double) -> Color {
        func channel(_ value: UInt8) -> UInt8 { UInt8((Double(value) * min(max(part, 0), 1)).rounded()) }
        return Color(red: channel(red), green: channel(green), blue: channel(blue), alpha: alpha)
    }
}
