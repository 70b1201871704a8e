/// The result of an update of the grid.
package struct GridChange: Sendable, Equatable {
    /// The state before; nil if the grid was built from nothing.
    package var before: GridState?
    /// The state after.
    package var after: GridState
    /// Packed keys of the tiles that were written or emptied, ascending; nil if the grid was rebuilt.
    package var tiles: [UInt64]?

    /// A change from one state to another.
    package init(before: GridState?, after: GridState, tiles: [UInt64]?) {
        self.before = before
        self.after = after
        self.tiles = tiles
    }
}
