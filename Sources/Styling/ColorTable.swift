public import Colors
public import Digest
import Foundation
public import HeatGrid

/// Maps counts to colours for one style, layer and zoom level: a palette, and the counts at which its colours begin.
public struct ColorTable: Sendable, Equatable {
    /// The palette, at most 64 colours: index 0 is transparent (nothing counted), then one colour for each step.
    public let colors: [Color]
    /// The smallest count of each step, ascending from 1; `colors[k + 1]` begins at `lowerBounds[k]`.
    public let lowerBounds: [UInt32]
    /// The digest of palette and bounds: two tables with the same digest draw the same pictures.
    public let digest: ContentDigest

    private let directIndices: [UInt8]

    /// The memory of the table, about.
    package var byteCount: Int { 4 * (colors.count + lowerBounds.count) + directIndices.count }

    /// Counts below this limit are looked up directly, others by binary search.
    private static let directLimit: UInt32 = 16_384

    /// The value of one count in `lowerBounds`: 1, or more if a kernel produces fractions of counts.
    public let unit: UInt32

    /// Whether values are differences, offset by `zeroDifference`.
    public private(set) var encodesDifferences = false

    /// Whether differences are drawn as lines that fade at their edges.
    public private(set) var isFaded = false

    /// The value that stands for no difference: values are unsigned 32-bit numbers.
    public static let zeroDifference: UInt32 = 1 << 30

    /// The table for differences between the counts of two windows. No difference has the colour in the middle of the
    /// ramp. Decreases and increases have equally many colours, at the counts at which the colours of a heat map
    /// change.
    public init(differencesOf symbolizer: HeatSymbolizer, histogram: CountHistogram) {
        var half = (symbolizer.colors - 2) / 2
        if symbolizer.kernel != nil { half = min(half, Self.fadedDifferences) }
        let colorSteps = symbolizer.scale.colorSteps(half, of: histogram)
        let bounds = colorSteps.map(\.lowerBound)
        func color(_ step: Int) -> Color { symbolizer.color(at: 0.5 + Double(step) / Double(2 * colorSteps.count)) }
        let less = bounds.indices.reversed().map { step in
            step + 1 < bounds.count ? Self.zeroDifference - bounds[step + 1] + 1 : 1
        }
        self.init(
            colors: [.transparent] + (-colorSteps.count...colorSteps.count).map(color),
            lowerBounds: less + [Self.zeroDifference] + bounds.map { Self.zeroDifference + $0 })
        encodesDifferences = true
        isFaded = symbolizer.kernel != nil
    }

    /// The steps of decreases, and of increases, if their colours fade at the edges of lines: a palette has 64 colours.
    private static let fadedDifferences = 4

    /// The palette indices from the least to the most visible colour, the transparent one first.
    package var indicesByVisibility: [Int] {
        guard encodesDifferences else { return Array(colors.indices) }
        let middle = colors.count / 2
        return [0, middle] + (1..<middle).flatMap { [middle - $0, middle + $0] }
    }

    /// The table for the counts of a zoom level. `histogram` covers all time, so that all windows share the table.
    ///
    /// With a kernel the first colours fade in below a single count, and bounds are in 64ths of a count.
    public init(symbolizer: HeatSymbolizer, histogram: CountHistogram) {
        let fades = symbolizer.kernel == nil ? 0 : Self.fades.count
        let colorSteps = symbolizer.scale.colorSteps(symbolizer.colors - 1 - fades, of: histogram)
        let shown = colorSteps.map { symbolizer.color(at: $0.position) }
        guard fades > 0 else {
            self.init(colors: [.transparent] + shown, lowerBounds: colorSteps.map(\.lowerBound))
            return
        }
        let unit = Self.kernelUnit
        let bounds = colorSteps.dropFirst().map { UInt32(clamping: UInt64($0.lowerBound) * UInt64(unit)) }
        self.init(
            colors: [.transparent] + Self.faded(shown[0]) + shown,
            lowerBounds: Self.fades.map(\.from) + [Self.fadeEnd] + bounds, unit: unit)
    }

    /// The fractions of a count at which colours fade in, in 64ths, and their opacity in percent. Such fractions occur
    /// at the edge of a kernel.
    package static let fades: [(from: UInt32, percent: Int)] = [(1, 8), (3, 21), (6, 38), (10, 57), (16, 78)]
    /// The fraction of a count from which the colour of one count is complete, in 64ths: less than the value in the
    /// middle of a single cell, so that a place visited once is as visible as a line.
    package static let fadeEnd: UInt32 = 24
    /// The value of one count in the bounds of tables with a kernel.
    package static let kernelUnit: UInt32 = 64

    /// A colour with the opacities of the fade-in.
    package static func faded(_ color: Color) -> [Color] {
        fades.map { fade in
            let alpha = (Int(color.alpha) * fade.percent + 50) / 100
            return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
        }
    }

