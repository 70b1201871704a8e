public import Colors
public import Digest
import Foundation
import TileMath
import Tracks

/// Symbolizer of the lines of tracks.
public struct LineSymbolizer: Sendable, Equatable {
    /// What the colour of a line depends on.
    public enum Coloring: Sendable, Equatable {
        /// One colour for all lines; `dense` is the colour where many of them overlap, if it is another one.
        case fixed(Color, dense: Color? = nil)
        /// The track's activity; keys are lower case.
        case activity([String: Color])
        /// The date of the track, from the library's oldest day to its newest.
        case age(Ramp)
        /// The speed, on a logarithmic scale.
        case speed(Ramp, metresPerSecond: ClosedRange<Double>)
        /// The elevation; the steps grow with the height above the lower end.
        case elevation(Ramp, metres: ClosedRange<Double>)
        /// The direction of movement: the ramp goes once around clockwise, with north at both its ends.
        case direction(Ramp)
    }

    public let coloring: Coloring
    /// The colour for unknown values, and for activities without a colour.
    public let others: Color
    /// Pixels of a 256-pixel tile.
    public let width: ZoomNumbers
    /// The outline along each line; nil for none.
    public let casing: Casing?
    /// 0…1, applied to all lines together, so that overlapping lines do not add up.
    public let opacity: Double
    /// The colours that lines can have, all opaque, in order of rank: lines of a higher rank are drawn above those of
    /// a lower rank.
    ///
    /// One colour if it is fixed. Otherwise `others` first, then the colours of the activities, ordered by the first
    /// activity that has each, or `rampColors` colours along the ramp.
    public let palette: [Color]
    /// The digest of everything that can change a picture.
    public let digest: ContentDigest

    /// The widths that a style file may give, in pixels.
    public static let widthLimits = 0.25...14.0
    /// The greatest width of a line with its casing, in pixels of a 256-pixel tile. The lines of a tile extend 8
    /// pixels beyond its edges, and antialiasing takes one of them.
    public static let maxWidth = 14.0
    /// The number of colours taken from a ramp.
    public static let rampColors = 16
    /// The maximum number of activities with a colour.
    public static let maxActivities = 64
    /// The default colour for unknown values.
    public static let defaultOtherColor = Color(red: 0x8a, green: 0x8a, blue: 0x8a)

    private let activityRanks: [String: Int]

    public init(
        coloring: Coloring, others: Color = defaultOtherColor, width: ZoomNumbers, casing: Casing? = nil,
        opacity: Double = 1
    ) {
        precondition(Self.zoomTooWide(width: width, casing: casing) == nil, "lines within the margin")
        precondition((0...1).contains(opacity))
        self.coloring = coloring
        self.others = others
        self.width = width
        self.casing = casing
        self.opacity = opacity
        var ranks: [String: Int] = [:]
        switch coloring {
        case .fixed(let color, _):
            palette = [color]
        case .activity(let colors):
            var shown = [others]
            for (name, color) in colors.sorted(by: { $0.key < $1.key }) {
                // Activities with the same colour share its rank: each rank is drawn separately.
                let rank = shown.dropFirst().firstIndex(of: color) ?? shown.count
                if rank == shown.count { shown.append(color) }
                ranks[name] = rank
            }
            // Lines have the activities of the vocabulary; style sheets may name them in other words.
            for (name, rank) in ranks.sorted(by: { $0.key < $1.key }) {
                let activity = Activity(knownWord: name)
                guard let activity, activity != .other, ranks[activity.rawValue] == nil else { continue }
                ranks[activity.rawValue] = rank
            }
            palette = shown
        case .direction(let ramp):
            // Both ends of the ramp are north, so the last colour is one step before its end.
            palette = [others] + (0..<Self.rampColors).map { ramp.opaque(at: Double($0) / Double(Self.rampColors)) }
        case .age(let ramp), .speed(let ramp, _), .elevation(let ramp, _):
            palette = [others] + (0..<Self.rampColors).map { ramp.opaque(at: Double($0) / Double(Self.rampColors - 1)) }
        }
        activityRanks = ranks
        var digester = Digester()
        digester.update("lines")
        digester.update(others.description)
        digester.update(opacity.bitPattern)
        width.update(&digester)
        casing.update(&digester)
        coloring.update(&digester)
        digest = digester.finish()
    }

