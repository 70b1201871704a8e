public import HeatGrid
public import Styling

/// How the counts of a picture are coloured.
public enum ColorMapper: Sendable {
    /// By one table for the whole zoom level.
    case table(ColorTable)
    /// By the neighbourhoods of the recipe's `neighbourhoodTiles`, in their order; `hasKernel` says whether the style
    /// has one.
    case local(LocalTable, [Neighbourhood], hasKernel: Bool)
}
