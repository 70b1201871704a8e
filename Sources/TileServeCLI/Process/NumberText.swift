import Foundation
import Text

/// Formats numbers for people.
enum NumberText {
    /// `3 s`, `2 min`, `1 h 5 min`, `3 d 4 h`.
    static func duration(_ seconds: Double) -> String {
        guard seconds.isFinite, seconds < 1e9 else { return "very long" }
        let seconds = Int(seconds.rounded())
        switch seconds {
        case ..<100: return "\(seconds) s"
        case ..<5970: return "\((seconds + 30) / 60) min"
        case ..<86_400: return "\(seconds / 3600) h \(seconds % 3600 / 60) min"
        default: return "\(seconds / 86_400) d \(seconds % 86_400 / 3600) h"
        }
    }

    /// `1.5 kB`, `42 MB`, in powers of 1,000.
    static func bytes(_ count: Int) -> String {
        var value = Double(count)
        for unit in ["B", "kB", "MB", "GB"] {
            if value < 999.5 { return "\(digits(value, unit == "B" ? 0 : value < 10 ? 1 : 0)) \(unit)" }
            value /= 1000
        }
        return "\(digits(value, 1)) TB"
    }

    /// `830 m`, `12.3 km`, `1,234 km`.
    static func metres(_ metres: Double) -> String {
        if metres < 1000 { return "\(digits(metres, 0)) m" }
        return metres < 100_000 ? "\(digits(metres / 1000, 1)) km" : "\(DisplayText.count(Int(metres / 1000))) km"
    }

    /// The number with this many decimal places.
    static func digits(_ value: Double, _ places: Int) -> String {
        String(format: "%.\(places)f", value)
    }
}
