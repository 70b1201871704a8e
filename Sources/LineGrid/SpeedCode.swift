import Foundation

/// A speed in one byte: 0 if unknown, otherwise steps of 3.4 % from 0.1 m/s (or less) to 430 m/s.
public enum SpeedCode {
    fileprivate static let slowest = 0.1
    fileprivate static let stepsPerDoubling = 21

    /// The code of a speed in metres per second; 0 if it is negative or not finite.
    public static func code(metresPerSecond speed: Double) -> UInt8 {
        guard speed.isFinite, speed >= 0 else { return 0 }
        let step = (Double(stepsPerDoubling) * log2(max(speed, slowest) / slowest)).rounded()
        return UInt8(min(254, step)) + 1
    }

    /// The speed in metres per second of a code; nil for 0.
    public static func metresPerSecond(_ code: UInt8) -> Double? {
        code == 0 ? nil : slowest * exp2(Double(code - 1) / Double(stepsPerDoubling))
    }
}

/// Computes codes of many speeds without a logarithm for each.
struct SpeedSteps: Sendable {
    /// The thresholds between codes within one doubling, as a ratio in 1 ..< 2.
    private let borders: [Double]
    /// For each 256th between 1 and 2, the number of thresholds below it. Thresholds are farther apart than that, so
    /// one more comparison gives the code.
    private let bordersBelow: [UInt8]

    init() {
        let steps = Double(SpeedCode.stepsPerDoubling)
        let borders = (0..<SpeedCode.stepsPerDoubling).map { exp2((Double($0) + 0.5) / steps) }
        bordersBelow = (0..<256).map { part in UInt8(borders.count { $0 < 1 + Double(part) / 256 }) }
        self.borders = borders + [.infinity]
    }

    /// The same result as `SpeedCode.code(metresPerSecond:)`.
    func code(metresPerSecond speed: Double) -> UInt8 {
        guard speed.isFinite, speed >= 0 else { return 0 }
        let ratio = speed / SpeedCode.slowest
        guard ratio > 1 else { return 1 }
        let doublings = Int(ratio.exponent)
        guard doublings < 13 else { return .max }
        let significand = ratio.significand
        // The first 8 of the 52 bits of the significand are the 256th in which the ratio is.
        var step = Int(bordersBelow[Int(ratio.significandBitPattern >> 44)])
        if significand >= borders[step] { step += 1 }
        return UInt8(min(254, SpeedCode.stepsPerDoubling * doublings + step)) + 1
    }
}
