import Foundation
import TileMath

/// The units of the table.
enum GazetteerUnits {
    private static let perDegree = 10_000.0
    /// Positions are less than this eastwards from 180° W, and not more than half of it southwards from the North Pole.
    private static let world: UInt32 = 3_600_000

    /// Whether a Morton code is a position on Earth.
    static func isPosition(_ code: UInt64) -> Bool {
        Morton.x(of: code) < world && Morton.y(of: code) <= world / 2
    }

    /// The position of a Morton code that was checked.
    static func position(of code: UInt64) -> GeoPoint {
        // Whole units are divided last, so that the result is the nearest number to the decimal one.
        let longitude = Double(Int(Morton.x(of: code)) - Int(world / 2)) / perDegree
        let latitude = Double(Int(world / 4) - Int(Morton.y(of: code))) / perDegree
        guard let position = GeoPoint(longitude: longitude, latitude: latitude) else {
            preconditionFailure("positions are checked when they are read")
        }
        return position
    }

    /// The inhabitants of a code, rounded to two digits.
    static func population(_ code: UInt8) -> Int? {
        guard code > 0 else { return nil }
        // Codes are ten times binary logarithms: a byte reaches to 47 million, with errors of at most 3.5 %.
        let exact = exp2(Double(code) / 10)
        let step = pow(10, max(0, floor(log10(exact)) - 1))
        return Int((exact / step).rounded() * step)
    }
}
