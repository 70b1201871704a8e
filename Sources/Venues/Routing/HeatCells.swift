/// Where people walk: the days on which somebody was in each cell of the heat grid at zoom level 16.
///
/// A cell is a 256th of a tile's side: the world is 2^24 cells wide and high, columns from 180° W, rows from 85.0511° N.
public struct HeatCells: Sendable {
    /// The days of the cell in a column and a row; 0 where nobody was. It is asked once for each cell that the search
    /// reaches, from one thread.
    let days: @Sendable (_ column: Int, _ row: Int) -> Int

    /// Cells along one side of the world.
    public static let side = 1 << 24

    public init(days: @escaping @Sendable (_ column: Int, _ row: Int) -> Int) {
        self.days = days
    }
}
