import Foundation
import Text

/// The values at which a chart has lines: multiples of 1, 2 or 5 times a power of ten.
struct ValueAxis {
    /// A line with its label.
    struct Tick: Equatable {
        var value: Double
        var text: String
    }

    /// The value at the top, at least the greatest one.
    let top: Double
    /// From 0 to `top`, ascending.
    let ticks: [Tick]

    /// More lines than this are not needed to read a value.
    private static let mostSteps = 5.0

    /// An axis for values up to `most`, which is above 0.
    init(upTo most: Double, unit: String) {
        precondition(most > 0 && most.isFinite, "an axis has a length")
        let power = pow(10, floor(log10(most / Self.mostSteps)))
        let step = [1, 2, 5, 10].map { $0 * power }.first { most / $0 <= Self.mostSteps } ?? 10 * power
        let count = Int((most / step).rounded(.up))
        top = Double(count) * step
        ticks = (0...count).map { Tick(value: Double($0) * step, text: Self.text(Double($0) * step, unit: unit)) }
    }

    /// A value with its unit: three digits, with thin groups of thousands.
    static func text(_ value: Double, unit: String) -> String {
        let places = value == 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
        var text = String(format: "%.\(places)f", value)
        if text.contains(".") {
            while text.hasSuffix("0") { text.removeLast() }
            if text.hasSuffix(".") { text.removeLast() }
        }
        return grouped(text) + (unit.isEmpty ? "" : " \(unit)")
    }

    /// Digits with commas between the thousands.
    static func grouped(_ text: String) -> String {
        let parts = text.split(separator: ".", maxSplits: 1)
        return ([DisplayText.grouped(parts.first ?? "")] + parts.dropFirst().map(String.init)).joined(separator: ".")
    }
}
