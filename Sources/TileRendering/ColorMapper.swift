public import HeatGrid
public import Styling

/// How the counts of a picture are coloured.
public enum ColorMapper: Sendable {
    /// By one table for the whole zoom level.
    case table(ColorTable)
    /// By the neighbourhoods of the recipe's `neighbourhoodTiles`, in their order; `hasKernel` is whether the style
    /// has a kernel.
    case local(LocalTable, [CountDistribution], hasKernel: Bool)
}
