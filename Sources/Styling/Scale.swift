import Foundation
import HeatGrid

/// How counts become positions on a ramp, for a whole zoom level at once.
public enum Scale: String, Sendable, CaseIterable {
    /// Equal differences of counts look equal.
    case linear
    /// Equal ratios of counts look equal.
    case log
    /// Each colour covers about equally many cells.
    case equalize
    /// As `equalize`, relative to the neighbourhood.
    case local
}

/// Where a step of colour begins: its smallest count, and its position on the ramp.
struct ColorStep: Equatable {
    let lowerBound: UInt32
    let position: Double
}

extension Scale {
    /// One cell in this many may exceed the upper end of a linear or logarithmic scale. So a few extreme counts (a
    /// parked car) do not darken all streets.
    static let cellsPerOutlier = 1_000

    /// The smallest upper end of a scale: the first tracks of a library get the colours of few visits, not of the
    /// maximum.
    static let minTop: UInt32 = 8

    /// Counts up to this one always have different colours with `log` and `equalize`, however high the counts are.
    static let distinctCounts: UInt32 = 4

    /// At most `count` steps, the first from count 1 on, with ascending bounds and positions. Histograms that differ
    /// little have the same steps.
    func colorSteps(_ count: Int, of histogram: CountHistogram) -> [ColorStep] {
        switch self {
        case .linear:
            let top = Self.top(of: histogram)
            return Self.bounds([1], count, top: top) { bound, rest in
                Double(bound) + (Double(top) - Double(bound)) / rest
            }.map { ColorStep(lowerBound: $0, position: Double($0 - 1) / Double(top - 1)) }
        case .log:
            return Self.logarithmic(count, of: histogram)
        case .equalize, .local:
            return Self.equalized(count, of: histogram)
        }
    }

    private static func logarithmic(_ count: Int, of histogram: CountHistogram) -> [ColorStep] {
        let top = top(of: histogram)
        return bounds(Array(1...distinctCounts), count, top: top) { bound, rest in
            Double(bound) * pow(Double(top) / Double(bound), 1 / rest)
        }.map { ColorStep(lowerBound: $0, position: Foundation.log(Double($0)) / Foundation.log(Double(top))) }
    }

    /// `first`, …, `top`: each bound follows the previous one by the step that would reach `top` in equal steps, but
    /// by at least 1. `next` gets the bound and the number of steps left.
    private static func bounds(
        _ first: [UInt32], _ count: Int, top: UInt32, next: (UInt32, Double) -> Double
    ) -> [UInt32] {
        var bounds = first
        while bounds.count < count, let bound = bounds.last, bound < top {
            let desired = next(bound, Double(count - bounds.count))
            bounds.append(min(top, max(bound + 1, UInt32(min(desired.rounded(), Double(top))))))
        }
        return bounds
    }

    /// The count that at most one cell in `cellsPerOutlier` exceeds, rounded up to a power of √2, so that most imports
    /// do not change it.
    static func top(of histogram: CountHistogram) -> UInt32 {
        let entries = histogram.ascending
        let outliers = entries.reduce(0) { $0 + $1.cells } / cellsPerOutlier
        var above = 0
        var top = minTop
        for (count, cells) in entries.reversed() {
            above += cells
            if above > outliers {
                top = max(top, count)
                break
            }
        }
        return roundedUp(top)
    }

    /// The smallest ⌈√2^k⌉ that is at least `count`.
    static func roundedUp(_ count: UInt32) -> UInt32 {
        var power = 0
        while CountKnots.halfOctave(power) < count, power < 63 { power += 1 }
        return CountKnots.halfOctave(power)
    }

    /// Histogram equalisation: the share of cells at or below a count, without the cells of count 1, in steps of one
    /// colour. It is sampled at 2, 3, … 8 and then at half octaves, so that a few more cells change nothing.
    private static func equalized(_ count: Int, of histogram: CountHistogram) -> [ColorStep] {
        let entries = histogram.ascending
        let ones = entries.first.map { $0.count == 1 ? $0.cells : 0 } ?? 0
        let others = entries.reduce(0) { $0 + $1.cells } - ones
        guard others > 0, let most = entries.last?.count else { return logarithmic(count, of: histogram) }
        let last = count - 1
        var colorSteps = [ColorStep(lowerBound: 1, position: 0)]
        var step = 0
        var below = 0
        var next = entries.startIndex
        for candidate in candidates(upTo: most) {
            while next < entries.endIndex, entries[next].count <= candidate {
                if entries[next].count > 1 { below += entries[next].cells }
                next += 1
            }
            // `below / others × last`, rounded.
            var desired = (2 * below * last + others) / (2 * others)
            if candidate <= distinctCounts { desired = max(desired, step + 1) }
            // Leaves a step for each of the small counts that follow.
            desired = min(desired, last - max(0, Int(distinctCounts) - Int(candidate)))
            guard desired > step else { continue }
            step = desired
            colorSteps.append(ColorStep(lowerBound: candidate, position: Double(step) / Double(last)))
        }
        return colorSteps
    }

    private static func candidates(upTo most: UInt32) -> [UInt32] {
        var counts = Array(2...minTop)
        // The sixth half octave is 8, the last of the counts before.
        var power = 7
        while power < 63, CountKnots.halfOctave(power) <= most {
            counts.append(CountKnots.halfOctave(power))
            power += 1
        }
        return counts
    }
}
