import LineGrid
public import TileLog
public import TileMath

extension GridReader {
    /// The bytes that `lines(of:window:filter:into:)` reads of a tile, about: those of the stored lines of the window's months, if
    /// they are stored by month, else of all.
    public func lineBytes(of tile: TileKey, window: DayWindow) throws -> Int {
        guard let head = try lineHead(of: tile.packed) else { return 0 }
        guard head.log.isEmpty else { return head.log.count }
        let months = LogMonths.periods(of: window)
        return try lineMonths(of: tile.packed).reduce(0) { $0 + (months.contains($1.period) ? $1.bytes : 0) }
    }
}
