import Foundation
public import Styling

/// A colour; channels 0…1.
public struct BaseMapColor: Sendable, Hashable {
    public let red: Double
    public let green: Double
    public let blue: Double

    /// A colour from 0xRRGGBB.
    init(_ code: UInt32) {
        red = Double(code >> 16 & 0xFF) / 255
        green = Double(code >> 8 & 0xFF) / 255
        blue = Double(code & 0xFF) / 255
    }

    /// The relative luminance of WCAG 2.2.
    public var luminance: Double {
        func linear(_ channel: Double) -> Double {
            channel <= 0.040_45 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast ratio of WCAG 2.2: 1…21.
    public func contrast(to other: BaseMapColor) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }
}

/// The colours of the base map. It is quiet, so that heat and lines are what one sees: only letters have a contrast
/// above 1.6 to what is below them.
public struct BaseMapColors: Sendable, Hashable {
    public let water: BaseMapColor
    public let land: BaseMapColor
    public let river: BaseMapColor
    public let coast: BaseMapColor
    public let border: BaseMapColor
    /// Names of towns, and their dots.
    public let town: BaseMapColor
    /// Names of countries.
    public let country: BaseMapColor

    /// The colours for a theme.
    public init(_ theme: Theme) {
        switch theme {
        case .light:
            water = BaseMapColor(0xDBE3E9)
            land = BaseMapColor(0xF6F4EF)
            river = BaseMapColor(0xCBD9E3)
            coast = BaseMapColor(0xBFCBD4)
            border = BaseMapColor(0xCCC5BB)
            town = BaseMapColor(0x66666C)
            country = BaseMapColor(0x85828A)
        case .dark:
            water = BaseMapColor(0x111418)
            land = BaseMapColor(0x1D2026)
            river = BaseMapColor(0x15191F)
            coast = BaseMapColor(0x2C3139)
            border = BaseMapColor(0x343942)
            town = BaseMapColor(0x9A9FA8)
            country = BaseMapColor(0x767B85)
        }
    }
}
