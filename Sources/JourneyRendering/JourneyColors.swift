internal import Colors
internal import Styling

/// The colours of journeys on maps of a theme.
struct JourneyColors {
    /// Steps of the ramp.
    static let steps = 32

    /// Around lines, places and letters.
    let casing: Color
    /// What is left of a line, and places that are not reached.
    let ahead: Color
    let letters: Color
    /// Letters of places that are not reached.
    let lockedLetters: Color
    /// By the part of the journey: from the first place to the last.
    private let ramp: [Color]

    init(_ theme: Theme) {
        switch theme {
        case .light:
            casing = Color(rgb: 0xFFFFFF)
            ahead = Color(rgb: 0x868C96)
            letters = Color(rgb: 0x23272E)
            lockedLetters = Color(rgb: 0x5F656E)
            ramp = [0x0E7C66, 0x1769AA, 0x6A3FB5, 0xB3267A, 0xC7381F].map { Color(rgb: $0) }
        case .dark:
            casing = Color(rgb: 0x101318)
            ahead = Color(rgb: 0x7D8490)
            letters = Color(rgb: 0xF0F2F5)
            lockedLetters = Color(rgb: 0xA4AAB4)
            ramp = [0x4FE0B5, 0x5CB8FF, 0xB79CFF, 0xFF86C8, 0xFFB067].map { Color(rgb: $0) }
        }
    }

    /// A part of a journey as exact as colours can tell it.
    static func rounded(part: Double) -> Double { (part * 4096).rounded() / 4096 }

    /// The colour of a step of the ramp.
    func step(_ number: Int) -> Color {
        color(at: (Double(number) + 0.5) / Double(Self.steps))
    }

    /// The colour at a part of the journey.
    func color(at part: Double) -> Color {
        let place = min(max(part, 0), 1) * Double(ramp.count - 1)
        let index = min(Int(place), ramp.count - 2)
        return ramp[index].mixed(with: ramp[index + 1], part: place - Double(index))
    }
}

extension Color {
    /// The colour between this one and another.
    func mixed(with other: Color, part: Double) -> Color {
        func channel(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * part).rounded())
        }
        return Color(
            red: channel(red, other.red), green: channel(green, other.green), blue: channel(blue, other.blue),
            alpha: channel(alpha, other.alpha))
    }
}
