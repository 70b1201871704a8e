import Foundation

/// A speed in one byte: 0 where it is unknown, else in steps of 3.4 % from 0.1 m/s (and less) to 430 m/s.
public enum SpeedCode {
    private static let slowest = 0.1
    private static let stepsPerDoubling = 21.0

    /// The code of a speed in metres a second; 0 for what is none (negative, not finite).
    public static func code(metresPerSecond speed: Double) -> UInt8 {
        guard speed.isFinite, speed >= 0 else { return 0 }
        let step = (stepsPerDoubling * log2(max(speed, slowest) / slowest)).rounded()
        return UInt8(min(254, step)) + 1
    }

    /// The speed in metres a second that a code stands for; nil for 0.
    public static func metresPerSecond(_ code: UInt8) -> Double? {
        code == 0 ? nil : slowest * exp2(Double(code - 1) / stepsPerDoubling)
    }
}
