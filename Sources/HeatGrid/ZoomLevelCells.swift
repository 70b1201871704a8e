/// Distinct cells of one zoom level, as ascending Morton codes of the whole level.
public struct ZoomLevelCells: Sendable, Equatable {
    /// The zoom level, 0–16.
    public let zoom: Int
    /// Morton codes, ascending.
    public let codes: [UInt64]
}
