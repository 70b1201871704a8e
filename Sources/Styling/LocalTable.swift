public import Digest
public import HeatGrid

/// The colours of a style with the scale `local` at a zoom level, and how the neighbourhood of a place selects them.
public struct LocalTable: Sendable, Equatable {
    /// The palette, as in `ColorTable`.
    public let colors: [Color]
    /// The digest of the colours and the zoom level's distribution. A picture also depends on the neighbourhoods.
    public let digest: ContentDigest

    private let shades: Int
    /// For each knot the share of the zoom level's cells at or below it, × 65,536, rounded to 64 steps so that most
    /// imports do not change it.
    private let shares: [Int]

    /// The number of levels for each step of colour.
    public static let levelsPerShade = 256

    /// A neighbourhood with this many cells of two or more visits has the same weight as the whole zoom level.
    private static let cellsOfTheZoomLevel = 256

    /// The table for the counts of a zoom level over all time.
    public init(look: HeatSymbolizer, histogram: CountHistogram) {
        let fades = look.kernel == nil ? 0 : ColorTable.fades.count
        shades = look.colors - 1 - fades
        let last = Double(shades - 1)
        let shown = (0..<shades).map { look.color(at: Double($0) / last) }
        colors = [.transparent] + (look.kernel == nil ? [] : ColorTable.faded(shown[0])) + shown
        let whole = Neighbourhood(histogram).cells
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

    /// The level of each knot in a neighbourhood: 0 for a single visit, and `levelsPerShade` for each step of colour
    /// above it.
    ///
    /// A neighbourhood with few cells is blended with the zoom level. Counts up to 4 differ by at least one step each.
    public func levels(in neighbourhood: Neighbourhood) -> [UInt32] {
        let own = neighbourhood.cells.reduce(0, +)
        let lent = Self.cellsOfTheZoomLevel
        let top = (shades - 1) * Self.levelsPerShade
        let distinct = Int(Scale.distinctCounts)
        var below = 0
        var last = 0
        return (0..<CountKnots.count).map { knot in
            below += neighbourhood.cells[knot]
            guard knot > 0 else { return 0 }
            let share = below * 65_536 + lent * shares[knot]
            var level = share / (own + lent) * top / 65_536
            if knot < distinct { level = max(level, last + Self.levelsPerShade) }
            level = min(level, top - max(0, distinct - 1 - knot) * Self.levelsPerShade)
            last = max(last, level)
            return UInt32(last)
        }
    }
}
