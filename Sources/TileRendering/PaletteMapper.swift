import Colors
public import HeatGrid
public import Styling

/// How the counts of a picture are coloured.
public enum ColorMapper: Sendable {
    /// By one table for the whole zoom level.
    case table(ColorTable)
    /// By the neighbourhoods of the layout's `neighbourhoodTiles`, in their order; `hasKernel` is whether the style
    /// has a kernel.
    case local(LocalTable, [CountDistribution], hasKernel: Bool)
}

/// Maps counts to palette indices.
enum PaletteMapper {
    /// With the same table at every place.
    case table(ColorTable)
    /// Depending on the place.
    case local(LocalPaletteIndices)
    /// As lines that fade at their edges.
    case differences(DifferencePalette)

    init(_ colorMapper: ColorMapper) {
        switch colorMapper {
        case .table(let table) where table.isFaded: self = .differences(DifferencePalette(table))
        case .table(let table): self = .table(table)
        case .local(let table, let distributions, let hasKernel):
            self = .local(LocalPaletteIndices(table, distributions, fades: hasKernel ? ColorTable.fades.count : 0))
        }
    }

    /// The palette indices from the least to the most visible colour.
    var indicesByVisibility: [Int] {
        switch self {
        case .table(let table): table.indicesByVisibility
        case .local(let localLevels): Array(localLevels.colors.indices)
        case .differences(let palette): palette.indicesByVisibility
        }
    }

    /// The palette, the transparent colour first.
    var colors: [Color] {
        switch self {
        case .table(let table): table.colors
        case .local(let localLevels): localLevels.colors
        case .differences(let palette): palette.colors
        }
    }
}
