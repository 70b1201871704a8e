import Foundation

/// A speed in one byte: 0 where it is unknown, else in steps of 3.4 % from 0.1 m/s (and less) to 430 m/s.
public enum SpeedCode {
    fileprivate static let slowest = 0.1
    fileprivate static let stepsPerDoubling = 21

    /// The code of a speed in metres a second; 0 for what is none (negative, not finite).
    public static func code(metresPerSecond speed: Double) -> UInt8 {
        guard speed.isFinite, speed >= 0 else { return 0 }
        let step = (Double(stepsPerDoubling) * log2(max(speed, slowest) / slowest)).rounded()
        return UInt8(min(254, step)) + 1
    }

    /// The speed in metres a second that a code stands for; nil for 0.
    public static func metresPerSecond(_ code: UInt8) -> Double? {
        code == 0 ? nil : slowest * exp2(Double(code - 1) / Double(stepsPerDoubling))
    }
}

/// The codes of many speeds, without a logarithm for each.
struct SpeedSteps: Sendable {
    /// The speeds, in slowests and between 1 and 2, at which the code goes up.
    private let borders: [Double]
    /// How many borders lie below each 256th between 1 and 2: as they are farther apart, one more look tells.
    private let bordersBelow: [UInt8]

    init() {
        let steps = Double(SpeedCode.stepsPerDoubling)
        let borders = (0..<SpeedCode.stepsPerDoubling).map { exp2((Double($0) + 0.5) / steps) }
        bordersBelow = (0..<256).map { part in UInt8(borders.count { $0 < 1 + Double(part) / 256 }) }
        self.borders = borders + [.infinity]
    }

    /// What `SpeedCode.code(metresPerSecond:)` gives.
    func code(metresPerSecond speed: Double) -> UInt8 {
        guard speed.isFinite, speed >= 0 else { return 0 }
        let ratio = speed / SpeedCode.slowest
        guard ratio > 1 else { return 1 }
        let doublings = Int(ratio.exponent)
        guard doublings < 13 else { return .max }
        let significand = ratio.significand
        var step = Int(bordersBelow[Int(ratio.significandBitPattern >> 44)])
        if significand >= borders[step] { step += 1 }
        return UInt8(min(254, SpeedCode.stepsPerDoubling * doublings + step)) + 1
    }
}
