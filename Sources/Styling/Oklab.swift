public import Colors
import Foundation

/// A colour in the Oklab space: lightness and two hue axes. Equal distances look about equal.
///
/// Source: Ottosson, "A perceptual color space for image processing", 2020.
public struct Oklab: Hashable, Sendable {
    /// 0 is black, 1 white.
    public let lightness: Double
    /// From green (negative) to red.
    public let a: Double
    /// From blue (negative) to yellow.
    public let b: Double

    init(lightness: Double, a: Double, b: Double) {
        self.lightness = lightness
        self.a = a
        self.b = b
    }

    /// The Euclidean distance of two colours; about 0.02 is the smallest difference that can be seen side by side.
    public func distance(to other: Oklab) -> Double {
        let (dl, da, db) = (lightness - other.lightness, a - other.a, b - other.b)
        return (dl * dl + da * da + db * db).squareRoot()
    }
}

/// Linear red, green and blue, 0…1, without the sRGB transfer function.
struct LinearLight {
    var red: Double
    var green: Double
    var blue: Double

    init(red: Double, green: Double, blue: Double) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    init(_ color: Color) {
        red = Self.decoded(color.red)
        green = Self.decoded(color.green)
        blue = Self.decoded(color.blue)
    }

    init(_ lab: Oklab) {
        func cube(_ value: Double) -> Double { value * value * value }
        let l = cube(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b)
        let m = cube(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b)
        let s = cube(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b)
        red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
        green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
        blue = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s
    }

    var oklab: Oklab {
        let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
        let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
        let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
        return Oklab(
            lightness: 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
            a: 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
            b: 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
    }

    func color(alpha: Double) -> Color {
        Color(
            red: Self.encoded(red), green: Self.encoded(green), blue: Self.encoded(blue),
            alpha: UInt8((min(max(alpha, 0), 1) * 255).rounded()))
    }

    /// The sRGB transfer function, IEC 61966-2-1.
    private static func decoded(_ byte: UInt8) -> Double {
        let value = Double(byte) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func encoded(_ value: Double) -> UInt8 {
        let clamped = min(max(value, 0), 1)
        let curved = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * pow(clamped, 1 / 2.4) - 0.055
        return UInt8((curved * 255).rounded())
    }
}

extension Color {
    /// The colour in Oklab, ignoring its alpha.
    public var oklab: Oklab { LinearLight(self).oklab }
}