    init(colors: [Color], lowerBounds: [UInt32], unit: UInt32 = 1) {
        precondition(lowerBounds.first == 1 && colors.count == lowerBounds.count + 1 && colors.count <= 64)
        self.colors = colors
        self.lowerBounds = lowerBounds
        self.unit = unit
        var directIndices: [UInt8] = [0]
        for (step, bound) in lowerBounds.enumerated() {
            let end = step + 1 < lowerBounds.count ? lowerBounds[step + 1] : bound + 1
            guard bound < Self.directLimit else { break }
            directIndices += [UInt8](repeating: UInt8(step + 1), count: Int(min(end, Self.directLimit) - bound))
        }
        self.directIndices = directIndices
        var digester = Digester()
        digester.update("color table")
        digester.update(Int(unit))
        digester.update(bytes: colors.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
        for bound in lowerBounds { digester.update(Int(bound)) }
        digest = digester.finish()
    }

    /// The palette index of a count; 0 for zero. It never decreases with the count.
    public func paletteIndex(of count: UInt32) -> UInt8 {
        count < UInt32(truncatingIfNeeded: directIndices.count) ? directIndices[Int(count)] : indexBySearch(count)
    }

    /// Writes the palette index of each count to the start of `indices`, which must be large enough.
    ///
    /// The result has a bit for each index used. Cost: about 1 ns a count.
    public func paletteIndices(of counts: Span<UInt32>, into indices: inout MutableSpan<UInt8>) -> UInt64 {
        precondition(indices.count >= counts.count, "room for each place")
        let direct = self.directIndices.span
        var used: UInt64 = 0
        for index in counts.indices {
            let count = Int(counts[index])
            let paletteIndex = count < direct.count ? direct[count] : indexBySearch(counts[index])
            used |= 1 << UInt64(paletteIndex & 63)
            indices[index] = paletteIndex
        }
        return used
    }

    private func indexBySearch(_ count: UInt32) -> UInt8 {
        var (low, high) = (0, lowerBounds.count)
        while low < high {
            let middle = (low + high) / 2
            if lowerBounds[middle] <= count { low = middle + 1 } else { high = middle }
        }
        return UInt8(low)
    }

    public func color(of count: UInt32) -> Color { colors[Int(paletteIndex(of: count))] }
}

/// One line of a legend.
public struct LegendEntry: Sendable, Equatable {
    /// The sign of a difference.
    public enum Direction: String, Sendable {
        case less, same, more
    }

    public let color: Color
    /// The smallest count with this colour.
    public let from: UInt32
    /// The greatest count with this colour; nil if there is no limit.
    public let to: UInt32?
    /// Of differences, whether they are decreases or increases; nil for counts.
    public var direction: Direction?

    /// The text of the line: "1", "4–6" or "≥ 32"; for differences "−3", "same" or "+4–6".
    public var text: String {
        let sign =
            switch direction {
            case nil: ""
            case .less: "−"
            case .more: "+"
            case .same: "same"
            }
        guard direction != .same else { return sign }
        guard let to else { return "\(sign)≥ \(from)" }
        return from == to ? "\(sign)\(from)" : "\(sign)\(from)–\(to)"
    }
}

extension ColorTable {
    /// The legend, in order of the count; for differences from decreases to increases.
    public var legend: [LegendEntry] {
        guard !encodesDifferences else { return differenceLegend }
        let fades = unit == 1 ? 0 : Self.fades.count
        return lowerBounds.indices.dropFirst(fades).map { step in
            let end = step + 1 < lowerBounds.count ? lowerBounds[step + 1] / unit - 1 : nil
            return LegendEntry(color: colors[step + 1], from: max(1, lowerBounds[step] / unit), to: end)
        }
    }

    private var differenceLegend: [LegendEntry] {
        let middle = colors.count / 2
        let steps = (1..<middle).map { step in
            let from = lowerBounds[middle - 1 + step] - Self.zeroDifference
            let to = step + 1 < middle ? lowerBounds[middle + step] - Self.zeroDifference - 1 : nil
            return (step: step, from: from, to: to)
        }
        let less = steps.reversed().map {
            LegendEntry(color: colors[middle - $0.step], from: $0.from, to: $0.to, direction: .less)
        }
        let more = steps.map {
            LegendEntry(color: colors[middle + $0.step], from: $0.from, to: $0.to, direction: .more)
        }
        return less + [LegendEntry(color: colors[middle], from: 0, to: 0, direction: .same)] + more
    }
}

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
            var desired = (2 * below * last + others) / (2 * others)
            if candidate <= distinctCounts { desired = max(desired, step + 1) }
            desired = min(desired, last - max(0, Int(distinctCounts) - Int(candidate)))
            guard desired > step else { continue }
            step = desired
            colorSteps.append(ColorStep(lowerBound: candidate, position: Double(step) / Double(last)))
        }
        return colorSteps
    }

    private static func candidates(upTo most: UInt32) -> [UInt32] {
        var counts = Array(2...minTop)
        var power = 7
        while power < 63, CountKnots.halfOctave(power) <= most {
            counts.append(CountKnots.halfOctave(power))
            power += 1
        }
        return counts
    }
}
