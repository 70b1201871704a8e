public import Colors
public import Digest
public import HeatGrid

/// The colours of a style with the scale `local` at a zoom level, and how the neighbourhood of a place selects them.
public struct LocalTable: Sendable, Equatable {
    /// The palette, as in `ColorTable`.
    public let colors: [Color]
    /// The digest of the colours and the zoom level's distribution. A picture also depends on the neighbourhoods.
    public let digest: ContentDigest

    private let stepCount: Int
    /// For each knot the share of the zoom level's cells at or below it, × 65,536, rounded to 64 steps so that most
    /// imports do not change it.
    private let shares: [Int]

    /// The memory of the table, about.
    package var byteCount: Int { 4 * colors.count + 8 * shares.count }

    /// The number of levels for each step of colour.
    public static let levelsPerStep = 256

    /// A neighbourhood with this many cells of two or more visits has the same weight as the whole zoom level.
    private static let zoomLevelWeight = 256

    /// The table for the counts of a zoom level over all time.
    public init(symbolizer: HeatSymbolizer, histogram: CountHistogram) {
        let fades = symbolizer.kernel == nil ? 0 : ColorTable.fades.count
        stepCount = symbolizer.colors - 1 - fades
        let last = Double(stepCount - 1)
        let shown = (0..<stepCount).map { symbolizer.color(at: Double($0) / last) }
        colors = [.transparent] + (symbolizer.kernel == nil ? [] : ColorTable.faded(shown[0])) + shown
        let whole = CountDistribution(histogram).cells
        let sum = max(1, whole.reduce(0, +))
        var below = 0
        shares = whole.map { cells in
            below += cells
            return (below * 64 + sum / 2) / sum * 1_024
        }
        var digester = Digester()
        digester.update("local table")
        digester.update(bytes: colors.flatMap { [$0.red, $0.green, $0.blue, $0.alpha] })
        for share in shares { digester.update(share) }
        digest = digester.finish()
    }

    /// The level of each knot in a neighbourhood: 0 for a single visit, and `levelsPerStep` for each step of colour
    /// above it.
    ///
    /// A neighbourhood with few cells is blended with the zoom level. Counts up to 4 differ by at least one step each.
    public func levels(in distribution: CountDistribution) -> [UInt32] {
        let own = distribution.cells.reduce(0, +)
        let globalWeight = Self.zoomLevelWeight
        let top = (stepCount - 1) * Self.levelsPerStep
        let distinct = Int(Scale.distinctCounts)
        var below = 0
        var last = 0
        return (0..<CountKnots.count).map { knot in
            below += distribution.cells[knot]
            guard knot > 0 else { return 0 }
            let share = below * 65_536 + globalWeight * shares[knot]
            var level = share / (own + globalWeight) * top / 65_536
            if knot < distinct { level = max(level, last + Self.levelsPerStep) }
            level = min(level, top - max(0, distinct - 1 - knot) * Self.levelsPerStep)
            last = max(last, level)
            return UInt32(last)
        }
    }
}
