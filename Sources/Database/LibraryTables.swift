/// Versions and names of a library's tables, which are the same in every database system.
public enum LibraryTables {
    /// The version of the tables of the primary store.
    public static let tracksVersion: Int64 = 20
    /// The version of the tables of the grid. Increased when the tables change; a grid of another version is rebuilt.
    public static let gridVersion: Int64 = 13

    /// Bits of a chunk's key that number it within its recording: 16 M chunks of 4,096 points.
    public static let ordinalBits: Int64 = 24
    /// Chunks that share one sum (1 M points), as bits of the chunk number; less than `ordinalBits`.
    public static let chunkBlockBits: Int64 = 8

    /// Bits of an origin that number the file within its import.
    public static let originFileBits: Int64 = 32

    /// The tables of the primary store.
    public static let tracks = [
        "meta", "person", "stream", "track", "activity", "chunk", "stream_chunk", "alias", "change", "layer", "edit",
        "tag",
        "import", "import_file", "content", "source", "source_beginning", "stream_source", "stream_source_range",
        "file",
        "heading", "pin", "pin_origin", "pin_vote", "pin_report", "pin_comment", "pin_comment_vote", "pin_hidden",
        "photo",
        "photo_part", "pin_photo", "address", "stay_name", "track_annotation", "photo_origin", "unused_original",
        "venue",
        "venue_closure", "favourite", "direction", "route", "route_place", "journey", "journey_member", "focus_session",
        "profile", "reward", "reward_grant", "journey_picture", "edition", "privacy_zone", "edition_source",
        "retention_rule",
    ]

    /// The tables of the grid; `verify` compares their rows with their sums.
    public static let grid = [
        "tiles", "logs", "sums", "histograms", "lines", "line_logs", "line_rasters", "line_codes", "tracks",
        "activities", "layers",
        "members",
        "layer_rows", "touched", "totals", "visits", "ledger", "minutes", "stays", "meta",
    ]
}
