public import Digest
public import HeatGrid

/// The colours of a style with the scale `local` at a zoom level, and how a place's neighbourhoods lead to them.
public struct LocalTable: Sendable, Equatable {
    /// As in a `ColorTable`.
    public let colors: [Color]
    /// Of the colours and the zoom level's distribution; what a picture shows depends on neighbourhoods beside it.
    public let digest: ContentDigest

    private let shades: Int
    /// The zoom level's share of cells at or below each knot, × 65,536, in 64 steps, so that most imports leave it.
    private let shares: [Int]

    /// What a shade is worth in `levels`.
    public static let levelsPerShade = 256

    /// A tile with so many cells of two visits and more counts as much as its whole zoom level.
    private static let cellsOfTheZoomLevel = 256

    /// The table of a look for the counts of a zoom level over all time.
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

    /// By knot, how high a count stands in a neighbourhood: 0 for a single visit, `levelsPerShade` for each shade above
    /// it. Where a neighbourhood has few cells it is taken for the zoom level's; counts up to 4 are a shade apart.
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
