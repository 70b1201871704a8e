public import Digest
import Foundation
import TileMath

/// How lines of tracks look.
public struct LineSymbolizer: Sendable, Equatable {
    /// What a line's colour tells.
    public enum Coloring: Sendable, Equatable {
        /// Nothing: all lines have one colour.
        case fixed(Color)
        /// The track's activity, by its name in small letters.
        case activity([String: Color])
        /// When the track was recorded, from the library's oldest day to its newest.
        case age(Ramp)
        /// How fast one moved, from one end to the other by equal ratios.
        case speed(Ramp, metresPerSecond: ClosedRange<Double>)
        /// How high one was, from one end to the other by equal steps.
        case elevation(Ramp, metres: ClosedRange<Double>)
        /// Whereto one moved: the ramp goes once round, clockwise, north at both its ends.
        case direction(Ramp)
    }

    public let coloring: Coloring
    /// What a line has whose value is not known, or whose activity has no colour of its own.
    public let others: Color
    /// Pixels of a tile of 256.
    public let width: ZoomNumbers
    /// A rim along each line; nil for none.
    public let casing: Casing?
    /// 0…1, of all lines together: where lines lie over each other nothing adds up.
    public let opacity: Double
    /// The colours that lines may have, all opaque, in order of rank: a line of a higher rank lies above one of a lower.
    ///
    /// One where the colour is fixed; else `others` first, then those of activities, by the first name that has each, or
    /// `rampColors` along the ramp.
    public let palette: [Color]
    /// Of all that can change a picture.
    public let digest: ContentDigest

    /// What a style may ask for in pixels.
    public static let widthLimits = 0.25...14.0
    /// The most pixels of a tile of 256 that a line takes with its casing: tiles know lines 8 pixels beyond their edges,
    /// and antialiasing takes one of them.
    public static let mostWidth = 14.0
    /// How many colours are taken from a ramp.
    public static let rampColors = 16
    /// How many activities may have a colour.
    public static let mostActivities = 64
    /// The colour of what is not known where nothing else is said.
    public static let usualOthers = Color(red: 0x8a, green: 0x8a, blue: 0x8a)

    private let activityRanks: [String: Int]

    public init(
        coloring: Coloring, others: Color = usualOthers, width: ZoomNumbers, casing: Casing? = nil, opacity: Double = 1
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
        case .fixed(let color):
            palette = [color]
        case .activity(let colors):
            var shown = [others]
            for (name, color) in colors.sorted(by: { $0.key < $1.key }) {
                // Activities of one colour share its rank: each rank is a drawing of its own.
                let rank = shown.dropFirst().firstIndex(of: color) ?? shown.count
                if rank == shown.count { shown.append(color) }
                ranks[name] = rank
            }
            palette = shown
        case .direction(let ramp):
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

    /// The same look in other colours; nil where no ramp gives them.
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

    /// The ramp that colours lines, if one does.
    public var ramp: Ramp? {
        switch coloring {
        case .fixed, .activity: nil
        case .age(let ramp), .speed(let ramp, _), .elevation(let ramp, _), .direction(let ramp): ramp
        }
    }

    /// The first zoom level at which a line with its casing would take more than `mostWidth`; nil where all is well.
    static func zoomTooWide(width: ZoomNumbers, casing: Casing?) -> ZoomLevel? {
        ZoomLevel.all.first { width[$0] + 2 * (casing?.width[$0] ?? 0) > mostWidth }
    }
}

// Where a line's colour stands in the palette. What the look does not colour by has rank 0, as has what is not known.
extension LineSymbolizer {
    /// The rank of a track's activity.
    public func rank(activity: String?) -> Int {
        guard case .activity = coloring, let activity else { return 0 }
        return activityRanks[activity] ?? activityRanks[activity.lowercased()] ?? 0
    }

    /// The rank of a track's age: 0 for the library's oldest day, 1 for its newest.
    public func rank(age: Double?) -> Int {
        guard case .age = coloring else { return 0 }
        return Self.rank(fraction: age)
    }

    /// The rank of a speed.
    public func rank(metresPerSecond: Double?) -> Int {
        guard case .speed(_, let limits) = coloring else { return 0 }
        return Self.rank(fraction: metresPerSecond.map { limits.logarithmicFraction($0) })
    }

    /// The rank of an elevation: steps grow with the height above the lower end, so that a town on a plain has more than one
    /// colour where mountains have theirs too.
    public func rank(elevation metres: Double?) -> Int {
        guard case .elevation(_, let limits) = coloring else { return 0 }
        return Self.rank(
            fraction: metres.map {
                (max(0, $0 - limits.lowerBound) / (limits.upperBound - limits.lowerBound)).squareRoot()
            })
    }

    /// The rank of a direction: 0 is north, π / 2 east; any number of turns.
    public func rank(direction radians: Double?) -> Int {
        guard case .direction = coloring, let radians, radians.isFinite else { return 0 }
        let turns = radians / (2 * .pi)
        // Each colour stands for the directions round its own, so north is on both sides of the seam.
        let step = Int(((turns - turns.rounded(.down)) * Double(Self.rampColors)).rounded())
        return 1 + step % Self.rampColors
    }

    static func rank(fraction: Double?) -> Int {
        guard let fraction, !fraction.isNaN else { return 0 }
        return 1 + Int(min(max(fraction, 0) * Double(rampColors), Double(rampColors - 1)))
    }
}

extension ClosedRange<Double> {
    /// How far a positive number is on the way by equal ratios; below 0 or above 1 beyond the ends.
    func logarithmicFraction(_ value: Double) -> Double {
        guard !value.isNaN else { return value }
        return value <= lowerBound ? 0 : log(value / lowerBound) / log(upperBound / lowerBound)
    }
}

extension Ramp {
    /// The colour at a position without its opacity.
    fileprivate func opaque(at position: Double) -> Color {
        let color = color(at: position)
        return Color(red: color.red, green: color.green, blue: color.blue)
    }
}