    /// The same symbolizer with another ramp; nil if it has no ramp.
    public func with(ramp: Ramp) -> LineSymbolizer? {
        let other: Coloring
        switch coloring {
        case .fixed, .activity: return nil
        case .age: other = .age(ramp)
        case .speed(_, let limits): other = .speed(ramp, metresPerSecond: limits)
        case .elevation(_, let limits): other = .elevation(ramp, metres: limits)
        case .direction: other = .direction(ramp)
        }
        return LineSymbolizer(coloring: other, others: others, width: width, casing: casing, opacity: opacity)
    }

    /// The colour where many lines overlap; nil if it is that of a single line.
    public var dense: Color? {
        guard case .fixed(_, let dense) = coloring else { return nil }
        return dense
    }

    /// The part of the dense colour at a pixel that a number of lines cover: more than two lines begin to show, and
    /// 32 or more have it completely. The steps between are logarithmic, and the same in all tiles.
    public static func denseShare(lines: Float) -> Float {
        guard lines > 2 else { return 0 }
        // From 2 lines (0) to 32 = 2 × 2^4 lines (1), in few steps, so that a tile has few colours.
        return min(1, (log2(lines / 2) / 4 * denseSteps).rounded() / denseSteps)
    }

    private static let denseSteps: Float = 12

    /// The ramp that colours lines, if any.
    public var ramp: Ramp? {
        switch coloring {
        case .fixed, .activity: nil
        case .age(let ramp), .speed(let ramp, _), .elevation(let ramp, _), .direction(let ramp): ramp
        }
    }

    /// The first zoom level at which a line with its casing would be wider than `maxWidth`; nil if there is none.
    static func zoomTooWide(width: ZoomNumbers, casing: Casing?) -> ZoomLevel? {
        ZoomLevel.all.first { width[$0] + 2 * (casing?.width[$0] ?? 0) > maxWidth }
    }
}

// The index of a line's colour in the palette. It is 0 if the symbolizer does not colour by the value, or if the value
// is unknown.
extension LineSymbolizer {
    /// The rank of an activity, or of another word for it.
    public func rank(activity: String?) -> Int {
        guard case .activity = coloring, let activity else { return 0 }
        return activityRanks[activity.lowercased()]
            ?? Activity(knownWord: activity).flatMap { activityRanks[$0.rawValue] } ?? 0
    }

    /// The rank of an age: 0 for the library's oldest day, 1 for its newest.
    public func rank(age: Double?) -> Int {
        guard case .age = coloring else { return 0 }
        return Self.rank(fraction: age)
    }

    public func rank(metresPerSecond: Double?) -> Int {
        guard case .speed(_, let limits) = coloring else { return 0 }
        return Self.rank(fraction: metresPerSecond.map { limits.logarithmicFraction($0) })
    }

    /// The rank of an elevation. Steps grow with the height above the lower end, so that a town on a plain has more
    /// than one colour and mountains still have theirs.
    public func rank(elevation metres: Double?) -> Int {
        guard case .elevation(_, let limits) = coloring else { return 0 }
        return Self.rank(
            fraction: metres.map {
                (max(0, $0 - limits.lowerBound) / (limits.upperBound - limits.lowerBound)).squareRoot()
            })
    }

    /// The rank of a direction in radians: 0 is north, π / 2 east; any number of turns.
    public func rank(direction radians: Double?) -> Int {
        guard case .direction = coloring, let radians, radians.isFinite else { return 0 }
        let turns = radians / (2 * .pi)
        // The colour of each direction is centred on it, so directions on both sides of north have the same colour.
        let step = Int(((turns - turns.rounded(.down)) * Double(Self.rampColors)).rounded())
        return 1 + step % Self.rampColors
    }

    static func rank(fraction: Double?) -> Int {
        guard let fraction, !fraction.isNaN else { return 0 }
        return 1 + Int(min(max(fraction, 0) * Double(rampColors), Double(rampColors - 1)))
    }
}

extension ClosedRange<Double> {
    /// The position of a positive number on a logarithmic scale; below 0 or above 1 outside the range.
    func logarithmicFraction(_ value: Double) -> Double {
        guard !value.isNaN else { return value }
        return value <= lowerBound ? 0 : log(value / lowerBound) / log(upperBound / lowerBound)
    }
}

extension Ramp {
    /// The colour at a position, without its opacity.
    fileprivate func opaque(at position: Double) -> Color {
        let color = color(at: position)
        return Color(red: color.red, green: color.green, blue: color.blue)
    }
}
