public import Colors

/// A colour ramp over 0…1 with opacity, interpolated between stops.
public struct Ramp: Hashable, Sendable {
    /// How colours are interpolated between two stops.
    public enum Blend: String, Sendable, CaseIterable {
        /// In Oklab: steps look equal.
        case oklab
        /// In linear light.
        case light
    }

    /// A colour at a position; the colour's alpha is the opacity there.
    public struct Stop: Hashable, Sendable {
        /// The position, 0…1.
        public let at: Double
        public let color: Color

        public init(at: Double, color: Color) {
            self.at = at
            self.color = color
        }
    }

    public let blend: Blend
    /// At least two, ascending from 0 to 1.
    public let stops: [Stop]

    /// `stops` has at least two entries, ascending from 0 to 1.
    public init(blend: Blend, stops: [Stop]) {
        precondition(stops.count >= 2 && stops.first?.at == 0 && stops.last?.at == 1, "stops from 0 to 1")
        precondition(zip(stops, stops.dropFirst()).allSatisfy { $0.at < $1.at }, "stops ascend")
        self.blend = blend
        self.stops = stops
    }

    /// The colour at a position, which is clamped to 0…1.
    public func color(at position: Double) -> Color {
        let clamped = min(max(position, 0), 1)
        let after = stops.firstIndex { $0.at >= clamped } ?? stops.count - 1
        guard after > 0, stops[after].at > clamped else { return stops[after].color }
        let (left, right) = (stops[after - 1], stops[after])
        let share = (clamped - left.at) / (right.at - left.at)
        func mixed(_ from: Double, _ to: Double) -> Double { from + (to - from) * share }
        let alpha = mixed(Double(left.color.alpha), Double(right.color.alpha)) / 255
        switch blend {
        case .oklab:
            let (from, to) = (left.color.oklab, right.color.oklab)
            let lab = Oklab(
                lightness: mixed(from.lightness, to.lightness), a: mixed(from.a, to.a), b: mixed(from.b, to.b))
            return LinearLight(lab).color(alpha: alpha)
        case .light:
            let (from, to) = (LinearLight(left.color), LinearLight(right.color))
            let light = LinearLight(
                red: mixed(from.red, to.red), green: mixed(from.green, to.green), blue: mixed(from.blue, to.blue))
            return light.color(alpha: alpha)
        }
    }

    /// Whether the stops only get lighter or only get darker, so that higher values never look lower.
    public var lightnessIsMonotone: Bool {
        let values = stops.map(\.color.oklab.lightness)
        let steps = zip(values, values.dropFirst())
        return steps.allSatisfy { $0 <= $1 } || steps.allSatisfy { $0 >= $1 }
    }
}
