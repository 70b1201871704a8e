import Text

/// An sRGB colour with 8 bits a channel and straight (not premultiplied) alpha.
public struct Color: Hashable, Sendable, CustomStringConvertible {
    public let red: UInt8
    public let green: UInt8
    public let blue: UInt8
    /// 0 is transparent, 255 opaque.
    public let alpha: UInt8

    @inlinable
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// A colour from 0xRRGGBB.
    public init(rgb code: UInt32, alpha: UInt8 = 255) {
        self.init(
            red: UInt8(truncatingIfNeeded: code >> 16), green: UInt8(truncatingIfNeeded: code >> 8),
            blue: UInt8(truncatingIfNeeded: code), alpha: alpha)
    }

    /// Fully transparent black.
    public static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// Parses `#rrggbb` or `#rrggbbaa`; nil for anything else.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst()
        guard text.utf8.first == UInt8(ascii: "#"), digits.count == 6 || digits.count == 8 else { return nil }
        var values: [UInt8] = []
        for digit in digits {
            guard let value = HexDigits.value(of: digit) else { return nil }
            values.append(value)
        }
        func channel(_ place: Int) -> UInt8 { values[2 * place] << 4 | values[2 * place + 1] }
        self.init(red: channel(0), green: channel(1), blue: channel(2), alpha: values.count == 8 ? channel(3) : 255)
    }

    /// `#rrggbb`, or `#rrggbbaa` if the colour is not opaque.
    public var description: String {
        let channels = alpha == 255 ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + HexDigits.text(channels)
    }

    /// The colour composited over an opaque background colour.
    public func over(_ background: Color) -> Color {
        func mixed(_ above: UInt8, _ below: UInt8) -> UInt8 {
            let (share, rest) = (Int(alpha), 255 - Int(alpha))
            let sum: Int = Int(above) * share + Int(below) * rest
            return UInt8((sum + 127) / 255)
        }
        return Color(
            red: mixed(red, background.red), green: mixed(green, background.green), blue: mixed(blue, background.blue))
    }
}
