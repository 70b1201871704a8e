public import Digest
public import HeatGrid

/// What colour a count has in one style, layer and zoom level: a palette and the counts at which its colours begin.
public struct ColorTable: Sendable, Equatable {
    /// The palette: place 0 is transparent (nothing counted), then one colour a shade, at most 64 together.
    public let colors: [Color]
    /// The least count of each shade, ascending from 1; `colors[k + 1]` begins at `lowerBounds[k]`.
    public let lowerBounds: [UInt32]
    /// Of palette and bounds: two tables with the same digest draw the same pictures.
    public let digest: ContentDigest

    private let places: [UInt8]

    /// Counts below this are looked up in one step, others by halving.
    private static let directLimit: UInt32 = 4_096

    /// The table of a style for the counts of a zoom level: those of all time, so that windows share it.
    public init(style: Style, histogram: CountHistogram) {
        let shades = style.scale.shades(style.colors - 1, of: histogram)
        let shown = shades.map { shade in
            let color = style.ramp.color(at: shade.position)
            let alpha = (Double(color.alpha) * style.opacity).rounded()
            return Color(red: color.red, green: color.green, blue: color.blue, alpha: UInt8(alpha))
        }
        self.init(colors: [.transparent] + shown, lowerBounds: shades.map(\.lowerBound))
    }

    init(colors: [Color], lowerBounds: [UInt32]) {
        precondition(lowerBounds.first == 1 && colors.count == lowerBounds.count + 1 && colors.count <= 64)
        self.colors = colors
        self.lowerBounds = lowerBounds
        var places: [UInt8] = [0]
        for (place, bound) in lowerBounds.enumerated() {
            let end = place + 1 < lowerBounds.count ? lowerBounds[place + 1] : bound + 1
            guard bound < Self.directLimit else { break }
            places += [UInt8](repeating: UInt8(place + 1), count: Int(min(end, Self.directLimit) - bound))
        }
        self.places = places
        var digester = Digester()
        digester.update("color table")
        digester.update(bytes: colors.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
        for bound in lowerBounds { digester.update(Int(bound)) }
        digest = digester.finish()
    }

    /// The place in the palette of a count; 0 for nothing. Never less for a greater count.
    public func place(of count: UInt32) -> UInt8 {
        count < UInt32(truncatingIfNeeded: places.count) ? places[Int(count)] : placeBySearch(count)
    }

    /// Writes the place of each count to the front of `places`, which has room for them; the result has a bit for each
    /// place that came up. About a nanosecond a count.
    public func places(of counts: Span<UInt32>, into places: inout MutableSpan<UInt8>) -> UInt64 {
        precondition(places.count >= counts.count, "room for each place")
        let direct = self.places.span
        var used: UInt64 = 0
        for index in counts.indices {
            let count = Int(counts[index])
            let place = count < direct.count ? direct[count] : placeBySearch(counts[index])
            used |= 1 << UInt64(place & 63)
            places[index] = place
        }
        return used
    }

    private func placeBySearch(_ count: UInt32) -> UInt8 {
        var (low, high) = (0, lowerBounds.count)
        while low < high {
            let middle = (low + high) / 2
            if lowerBounds[middle] <= count { low = middle + 1 } else { high = middle }
        }
        return UInt8(low)
    }

    /// The colour of a count.
    public func color(of count: UInt32) -> Color { colors[Int(place(of: count))] }
}

/// A line of a legend.
public struct LegendEntry: Sendable, Equatable {
    public let color: Color
    /// The least count with this colour.
    public let from: UInt32
    /// The greatest count with this colour; nil for the last entry, which has no end.
    public let to: UInt32?

    /// "1", "4–6", "≥ 32".
    public var text: String {
        guard let to else { return "≥ \(from)" }
        return from == to ? "\(from)" : "\(from)–\(to)"
    }
}

extension ColorTable {
    /// What each colour stands for, from few to many.
    public var legend: [LegendEntry] {
        lowerBounds.indices.map { place in
            let end = place + 1 < lowerBounds.count ? lowerBounds[place + 1] - 1 : nil
            return LegendEntry(color: colors[place + 1], from: lowerBounds[place], to: end)
        }
    }
}
