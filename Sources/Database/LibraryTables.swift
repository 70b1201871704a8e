/// Versions and names of a library's tables, which are the same in every database system.
public enum LibraryTables {
    /// The version of the tables of the primary store.
    public static let tracksVersion: Int64 = 18
    /// The version of the tables of the grid. Increased when the tables change; a grid of another version is rebuilt.
    public static let gridVersion: Int64 = 13

    /// Bits of a chunk's key that number it within its recording: 16 M chunks of 4,096 points.
    public static let ordinalBits: Int64 = 24
    /// Chunks that share one sum (1 M points), as bits of the chunk number; less than `ordinalBits`.
    public static let chunkBlockBits: Int64 = 8

    /// Bits of an origin that number the file within its import.
    public static let originFileBits: Int64 = 32

    /// The tables of the grid; `verify` compares their rows with their sums.
    public static let grid = [
        "tiles", "logs", "sums", "histograms", "lines", "line_logs", "line_rasters", "line_codes", "tracks",
        "activities", "layers",
        "members",
        "layer_rows", "touched", "totals", "visits", "ledger", "minutes", "stays", "meta",
    ]
}
