public import Colors
public import Digest
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

    /// Counts below this limit are looked up directly, in one byte each; others by binary search.
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
        // Two colours are the transparent one and that of no difference.
        var half = (symbolizer.colors - 2) / 2
        if symbolizer.kernel != nil { half = min(half, Self.fadedDifferences) }
        let colorSteps = symbolizer.scale.colorSteps(half, of: histogram)
        let bounds = colorSteps.map(\.lowerBound)
        func color(_ step: Int) -> Color { symbolizer.color(at: 0.5 + Double(step) / Double(2 * colorSteps.count)) }
        // Seen from below, a step of decreases begins with its greatest decrease, one less than the next step's bound.
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
            // There are at most 64 colours; the mask spares the shift its check for greater numbers.
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
